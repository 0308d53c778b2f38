package nodes

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/internal/storage"
	"github.com/yomikiri/yomikiri/retro/engine"
)

// A node keeps its partitions in a directory: the snapshots epoch-N, and the files of finished
// tiers. Nothing is deleted before the coordinator has committed what replaces it.
const (
	epochPrefix = "epoch-"
	lockName    = "LOCK"
)

func epochName(epoch int) string { return epochPrefix + strconv.Itoa(epoch) }

// epochOf returns the epoch of a snapshot with a name.
func epochOf(name string) (epoch int, ok bool) {
	digits, ok := strings.CutPrefix(name, epochPrefix)
	epoch, err := strconv.Atoi(digits)
	return epoch, ok && err == nil && epoch > 0 && name == epochName(epoch)
}

// nodeDir is the directory of a node.
type nodeDir struct {
	fs   vfs.FS
	path string
}

// belongs reports whether a file belongs to a node.
func belongs(name string) bool {
	_, epoch := epochOf(strings.TrimSuffix(name, ".tmp"))
	return epoch || name == lockName || engine.IsTierFile(name)
}

// open creates the directory, if necessary, and locks it. It returns the seat of a snapshot that
// it holds.
func (d nodeDir) open() (seat engine.Seat, lock io.Closer, err error) {
	names, err := d.fs.List(d.path)
	if errors.Is(err, os.ErrNotExist) {
		err = storage.MkdirAll(d.fs, d.path)
	}
	if err != nil {
		return seat, nil, err
	}
	if foreign := slices.IndexFunc(names, func(name string) bool { return !belongs(name) }); foreign >= 0 {
		return seat, nil, fmt.Errorf("%s has files that do not belong to a node, such as %s: %w", d.path, names[foreign], engine.ErrOther)
	}
	if lock, err = d.fs.Lock(d.fs.PathJoin(d.path, lockName)); err != nil {
		return seat, nil, fmt.Errorf("%s: another node is running there, or the directory cannot be locked: %w", d.path, err)
	}
	for _, name := range names {
		if _, ok := epochOf(name); !ok {
			continue
		}
		h, err := engine.ReadHeader(d.fs, d.path, name)
		if err != nil {
			return seat, nil, errors.Join(err, lock.Close())
		}
		if h == nil {
			continue // who had the lock has removed it since
		}
		seat = engine.Seat{Solve: h.Seat.Solve, Node: h.Seat.Node, Nodes: h.Seat.Nodes}
	}
	return seat, lock, nil
}

// leave gives the lock up. If there is no snapshot, it removes the lock's file, and also the
// directory if the node has made it.
func (d nodeDir) leave(lock io.Closer, made bool) {
	names, err := d.fs.List(d.path)
	if err != nil || len(names) > 1 {
		lock.Close()
		return
	}
	storage.Unlock(d.fs, d.fs.PathJoin(d.path, lockName), lock)
	if made {
		d.fs.Remove(d.path) // fails if it is not empty
	}
}

// remove removes the files that match.
func (d nodeDir) remove(match func(name string) bool) error {
	names, err := d.fs.List(d.path)
	if errors.Is(err, os.ErrNotExist) {
		return nil // the coordinator has already removed it
	}
	for _, name := range names {
		if name != lockName && belongs(name) && match(name) {
			err = errors.Join(err, d.fs.Remove(d.fs.PathJoin(d.path, name)))
		}
	}
	return err
}

// clear removes everything but the lock.
func (d nodeDir) clear() error { return d.remove(func(string) bool { return true }) }

// keep removes the snapshots of other epochs.
func (d nodeDir) keep(epoch int) error {
	return d.remove(func(name string) bool { return strings.HasPrefix(name, epochPrefix) && name != epochName(epoch) })
}

// dirPrefix begins the names of nodes' directories in the directory of the solve.
const dirPrefix = "node-"

// Dir returns the name of a node's directory in the directory of the solve. Nodes are
// numbered from 1.
func Dir(number int) string { return dirPrefix + strconv.Itoa(number) }

// IsDir reports whether a name is that of a node's directory.
func IsDir(name string) bool {
	digits, ok := strings.CutPrefix(name, dirPrefix)
	n, err := strconv.Atoi(digits)
	return ok && err == nil && n > 0 && name == Dir(n)
}
