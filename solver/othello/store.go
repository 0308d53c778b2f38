package othello

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/internal/storage"
)

// A store keeps the results of positions with many empty squares in a directory, so that a search
// goes on where another one stopped. It is no file of package sealed, which is written whole: each result
// is added when it is found. Pebble has a checksum for each block of it. A key is the position's two sets, a value its bounds and best
// move. The key gameKey has the rules.
//
// A store also keeps what was decided while a proof was made. A key is that of [decisionKey], a
// value the move and the number of positions.
type store struct {
	db         *pebble.DB
	lock       *pebble.Lock
	background storage.Background
	failed     error // of a write; it persists
}

// lockWait is how long opening waits for a process that has the directory, and may be ending.
const lockWait = 2 * time.Second

var gameKey = []byte("game")

// openStore opens the store in dir, or makes it.
func openStore(fs vfs.FS, dir, game string) (*store, error) {
	if list, err := fs.List(dir); err == nil && len(list) > 0 {
		found, err := pebble.Peek(dir, fs)
		err = storage.Opened(err)
		if err == nil && !found.Exists {
			err = fmt.Errorf("it has something else in it, such as %s: name a new directory", list[0])
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
	}
	if err := storage.MkdirAll(fs, dir); err != nil {
		return nil, err
	}
	lock, err := storage.Lock(fs, dir, time.Now().Add(lockWait))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	s := &store{lock: lock, background: storage.NewBackground()}
	if s.failed = s.background.Guard(func() (err error) {
		s.db, err = pebble.Open(dir, storage.Quiet(&pebble.Options{FS: fs, Lock: lock, FormatMajorVersion: pebble.FormatNewest,
			EventListener: &pebble.EventListener{BackgroundError: s.background.Fail}}))
		return err
	}); s.failed != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", dir, storage.Opened(s.failed)), lock.Close())
	}
	held, done, err := s.db.Get(gameKey)
	switch {
	case errors.Is(err, pebble.ErrNotFound):
		err = s.set(gameKey, []byte(game), pebble.Sync)
	case err == nil:
		if string(held) != game {
			err = fmt.Errorf("%s: it is about %s, not about %s", dir, held, game)
		}
		err = errors.Join(err, done.Close())
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *store) set(key, value []byte, o *pebble.WriteOptions) error {
	if s.failed == nil {
		s.failed = s.background.Guard(func() error { return s.db.Set(key, value, o) })
	}
	return s.failed
}

const (
	keySize   = 16
	valueSize = 3
)

// load reads all results. After each it calls fit.
func (s *store) load(kept map[key]bounds, fit func() error) (err error) {
	it, err := s.db.NewIter(nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(storage.Read(err), it.Close()) }()
	for it.First(); it.Valid(); it.Next() {
		k, v := it.Key(), it.Value()
		if len(k) != keySize {
			continue
		}
		if len(v) != valueSize {
			return fmt.Errorf("%w: a result of %d bytes, want %d", storage.ErrDamaged, len(v), valueSize)
		}
		kept[key{binary.BigEndian.Uint64(k), binary.BigEndian.Uint64(k[8:])}] = bounds{int8(v[0]), int8(v[1]), v[2]}
		if err := fit(); err != nil {
			return err
		}
	}
	return it.Error()
}

// keep writes a result. Close has it reach the file; if the process is killed the last thousand may be
// lost, and with the machine some more.
func (s *store) keep(k key, b bounds) error {
	var data [keySize]byte
	binary.BigEndian.PutUint64(data[:], k.own)
	binary.BigEndian.PutUint64(data[8:], k.opposite)
	return s.set(data[:], []byte{byte(b.lower), byte(b.upper), b.move}, pebble.NoSync)
}

// decisionPrefix begins the keys of the decisions of a tree: they hold for some points of the
// claimant, and a number of positions that a checker may search.
func decisionPrefix(t *tree) []byte {
	return append(binary.AppendUvarint([]byte{'d'}, t.most), byte(int8(t.points)))
}

func decisionKey(t *tree, at place) []byte {
	data := append(decisionPrefix(t), 'o')
	if at.claimant {
		data[len(data)-1] = 'c'
	}
	data = binary.BigEndian.AppendUint64(data, at.own)
	return binary.BigEndian.AppendUint64(data, at.opposite)
}

// decides reports whether there are decisions of a tree.
func (s *store) decides(t *tree) (found bool, err error) {
	prefix := decisionPrefix(t)
	it, err := s.db.NewIter(&pebble.IterOptions{LowerBound: prefix, UpperBound: append(slices.Clone(prefix), 0xff)})
	if err != nil {
		return false, err
	}
	for found = it.First(); found && len(it.Key()) != len(prefix)+1+keySize; found = it.Next() {
	}
	return found, errors.Join(it.Error(), it.Close())
}

// decision returns what was decided about a node.
func (s *store) decision(t *tree, at place) (d decision, ok bool, err error) {
	value, done, err := s.db.Get(decisionKey(t, at))
	switch {
	case errors.Is(err, pebble.ErrNotFound):
		return d, false, nil
	case err != nil:
		return d, false, storage.Read(err)
	}
	positions, size := binary.Uvarint(value[min(1, len(value)):])
	if size <= 0 || positions > math.MaxUint32 {
		err = fmt.Errorf("%w: a decision of %d bytes", storage.ErrDamaged, len(value))
	} else {
		d = decision{value[0], uint32(positions)}
	}
	return d, true, errors.Join(err, done.Close())
}

// decide writes what was decided about a node, as keep does.
func (s *store) decide(t *tree, at place, d decision) error {
	return s.set(decisionKey(t, at), binary.AppendUvarint([]byte{d.move}, uint64(d.positions)), pebble.NoSync)
}

// close closes the store. After a failed write that might never end, so close only releases the
// directory.
func (s *store) close() error {
	var err error
	if s.failed == nil {
		err = s.background.Guard(s.db.Close)
	}
	return errors.Join(err, s.lock.Close())
}
