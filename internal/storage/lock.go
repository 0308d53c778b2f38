package storage

import (
	"errors"
	"fmt"
	"io"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/internal/errno"
)

// ErrLocked is returned for a store that is open already.
var ErrLocked = errors.New("it is in use: another command has it open")

// Lock locks the directory of a store. Until a deadline it waits for whoever has it locked: a
// process that was killed may still be ending. Then it fails with [ErrLocked].
func Lock(fs vfs.FS, dir string, deadline time.Time) (*pebble.Lock, error) {
	for {
		lock, err := pebble.LockDirectory(dir, fs)
		held, ofSystem := errno.Locked.Is(err), errors.As(err, new(syscall.Errno))
		switch {
		case err == nil || ofSystem && !held:
			return lock, err
		case time.Now().Before(deadline):
			time.Sleep(20 * time.Millisecond)
		case held:
			return nil, ErrLocked
		default:
			return nil, fmt.Errorf("%w: %w", ErrLocked, err) // this process has it
		}
	}
}

// TryLock locks a file. If another process, or this one, has locked it, it fails with [ErrLocked].
func TryLock(fs vfs.FS, file string) (io.Closer, error) {
	lock, err := fs.Lock(file)
	if ofSystem := errors.As(err, new(syscall.Errno)); err != nil && (errno.Locked.Is(err) || !ofSystem) {
		return nil, fmt.Errorf("%w: %w", ErrLocked, err)
	}
	return lock, err
}

// Unlock removes the file of a lock and gives the lock up, in this order where that is possible, so
// that it never removes the file of who locks it next. Windows removes no file that is open.
func Unlock(fs vfs.FS, file string, lock io.Closer) error {
	removed := fs.Remove(file)
	err := lock.Close()
	if errno.Locked.Is(removed) {
		if removed = fs.Remove(file); errno.Locked.Is(removed) {
			removed = nil // somebody else has locked it
		}
	}
	return errors.Join(removed, err)
}
