package dobutsu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
)

// variants are all rule variants.
var variants = []string{
	"dobutsu", "dobutsu:drops=near-chick", "dobutsu:drops=none",
	"dobutsu:try=no", "dobutsu:drops=near-chick,try=no", "dobutsu:drops=none,try=no",
}

func open(t testing.TB, spec string) *Game {
	t.Helper()
	g, err := games.Open(spec)
	require.NoError(t, err)
	require.Equal(t, spec, g.Name())
	return games.Underlying(g).(*Game)
}

func TestConformance(t *testing.T) {
	for _, spec := range variants {
		t.Run(spec, func(t *testing.T) { gametest.Run(t, open(t, spec)) })
	}
}

func FuzzText(f *testing.F) { gametest.FuzzText(f, New()) }

func BenchmarkExpand(b *testing.B) {
	g := New()
	var x games.Expansion
	batch := make([]uint64, 256)
	n := 0
	next := uint64(12345)
	for b.Loop() {
		for i := range batch {
			next += 3
			batch[i] = next % g.index.open
		}
		next = (next + 7_000_001) % g.index.open
		g.Expand(batch, &x)
		n += len(x.Successors)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/move")
	b.ReportMetric(float64(n)/float64(b.N*256), "moves/position")
}

// TestStuck looks at positions in which the side to move has no move. In the usual
// game there are two, and nothing leads there.
func TestStuck(t *testing.T) {
	expand := func(t *testing.T, g *Game, p Position) (got, want games.Expansion) {
		index, err := g.Index(p)
		require.NoError(t, err)
		g.Expand([]uint64{index}, &got)
		games.MoveExpander(g, g).Expand([]uint64{index}, &want)
		require.Equal(t, want.Status, got.Status)
		require.ElementsMatch(t, want.Successors, got.Successors)
		return got, want
	}
	for _, c := range []struct{ rules, stuck string }{
		{"dobutsu", "GE1/LGE/CCl/3 b -"},
		{"dobutsu", "GEl/LGE/CC1/3 b -"},
		{"dobutsu:try=no", "GE1/LGE/CCl/3 b -"},
		{"dobutsu:drops=none,try=no", "GE1/LGE/CCl/3 b -"},
	} {
		g := open(t, c.rules)
		p, err := g.ParsePosition(c.stuck)
		require.NoError(t, err)
		v, finished := g.Outcome(p)
		require.True(t, finished)
		require.Equal(t, games.Loss(0), v)
		require.Empty(t, g.AppendMoves(nil, p))
		got, _ := expand(t, g, p)
		require.Equal(t, games.Loss(0), got.Status[0])
	}
	// Where lions do not try, gote's can come from the far rank.
	g := open(t, "dobutsu:try=no")
	before, err := g.ParsePosition("GE1/LGE/CC1/2l w -")
	require.NoError(t, err)
	m, err := g.ParseMove(before, "c4c3")
	require.NoError(t, err)
	stuck, err := g.Index(g.Play(before, m))
	require.NoError(t, err)
	got, _ := expand(t, g, before)
	require.Contains(t, got.Successors, games.NewSuccessor(stuck, games.Loss(0)))
}

// TestPerft counts sequences of moves from the start position. Two plies are
// counted by hand; the others guard against changes.
func TestPerft(t *testing.T) {
	gametest.Perft(t, New(), "startpos", 4, 17, 96, 577)
}
