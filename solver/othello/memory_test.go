package othello

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// unsettled leaves nothing to the checker.
func unsettled(uint64, uint64, int, uint64) (bool, uint64, bool, error) { return false, 0, false, nil }

// TestBytes has results and proofs fill the memory: all of them count.
func TestBytes(t *testing.T) {
	g, err := othello.Family.Open("othello:size=4x4")
	require.NoError(t, err)
	s := newSearch(newBoard(g), 0)
	s.table = newTable(leastBits + 1)
	s.memory = s.bytes()
	require.NoError(t, s.fit())
	s.kept[key{1, 2}] = bounds{}
	require.NoError(t, s.fit())
	require.Equal(t, uint64(len(newTable(leastBits).slots)), uint64(len(s.table.slots)), "the table becomes smaller")
	for i := range s.memory / keptSize {
		s.kept[key{i, ^i}] = bounds{}
	}
	require.ErrorIs(t, s.fit(), solver.ErrLimit)
	clear(s.kept)
	require.NoError(t, s.fit())

	whole, err := New(g, g.Start(), Config{Settle: unsettled})
	require.NoError(t, err)
	_, _, err = whole.Solve(t.Context())
	require.NoError(t, err)
	_, err = whole.Prove(t.Context())
	require.NoError(t, err)
	want := uint64(0)
	for _, tree := range whole.trees {
		require.Greater(t, len(tree.children), 50)
		want += nodeSize*uint64(len(tree.nodes)) + childSize*uint64(len(tree.children))
	}
	require.Equal(t, want, whole.search.proof)
}

// TestCancelled ends each part of the work before it begins.
func TestCancelled(t *testing.T) {
	g, err := othello.Family.Open("othello:size=4x4")
	require.NoError(t, err)
	root, err := g.ParsePosition("OOOOOXXOOXXO---X X")
	require.NoError(t, err)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, from := range []othello.Position{g.Start(), root} {
		s, err := New(g, from, Config{Settle: unsettled})
		require.NoError(t, err)
		_, _, err = s.Solve(t.Context())
		require.NoError(t, err)
		_, err = s.Line(cancelled)
		require.ErrorIs(t, err, context.Canceled)
		_, err = s.Prove(cancelled)
		require.ErrorIs(t, err, context.Canceled)
		h, err := s.Prove(t.Context())
		require.NoError(t, err)
		w, err := proof.NewWriter(new(bytes.Buffer), h)
		require.NoError(t, err)
		require.ErrorIs(t, s.WriteProof(cancelled, w), context.Canceled)
	}
}
