package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro/internal/graph"
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

// TestOnDisk solves random graphs, with all tiers on disk while they are solved, or some.
func TestOnDisk(t *testing.T) {
	written, some := uint64(0), 0 // some: graphs with some tiers on disk and some in memory
	check := func(t *testing.T, rng *rand.Rand, g *graph.Graph, want []games.Value) {
		u, cfg := g.Universe(g.Start(rng)), allOnDisk(t, rng)
		if rng.IntN(2) == 0 { // only tiers that are larger than one of them
			cfg.Memory = PlanOf(u, cfg).inMemory(rng.IntN(len(u.Tiers)))
		}
		s, err := analyze(t.Context(), u, cfg)
		require.NoError(t, err)
		check(t, g, s, want)
		on := 0
		for i := range u.Tiers {
			if s.e.plan.onDisk(i) {
				on++
			}
		}
		if on > 0 && on < len(u.Tiers) {
			some++
		}
		for _, p := range s.Passes {
			written += p.Counts.Written
		}
	}
	graphs(t, 100, func(t *testing.T, rng *rand.Rand, g *graph.Graph) { check(t, rng, g, g.Solve()) })
	scoreGraphs(t, 100, func(t *testing.T, rng *rand.Rand, g *graph.Graph) { check(t, rng, g, g.SolveScores()) })
	require.Greater(t, written, uint64(1<<20))
	require.Greater(t, some, 10)
}

// TestOnDiskResume interrupts solves on disk after each batch, and goes on with them on
// disk or in memory.
func TestOnDiskResume(t *testing.T) {
	run := func(t *testing.T, rng *rand.Rand, g *graph.Graph, want []games.Value) {
		cfg := allOnDisk(t, rng)
		start := g.Start(rng)
		for n := int64(1); ; n++ {
			ctx, cancel := context.WithCancel(t.Context())
			cfg.Memory, cfg.Threads = uint64(rng.IntN(2)), 1+rng.IntN(3)
			s, err := analyze(ctx, withCounter(t, g.Universe(start), n, cancel), cfg)
			cancel()
			if err == nil {
				check(t, g, s, want)
				return
			}
			require.ErrorIs(t, err, ErrInterrupted)
		}
	}
	graphs(t, 15, func(t *testing.T, rng *rand.Rand, g *graph.Graph) { run(t, rng, g, g.Solve()) })
	scoreGraphs(t, 15, func(t *testing.T, rng *rand.Rand, g *graph.Graph) { run(t, rng, g, g.SolveScores()) })
}

// TestOnDiskManyDistances has more codes than a byte.
func TestOnDiskManyDistances(t *testing.T) {
	g := path(1000)
	for seed := range uint64(4) {
		s, err := analyze(t.Context(), g.Universe(999), allOnDisk(t, rand.New(rand.NewPCG(seed, 1))))
		require.NoError(t, err)
		check(t, g, s, g.Solve())
	}
}

// TestOnDiskFaults fails the n-th use of the disk, for every n: the solve reports it, or
// ends with the right values nevertheless; and what it leaves can be continued.
func TestOnDiskFaults(t *testing.T) {
	broken := errors.New("the disk is broken")
	for _, scores := range []bool{false, true} {
		rng := rand.New(rand.NewPCG(3, 3))
		o := graph.Options{Tiers: 2, Size: 60, Degree: 3, Finished: 20, Outcomes: graph.PlainOutcomes, Scores: scores}
		if scores {
			o.Outcomes = []games.Value{games.Score(3), games.Score(-2)}
		}
		g := graph.New(rng, o)
		values, start := g.Solve(), g.Start(rng)
		if scores {
			values = g.SolveScores()
		}
		for _, stop := range []int64{0, 4} { // with an interruption, the last uses are for a checkpoint
			positions := []Positions{Reachable, All}[rng.IntN(2)]
			t.Run(fmt.Sprint(scores, positions, stop), func(t *testing.T) {
				reported := 0
				for n := int64(1); ; n++ {
					var left atomic.Int64
					left.Store(n)
					cfg := allOnDisk(t, rng)
					mem := cfg.FS
					cfg.Positions, cfg.Threads = positions, 2
					cfg.FS = errorfs.Wrap(mem, errorfs.InjectorFunc(func(errorfs.Op) error {
						if left.Add(-1) == 0 {
							return broken
						}
						return nil
					}))
					ctx, cancel := context.WithCancel(t.Context())
					s, err := analyze(ctx, withCounter(t, g.Universe(start), stop, cancel), cfg)
					cancel()
					if errors.Is(err, broken) {
						reported++
					}
					if err != nil {
						require.True(t, errors.Is(err, broken) || stop > 0 && errors.Is(err, ErrInterrupted), "%v", err)
						cfg.FS = mem
						s, err = analyze(t.Context(), g.Universe(start), cfg)
						require.NoError(t, err)
					}
					check(t, g, s, values)
					if left.Load() > 0 {
						break
					}
				}
				require.Greater(t, reported, 10)
			})
		}
	}
}

// TestOnDiskQuits interrupts a solve that has too much on disk to write a checkpoint
// within a second.
func TestOnDiskQuits(t *testing.T) {
	_, u := openAwari(t, "", 9)
	fs := vfs.NewMem()
	require.NoError(t, fs.MkdirAll("solve", 0o755))
	var e *Engine
	ctx, cancel := context.WithCancel(t.Context())
	cfg, err := Config{Positions: All, FS: fs, Checkpoint: "solve", Memory: 1, Threads: 2, CheckpointEvery: time.Hour}.WithDefaults()
	require.NoError(t, err)
	e, err = New(withCounter(t, u, 500, func() {
		e.pause.cost.Store(int64(time.Minute))
		cancel()
	}), cfg, nil)
	require.NoError(t, err)
	require.ErrorIs(t, e.Run(ctx), ErrStopped)
	err = e.Interrupted()
	require.ErrorIs(t, err, ErrInterrupted)
	require.ErrorContains(t, err, "; the work since the last checkpoint is lost, since another would take about 1m0s")
	_, err = fs.Stat("solve/checkpoint")
	require.ErrorIs(t, err, os.ErrNotExist)
}
