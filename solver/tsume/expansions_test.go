//go:build !race

package tsume

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
)

// TestExpansions walks at random in problems of Zuko, back some moves or to
// the start now and then, and compares each expansion with that of a cursor that keeps none.
func TestExpansions(t *testing.T) {
	data, err := os.ReadFile("../../bench/testdata/zuko.sfen")
	require.NoError(t, err)
	set, err := ParseSet(data, Reading{})
	require.NoError(t, err)
	table, err := dfpn.NewFixedTable(1 << 10)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(1, 11))
	found, put := 0, uint64(0)
	problems, moves, rings := 10, 50_000, uint64(4)
	if testing.Short() {
		problems, moves, rings = 3, 20_000, 2
	}
	for _, entry := range set[:problems] {
		c, plain := newCursor(entry.Problem, false, table), newCursor(entry.Problem, false, table)
		var node, want dfpn.Node
		for range moves {
			plain.expanded = expansions{}
			node, want = dfpn.Node{Children: node.Children[:0]}, dfpn.Node{Children: want.Children[:0]}
			before := c.expanded.next
			c.Expand(&node)
			plain.Expand(&want)
			require.Equal(t, want, node)
			if node.Status == dfpn.Open && c.expanded.slots != nil && c.expanded.next == before {
				found++
			}
			if node.Status != dfpn.Open || rng.IntN(20) == 0 {
				back := rng.IntN(8)
				if rng.IntN(20) == 0 {
					back = c.board.Ply()
				}
				for ; back >= 0 && c.board.Ply() > 0; back-- {
					c.Undo(0)
					plain.Undo(0)
				}
				continue
			}
			m := node.Children[rng.IntN(len(node.Children))].Move
			c.Do(m)
			plain.Do(m)
		}
		put = max(put, c.expanded.next)
	}
	t.Log(found, "found, at most", put, "children put in a ring")
	require.Greater(t, found, 1000)
	require.Greater(t, put, rings*ringLength)
}
