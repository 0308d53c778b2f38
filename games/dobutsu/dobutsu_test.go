package dobutsu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
)

// variants are all rule variants.
var variants = []string{
	"dobutsu", "dobutsu:drops=near-chick", "dobutsu:drops=none",
	"dobutsu:try=no", "dobutsu:drops=near-chick,try=no", "dobutsu:drops=none,try=no",
	"dobutsu:size=3x3", "dobutsu:size=5x3", "dobutsu:size=6x3", "dobutsu:size=3x3,try=no", "dobutsu:size=5x3,drops=near-chick,try=no",
}

func open(t testing.TB, spec string) *Game {
	t.Helper()
	g, err := Family.Open(spec)
	require.NoError(t, err)
	require.Equal(t, spec, g.Name())
	return g
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
	eachBatch(b, g, func(batch []uint64) int {
		g.Expand(batch, &x)
		return len(x.Successors)
	})
}

func BenchmarkRetract(b *testing.B) {
	g := New()
	var x games.Predecessors
	eachBatch(b, g, func(batch []uint64) int {
		g.Retract(batch, &x)
		return len(x.Indices)
	})
}

// eachBatch measures what do does with batches of unfinished neighbours all over the
// open positions; do returns how many moves it made.
func eachBatch(b *testing.B, g *Game, do func(batch []uint64) int) {
	var x games.Expansion
	var batches [][]uint64
	for at := uint64(0); at < g.index.open; at += 1_000_003 {
		var near, batch []uint64
		for i := range uint64(256) {
			near = append(near, (at+3*i)%g.index.open)
		}
		g.Expand(near, &x)
		for i, index := range near {
			if x.Status[i] == games.Unfinished {
				batch = append(batch, index)
			}
		}
		batches = append(batches, batch)
	}
	positions, moves := 0, 0
	for n := 0; b.Loop(); n++ {
		batch := batches[n%len(batches)]
		positions += len(batch)
		moves += do(batch)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(positions), "ns/position")
	b.ReportMetric(float64(moves)/float64(positions), "moves/position")
}

// TestStuck looks at positions in which the side to move has no move. In the usual
// game there are two, and nothing leads there; on five ranks there are five, and games
// from the start position get to four of them.
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
		{"dobutsu:size=5x3", "GE1/LGE/CC1/l2/3 b -"},
		{"dobutsu:drops=none,try=no", "GE1/LGE/CCl/3 b -"},
	} {
		g := open(t, c.rules)
		p, err := g.ParsePosition(c.stuck)
		require.NoError(t, err)
		v, finished := g.Outcome(p)
		require.True(t, finished)
		require.Equal(t, games.Draw, v)
		require.Empty(t, g.AppendMoves(nil, p))
		got, _ := expand(t, g, p)
		require.Equal(t, games.Draw, got.Status[0])
	}
	// The only animal that could still step is captured.
	g := open(t, "dobutsu:drops=none,try=no")
	captures, err := g.ParsePosition("3/g2/Lcc/egl b e")
	require.NoError(t, err)
	got, _ := expand(t, g, captures)
	require.True(t, slices.ContainsFunc(got.Successors, func(s games.Successor) bool { return s.Outcome() == games.Draw }))

	// Where lions do not try, gote's can come from the far rank.
	g = open(t, "dobutsu:try=no")
	before, err := g.ParsePosition("GE1/LGE/CC1/2l w -")
	require.NoError(t, err)
	m, err := g.ParseMove(before, "c4c3")
	require.NoError(t, err)
	stuck, err := g.Index(g.Play(before, m))
	require.NoError(t, err)
	got, _ = expand(t, g, before)
	require.Contains(t, got.Successors, games.NewSuccessor(stuck, games.Draw))
}

// TestEven looks at boards that are their own mirror images: there two moves may
// lead to equal positions, which random games hardly ever meet. Successors and
// predecessors must be told once all the same.
func TestEven(t *testing.T) {
	g := New()
	rng := rand.New(rand.NewPCG(8, 9))
	twice := 0
	for n := 0; n < 300; {
		lions := rng.Uint64N(g.index.open / g.index.placements)
		squares := g.index.lions[lions]
		index := lions*g.index.placements + rng.Uint64N(g.index.placements)
		if !g.index.pairs[squares[0]][squares[1]].symmetric {
			continue
		}
		p, ok := g.Position(index)
		if !ok {
			continue
		}
		image := p
		image.transform(mirror)
		if _, finished := g.Outcome(p); finished || image != p {
			continue
		}
		n++
		var got, want, other games.Expansion
		g.Expand([]uint64{index}, &got)
		games.MoveExpander(g, g).Expand([]uint64{index}, &want)
		name := string(g.AppendPosition(nil, p))
		require.Equal(t, want.Moves, got.Moves, name)
		require.ElementsMatch(t, want.Successors, got.Successors, name)
		if got.Moves > len(got.Successors) {
			twice++
		}
		var before games.Predecessors
		for _, s := range got.Successors {
			if s.Outcome() == games.Unfinished {
				g.Retract([]uint64{s.Index()}, &before)
				require.Equal(t, 1, count(before.Indices, index), "%s among the predecessors of a successor", name)
			}
		}
		g.Retract([]uint64{index}, &before)
		for _, i := range before.Indices {
			require.Equal(t, 1, count(before.Indices, i), "%s has a predecessor twice", name)
			g.Expand([]uint64{i}, &other)
			require.Equal(t, 1, count(other.Successors, games.NewSuccessor(index, games.Unfinished)), name)
		}
	}
	require.Positive(t, twice)
}

func count[T comparable](list []T, x T) int {
	n := 0
	for _, y := range list {
		if x == y {
			n++
		}
	}
	return n
}
