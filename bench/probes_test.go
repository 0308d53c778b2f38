package bench_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/retro"
)

// TestProbes measures a compact database against the ordinary one, and against one with another
// value.
func TestProbes(t *testing.T) {
	u := universe(t)
	full, small, ctx := t.TempDir(), t.TempDir(), t.Context()
	_, _, err := retro.Solve(ctx, u, full, retro.Config{Positions: retro.All})
	require.NoError(t, err)
	d, err := store.Open(full, nil)
	require.NoError(t, err)
	defer d.Close()
	_, err = store.Compact(ctx, small, d, u, false, store.WriteOptions{})
	require.NoError(t, err)

	b := bench.Probes{Game: open(t, tictactoe.Game{}), Database: small, Against: full, CacheSize: 1 << 20, Probes: 500, Seed: 1}
	var list []bench.ProbeCost
	require.NoError(t, b.Run(ctx, func(r bench.ProbeCost) { list = append(list, r) }))
	require.Len(t, list, 2)
	require.EqualValues(t, 500, list[0].Probes)
	require.EqualValues(t, 500, list[0].Compared)
	require.GreaterOrEqual(t, list[1].Probes, uint64(500))
	require.Positive(t, list[1].Compared)
	for _, r := range list {
		require.Positive(t, r.Blocks, r.Name)
		require.Less(t, r.Blocks, 1.0, "the cache holds all blocks")
	}

	lie := *d.Manifest()
	b.Against = t.TempDir()
	require.NoError(t, store.Write(ctx, b.Against, &lie, func(tier int, block uint64, dst []byte) error {
		codes, err := d.Block(tier, block)
		for i, code := range codes {
			dst[i] = min(code, 1)
		}
		return err
	}, store.WriteOptions{}))
	require.ErrorContains(t, b.Run(ctx, func(bench.ProbeCost) {}), " in "+b.Against)

	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	require.ErrorIs(t, b.Run(cancelled, func(bench.ProbeCost) {}), context.Canceled)
}
