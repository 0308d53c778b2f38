package storage

import (
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// ErrLocked is returned for a store that is open already.
var ErrLocked = errors.New("it is in use: another command has it open")

// Lock locks the directory of a store. Until a deadline it waits for whoever has it locked: a
// process that was killed may still be ending. Then it fails with [ErrLocked].
func Lock(fs vfs.FS, dir string, deadline time.Time) (*pebble.Lock, error) {
	for {
		lock, err := pebble.LockDirectory(dir, fs)
		var number syscall.Errno
		switch isErrno := errors.As(err, &number); {
		case err == nil || isErrno && number != syscall.EAGAIN:
			return lock, err
		case time.Now().Before(deadline):
			time.Sleep(20 * time.Millisecond)
		case isErrno:
			return nil, ErrLocked
		default:
			return nil, fmt.Errorf("%w: %w", ErrLocked, err) // this process has it
		}
	}
}
