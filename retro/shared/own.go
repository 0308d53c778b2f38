package shared

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/internal/storage"
	"github.com/yomikiri/yomikiri/retro/engine"
)

// own is the directory of a worker. Workers of a machine have directories with numbers in the same one. A worker
// takes the first that no other has, so what one has left that was killed goes when the next one comes.
type own struct {
	fs   vfs.FS
	path string
	lock io.Closer
}

const ownLock = "LOCK"

// mostRemoved is how many directories may be removed by others while a worker makes its own. With more, none can be
// made there, as in /proc or in a directory that has been deleted.
const mostRemoved = 1000

// takeOwn makes a directory for a worker, or empties one.
func takeOwn(fs vfs.FS, dir string) (*own, error) {
	removed := 0
	for n := 1; ; n++ {
		o := &own{fs: fs, path: fs.PathJoin(dir, strconv.Itoa(n))}
		err := storage.MkdirAll(fs, o.path)
		if err == nil {
			o.lock, err = storage.TryLock(fs, fs.PathJoin(o.path, ownLock))
		}
		switch {
		case errors.Is(err, storage.ErrLocked): // it is another's
			continue
		case errors.Is(err, os.ErrNotExist) && removed < mostRemoved: // it is being removed
			removed++
			continue
		case err != nil:
			return nil, err
		}
		if err := o.empty(); err != nil {
			return nil, errors.Join(err, storage.Unlock(fs, fs.PathJoin(o.path, ownLock), o.lock))
		}
		return o, nil
	}
}

// empty removes all but the lock, unless there are files that no worker has.
func (o *own) empty() error {
	names, err := o.fs.List(o.path)
	for _, name := range names {
		if name != ownLock && !engine.IsTierFile(name) && !engine.IsScratch(name) {
			return fmt.Errorf("%s has files that do not belong to a worker, such as %s: %w", o.path, name, engine.ErrOther)
		}
	}
	for _, name := range names {
		if name != ownLock {
			err = errors.Join(err, o.fs.RemoveAll(o.fs.PathJoin(o.path, name)))
		}
	}
	return err
}

// remove removes the directory, and the one that it is in if nothing else is there.
func (o *own) remove() error {
	err := o.empty()
	if err = errors.Join(err, storage.Unlock(o.fs, o.fs.PathJoin(o.path, ownLock), o.lock)); err == nil {
		o.fs.Remove(o.path) // fails if another worker has taken it
		o.fs.Remove(o.fs.PathDir(o.path))
	}
	return err
}
