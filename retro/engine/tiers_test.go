package engine

import (
	"context"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/checkers"
)

// tiersOf returns an engine for single tiers of checkers with few pieces.
func tiersOf(t *testing.T, fs vfs.FS, change func(*games.Universe)) *Engine {
	t.Helper()
	g, err := checkers.Family.Open("checkers:pieces=3")
	require.NoError(t, err)
	u, err := games.UniverseOf(g)
	require.NoError(t, err)
	if change != nil {
		change(u)
	}
	cfg, err := Config{FS: fs, Checkpoint: "solve", Threads: 2}.WithDefaults()
	require.NoError(t, err)
	e, err := ForTiers(u, cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

// TestTiers solves every other tier with one engine, and the rest with another, whose codes differ.
func TestTiers(t *testing.T) {
	fs := vfs.NewMem()
	require.NoError(t, fs.MkdirAll("solve", 0o755))
	engines := []*Engine{tiersOf(t, fs, nil), tiersOf(t, fs, nil)}
	engines[1].code(games.Win(333)) // before any other value gets a code
	for tier := range engines[0].universe.Tiers {
		require.NoError(t, engines[tier%2].SolveTier(t.Context(), tier))
	}
	require.NotEqual(t, engines[0].state.Codes, engines[1].state.Codes)
	alone, err := Analyze(t.Context(), engines[0].universe, Config{Positions: All})
	require.NoError(t, err)
	want := alone.Solution()
	for _, e := range engines {
		require.NoError(t, e.Complete())
		got := e.Solution()
		require.Equal(t, want.Tiers, got.Tiers)
		for index := range e.universe.Size() {
			v, ok := want.Value(index)
			w, known := got.Value(index)
			require.Equal(t, ok, known)
			require.Equal(t, v, w)
		}
		require.Len(t, got.Passes, len(want.Passes))
	}
}

// TestMissingTier solves a game that leaves out a child of a tier.
func TestMissingTier(t *testing.T) {
	fs := vfs.NewMem()
	require.NoError(t, fs.MkdirAll("solve", 0o755))
	e := tiersOf(t, fs, func(u *games.Universe) { u.Tiers[3].Children = []int{} })
	err := e.SolveTier(t.Context(), 3)
	require.ErrorContains(t, err, `bug in the tiers of checkers:pieces=3: position "`)
	require.ErrorContains(t, err, " of tier M-M leads to position")
	require.ErrorContains(t, err, "of tier K-M, which is none of its children")

	e = tiersOf(t, fs, nil)
	err = e.SolveTier(t.Context(), 3)
	require.ErrorContains(t, err, "solve/tier-2 is missing")
}

// TestTierInterrupted loses the tier, and writes nothing.
func TestTierInterrupted(t *testing.T) {
	fs := vfs.NewMem()
	require.NoError(t, fs.MkdirAll("solve", 0o755))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, tiersOf(t, fs, nil).SolveTier(ctx, 1), ErrStopped)
	names, err := fs.List("solve")
	require.NoError(t, err)
	require.Empty(t, names)
}
