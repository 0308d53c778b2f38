package retro

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/internal/storage"
)

// A node keeps its part of a solve in a directory:
//
//	part      which solve, and which part (JSON)
//	epoch-N   the state and the partitions of unfinished tiers, in the format of checkpoints
//	tier-N    the partitions of a finished tier, in the same form and without a header
//	part-N    its part of the database, which stays there unless the coordinator moves it
//
// Nothing is deleted before the coordinator has committed what replaces it.
const (
	partName    = "part"
	epochPrefix = "epoch-"
	partPrefix  = "tier-"
)

// part says what the directory of a node holds.
type part struct {
	Solve      string // its name; empty if there is none
	Number     int    // of the node
	Nodes      int
	Game       string
	Positions  Positions
	Partitions int // as configured
}

// partDir is the directory of a node.
type partDir struct {
	fs   vfs.FS
	path string
}

// isPart reports whether a file belongs to the part of a node.
func isPart(name string) bool {
	if db.IsPart(name) {
		return true
	}
	name = strings.TrimSuffix(name, ".tmp")
	if name == partName || name == lockName {
		return true
	}
	for _, prefix := range []string{epochPrefix, partPrefix} {
		if digits, ok := strings.CutPrefix(name, prefix); ok {
			n, err := strconv.Atoi(digits)
			return err == nil && n >= 0 && digits == strconv.Itoa(n)
		}
	}
	return false
}

// open creates the directory, if necessary, and locks it. It returns the part that the
// directory holds.
func (d partDir) open() (p part, lock io.Closer, err error) {
	names, err := d.fs.List(d.path)
	if errors.Is(err, os.ErrNotExist) {
		err = storage.MkdirAll(d.fs, d.path)
	}
	if err != nil {
		return p, nil, err
	}
	if foreign := slices.IndexFunc(names, func(name string) bool { return !isPart(name) }); foreign >= 0 {
		return p, nil, fmt.Errorf("%s has files that do not belong to a node, such as %s: %w", d.path, names[foreign], ErrOther)
	}
	if part, ok := d.written(); ok && !slices.Contains(names, partName) {
		return p, nil, fmt.Errorf("%s is a part of a finished database: move it into the directory of that, or choose another directory for this node", part)
	}
	if lock, err = d.fs.Lock(d.fs.PathJoin(d.path, lockName)); err != nil {
		return p, nil, fmt.Errorf("%s: another node is running there, or the directory cannot be locked: %w", d.path, err)
	}
	text, err := readText(d.fs, d.fs.PathJoin(d.path, partName))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return p, lock, nil
	case err == nil:
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		return p, nil, errors.Join(fmt.Errorf("%s: %w", d.fs.PathJoin(d.path, partName), err), lock.Close())
	}
	return p, lock, nil
}

func readText(fs vfs.FS, path string) ([]byte, error) {
	f, err := fs.Open(path)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, 1<<20))
	return text, errors.Join(err, f.Close())
}

// writeText replaces a file with JSON.
func writeText(fs vfs.FS, dir, name string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return storage.WriteFile(fs, dir, name, func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
}

// leave removes the lock if there is no part, and also the directory if the node has made it.
func (d partDir) leave(made bool) {
	if _, err := d.fs.Stat(d.fs.PathJoin(d.path, partName)); !errors.Is(err, os.ErrNotExist) {
		return
	}
	d.fs.Remove(d.fs.PathJoin(d.path, lockName))
	if made {
		d.fs.Remove(d.path) // fails if it is not empty
	}
}

// written returns the path of the part of the database, if there is one.
func (d partDir) written() (path string, ok bool) {
	names, _ := d.fs.List(d.path)
	for _, name := range names {
		if db.IsPart(name) && !strings.HasSuffix(name, ".tmp") {
			return d.fs.PathJoin(d.path, name), true
		}
	}
	return "", false
}

// clear removes everything but the lock and the part of the database.
func (d partDir) clear() error {
	names, err := d.fs.List(d.path)
	if errors.Is(err, os.ErrNotExist) {
		return nil // the coordinator has already removed it
	}
	done, _ := d.written()
	for _, name := range names {
		if path := d.fs.PathJoin(d.path, name); isPart(name) && name != lockName && path != done {
			err = errors.Join(err, d.fs.RemoveAll(path))
		}
	}
	return err
}

// keep removes the files of other epochs.
func (d partDir) keep(epoch int) error {
	names, err := d.fs.List(d.path)
	for _, name := range names {
		if strings.HasPrefix(name, epochPrefix) && name != epochName(epoch) {
			err = errors.Join(err, d.fs.Remove(d.fs.PathJoin(d.path, name)))
		}
	}
	return err
}

func epochName(epoch int) string { return epochPrefix + strconv.Itoa(epoch) }

func partTierName(tier int) string { return partPrefix + strconv.Itoa(tier) }

// savePart writes the files of an epoch.
func (e *engine) savePart(epoch int) error {
	e.state.Elapsed, e.state.Memory = e.elapsed(), e.peakMemory()
	for tier := range e.state.Tier {
		if e.state.Tiers[tier].Stored {
			continue
		}
		err := storage.WriteFile(e.cfg.FS, e.cfg.Checkpoint, partTierName(tier), func(w io.Writer) error {
			return e.savePartitions(w, func(t int) bool { return t == tier })
		})
		if err != nil {
			return err
		}
		e.state.Tiers[tier].Stored = true
	}
	return e.writeState(epochName(epoch))
}

// loadPart reads the files of an epoch.
func (e *engine) loadPart(ctx context.Context, epoch int) error {
	f, r, h, err := openState(&e.cfg, epochName(epoch))
	if err != nil {
		return err
	}
	if f == nil {
		return fmt.Errorf("%s has no %s, which the solve goes on from", e.cfg.Checkpoint, epochName(epoch))
	}
	err = e.load(ctx, r, h)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	for tier := range e.state.Tier {
		if err := e.loadPartTier(ctx, tier); err != nil {
			return err
		}
	}
	return nil
}

func (e *engine) loadPartTier(ctx context.Context, tier int) error {
	path := e.cfg.FS.PathJoin(e.cfg.Checkpoint, partTierName(tier))
	f, err := e.cfg.FS.Open(path)
	if err != nil {
		return err
	}
	err = e.loadPartitions(ctx, bufio.NewReaderSize(f, 1<<20), func(t int) bool { return t == tier })
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// nodeDirPrefix begins the names of nodes' directories in the directory of the solve.
const nodeDirPrefix = "node-"

// NodeDir returns the name of a node's directory in the directory of the solve. Nodes are
// numbered from 1. The directory is removed when the solve is done.
func NodeDir(number int) string { return nodeDirPrefix + strconv.Itoa(number) }

func isNodeDir(name string) bool {
	digits, ok := strings.CutPrefix(name, nodeDirPrefix)
	n, err := strconv.Atoi(digits)
	return ok && err == nil && n > 0 && name == NodeDir(n)
}
