package tsume

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
)

// TestMainLine solves the problems of both sets that take few nodes. Most main lines are
// as long as handed down, although most mates are longer when they are found, and they
// cost at most a quarter of the nodes of the search before.
func TestMainLine(t *testing.T) {
	table, err := dfpn.NewTable(64 << 20)
	require.NoError(t, err)
	limit, wantMates, wantDeclared := uint64(100_000), 144, 105
	if testing.Short() {
		limit, wantMates, wantDeclared = 10_000, 47, 36
	}
	mates, asDeclared, shortened := 0, 0, 0
	for _, name := range []string{"zuko", "muso"} {
		data, err := os.ReadFile("../../bench/testdata/" + name + ".sfen")
		require.NoError(t, err)
		set, err := ParseSet(data, 0, Natural)
		require.NoError(t, err)
		for _, entry := range set {
			table.Clear()
			s := &solving{ctx: t.Context(), problem: entry.Problem, table: table, begin: time.Now()}
			r, err := s.search(dfpn.Unlimited, limit)
			require.NoError(t, err)
			if r.Outcome != dfpn.Proven {
				continue
			}
			mates++
			s.solution.Length = int(r.Length)
			line, err := s.findMainLine()
			require.NoError(t, err)
			// A search looks at its limit now and then.
			require.LessOrEqual(t, s.solution.Nodes, r.Nodes+r.Nodes/4+300, entry.ID)
			if s.solution.Length < int(r.Length) {
				shortened++
			}
			if len(line) == 0 {
				continue
			}
			require.LessOrEqual(t, len(line), s.solution.Length, entry.ID)
			if len(line) == entry.Declared {
				asDeclared++
			}
			c := newCursor(entry.Problem, false)
			for i, m := range slices.Clone(line) {
				require.NoError(t, c.board.CheckMove(m), "%s, ply %d", entry.ID, i+1)
				c.board.Do(m)
				require.True(t, i%2 == 1 || c.board.InCheck(), "%s, ply %d", entry.ID, i+1)
			}
			_, err = c.tail()
			require.NoError(t, err, entry.ID)
		}
	}
	t.Log(mates, "mates,", shortened, "shortened,", asDeclared, "as long as declared")
	require.Equal(t, wantMates, mates)
	require.Equal(t, wantDeclared, asDeclared)
}
