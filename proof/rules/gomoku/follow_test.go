package gomoku

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/proof"
)

// TestFollow follows trees that are right, and others that are not, which a checker
// without one of its demands would accept.
func TestFollow(t *testing.T) {
	const parries = "tree\nd4\ni4\ne4 2 +d4=1\nf1\nf6\nf5 2 +f1=1\nf4 4 +d4+e4+i4=1"
	for _, c := range []struct{ spec, position, tree, want string }{
		{"gomoku:size=1x5,k=2", "5 x", smallTree, ""},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nc1 1", "b1 is not empty"},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nd1\nc1 1", "d1 is not empty"},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nc1", "c1 wins: false, the tree says true"},
		{"gomoku:size=1x5,k=2", "o4 x", "tree\nb1\nd1\nc1 2 +b1=1", "the defender wins by b1"},
		{"gomoku:size=1x3,k=2,rule=exact", "3 x", "tree\na1\nc1\nb1 2 .a1=1", ""},
		{"gomoku:size=1x1,k=2", "1 x", "tree\na1\na1 1", "the board is full"},
		{"gomoku:size=6x9", "xxoxo1xoo/1oxox1oxx/ooo3xx1/xxoooxoxo/oxoxxxoo1/o1xox1xxo x", parries, "the defender wins by "},
	} {
		g := tiny(t, c.spec)
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err)
		for _, f := range []*following{{Game: g, Limits: Limits{100_000, 0}}, {Game: g, Limits: Limits{1, 1000}}} {
			err = f.follow(t.Context(), p, c.tree)
			if c.want == "" {
				require.NoError(t, err, c.tree)
				require.Equal(t, 1, f.done.Trees)
				continue
			}
			require.ErrorContains(t, err, c.want, c.tree)
		}
	}
	g := tiny(t, "gomoku:size=1x5,k=2")
	f := following{Game: g, Limits: Limits{1000, 0}}
	require.NoError(t, f.CheckCertificate(unlimited(), g.Start(), true, proof.Win, []byte(smallTree)))
	require.Equal(t, 2, f.done.Depth)
}
