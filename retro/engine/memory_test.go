package engine

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/race"
	"github.com/yomikiri/yomikiri/retro/internal/graph"
	"github.com/yomikiri/yomikiri/retro/internal/retrotest"
)

// TestTiersLeaveMemory solves with so little memory that solved tiers are
// looked up on disk: none, some, or all of them are in memory.
func TestTiersLeaveMemory(t *testing.T) {
	stones := 9
	switch {
	case race.Enabled:
		stones = 6
	case testing.Short():
		stones = 8
	}
	_, u := openAwari(t, "", stones)
	want, m := solveIn(t, u, Config{})
	for _, partitions := range []int{0, 4} {
		plan := PlanOf(u, Config{Threads: 2, Partitions: partitions})
		for _, c := range []struct {
			memory uint64
			onDisk int // tiers, while the last is solved
		}{
			{plan.Peak, 0},
			{plan.Peak - 1, -1},                     // some
			{plan.inMemory(stones) - 1, stones + 1}, // the last itself too
			{1, stones + 1},
		} {
			cfg := Config{Memory: c.memory, Threads: 2, Partitions: partitions}
			s, got := solveIn(t, u, cfg)
			require.Equal(t, m.Checksum, got.Checksum)
			require.Equal(t, want.Tiers, s.Tiers)
			onDisk := 0
			for i := range s.Tiers {
				if s.e.state.Tiers[i].Stored {
					onDisk++
				}
			}
			if c.onDisk < 0 {
				require.Positive(t, onDisk, "%d bytes", c.memory)
			} else {
				require.Equal(t, c.onDisk, onDisk, "%d bytes", c.memory)
			}
		}
	}
}

// solveIn solves a universe in a file system of its own.
func solveIn(t *testing.T, u *games.Universe, cfg Config) (*Solution, *db.Manifest) {
	t.Helper()
	cfg.FS = vfs.NewMem()
	s, m, err := Solve(t.Context(), u, "solve", cfg)
	require.NoError(t, err)
	names, err := cfg.FS.List("solve")
	require.NoError(t, err)
	require.ElementsMatch(t, []string{db.ManifestName, "store"}, names, "nothing is left but the database")
	return s, m
}

// TestScoreGraphsLeaveMemory does the same with random graphs and the oracle, of
// reachable positions too, and with interruptions.
func TestScoreGraphsLeaveMemory(t *testing.T) {
	scoreGraphs(t, fewer(60), func(t *testing.T, rng *rand.Rand, g *graph.Graph) {
		want := g.SolveScores()
		start := g.Start(rng)
		fs := vfs.NewMem()
		require.NoError(t, fs.MkdirAll("solve", 0o755))
		cfg := Config{
			Positions: []Positions{Reachable, All}[rng.IntN(2)], Threads: 1 + rng.IntN(3), BatchSize: 1 + rng.IntN(9),
			FS: fs, Checkpoint: "solve", Memory: 1,
		}
		resume(t, g, start, want, cfg)
	})
}

// TestKilledWithTiers kills a solve of several tiers and resumes it.
func TestKilledWithTiers(t *testing.T) {
	_, u := openAwari(t, "", 8)
	_, m := solveIn(t, u, Config{})
	resumed := 0
	for n := int64(20); n < 900; n += 97 {
		fs := vfs.NewCrashableMem()
		var clone *vfs.MemFS
		killed := withCounter(t, u, n, func() {
			clone = fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50, RNG: rand.New(rand.NewPCG(uint64(n), 1))})
		})
		memory := uint64(n % 2) // 0 or 1: none leaves memory, or all do
		_, _, err := Solve(t.Context(), killed, "solve", Config{FS: fs, Threads: 2, Memory: memory, CheckpointEvery: time.Millisecond})
		require.NoError(t, err)
		if clone == nil {
			break
		}
		s, again, err := Solve(t.Context(), u, "solve", Config{FS: clone, Memory: uint64(n / 2 % 2)})
		require.NoError(t, err)
		require.Equal(t, m.Checksum, again.Checksum)
		resumed += s.Resumed
	}
	require.Positive(t, resumed, "no clone had a checkpoint")
}

