//go:build !race

package threat

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gomoku"
)

// TestThreatSpace checks the trees that threat-space search finds in random
// positions of the middle of a game, against every reply.
func TestThreatSpace(t *testing.T) {
	positions := 40
	if testing.Short() {
		positions = 10
	}
	rng := rand.New(rand.NewPCG(3, 3))
	for _, spec := range []string{"gomoku", "gomoku:rule=exact", "gomoku:size=9x9,k=4", "gomoku:size=9x9,k=4,rule=exact", "gomoku:size=19x19,k=6", "gomoku:size=7x7,k=3,rule=exact"} {
		g := open(t, spec)
		s := NewSearcher(g, 14)
		found := 0
		for range positions {
			p := middleGame(g, rng, 4+rng.IntN(20))
			b := g.NewBoard(p)
			_, verdict := s.VCF(b, p.ToMove(), AllMoves, 0)
			tree := s.ThreatSpace(b, p.ToMove())
			require.Equal(t, p, b.Position(p.ToMove()))
			if tree == nil {
				require.Equal(t, Refuted, verdict)
				continue
			}
			if verdict != Proven {
				found++
			}
			require.NoError(t, checkTree(g, p, tree), "%s", g.AppendPosition(nil, p))
		}
		t.Log(spec, found)
		if g.Rules().K == 5 && !testing.Short() {
			require.Greater(t, found, 3)
		}
	}
}

// TestZones plays after each win 1,000 moves outside of its zone, each answered
// by the same tree, with the defender playing on at random or where he makes the
// most of his lines.
func TestZones(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	type win struct {
		game     *gomoku.Game
		position gomoku.Position
	}
	var list []win
	for _, p := range puzzles(t) {
		list = append(list, win{p.game, p.position})
	}
	for _, spec := range []string{"gomoku", "gomoku:rule=exact", "gomoku:size=9x9,k=4,rule=exact", "gomoku:size=12x19,k=6"} {
		g := open(t, spec)
		for range 40 {
			list = append(list, win{g, middleGame(g, rng, 5+rng.IntN(20))})
		}
	}
	wins, longest := 0, 0
	for _, w := range list {
		s := NewSearcher(w.game, 12)
		b := w.game.NewBoard(w.position)
		tree := s.ThreatSpace(b, w.position.ToMove())
		if tree == nil {
			continue
		}
		wins++
		longest = max(longest, tree.Moves())
		zone := tree.Zone(b, w.position.ToMove())
		outside := w.game.EmptySquares(w.position)
		outside.RemoveAll(&zone)
		moves := slices.Collect(outside.All())
		for range 1000 {
			if len(moves) == 0 {
				break
			}
			first := moves[rng.IntN(len(moves))]
			p := w.game.Play(w.position.NullMove(), first)
			require.NoError(t, playTree(w.game, p, tree, rng), "after %v in %s", first, w.game.AppendPosition(nil, w.position))
		}
	}
	t.Log(wins, "wins, the longest in", longest)
	require.Greater(t, wins, 100)
}

func BenchmarkThreatSpace(bench *testing.B) {
	g := open(bench, "gomoku")
	rng := rand.New(rand.NewPCG(3, 3))
	s := NewSearcher(g, 12)
	var boards []*gomoku.Board
	var sides []gomoku.Side
	for range 1000 {
		p := middleGame(g, rng, 10+rng.IntN(20))
		boards = append(boards, g.NewBoard(p))
		sides = append(sides, p.ToMove())
	}
	for bench.Loop() {
		for i, b := range boards {
			s.ThreatSpace(b, sides[i])
		}
	}
	bench.ReportMetric(float64(bench.Elapsed().Nanoseconds())/float64(bench.N*len(boards)), "ns/search")
}

// TestVCFContext has a search end with its context, and then the whole of it.
func TestVCFContext(t *testing.T) {
	g := newGame(t, gomoku.Rules{Rows: 15, Columns: 15, K: 5})
	p, err := g.ParsePosition("2o12/ox1xx9o/2xxxo4xxxo1/15/15/1o6o6/2ox1xx1o4o1/5oxx1x5/6o8/o3o10/1o4o1o6/1o13/5ox1xx5/7oo5o/2oxx1x3xxxo1 x")
	require.NoError(t, err)
	s := NewSearcher(g, 16)
	b := g.NewBoard(p)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = s.VCFContext(ctx, b, p.ToMove(), AllMoves, 0)
	require.ErrorIs(t, err, context.Canceled)
	require.LessOrEqual(t, s.nodes, uint64(2*checkEvery))
	require.Equal(t, p, b.Position(p.ToMove()))
	_, verdict, err := s.VCFContext(t.Context(), b, p.ToMove(), AllMoves, 0)
	require.NoError(t, err)
	require.Equal(t, Refuted, verdict)
	require.Greater(t, s.nodes, uint64(20*checkEvery))
}
