package tsume

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/internal/sealed"
)

var checkpointKind = sealed.Kind{Name: "a search for mate", Version: 2}

// ErrOtherCheckpoint is returned for a checkpoint of another search, or of another version.
var ErrOtherCheckpoint = errOtherSearch.Error()

// checkpointHeader says which search a checkpoint is of. Seed is that of the table, and Key that of
// the position: programs that compute others cannot use the table.
type checkpointHeader struct {
	SFEN        string
	Defends     bool
	CountFutile bool
	Seed        games.Seed
	Key         uint64
	Nodes       uint64
	Seconds     float64
}

func headerOf(p Problem, countFutile bool, seed games.Seed) checkpointHeader {
	key := shogi.NewBoardWithKeys(p.Position, shogi.KeysOf(seed)).Key() ^ saltOf(p, countFutile)
	return checkpointHeader{SFEN: p.Position.SFEN(), Defends: p.Defends, CountFutile: countFutile, Seed: seed, Key: key}
}

// Spent is what a search has taken so far.
type Spent struct {
	Nodes uint64
	Time  time.Duration
}

// SaveCheckpoint writes what a search of a problem has found so far to a file, whole or not at all.
// The search may go on meanwhile. All entries are also written to watch; if that fails, the file
// is as it was.
func SaveCheckpoint(fs vfs.FS, path string, p Problem, countFutile bool, table *dfpn.Table, spent Spent, watch io.Writer) error {
	h := headerOf(p, countFutile, table.Seed())
	h.Nodes, h.Seconds = spent.Nodes, spent.Time.Seconds()
	return sealed.Write(fs, path, checkpointKind, h, func(w *sealed.Writer) error {
		return table.Save(func(chunk []byte) error {
			if _, err := watch.Write(chunk); err != nil {
				return err
			}
			return w.Append(chunk)
		})
	})
}

// LoadCheckpoint fills a table from a checkpoint of the same problem, so that a search goes on from
// there, and gives it the seed that was saved. The table may have another size. All entries are also
// written to watch, whose error ends the reading. LoadCheckpoint believes what the checkpoint says. If
// it fails, the table is empty. The error is [sealed.ErrDamaged], [ErrOtherCheckpoint], or
// os.ErrNotExist if there is no file.
func LoadCheckpoint(fs vfs.FS, path string, p Problem, countFutile bool, table *dfpn.Table, watch io.Writer) (Spent, error) {
	var got checkpointHeader
	file, err := sealed.Open(fs, path, checkpointKind, &got)
	if errors.Is(err, sealed.ErrKind) {
		return Spent{}, fmt.Errorf("%w: %w", err, ErrOtherCheckpoint)
	} else if err != nil {
		return Spent{}, err
	}
	defer file.Close()
	want := headerOf(p, countFutile, got.Seed)
	switch {
	case got.SFEN != want.SFEN || got.Defends != want.Defends:
		return Spent{}, errOtherProblem.Error(path, ErrOtherCheckpoint, got.SFEN)
	case got.CountFutile != want.CountFutile:
		return Spent{}, errOtherCount.Error(path, ErrOtherCheckpoint)
	case got.Key != want.Key:
		return Spent{}, errOtherKeys.Error(path, ErrOtherCheckpoint)
	}
	table.Rekey(got.Seed)
	if err := loadEntries(file, path, table, watch); err != nil {
		table.Clear()
		return Spent{}, err
	}
	return Spent{got.Nodes, time.Duration(got.Seconds * float64(time.Second))}, nil
}

func loadEntries(file *sealed.File, path string, table *dfpn.Table, watch io.Writer) error {
	var chunk, packed []byte
	for i := range file.Chunks() {
		var err error
		if chunk, packed, err = file.Chunk(i, chunk, packed); err != nil {
			return err
		}
		if _, err := watch.Write(chunk); err != nil {
			return err
		}
		if err := table.Load(chunk); err != nil {
			return fmt.Errorf("%s: %w: chunk %d: %w", path, sealed.ErrDamaged, i, err)
		}
	}
	return nil
}
