package retro

import (
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// allOnDisk returns the configuration of a solve with everything on disk, in slabs so small
// that some lists of a small graph have several.
func allOnDisk(t *testing.T, rng *rand.Rand) Config {
	t.Helper()
	fs := vfs.NewMem()
	require.NoError(t, fs.MkdirAll("solve", 0o755))
	return Config{
		Positions: []Positions{Reachable, All}[rng.IntN(2)], Threads: 1 + rng.IntN(3), BatchSize: 1 + rng.IntN(9),
		FS: fs, Checkpoint: "solve", Memory: 1, slab: 6,
	}
}

// TestOnDisk solves random graphs, all of whose tiers are on disk while they are solved.
func TestOnDisk(t *testing.T) {
	written := uint64(0)
	check := func(t *testing.T, rng *rand.Rand, g *graph, want []games.Value) {
		s, err := Analyze(t.Context(), g.universe(g.start(rng)), allOnDisk(t, rng))
		require.NoError(t, err)
		g.check(t, s, want)
		for _, p := range s.Passes {
			written += p.Counts.Written
		}
	}
	graphs(t, 100, func(t *testing.T, rng *rand.Rand, g *graph) { check(t, rng, g, g.solve()) })
	scoreGraphs(t, 100, func(t *testing.T, rng *rand.Rand, g *graph) { check(t, rng, g, g.solveScores()) })
	require.Greater(t, written, uint64(1<<20))
}
