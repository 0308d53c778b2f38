package manager

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/internal/storage"
)

// Tree is a proof tree in a directory, open for reading and writing. One process can have
// it open at a time. It belongs to one goroutine.
type Tree struct {
	fs       vfs.FS
	dir      string
	manifest Manifest
	rules    Rules
	front    *FrontEnd
	db       *pebble.DB
	lock     *pebble.Lock
	failed   error // error of an earlier commit; it persists
	// background receives the first error of the store's background work. Pebble would retry that
	// work forever, as on a full disk, while calls wait for it.
	background storage.Background
}

// Options are options of [Open].
type Options struct {
	FS     vfs.FS // vfs.Default if nil
	Policy Policy
	// Checker checks the proofs of workers before they count. Without one they are believed.
	Checker Checker
	// Adapter, with a Checker, lets the proof of one reply answer others.
	Adapter Adapter
	// Wait is how long to wait for a tree that another process has open.
	Wait time.Duration
}

// ErrLocked is returned for a tree that is open already.
var ErrLocked = storage.ErrLocked

// Open opens the tree in dir, or creates a new one. The manifest must match that of the tree. It
// fails with [ErrOtherTree], [ErrLocked] and [ErrCorrupt].
func Open(dir string, rules Rules, m Manifest, o Options) (*Tree, error) {
	if o.FS == nil {
		o.FS = vfs.Default
	}
	has, err := ReadManifest(o.FS, dir)
	switch {
	case err == nil:
		if err := has.fits(m); err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		m = has
	case errors.Is(err, ErrNoTree):
		if err := create(o.FS, dir, &m); err != nil {
			return nil, err
		}
	default:
		return nil, err
	}
	t := &Tree{fs: o.FS, dir: dir, manifest: m, rules: rules, front: newFrontEnd(rules, o.Checker, m, o.Policy),
		background: storage.NewBackground()}
	t.front.adapter = o.Adapter
	if err := t.background.Guard(func() error { return t.open(time.Now().Add(o.Wait)) }); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return t, nil
}

// create makes the directory of a tree, which must be empty except for what an earlier
// attempt has left.
func create(fs vfs.FS, dir string, m *Manifest) error {
	names, err := fs.List(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, name := range names {
		if name != ManifestName+".tmp" {
			return fmt.Errorf("%w in %s, and the directory is not empty: name another one", ErrNoTree, dir)
		}
	}
	if err := makeDir(fs, dir); err != nil {
		return err
	}
	return m.write(fs, dir)
}

// makeDir creates a directory durably, if there is none.
func makeDir(fs vfs.FS, dir string) error {
	if err := fs.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return storage.SyncDir(fs, fs.PathDir(dir))
}

func (t *Tree) open(deadline time.Time) error {
	store := t.fs.PathJoin(t.dir, storeName)
	if err := makeDir(t.fs, store); err != nil {
		return err
	}
	lock, err := storage.Lock(t.fs, store, deadline)
	if err != nil {
		return err
	}
	// The status file is written only after the store exists.
	_, err = t.fs.Stat(t.fs.PathJoin(t.dir, statusName))
	if t.db, err = pebble.Open(store, storage.Quiet(&pebble.Options{
		FS: t.fs, Lock: lock, FormatMajorVersion: pebble.FormatNewest, ErrorIfNotExists: err == nil,
		EventListener: &pebble.EventListener{BackgroundError: func(err error) { t.background.Fail(damaged(err)) }},
	})); err != nil {
		switch {
		case errors.Is(err, pebble.ErrDBDoesNotExist):
			err = fmt.Errorf("%w: nothing is in %s", ErrCorrupt, storeName)
		case errors.Is(err, os.ErrNotExist):
			err = fmt.Errorf("%w: %s lacks a file: %s", ErrCorrupt, storeName, firstLine(err))
		default:
			if e := storage.Opened(err); errors.Is(e, storage.ErrDamaged) {
				err = fmt.Errorf("%w: %s", ErrCorrupt, firstLine(err))
			}
		}
		return errors.Join(err, lock.Close())
	}
	t.lock = lock
	if err := t.load(); err != nil {
		return errors.Join(err, t.Close())
	}
	return nil
}

// damaged returns ErrCorrupt with a line of explanation for an error of the store that reports
// corruption, and any other error as it is.
func damaged(err error) error {
	if pebble.IsCorruptionError(err) {
		err = fmt.Errorf("%w: %s", ErrCorrupt, firstLine(err))
	}
	return err
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return strings.TrimPrefix(line, "pebble: ")
}

// load reads the tree into the front end.
func (t *Tree) load() (err error) {
	all, err := t.db.NewIter(&pebble.IterOptions{LowerBound: []byte{fragmentPrefix + 1}}) // fragments come first
	if err != nil {
		return err
	}
	for ok := all.First(); ok && err == nil; ok = all.Next() {
		var value []byte
		if value, err = all.ValueAndErr(); err != nil {
			break
		}
		if err = t.front.load(all.Key(), value); err != nil {
			err = fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
	}
	if closing := all.Close(); err == nil {
		err = closing // which may be the error that ended the iteration
	}
	if err != nil {
		return damaged(err)
	}
	if err := t.front.loaded(); err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return nil
}

// Commit durably stores the writes of a front end. After an error the tree must be closed
// and opened again: they may or may not have been stored.
func (t *Tree) Commit(writes []Write) error {
	if t.failed != nil || len(writes) == 0 {
		return t.failed
	}
	t.failed = t.background.Guard(func() error {
		batch := t.db.NewBatch()
		defer batch.Close()
		for _, w := range writes {
			if err := set(batch, w); err != nil {
				return err
			}
		}
		return batch.Commit(pebble.Sync)
	})
	return t.failed
}

// pieceSize is the size of the pieces of a fragment. Where a checksum is wrong, Pebble looks for
// a single wrong bit, in a time that grows with the square of a value's size: half a second for
// such a piece, more than a minute for a fragment of some megabytes.
const pieceSize = 1 << 15

// set adds a write to a batch, a fragment in pieces.
func set(batch *pebble.Batch, w Write) error {
	if w.Key[0] != fragmentPrefix {
		return batch.Set(w.Key, w.Value, nil)
	}
	number := uint32(0)
	for piece := range slices.Chunk(w.Value, pieceSize) {
		if err := batch.Set(pieceKey(w.Key, number), piece, nil); err != nil {
			return err
		}
		number++
	}
	return nil
}

// fragment returns a stored fragment. Whether it is complete shows when it is read.
func (t *Tree) fragment(number uint32) ([]byte, error) {
	key := fragmentKey(number)
	pieces, err := t.db.NewIter(&pebble.IterOptions{LowerBound: key, UpperBound: pieceKey(key, math.MaxUint32)})
	if err != nil {
		return nil, err
	}
	var fragment []byte
	for ok := pieces.First(); ok && err == nil; ok = pieces.Next() {
		var piece []byte
		piece, err = pieces.ValueAndErr()
		fragment = append(fragment, piece...)
	}
	if closing := pieces.Close(); err == nil {
		err = closing // which may be the error that ended the iteration
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("fragment %d: %w", number, damaged(err))
	case len(fragment) == 0:
		return nil, fmt.Errorf("%w: there is no fragment %d", ErrCorrupt, number)
	}
	return fragment, nil
}

// Front returns the front end of the tree.
func (t *Tree) Front() *FrontEnd { return t.front }

// Close closes the tree. It does not return the error of an earlier commit again.
func (t *Tree) Close() (err error) {
	if t.failed == nil {
		err = t.background.Guard(t.db.Close)
	}
	return errors.Join(err, t.lock.Close())
}
