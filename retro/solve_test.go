package retro

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/race"
	"github.com/yomikiri/yomikiri/retro/engine"
	"github.com/yomikiri/yomikiri/retro/internal/retrotest"
)

// TestRefusedLeavesNothing checks that a solve which fails before there is anything to
// keep leaves neither a lock nor the directory that it made.
func TestRefusedLeavesNothing(t *testing.T) {
	refused := retrotest.Open(t, "awari:stones=4")
	refused.Retractor = nowhere{}
	for _, there := range []bool{false, true} {
		fs := vfs.NewMem()
		if there {
			require.NoError(t, fs.MkdirAll("solve", 0o755))
		}
		_, _, err := Solve(t.Context(), refused, "solve", Config{FS: fs})
		require.ErrorContains(t, err, "bug in the Retractor")
		names, err := fs.List("solve")
		if there {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, os.ErrNotExist)
		}
		require.Empty(t, names)
	}
}

// TestOpenLock solves, and claims what is solved, on a system that removes no file that is open.
func TestOpenLock(t *testing.T) {
	u := retrotest.Open(t, "awari:stones=4")
	held := map[bool]error{false: syscall.EAGAIN, true: syscall.Errno(32)}[runtime.GOOS == "windows"]
	mem := vfs.NewMem()
	removals := 0
	fs := errorfs.Wrap(mem, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind == errorfs.OpRemove && mem.PathBase(op.Path) == lockName {
			if removals++; removals%2 == 1 {
				return held
			}
		}
		return nil
	}))
	_, _, err := Solve(t.Context(), u, "solve", Config{FS: fs})
	require.NoError(t, err)
	writeAll(t, mem, "solve/"+lockName, nil) // as if it had been killed
	_, _, err = Solve(t.Context(), u, "solve", Config{FS: fs})
	require.ErrorIs(t, err, ErrSolved)
	require.EqualError(t, err, "solve: already solved")
	require.Equal(t, 4, removals)
	names, err := mem.List("solve")
	require.NoError(t, err)
	require.ElementsMatch(t, []string{db.ManifestName, "store"}, names)
}

// nowhere is a Retractor that finds a position outside of the tier.
type nowhere struct{}

func (nowhere) Retract(_ []uint64, out *games.Predecessors) {
	out.Reset()
	out.Indices = append(out.Indices, 0)
}

func TestSolveDirectories(t *testing.T) {
	u := retrotest.Open(t, "awari:stones=5")
	fs := vfs.NewMem()
	require.NoError(t, fs.MkdirAll("foreign", 0o755))
	writeAll(t, fs, "foreign/letter.txt", nil)
	_, _, err := Solve(t.Context(), u, "foreign", Config{FS: fs})
	require.EqualError(t, err, "foreign has files that do not belong to a solve, such as letter.txt: choose another directory")

	_, m, err := Solve(t.Context(), u, "done", Config{FS: fs})
	require.NoError(t, err)
	names, err := fs.List("done")
	require.NoError(t, err)
	require.ElementsMatch(t, []string{db.ManifestName, "store"}, names, "nothing is left but the database")
	_, _, err = Solve(t.Context(), u, "done", Config{FS: fs})
	require.ErrorIs(t, err, ErrSolved)
	_, _, err = Solve(t.Context(), u, "done", Config{FS: fs, Positions: Reachable})
	require.EqualError(t, err, "done is a database of awari:stones=5 with all positions, not of awari:stones=5 with reachable positions: choose another directory")
	again, err := store.ReadManifest(fs, "done")
	require.NoError(t, err)
	require.Equal(t, m.Checksum, again.Checksum)
}

// TestSolveKilled takes what a crash at some moment would leave of the disk, and goes on from
// there; and so does the next crash.
func TestSolveKilled(t *testing.T) {
	if race.Enabled {
		t.Skip("package engine has this with the race detector")
	}
	u := retrotest.Open(t, "awari:stones=8")
	_, want, err := Solve(t.Context(), u, "solve", Config{FS: vfs.NewMem()})
	require.NoError(t, err)
	resumed := 0
	for n := int64(20); n < 400; n += 97 {
		fs := vfs.NewCrashableMem()
		var clone *vfs.MemFS
		killed := retrotest.WithCounter(u, n, func() {
			clone = fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50, RNG: rand.New(rand.NewPCG(uint64(n), 1))})
		})
		_, m, err := Solve(t.Context(), killed, "solve", Config{FS: fs, Threads: 2, CheckpointEvery: time.Millisecond})
		require.NoError(t, err)
		require.Equal(t, want.Checksum, m.Checksum)
		require.NotNil(t, clone)
		s, m, err := Solve(t.Context(), u, "solve", Config{FS: clone})
		require.NoError(t, err)
		require.Equal(t, want.Checksum, m.Checksum)
		resumed += s.Resumed
	}
	require.Positive(t, resumed)
}

// TestSolveFullDisk has the n-th write fail: the solve fails with that error, and with room again
// it resumes and ends with the same database.
func TestSolveFullDisk(t *testing.T) {
	if race.Enabled {
		t.Skip("package engine has this with the race detector")
	}
	u := retrotest.Open(t, "awari:stones=6")
	_, want, err := Solve(t.Context(), u, "solve", Config{FS: vfs.NewMem()})
	require.NoError(t, err)
	failures := 0
	for n := int64(1); ; n += 1 + n/4 {
		mem := vfs.NewMem()
		var writes atomic.Int64
		full := errorfs.Wrap(mem, errorfs.InjectorFunc(func(op errorfs.Op) error {
			if op.Kind.ReadOrWrite() == errorfs.OpIsWrite && writes.Add(1) == n {
				return errNoSpace
			}
			return nil
		}))
		_, m, err := Solve(t.Context(), u, "solve", Config{FS: full, CheckpointEvery: time.Nanosecond})
		if err != nil {
			failures++
			require.ErrorIs(t, err, errNoSpace, "write %d", n)
			if _, m, err = Solve(t.Context(), u, "solve", Config{FS: mem}); errors.Is(err, ErrSolved) {
				m, err = store.ReadManifest(mem, "solve")
			}
		}
		require.NoError(t, err, "write %d", n)
		require.Equal(t, want.Checksum, m.Checksum)
		if writes.Load() < n {
			break
		}
	}
	require.Greater(t, failures, 5)
}

// TestUnfinished describes what an interrupted solve leaves.
func TestUnfinished(t *testing.T) {
	u := retrotest.Open(t, "awari:stones=5")
	fs := vfs.NewMem()
	ctx, cancel := context.WithCancel(t.Context())
	_, _, err := Solve(ctx, retrotest.WithCounter(u, 5, cancel), "solve", Config{FS: fs})
	require.ErrorIs(t, err, ErrInterrupted)
	a, ok := Unfinished(fs, "solve")
	require.True(t, ok)
	require.Equal(t, Begun{Game: u.Name, Positions: All}, a)
	h, err := engine.ReadHeader(fs, "solve", engine.SnapshotName)
	require.NoError(t, err)
	require.Equal(t, engine.Seat{}, h.Seat)
	_, _, err = SolveNodes(t.Context(), u, "solve", Config{FS: fs}, Nodes{Network: &cluster.Loopback{}, Count: 2})
	require.EqualError(t, err, "solve has a checkpoint of a solve by one process: continue without nodes, or choose another directory")
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
	if len(data) > 0 {
		_, err = f.Write(data)
		require.NoError(t, err)
	}
	require.NoError(t, f.Close())
}
