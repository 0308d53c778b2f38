//go:build !race

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
	table, err := dfpn.NewFixedTable(64 << 20)
	require.NoError(t, err)
	limit, wantMates, wantDeclared := uint64(100_000), 144, 105
	if testing.Short() {
		limit, wantMates, wantDeclared = 2_000, 10, 10
	}
	mates, asDeclared, shortened := 0, 0, 0
	for _, name := range []string{"zuko", "muso"} {
		data, err := os.ReadFile("../../bench/testdata/" + name + ".sfen")
		require.NoError(t, err)
		set, err := ParseSet(data, Reading{})
		require.NoError(t, err)
		for _, entry := range set {
			table.Clear()
			s := &solving{ctx: t.Context(), problem: entry.Problem, table: table, begin: time.Now(), options: Options{Nodes: limit}}
			r, err := s.search(dfpn.Unlimited)
			s.options.Nodes = 0
			require.NoError(t, err)
			if r.Outcome != dfpn.Proven {
				continue
			}
			mates++
			s.solution.Length = int(r.Length)
			line := s.findMainLine()
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
			c := newCursor(entry.Problem, false, table)
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

// TestMainLineGoesRound has endings that lead back to the problem: a rook and a king that go to and
// fro.
func TestMainLineGoesRound(t *testing.T) {
	p, err := ParseProblem("8k/9/9/9/9/9/9/9/7R1 b - 1", Reading{})
	require.NoError(t, err)
	table, err := dfpn.NewFixedTable(1 << 16)
	require.NoError(t, err)
	s := &solving{ctx: t.Context(), problem: p, table: table, solution: Solution{Length: 9}}
	l := &mainLine{solving: s, known: map[place]ending{}, lengths: map[place]mateLength{}, cursor: s.cursor(), reader: s.reader(s.cursor(), 0)}
	b := l.cursor.board
	for _, text := range []string{"2i1i", "1a2a", "1i2i", "2a1a"} {
		m, err := b.ParseUSI(text)
		require.NoError(t, err)
		l.known[l.place()] = ending{plies: 9, bound: 9, move: m}
		b.Do(m)
	}
	l.cursor = s.cursor()
	require.False(t, l.choose())
	require.Empty(t, l.line)
	require.Equal(t, p.Position, l.cursor.board.Position())
}

// TestSearchWithin has a search that ends at its own limit: the next one goes on.
func TestSearchWithin(t *testing.T) {
	p, err := ParseProblem("7n1/5+B+P1r/7k1/7+p1/6P2/7N1/7N1/8B/9 b N2Pr4g4s4l13p", Reading{})
	require.NoError(t, err)
	table, err := dfpn.NewFixedTable(1 << 22)
	require.NoError(t, err)
	reader := dfpn.NewReader(t.Context(), table, newCursor(p, false, table), dfpn.Config{})
	for _, nodes := range []uint64{1, 50, 300} {
		before := reader.Nodes()
		require.Equal(t, dfpn.Unknown, reader.SearchWithin(dfpn.Unlimited, nodes).Outcome)
		require.Less(t, reader.Nodes()-before, nodes+256)
		require.Greater(t, reader.Nodes(), before)
	}
	require.Equal(t, dfpn.Proven, reader.Search(dfpn.Unlimited).Outcome)
}
