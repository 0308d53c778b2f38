package solver

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

// TestCursor merges mirror images into one child.
func TestCursor(t *testing.T) {
	g := tictactoe.Game{}
	r := rules[tictactoe.Position, tictactoe.Move]{game: g, canonicalizer: g, brancher: newBrancher(g)}
	c := newCursor(r, games.FixedSeed)
	c.set(g.Start(), true, 1)
	var node dfpn.Node
	c.Expand(&node)
	require.True(t, node.Or)
	require.Equal(t, dfpn.Open, node.Status)
	require.Len(t, node.Children, 3, "corner, edge, centre")
	rootKey := c.Root()
	seen := map[uint64]bool{rootKey: true}
	for _, child := range node.Children {
		require.False(t, seen[child.Key])
		seen[child.Key] = true
		require.Equal(t, [2]uint16{1, 1}, [2]uint16{child.Proof, child.Disproof})
		c.Do(child.Move)
		var next dfpn.Node
		c.Expand(&next)
		require.False(t, next.Or)
		f := c.frames[c.depth]
		require.Equal(t, child.Key, c.key(&f.position, f.attacker))
		require.NotEqual(t, child.Key, c.key(&f.position, !f.attacker), "who is the attacker is part of the key")
		c.Undo(child.Move)
	}
}

// largest is a Brancher that gives all moves large numbers.
type largest[P, M comparable] struct{ Brancher[P, M] }

func (l largest[P, M]) AppendBranches(dst []Branch[M], p P, attackerToMove bool) ([]Branch[M], bool) {
	dst, complete := l.Brancher.AppendBranches(dst, p, attackerToMove)
	for i := range dst {
		dst[i].Proof, dst[i].Disproof = 70_000, unproven-1000
	}
	return dst, complete
}

func TestCursorNumbers(t *testing.T) {
	g := tictactoe.Game{}
	c := newCursor(rules[tictactoe.Position, tictactoe.Move]{game: g, brancher: largest[tictactoe.Position, tictactoe.Move]{newBrancher(g)}}, games.FixedSeed)
	c.set(g.Start(), true, 1)
	var node dfpn.Node
	c.Expand(&node)
	require.Len(t, node.Children, 9)
	for _, child := range node.Children {
		require.Equal(t, uint16(math.MaxUint16), child.Proof)
		require.Equal(t, uint16(math.MaxUint16), child.Disproof)
	}
}

// TestCursorMemory walks along without allocating.
func TestCursorMemory(t *testing.T) {
	walk(t, tictactoe.Game{}, tictactoe.Game{})
	g, _ := newGomoku(t, gomoku.Rules{Rows: 7, Columns: 7, K: 5})
	walk(t, g, g)
}

func walk[P, M comparable](t *testing.T, g games.Game[P, M], canonicalizer games.Canonicalizer[P]) {
	t.Helper()
	c := newCursor(rules[P, M]{game: g, canonicalizer: canonicalizer, brancher: newBrancher(g)}, games.FixedSeed)
	c.set(canonicalizer.Canonical(g.Start()), true, 1)
	nodes := make([]dfpn.Node, 4)
	down := func() {
		for i := range nodes {
			nodes[i] = dfpn.Node{Children: nodes[i].Children[:0]}
			if c.Expand(&nodes[i]); nodes[i].Status != dfpn.Open {
				break
			}
			c.Do(nodes[i].Children[len(nodes[i].Children)/2].Move)
		}
		for c.depth > 0 {
			c.Undo(0)
		}
	}
	down()
	require.NotEmpty(t, nodes[0].Children)
	require.Zero(t, testing.AllocsPerRun(20, down))
}
