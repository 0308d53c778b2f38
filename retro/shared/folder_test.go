package shared

import (
	"errors"
	"io"
	"os"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro/engine"
)

func TestIsFile(t *testing.T) {
	for name, want := range map[string]bool{
		HeaderName: true, HeaderName + ".tmp": true, "lock-0": true, "lock-12": true,
		"lock-": false, "lock-01": false, "lock--1": false, "lock-0.tmp": false, "LOCK": false, "tier-0": false,
	} {
		require.Equal(t, want, IsFile(name), name)
	}
}

// folder returns a directory with three tiers of which the first is the child of the others, and the
// first is finished.
func folder(t *testing.T) (*vfs.MemFS, *Folder) {
	fs := vfs.NewMem()
	write(t, fs, engine.TierFileName(0))
	u := &games.Universe{Tiers: []games.Tier{{Size: 1}, {Size: 1, Children: []int{0}}, {Size: 2, Children: []int{0}}}}
	return fs, &Folder{fs: fs, u: u, writer: "LOCK", order: order(u)}
}

func write(t *testing.T, fs vfs.FS, name string) {
	t.Helper()
	f, err := fs.Create(name, vfs.WriteCategoryUnspecified)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

// TestTake gives each tier that is ready to one process.
func TestTake(t *testing.T) {
	fs, f := folder(t)
	s, err := f.state()
	require.NoError(t, err)
	require.Equal(t, state{finished: []bool{true, false, false}, count: 1}, s)
	for _, want := range []int{2, 1} {
		tier, lock, err := f.take(&s)
		require.NoError(t, err)
		require.NotNil(t, lock)
		require.Equal(t, want, tier)
		defer lock.Close()
	}
	_, lock, err := f.take(&s)
	require.NoError(t, err)
	require.Nil(t, lock, "all are taken")
	require.NoError(t, fs.Remove(engine.TierFileName(0)))
	s, err = f.state()
	require.NoError(t, err)
	tier, lock, err := f.take(&s)
	require.NoError(t, err)
	require.NotNil(t, lock)
	require.Equal(t, 0, tier, "the others are not ready")
	require.NoError(t, lock.Close())
}

// TestTakenMeanwhile looks again after it has locked what seemed free.
func TestTakenMeanwhile(t *testing.T) {
	fs, f := folder(t)
	s, err := f.state()
	require.NoError(t, err)
	write(t, fs, engine.TierFileName(2))
	tier, lock, err := f.take(&s)
	require.NoError(t, err)
	require.Equal(t, 1, tier)
	require.NoError(t, lock.Close())

	for _, n := range []int{0, 2} {
		require.NoError(t, fs.Remove(engine.TierFileName(n)))
	}
	require.NoError(t, fs.Remove(lockOf(2)))
	write(t, fs, db.ManifestName)
	_, lock, err = f.take(&s)
	require.NoError(t, err)
	require.Nil(t, lock, "the database is complete")
	for _, n := range []int{1, 2} {
		_, err = fs.Stat(lockOf(n))
		require.ErrorIs(t, err, os.ErrNotExist, "nothing is left beside the database")
	}
	s, err = f.state()
	require.NoError(t, err)
	require.True(t, s.solved)
}

// unlocked is a file system that has no locks.
type unlocked struct{ vfs.FS }

func (unlocked) Lock(string) (io.Closer, error) { return nil, syscall.EACCES }

// TestNoLocks refuses a file system without locks, and one that says nothing of a file.
func TestNoLocks(t *testing.T) {
	fs, f := folder(t)
	s, err := f.state()
	require.NoError(t, err)
	f.fs = unlocked{fs}
	_, _, err = f.take(&s)
	require.EqualError(t, err, "lock-2 cannot be locked, as processes that share a directory must: permission denied")
	broken := errors.New("broken")
	f.fs = errorfs.Wrap(fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind == errorfs.OpStat {
			return broken
		}
		return nil
	}))
	_, _, err = f.take(&s)
	require.ErrorIs(t, err, broken)
}
