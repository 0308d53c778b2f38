package threat

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/solver"
)

// TestWorkers has workers help with a long search, until one has work of its own
// and again after it.
func TestWorkers(t *testing.T) {
	g := newGame(t, gomoku.Rules{Rows: 15, Columns: 15, K: 5})
	all, err := newWorkers(g, ProverConfig{Memory: 1 << 26}, 3)
	require.NoError(t, err)
	helping := func() (n int) {
		all.mu.Lock()
		defer all.mu.Unlock()
		for _, m := range all.list {
			if m.helps != nil {
				n++
			}
		}
		return n
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error)
	long := all.list[0]
	all.begin(long)
	go func() {
		_, err := long.expand(ctx, position(t, g, "h8", "h9"), true, solver.Limits{Nodes: 1 << 40})
		done <- err
	}()
	soon := func(n int) {
		require.Eventually(t, func() bool { return helping() == n }, time.Minute, time.Millisecond)
	}
	soon(2)
	for range 3 {
		m := all.list[1]
		all.begin(m)
		require.Nil(t, m.helps)
		require.Equal(t, 1, helping())
		before := m.Nodes()
		tree, err := m.Prove(t.Context(), position(t, g, "h8", "a15", "i9", "o1"), 100)
		require.NoError(t, err)
		require.NotNil(t, tree)
		require.LessOrEqual(t, m.Nodes()-before, uint64(110), "without those that it expanded for others")
		all.end(m)
		soon(2)
	}
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	all.end(long)
	soon(0)
	require.Empty(t, all.active)
}
