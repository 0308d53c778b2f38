package checkers

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
)

func open(t testing.TB, spec string) *Game {
	g, err := Family.Open(spec)
	require.NoError(t, err)
	return g
}

// unnumbered is a game with too many pieces to be numbered.
type unnumbered struct {
	games.Game[Position, Move]
	games.Canonicalizer[Position]
	games.Features[Position]
	games.Tactics[Position, Move]
	games.Drawer[Position]
	games.Describer[Position, Move]
	games.MoveParser[Position, Move]
}

var more = flag.Bool("more", false, "test more: endings with more pieces, and deeper")

func TestConformance(t *testing.T) {
	specs := []string{"checkers:pieces=2", "checkers:size=6x6,pieces=3", "checkers:size=4x4"}
	if *more {
		specs = []string{"checkers:pieces=5", "checkers:size=6x6,pieces=6"}
	}
	for _, spec := range specs {
		t.Run(spec, func(t *testing.T) { gametest.Run(t, open(t, spec)) })
	}
	g := open(t, "checkers")
	t.Run("8x8", func(t *testing.T) { gametest.Run(t, unnumbered{g, g, g, g, g, g, g}) })
}

func FuzzText(f *testing.F) {
	g := open(f, "checkers")
	gametest.FuzzText(f, unnumbered{g, g, g, g, g, g, g})
}

// TestPerft compares with OEIS A133046 on 8×8; the other counts are those of another
// program.
func TestPerft(t *testing.T) {
	for _, board := range []struct {
		spec   string
		counts []uint64
		most   int // depth in the default run
	}{
		{"checkers", []uint64{7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564, 85242128, 388623673}, 10},
		{"checkers:size=6x6", []uint64{5, 25, 106, 369, 1271, 4104, 12495, 37474, 104013, 290032, 808158, 2209549, 6039632}, 12},
	} {
		g := open(t, board.spec)
		if *more {
			board.most = len(board.counts)
		}
		gametest.Perft(t, g, "startpos", board.counts[:board.most]...)
	}
}

func BenchmarkPerft(b *testing.B) {
	g := open(b, "checkers")
	for b.Loop() {
		require.EqualValues(b, 18391564, gametest.Sequences(gametest.Walk(g, g.Start()), 10))
	}
	b.ReportMetric(18391564*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
}

// TestPositionCounts compares the numbers of positions with both sides having a piece.
func TestPositionCounts(t *testing.T) {
	for _, board := range []struct {
		spec   string
		counts []uint64 // with two pieces, three, and so on
	}{
		{"checkers:pieces=8", []uint64{3_488, 196_032, 6_209_316, 139_450_808, 2_426_085_676, 34_243_113_624, 403_190_250_561}},
		{"checkers:size=6x6", []uint64{1_029, 30_126, 481_755, 5_276_874, 43_091_465, 273_507_984}},
	} {
		counts := map[int]uint64{}
		for _, tier := range open(t, board.spec).Tiers()[1:] {
			counts[len(tier.Name)-1] += tier.Size
		}
		for i, want := range board.counts {
			require.Equal(t, want, counts[i+2], "%s, %d pieces", board.spec, i+2)
		}
	}
	// All positions of 6×6, but for those in which one side has no piece.
	list := open(t, "checkers:size=6x6").Tiers()
	require.Equal(t, uint64(63_836_439_921), list[len(list)-1].Start+list[len(list)-1].Size-1)
}

// TestIndexOfManyPieces reads the first and last positions of large tiers, and some
// between, which tests of the whole game rarely meet.
func TestIndexOfManyPieces(t *testing.T) {
	for _, spec := range []string{"checkers", "checkers:size=6x6"} {
		g := open(t, spec)
		rng := rand.New(rand.NewPCG(1, 2))
		for _, tier := range g.Tiers() {
			for n := range 10 {
				i := tier.Start + rng.Uint64N(tier.Size)
				switch n {
				case 0:
					i = tier.Start
				case 1:
					i = tier.Start + tier.Size - 1
				}
				p, ok := g.Position(i)
				require.True(t, ok)
				back, err := g.Index(p)
				require.NoError(t, err)
				require.Equal(t, i, back)
				_, err = g.ParsePosition(string(g.AppendPosition(nil, p)))
				require.NoError(t, err)
			}
		}
	}
}

// TestEvaluate compares positions that differ in one thing. The weights that ship need to agree on material only.
func TestEvaluate(t *testing.T) {
	g := open(t, "checkers")
	set := g.FeatureSet()
	made, shipped := games.NewCursor(g, set.Folded(set.ByHand())), games.NewCursor(g, set.Folded(set.Weights))
	for _, c := range []struct {
		better, worse string
		material      bool
	}{
		{"B:W30,32:B5,6", "B:W30,31,32:B5,6", true},
		{"B:W30,32:BK10,6", "B:W30,32:B10,6", true},   // kings
		{"W:W30,31,32:B5,6", "W:W30,32:B5,6", true},   // as White sees it
		{"B:W25,32:B18,6", "B:W25,32:B13,6", false},   // advancement
		{"B:WK10,K14:B4,5", "B:WK9,K14:B4,5", false},  // mobility: 5 is blocked
		{"B:WK32,30:B2,14", "B:WK32,30:B7,14", false}, // the first row
	} {
		better, err := g.ParsePosition(c.better)
		require.NoError(t, err)
		worse, err := g.ParsePosition(c.worse)
		require.NoError(t, err)
		cursors := []games.Cursor[Position, Move]{made}
		if c.material {
			cursors = append(cursors, shipped)
		}
		for _, cursor := range cursors {
			cursor.Set(better)
			score := cursor.Evaluate()
			cursor.Set(worse)
			require.Greater(t, score, cursor.Evaluate(), "%s, %s", c.better, c.worse)
		}
	}
	p, err := g.ParsePosition("B:W15:B11")
	require.NoError(t, err)
	require.True(t, g.Forced(p))
	require.False(t, g.Forced(g.Start()))
}
