//go:build !race

package threat

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gomoku"
)

// TestPuzzles compares with the length that another program found, and checks
// each win against every reply.
func TestPuzzles(t *testing.T) {
	list := puzzles(t)
	require.Len(t, list, 79)
	for _, p := range list {
		s := NewSearcher(p.game, 12)
		b := p.game.NewBoard(p.position)
		side := p.position.ToMove()
		tree, verdict := s.VCF(b, side, AllMoves, 0)
		require.Equal(t, p.position, b.Position(side))
		if p.moves == 0 {
			require.Equal(t, Refuted, verdict, p.id)
			require.Nil(t, tree)
			continue
		}
		require.Equal(t, Proven, verdict, p.id)
		require.Equal(t, p.moves, tree.Moves(), p.id)
		require.NoError(t, checkTree(p.game, p.position, tree), p.id)
		_, verdict = s.VCF(b, side, p.moves-1, 0)
		require.Equal(t, Refuted, verdict, p.id)
		tree, verdict = NewSearcher(p.game, 12).VCF(b, side, AllMoves, 2)
		require.Equal(t, Unknown, verdict, p.id)
		require.Nil(t, tree)
		require.Equal(t, p.position, b.Position(side))
	}
}

func BenchmarkVCF(bench *testing.B) {
	list := puzzles(bench)
	s := NewSearcher(list[0].game, 12)
	var boards []*gomoku.Board
	for _, p := range list {
		boards = append(boards, p.game.NewBoard(p.position))
	}
	for bench.Loop() {
		s.Reset()
		for i, p := range list {
			s.VCF(boards[i], p.position.ToMove(), AllMoves, 0)
		}
	}
	bench.ReportMetric(float64(bench.Elapsed().Nanoseconds())/float64(s.nodes), "ns/node")
	bench.ReportMetric(float64(s.nodes)/float64(bench.N*len(list)), "nodes/search")
}