// TestDamagedTierFile changes bytes of a tier file: it is refused, or the result
// is right.
func TestDamagedTierFile(t *testing.T) {
	if race.Enabled {
		t.Skip("it solves a game forty times")
	}
	tries := 40
	if testing.Short() {
		tries = 12
	}
	_, u := openAwari(t, "", 9)
	want, _ := solveIn(t, u, Config{})
	fs := vfs.NewMem()
	require.NoError(t, fs.MkdirAll("solve", 0o755))
	ctx, cancel := context.WithCancel(t.Context())
	// The context ends in the last tier.
	last := &atIndex{Expander: u.Expander, index: u.Tiers[9].Start, at: cancel}
	v := *u
	v.Expander = last
	_, err := analyze(ctx, &v, Config{FS: fs, Checkpoint: "solve", Memory: 1})
	require.ErrorIs(t, err, ErrInterrupted)
	name := "solve/" + TierFileName(8)
	goOn := func(data []byte) (*Solution, error) {
		copied := vfs.NewMem()
		require.NoError(t, copied.MkdirAll("solve", 0o755))
		names, err := fs.List("solve")
		require.NoError(t, err)
		for _, n := range names {
			writeAll(t, copied, "solve/"+n, readAll(t, fs, "solve/"+n))
		}
		writeAll(t, copied, name, data)
		s, _, err := Solve(t.Context(), u, "solve", Config{FS: copied, Memory: 1})
		return s, err
	}
	data := readAll(t, fs, name)
	refused := 0
	for at := 0; at < len(data); at += 1 + len(data)/tries {
		damaged := append([]byte{}, data...)
		damaged[at] ^= 0x10
		s, err := goOn(damaged)
		if err == nil {
			require.Equal(t, want.Tiers, s.Tiers, "byte %d", at)
			continue
		}
		refused++
		require.ErrorIs(t, err, db.ErrCorrupt)
		require.ErrorContains(t, err, "tier-8")
	}
	require.Greater(t, refused, tries*5/8)
	_, err = goOn(data[:len(data)/2])
	require.ErrorIs(t, err, db.ErrCorrupt)
	_, err = goOn(data)
	require.NoError(t, err)
}

// atIndex is an Expander that calls at when it meets an index.
type atIndex struct {
	games.Expander
	index uint64
	at    func()
}

func (a *atIndex) Expand(indices []uint64, out *games.Expansion) {
	for _, i := range indices {
		if i == a.index {
			a.at()
		}
	}
	a.Expander.Expand(indices, out)
}

func TestPlan(t *testing.T) {
	_, u := openAwari(t, "", 48)
	p := PlanOf(u, Config{Memory: 16 << 30, Threads: 2})
	require.Len(t, p.Tiers, 49)
	require.Equal(t, uint64(279_871_768_995), p.Tiers[48].Positions)
	require.Greater(t, p.Peak, p.Least)
	require.NoError(t, p.Check(1<<60))
	require.False(t, p.onDisk(31))
	require.True(t, p.onDisk(33))
	p.Limit = p.Least - 1
	require.ErrorContains(t, p.Check(1<<60), "is allowed; tiers up to 47 fit")
	p.Limit = 1000 << 20
	require.ErrorContains(t, p.Check(1<<60), "and 1000 MiB is allowed")
	_, u = openAwari(t, "", 20)
	p = PlanOf(u, Config{Memory: 16 << 30})
	require.NoError(t, p.Check(1<<40))
	require.ErrorContains(t, p.Check(1<<20), "of disk, and 1.0 MB is free")
	p.Limit = 1 << 20
	require.ErrorContains(t, p.Check(1<<40), "1 MiB is allowed")
}

// TestGoLimit keeps the Go runtime within what is allowed, and lets a small solve have 64 MiB.
func TestGoLimit(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct{ peak, least, limit, want uint64 }{
		{codeMemory + 7*mib, codeMemory + 7*mib, 0, 64 * mib},
		{codeMemory + 7*mib, codeMemory + 7*mib, 16 << 30, 64 * mib},
		{codeMemory + 7*mib, codeMemory + 7*mib, codeMemory + 20*mib, 20 * mib},
		{codeMemory + 7*mib, codeMemory + 5*mib, codeMemory + 6*mib, 6 * mib},
		{codeMemory + 7*mib, codeMemory + 5*mib, codeMemory, 5 * mib},
		{codeMemory + 500*mib, codeMemory + 100*mib, 0, 500 * mib},
		{codeMemory + 500*mib, codeMemory + 100*mib, codeMemory + 200*mib, 200 * mib},
	} {
		p := Plan{Peak: c.peak, Least: c.least, Limit: c.limit}
		require.EqualValues(t, c.want, p.GoLimit(), "%+v", c)
	}
}

