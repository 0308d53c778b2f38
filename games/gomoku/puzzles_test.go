package gomoku

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// puzzle is a row of testdata/puzzles.tsv: positions of games between programs,
// each with what a search of its own, which is not ours, found in them.
type puzzle struct {
	id       string
	game     *Game
	position Position
	moves    int // of the shortest victory by continuous fours; 0 if there is none
}

func puzzles(t testing.TB) (list []puzzle) {
	text, err := os.ReadFile("testdata/puzzles.tsv")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, line := range lines[1:] {
		f := strings.Split(line, "\t")
		spec := fmt.Sprintf("gomoku:size=%sx%s", f[2], f[2])
		if f[1] == "exact5" {
			spec += ",rule=exact"
		}
		p := puzzle{id: f[0], game: open(t, spec)}
		p.position, err = p.game.ParsePosition(f[4] + " " + f[3])
		require.NoError(t, err)
		if f[5] != "no VCF" {
			require.Equal(t, "win by VCF, minimal", f[5])
			p.moves, err = strconv.Atoi(f[6])
			require.NoError(t, err)
		}
		list = append(list, p)
	}
	return list
}

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
	var boards []*Board
	for _, p := range list {
		boards = append(boards, p.game.NewBoard(p.position))
	}
	for bench.Loop() {
		s.Reset()
		for i, p := range list {
			s.VCF(boards[i], p.position.toMove, AllMoves, 0)
		}
	}
	bench.ReportMetric(float64(bench.Elapsed().Nanoseconds())/float64(s.nodes), "ns/node")
	bench.ReportMetric(float64(s.nodes)/float64(bench.N*len(list)), "nodes/search")
}
