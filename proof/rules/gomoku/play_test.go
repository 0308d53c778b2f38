package gomoku

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/proof"
)

// TestFollowCertificate has the moves by certificates in positions that come after theirs, in
// images too; none where the position does not come about.
func TestFollowCertificate(t *testing.T) {
	const tree = "tree\na1\nd1\nc1 2 +a1=1"
	for _, c := range []struct{ spec, from, certificate, to, want string }{
		{"gomoku:size=2x5,k=3", "5/1x3 x", tree, "5/1x3 x", "c1"},
		{"gomoku:size=2x5,k=3", "5/1x3 x", tree, "3x1/5 x", "c2"},
		{"gomoku:size=2x5,k=3", "5/1x3 x", tree, "5/oxx2 x", "d1"},
		{"gomoku:size=2x5,k=3", "5/1x3 x", tree, "5/2xxo x", "b1"},
		{"gomoku:size=2x5,k=3", "5/1x3 x", tree, "2xxo/5 x", "b2"},
		{"gomoku:size=2x5,k=3", "5/1x3 x", tree, "4o/1xx2 x", "a1"},
		{"gomoku:size=2x5,k=3", "5/1x3 x", tree, "o4/2xx1 x", "e1"},
		{"gomoku:size=2x5,k=3", "5/1x3 x", tree, "1x3/o4 x", ""},
		{"gomoku:size=2x5,k=3", "5/1x3 x", tree, "5/1xx2 o", ""},
		{"gomoku:size=5x5", "5/5/5/5/5 x", "pairing a3 b3", "5/5/x4/5/5 o", "b3"},
		{"gomoku:size=5x5", "5/5/5/5/5 x", "pairing a3 b3", "5/5/1x3/5/5 o", "a3"},
		{"gomoku:size=5x5", "5/5/5/5/5 x", "pairing a3 b3", "5/5/4x/5/5 o", "a1"},
		{"gomoku:size=5x5", "5/5/5/5/1o3 x", "pairing a3 b3 d3 e3", "5/5/x2x1/5/1o3 o", ""},
		{"gomoku:size=5x5", "5/5/5/5/1o3 x", "pairing a3 b3", "5/5/xx3/5/1o2o o", ""},
		{"gomoku:size=5x5", "5/5/5/5/5 x", "pairing a3 b3", "5/5/5/5/5 x", ""},
		{"gomoku:size=5x5,k=3", "5/5/5/5/5 x", "pairing", "5/5/2x2/5/5 o", ""},
	} {
		g := tiny(t, c.spec)
		from, err := g.ParsePosition(c.from)
		require.NoError(t, err)
		to, err := g.ParsePosition(c.to)
		require.NoError(t, err)
		isTree := c.certificate[0] == 't'
		goals := []proof.Goal{proof.Hold}
		if isTree {
			goals = append(goals, proof.Win)
		}
		for _, goal := range goals {
			m, ok, err := g.Follow(t.Context(), from, isTree, goal, to, func() (string, error) { return c.certificate, nil })
			require.NoError(t, err)
			got := ""
			if ok {
				got = string(g.AppendMove(nil, to, m))
			}
			require.Equal(t, c.want, got, "%v by %s: %s", goal, c.certificate, c.to)
		}
	}
}