// TestPlanFits compares plans with what solves on two threads have taken at most, in
// MiB, with frequent checkpoints for the disk.
func TestPlanFits(t *testing.T) {
	if race.Enabled {
		t.Skip("nothing is solved")
	}
	for _, c := range []struct {
		game         string
		memory, disk float64
	}{
		{"dobutsu", 794, 271},
		{"awari:stones=12", 56.5, 3.5},
		{"awari:stones=16", 120, 41.5},
		{"awari:stones=18", 224, 116.5},
		{"connect4:size=4x5", 61, 0},
		{"connect4:size=5x4", 55, 0},
	} {
		p := PlanOf(retrotest.Open(t, c.game), Config{Threads: 2})
		check := func(what string, bytes uint64, used float64) {
			plan := float64(bytes) / (1 << 20)
			require.Greater(t, plan, used, "%s of %s", what, c.game)
			require.Less(t, plan, 1.25*used, "%s of %s", what, c.game)
		}
		check("memory", p.Peak, c.memory)
		if c.disk > 0 {
			check("disk", p.Disk, c.disk)
		}
	}
}

// TestPlanCoversDisk watches the disk during a solve with as many checkpoints as can be.
func TestPlanCoversDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("with the race detector it does little but checkpoints")
	}
	for _, memory := range []uint64{0, 1} {
		for _, game := range []string{"awari:stones=10", "connect4:size=4x4"} {
			u := retrotest.Open(t, game)
			mem := vfs.NewMem()
			var mu sync.Mutex
			most := int64(0)
			fs := errorfs.Wrap(mem, errorfs.InjectorFunc(func(op errorfs.Op) error {
				if op.Kind == errorfs.OpRename || op.Kind == errorfs.OpRemove {
					mu.Lock()
					defer mu.Unlock()
					most = max(most, diskUse(t, mem, "solve"))
				}
				return nil
			}))
			cfg := Config{FS: fs, Threads: 2, CheckpointEvery: time.Millisecond, Memory: memory}
			cfg.Plan = PlanOf(u, cfg)
			_, m, err := Solve(t.Context(), u, "solve", cfg)
			require.NoError(t, err)
			require.LessOrEqual(t, uint64(most), cfg.Plan.Disk, game)
			stays := uint64(0)
			for _, f := range m.Files {
				stays += uint64(f.Size)
			}
			require.LessOrEqual(t, stays, cfg.Plan.Database, game)
		}
	}
}

// diskUse returns the size of all files below a directory.
func diskUse(t *testing.T, fs vfs.FS, dir string) int64 {
	names, err := fs.List(dir)
	require.NoError(t, err)
	n := int64(0)
	for _, name := range names {
		path := fs.PathJoin(dir, name)
		info, err := fs.Stat(path)
		switch {
		case err != nil: // it has gone meanwhile
		case info.IsDir():
			n += diskUse(t, fs, path)
		default:
			n += info.Size()
		}
	}
	return n
}

func TestFirstKept(t *testing.T) {
	p := Plan{base: 100, Tiers: []tierPlan{{Kept: 10}, {Kept: 20}, {Kept: 30}, {Kept: 40}, {Solving: 50, lookUp: 5}}}
	for limit, want := range map[uint64]int{0: 0, 275: 0, 274: 1, 269: 1, 268: 2, 247: 2, 246: 3, 214: 3, 213: 4, 1: 4} {
		if p.Limit = limit; limit > 0 {
			p.Limit += codeMemory
		}
		require.Equal(t, want, p.firstResident(4, []int{0, 1, 2, 3}), "a limit of %d", limit)
	}
}

func readAll(t *testing.T, fs vfs.FS, name string) []byte {
	t.Helper()
	f, err := fs.Open(name)
	require.NoError(t, err)
	info, err := f.Stat()
	require.NoError(t, err)
	data := make([]byte, info.Size())
	_, err = f.ReadAt(data, 0)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	return data
}

func writeAll(t *testing.T, fs vfs.FS, name string, data []byte) {
	t.Helper()
	f, err := fs.Create(name, vfs.WriteCategoryUnspecified)
	require.NoError(t, err)
	_, err = f.Write(slices.Clone(data)) // a file may spoil what it is given
	require.NoError(t, err)
	require.NoError(t, f.Close())
}
