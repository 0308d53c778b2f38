package variant

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// perft counts the sequences of moves of a length.
func (b *board) perft(depth int) (n uint64) {
	if b.ended() != noResult {
		return 0
	}
	moves := b.legalMoves(nil)
	if depth == 1 {
		return uint64(len(moves))
	}
	for _, m := range moves {
		next := *b
		next.apply(m)
		n += next.perft(depth - 1)
	}
	return n
}

// TestPerft compares counts of sequences of moves with those of another program: docs/variants.md says which, and how they were
// made.
func TestPerft(t *testing.T) {
	most := uint64(10_000_000)
	if testing.Short() {
		most = 3000
	}
	f, err := os.Open("testdata/perft.tsv")
	require.NoError(t, err)
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = '\t'
	rows, err := r.ReadAll()
	require.NoError(t, err)
	byName := map[string][][]string{}
	for _, row := range rows[1:] {
		byName[row[0]] = append(byName[row[0]], row[1:])
	}
	require.Greater(t, len(byName), 100)
	for name, rows := range byName {
		t.Run(name, func(t *testing.T) {
			r := BuiltIn().rules[name].clone()
			r.pawnDropMateIllegal = false // the other program makes such drops, and has the side that is mated win
			g, err := newGame(r)
			require.NoError(t, err)
			for _, row := range rows {
				depth, err := strconv.Atoi(row[1])
				require.NoError(t, err)
				want, err := strconv.ParseUint(row[2], 10, 64)
				require.NoError(t, err)
				if want > most {
					continue
				}
				p := g.Start()
				if row[0] != "startpos" {
					p, err = g.ParsePosition(row[0])
					require.NoError(t, err)
				}
				require.Equal(t, want, g.newBoard(&p).perft(depth), "%s, depth %d", row[0], depth)
			}
		})
	}
}

// TestPawnDropMate counts where drops of pawns that mate are 58 of 6,649 sequences.
func TestPawnDropMate(t *testing.T) {
	g := open(t, "minishogi")
	p, err := g.ParsePosition("4k/bsGR1/R1bKp/ps3/1G3[] w - - 0 1")
	require.NoError(t, err)
	require.EqualValues(t, 6591, g.newBoard(&p).perft(3))
}
