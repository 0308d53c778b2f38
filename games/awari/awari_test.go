package awari

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
)

// slamRules are all rules for grand slams.
var slamRules = []string{"", "slam=no-capture", "slam=mover-takes-rest", "slam=opponent-takes-rest", "slam=illegal"}

func open(t testing.TB, options ...string) *Game {
	t.Helper()
	spec, between := "awari", ":"
	for _, o := range options {
		if o != "" {
			spec, between = spec+between+o, ","
		}
	}
	g, err := Family.Open(spec)
	require.NoError(t, err)
	require.Equal(t, spec, g.Name())
	return g
}

func TestConformance(t *testing.T) {
	for _, rule := range slamRules {
		for _, stones := range []string{"stones=3", "stones=8"} {
			t.Run(rule+","+stones, func(t *testing.T) { gametest.Run(t, open(t, rule, stones)) })
		}
	}
	// Stones go round the board, and capture on the way.
	t.Run("18", func(t *testing.T) { gametest.Run(t, open(t, "stones=18")) })
}

func FuzzText(f *testing.F) { gametest.FuzzText(f, open(f)) }

// TestPerft counts sequences of moves from the start position. The first two plies
// are counted by hand; the others guard against changes.
func TestPerft(t *testing.T) { gametest.Perft(t, open(t), "startpos", 6, 36, 190, 1014) }

// TestIndex goes through all positions of few stones.
func TestIndex(t *testing.T) {
	g := open(t, "stones=7")
	seen := map[Position]bool{}
	next := uint64(0)
	for _, s := range g.Tiers() {
		require.Equal(t, next, s.Start)
		for i := range s.Size {
			p, ok := g.Position(s.Start + i)
			require.True(t, ok)
			require.Equal(t, s.Name, string(rune('0'+p.Stones())))
			require.False(t, seen[p])
			seen[p] = true
			back, err := g.Index(p)
			require.NoError(t, err)
			require.Equal(t, s.Start+i, back)
		}
		next += s.Size
	}
	require.Equal(t, binomial(7+12, 12), next)
	require.Equal(t, uint64(1_399_358_844_975), open(t).index.tier[49])
}

// TestSow compares sowing and capturing with stones moved one by one.
func TestSow(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200_000 {
		var stones [2 * pits]int
		for range 1 + rng.IntN(maxStones) {
			// Few pits are filled much, so that stones go round.
			stones[min(rng.IntN(14), rng.IntN(12), 11)]++
		}
		p := positionOf(stones)
		pit := rng.IntN(pits)
		if stones[pit] == 0 {
			continue
		}
		own, opposite, captured := p.sow(pit)
		wantStones, wantCaptured := plainSow(stones, pit)
		want := positionOf(wantStones)
		require.Equal(t, want, Position{own, opposite}, "%v, pit %d", stones, pit)
		require.Equal(t, wantCaptured, captured, "%v, pit %d", stones, pit)
	}
}

// TestRuns compares expansions with moves made one by one, and predecessors with
// successors, where many stones go round, where a row is nearly empty, and for
// neighbours, which share their moves.
func TestRuns(t *testing.T) {
	const stones = 30
	for _, rule := range slamRules {
		g := open(t, rule, "stones=30")
		plain := games.MoveExpander(g, g)
		rng := rand.New(rand.NewPCG(7, 8))
		var indices []uint64
		for range 300 {
			var p [2 * pits]int
			few := []int{1, 2, 6, 12}[rng.IntN(4)] // pits with stones
			for range 1 + rng.IntN(stones) {
				p[(rng.IntN(few)*5+few)%len(p)]++
			}
			index, err := g.Index(positionOf(p))
			require.NoError(t, err)
			for i := range uint64(3) {
				if _, ok := g.Position(index + i); ok {
					indices = append(indices, index+i)
				}
			}
		}
		var got, want, back games.Expansion
		var before games.Predecessors
		g.Expand(indices, &got)
		plain.Expand(indices, &want)
		require.Equal(t, want.Status, got.Status, rule)
		require.Equal(t, want.End, got.End, rule)
		require.Equal(t, want.Moves, got.Moves, rule)
		around := 0
		for i, index := range indices {
			gains := map[games.Successor]int16{}
			for j, s := range want.Of(i) {
				gains[s] = want.GainsOf(i)[j]
			}
			for j, s := range got.Of(i) {
				gain, ok := gains[s]
				require.True(t, ok && gain == got.GainsOf(i)[j], "%s: position %d", rule, index)
				p, _ := g.Position(s.Index())
				if at, _ := g.Position(index); s.Outcome() != games.Unfinished || p.Stones() != at.Stones() {
					continue
				}
				g.Retract([]uint64{s.Index()}, &before)
				n := 0
				for _, other := range before.Indices {
					if other == index {
						n++
					}
				}
				require.Equal(t, 1, n, "%s: position %d", rule, index)
			}
			if got.Status[i] != games.Unfinished {
				continue
			}
			g.Retract([]uint64{index}, &before)
			plain.Expand(before.Indices, &back)
			for j, from := range before.Indices {
				require.Contains(t, back.Of(j), games.NewSuccessor(index, games.Unfinished), "%s: position %d", rule, from)
				p, _ := g.Position(from)
				if all := p.Pits(); slices.Max(all[:pits]) >= 2*pits {
					around++
				}
			}
		}
		require.Greater(t, around, 20, rule)
	}
}

// plainSow sows a pit stone by stone.
func plainSow(stones [2 * pits]int, pit int) (after [2 * pits]int, captured row) {
	n, at := stones[pit], pit
	stones[pit] = 0
	for ; n > 0; n-- {
		if at = (at + 1) % len(stones); at == pit {
			at = (at + 1) % len(stones)
		}
		stones[at]++
	}
	for ; at >= pits && (stones[at] == 2 || stones[at] == 3); at-- {
		captured |= row(stones[at]) << (8 * (at - pits))
	}
	return stones, captured
}

