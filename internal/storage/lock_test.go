package storage_test

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/internal/storage"
)

// TestUnlock removes the file of a lock also where a file that is open cannot be removed, and
// leaves it to whoever locks it in between.
func TestUnlock(t *testing.T) {
	for _, c := range []struct {
		name         string
		open, locked bool // the system keeps files that are open; somebody else locks it next
	}{
		{"unix", false, false},
		{"windows", true, false},
		{"windows, with another command", true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			fs := &keeping{FS: vfs.NewMem(), keeps: c.open}
			lock, err := storage.Lock(fs, "", time.Now())
			require.NoError(t, err)
			fs.next = c.locked
			require.NoError(t, storage.Unlock(fs, "LOCK", lock))
			_, err = fs.Stat("LOCK")
			if c.locked {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, os.ErrNotExist)
			}
		})
	}
	require.ErrorIs(t, storage.Unlock(vfs.NewMem(), "LOCK", io.NopCloser(nil)), os.ErrNotExist, "other errors are told")
}

// held is the error of a file that is locked.
var held = map[bool]error{false: syscall.EAGAIN, true: syscall.Errno(32)}[runtime.GOOS == "windows"]

// keeping is a file system with at most one lock.
type keeping struct {
	vfs.FS
	keeps, next bool
	held        int
}

func (k *keeping) Lock(name string) (io.Closer, error) {
	lock, err := k.FS.Lock(name)
	if err == nil {
		k.held++
	}
	return closing{lock, k}, err
}

func (k *keeping) Remove(name string) error {
	if k.keeps && k.held > 0 {
		return &os.PathError{Op: "remove", Path: name, Err: held}
	}
	return k.FS.Remove(name)
}

type closing struct {
	io.Closer
	k *keeping
}

func (c closing) Close() error {
	if !c.k.next {
		c.k.held--
	}
	return c.Closer.Close()
}

// TestTryLock tells a file that is locked from one that cannot be.
func TestTryLock(t *testing.T) {
	fs := vfs.NewMem()
	lock, err := storage.TryLock(fs, "file")
	require.NoError(t, err)
	if runtime.GOOS != "windows" { // whose errors a file system in memory does not have
		_, err = storage.TryLock(fs, "file")
		require.ErrorIs(t, err, storage.ErrLocked)
	}
	require.NoError(t, lock.Close())
	lock, err = storage.TryLock(fs, "file")
	require.NoError(t, err)
	require.NoError(t, lock.Close())

	_, err = storage.TryLock(vfs.Default, filepath.Join(t.TempDir(), "nowhere", "file"))
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NotErrorIs(t, err, storage.ErrLocked)
	file := filepath.Join(t.TempDir(), "file")
	lock, err = storage.TryLock(vfs.Default, file)
	require.NoError(t, err)
	_, err = storage.TryLock(vfs.Default, file)
	require.ErrorIs(t, err, storage.ErrLocked, "this process has it")
	require.NoError(t, lock.Close())
}
