package shared

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/sealed"
	"github.com/yomikiri/yomikiri/internal/storage"
	"github.com/yomikiri/yomikiri/retro/engine"
)

const (
	// HeaderName is the name of the file that says what is solved in a directory.
	HeaderName = "shared"
	lockPrefix = "lock-" // before the number of a tier
	// arrivedPrefix is before the number of a tier that a worker has solved, while its file arrives.
	arrivedPrefix = "arrived-"
	// StreamsName is the directory of the queue.
	StreamsName = "streams"
)

// headerKind is that of the header, which has no chunks.
var headerKind = sealed.Kind{Name: "a shared solve", Version: 1}

// Header says what is solved in a directory.
type Header struct {
	Game        string
	Order       string // of values
	RulesDigest string `json:",omitempty"`
	Fingerprint string // see [engine.Fingerprint]
}

// headerOf returns the header of a game.
func headerOf(u *games.Universe) (Header, error) {
	f, err := engine.Fingerprint(u)
	return Header{Game: u.Name, Order: u.Order.String(), RulesDigest: games.RulesDigest(u.Rules), Fingerprint: f}, err
}

// ReadHeader returns the header of a directory. Without one the error is os.ErrNotExist.
func ReadHeader(fs vfs.FS, dir string) (h Header, err error) {
	f, err := sealed.Open(fs, fs.PathJoin(dir, HeaderName), headerKind, &h)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return h, err
	case err != nil:
		return h, fmt.Errorf("%w; delete the directory to start again, or %w", err, engine.ErrOther)
	}
	return h, f.Close()
}

// IsFile reports whether a file has the name of one that only processes that share a directory have
// there, perhaps of an unfinished one.
func IsFile(name string) bool {
	complete := strings.TrimSuffix(name, ".tmp")
	return complete == HeaderName || name == StreamsName || numbered(name, lockPrefix) || numbered(complete, arrivedPrefix)
}

// numbered reports whether a name is a prefix with the number of a tier.
func numbered(name, prefix string) bool {
	digits, ok := strings.CutPrefix(name, prefix)
	n, err := strconv.Atoi(digits)
	return ok && err == nil && n >= 0 && digits == strconv.Itoa(n)
}

func lockOf(tier int) string    { return lockPrefix + strconv.Itoa(tier) }
func arrivedOf(tier int) string { return arrivedPrefix + strconv.Itoa(tier) }

// Folder is a directory in which processes solve a game.
type Folder struct {
	fs     vfs.FS
	dir    string
	u      *games.Universe
	writer string // the file that who writes the database has locked
	order  []int  // the tiers, see [order]
}

// Create makes a directory one in which processes solve a game. It must have no files of tiers.
func Create(fs vfs.FS, dir string, u *games.Universe) error {
	h, err := headerOf(u)
	if err != nil {
		return err
	}
	return sealed.Write(fs, fs.PathJoin(dir, HeaderName), headerKind, h, nil)
}

// Open opens a directory that [Create] has made. If it has not, the error is os.ErrNotExist; if it is
// of another game or of other rules, [engine.ErrOther]. Who writes the database locks the file writer.
func Open(fs vfs.FS, dir string, u *games.Universe, writer string) (*Folder, error) {
	h, err := ReadHeader(fs, dir)
	if err != nil {
		return nil, err
	}
	want, err := headerOf(u)
	if err != nil {
		return nil, err
	}
	switch {
	case h == want:
		return &Folder{fs: fs, dir: dir, u: u, writer: writer, order: order(u)}, nil
	case h.Game != want.Game:
		return nil, fmt.Errorf("%s is shared to solve %s, not %s: %w", dir, h.Game, want.Game, engine.ErrOther)
	case h.RulesDigest != want.RulesDigest:
		return nil, fmt.Errorf("%s is shared to solve %s by other rules, with the digest %s: %w", dir, h.Game, h.RulesDigest, engine.ErrOther)
	case h.Order != want.Order:
		return nil, fmt.Errorf("%s is shared to solve %s with values by %s, not by %s: %w", dir, h.Game, h.Order, want.Order, engine.ErrOther)
	}
	return nil, fmt.Errorf("%s is shared by programs that number positions of %s differently: go on with such a program, or %w", dir, h.Game, engine.ErrOther)
}

// state says what is there.
type state struct {
	finished []bool // tiers with a file
	count    int    // of them
	solved   bool   // the database is complete; the files of tiers may be gone
}

// state looks what is there.
func (f *Folder) state() (s state, err error) {
	names, err := f.fs.List(f.dir)
	s.finished, s.solved = make([]bool, len(f.u.Tiers)), slices.Contains(names, db.ManifestName)
	for _, name := range names {
		if tier, ok := engine.TierOfFile(name); ok && tier < len(s.finished) {
			s.finished[tier] = true
			s.count++
		}
	}
	return s, err
}

// take locks the first tier that is ready and that nobody has locked, or returns nil.
func (f *Folder) take(s *state) (tier int, lock io.Closer, err error) {
	for _, tier := range f.order {
		if s.finished[tier] || slices.ContainsFunc(f.u.Children(tier), func(child int) bool { return !s.finished[child] }) {
			continue
		}
		lock, err := f.lock(lockOf(tier), engine.TierFileName(tier))
		if lock != nil || err != nil {
			return tier, lock, err
		}
	}
	return 0, nil, nil
}

// lock locks a file, for who is to make another one. It returns nil if someone else has locked it, or
// has made that file since the directory was looked at.
func (f *Folder) lock(name, makes string) (io.Closer, error) {
	path := f.fs.PathJoin(f.dir, name)
	lock, err := storage.TryLock(f.fs, path)
	switch {
	case errors.Is(err, storage.ErrLocked):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s cannot be locked, as processes that share a directory must: %w", path, err)
	}
	made, err := f.has(makes)
	if !made && err == nil {
		// The database is there before the files of tiers go, so it is looked for after them.
		var solved bool
		if solved, err = f.has(db.ManifestName); solved {
			// Who has written it may have removed all locks before there was this one.
			if err = storage.Unlock(f.fs, path, lock); errors.Is(err, os.ErrNotExist) {
				err = nil
			}
			return nil, err
		}
	}
	if made || err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

// has reports whether there is a file.
func (f *Folder) has(name string) (bool, error) {
	_, err := f.fs.Stat(f.fs.PathJoin(f.dir, name))
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
