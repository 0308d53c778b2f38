package othello

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/internal/storage"
)

// A store keeps the results of positions with many empty squares in a directory, so that a search
// goes on where another one stopped. A key is the position's two sets, a value its bounds and best
// move. The key gameKey has the rules.
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
		return nil, errors.Join(fmt.Errorf("%s: %w", dir, s.failed), lock.Close())
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

// load reads all results.
func (s *store) load(kept map[key]bounds) (err error) {
	it, err := s.db.NewIter(nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, it.Close()) }()
	for it.First(); it.Valid(); it.Next() {
		k, v := it.Key(), it.Value()
		if len(k) != keySize {
			continue
		}
		if len(v) != valueSize {
			return fmt.Errorf("a result of %d bytes, want %d", len(v), valueSize)
		}
		kept[key{binary.BigEndian.Uint64(k), binary.BigEndian.Uint64(k[8:])}] = bounds{int8(v[0]), int8(v[1]), v[2]}
	}
	return it.Error()
}

// keep writes a result. It survives the end of the process, but perhaps not that of the machine.
func (s *store) keep(k key, b bounds) error {
	var data [keySize]byte
	binary.BigEndian.PutUint64(data[:], k.own)
	binary.BigEndian.PutUint64(data[8:], k.opposite)
	return s.set(data[:], []byte{byte(b.lower), byte(b.upper), b.move}, pebble.NoSync)
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