func TestParse(t *testing.T) {
	g := open(t)
	for _, text := range []string{
		"4,4,4,4,4,4,4,4,4,4,4,4", "4-4-4-4-4-4-4-4-4-4-4-4", "4 4 4 4 4 4  4 4 4 4 4 4", "4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4",
	} {
		p, err := g.ParsePosition(text)
		require.NoError(t, err, text)
		require.Equal(t, g.Start(), p)
	}
	for text, want := range map[string]string{
		"1,2,3":                                      "want 12 numbers, got 3",
		"1,1,1,1,1,1,1,1,1,1,1,1,1":                  "want 12 numbers, got 13",
		"1,1,1,1,1,x,1,1,1,1,1,1":                    `pit F: "x" is not a number`,
		"1,1,1,1,1,1,1,1,-2,1,1,1":                   "pit c has -2 stones, want 0 or more",
		"1-1-1-1-1-1-1-1--2-1-1-1":                   "pit c has -2 stones, want 0 or more",
		"-1-1-1-1-1-1-1-1-2-1-1-1":                   "pit A has -1 stones, want 0 or more",
		"40,9,0,0,0,0,0,0,0,0,0,0":                   "more than 48 stones",
		"99999999,9,0,0,0,0,0,0,0,0,0,0":             "more than 48 stones",
		"1,1,1,1,1,99999999999999999999,1,1,1,1,1,1": "is not a number of stones",
	} {
		_, err := g.ParsePosition(text)
		require.ErrorContains(t, err, want, text)
	}
	_, err := open(t, "stones=20").ParsePosition("4,4,4,4,4,4,4,4,4,4,4,4")
	require.ErrorContains(t, err, "48 stones are on the board, awari:stones=20 has at most 20")
	for _, spec := range []string{"awari:stones=0", "awari:stones=49", "awari:stones=x"} {
		_, err := Family.Open(spec)
		require.ErrorContains(t, err, "want a number of stones from 1 to 48")
	}
}

// TestMoves looks at rules one by one.
func TestMoves(t *testing.T) {
	for _, c := range []struct{ rule, position, moves, value string }{
		// C would capture all that the opponent has.
		{"", "0,0,6,0,3,5,1,2,1,0,0,0", "E×5 F", "unfinished"},
		{"", "0,0,0,0,0,1,1,0,0,0,0,0", "F×2", "unfinished"},
		{"", "1,0,0,0,0,1,1,0,0,0,0,0", "A", "unfinished"},
		{"", "1,0,0,0,0,0,0,0,0,0,0,0", "A", "unfinished"},
		{"", "1,0,0,0,0,1,0,0,0,0,0,0", "F", "unfinished"},
		{"", "0,0,0,0,0,0,0,3,0,0,0,0", "", "-3"},
		{"slam=no-capture", "0,0,0,0,0,1,1,0,0,0,0,0", "F", "unfinished"},
		{"slam=no-capture", "1,0,0,0,0,0,0,0,0,0,0,0", "", "+1"},
		{"slam=mover-takes-rest", "1,0,0,0,0,1,1,0,0,0,0,0", "A F×2", "unfinished"},
		{"slam=opponent-takes-rest", "1,0,0,0,0,1,1,0,0,0,0,0", "A F×2", "unfinished"},
		{"slam=illegal", "1,0,0,0,0,1,1,0,0,0,0,0", "A", "unfinished"},
		{"slam=illegal", "0,0,0,0,0,1,2,0,0,0,0,0", "", "-1"},
	} {
		g := open(t, c.rule)
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err)
		text := ""
		for _, m := range g.AppendMoves(nil, p) {
			if text != "" {
				text += " "
			}
			text += string(g.AppendMove(nil, p, m))
		}
		require.Equal(t, c.moves, text, "%s %s", c.rule, c.position)
		v, _ := g.Outcome(p)
		require.Equal(t, c.value, v.String(), "%s %s", c.rule, c.position)
	}
	g := open(t)
	p, err := g.ParsePosition("1,1,1,1,1,2,4,2,3,0,0,0")
	require.NoError(t, err)
	for text, want := range map[string]string{"d": "", "Fx3": "", "F": "", "f×3": "", "Fx4": "legal moves: A", "g": "legal moves: A", "": "legal moves: A", "A×1×1": "legal moves: A"} {
		_, err := g.ParseMove(p, text)
		if want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, want, text)
		}
	}
}

func BenchmarkExpand(b *testing.B) {
	g := open(b, "stones=20")
	var x games.Expansion
	eachBatch(b, g, func(batch []uint64) int {
		g.Expand(batch, &x)
		return len(x.Successors)
	})
}

func BenchmarkRetract(b *testing.B) {
	g := open(b, "stones=20")
	var x games.Predecessors
	eachBatch(b, g, func(batch []uint64) int {
		g.Retract(batch, &x)
		return len(x.Indices)
	})
}

// eachBatch measures what do does with batches of neighbours all over the tier of
// 20 stones; do returns how many moves it made.
func eachBatch(b *testing.B, g *Game, do func(batch []uint64) int) {
	begin, size := g.index.tier[20], g.index.tier[21]-g.index.tier[20]
	batch := make([]uint64, 256)
	at, moves := uint64(0), 0
	for b.Loop() {
		for i := range batch {
			batch[i] = begin + at + uint64(i)
		}
		at = (at + 1_000_003) % (size - 256)
		moves += do(batch)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(batch)), "ns/position")
	b.ReportMetric(float64(moves)/float64(b.N*len(batch)), "moves/position")
}
