package shogi

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gametest"
)

// perftLimit is the largest count that the short tests check.
const perftLimit = 25_000_000

// readPerft calls f with the lines of testdata/perft.tsv: counts by other
// programs. Those of the start position, and the position with 593 moves, are
// well known among writers of shogi engines.
func readPerft(t testing.TB, f func(sfen string, depth int, nodes uint64)) {
	text, err := os.ReadFile("testdata/perft.tsv")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	require.Equal(t, "sfen\tdepth\tnodes", lines[0])
	for _, line := range lines[1:] {
		fields := strings.Split(line, "\t")
		require.Len(t, fields, 3, line)
		depth, err := strconv.Atoi(fields[1])
		require.NoError(t, err)
		nodes, err := strconv.ParseUint(fields[2], 10, 64)
		require.NoError(t, err)
		f(fields[0], depth, nodes)
	}
}

func TestPerft(t *testing.T) {
	readPerft(t, func(sfen string, depth int, nodes uint64) {
		if nodes > perftLimit && testing.Short() {
			return
		}
		p, err := ParseSFEN(sfen)
		require.NoError(t, err)
		b := NewBoard(p)
		require.Equal(t, nodes, gametest.Sequences(b, depth), "perft %d of %s", depth, sfen)
		require.Equal(t, p, b.Position(), "after perft")
	})
}

// BenchmarkPerft counts the start position and one with much in hand.
func BenchmarkPerft(b *testing.B) {
	for _, c := range []struct {
		name, sfen string
		depth      int
	}{
		{"start5", startSFEN, 5},
		{"start6", startSFEN, 6},
		{"hands3", "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1", 3},
	} {
		b.Run(c.name, func(b *testing.B) {
			p, err := ParseSFEN(c.sfen)
			require.NoError(b, err)
			board := NewBoard(p)
			nodes := uint64(0)
			for b.Loop() {
				nodes += gametest.Sequences(board, c.depth)
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
		})
	}
}
