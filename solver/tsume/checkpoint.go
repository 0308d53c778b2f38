package tsume

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// checkpointMagic begins a checkpoint. A line of JSON, a [checkpointHeader], and the table follow.
const checkpointMagic = "yomikiri tsume checkpoint 1\n"

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

// SaveCheckpoint writes what a search of a problem has found so far. The search may go on
// meanwhile.
func SaveCheckpoint(w io.Writer, p Problem, countFutile bool, table *dfpn.Table, spent Spent) error {
	h := headerOf(p, countFutile, table.Seed())
	h.Nodes, h.Seconds = spent.Nodes, spent.Time.Seconds()
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "%s%s\n", checkpointMagic, text); err != nil {
		return err
	}
	return table.Save(w)
}

// LoadCheckpoint fills a table from a checkpoint of the same problem, so that a search goes on from
// there, and gives it the seed that was saved. The table may have another size. LoadCheckpoint
// believes what the checkpoint says; if it fails, the table is empty.
func LoadCheckpoint(r io.Reader, p Problem, countFutile bool, table *dfpn.Table) (Spent, error) {
	b := bufio.NewReader(r)
	magic := make([]byte, len(checkpointMagic))
	if _, err := io.ReadFull(b, magic); err != nil || string(magic) != checkpointMagic {
		return Spent{}, errors.New("it is not a checkpoint of a search for mate of this version")
	}
	line, err := b.ReadBytes('\n')
	if err != nil {
		return Spent{}, errors.New("the checkpoint is cut off")
	}
	var got checkpointHeader
	if err := json.Unmarshal(line, &got); err != nil {
		return Spent{}, fmt.Errorf("the header of the checkpoint: %w", err)
	}
	want := headerOf(p, countFutile, got.Seed)
	switch {
	case got.SFEN != want.SFEN || got.Defends != want.Defends:
		return Spent{}, fmt.Errorf("the checkpoint is of another problem, %s", got.SFEN)
	case got.CountFutile != want.CountFutile:
		return Spent{}, errors.New("the checkpoint is of a search that counts futile interpositions in another way")
	case got.Key != want.Key:
		return Spent{}, errors.New("the checkpoint is of a version that numbers positions in another way")
	}
	table.Rekey(got.Seed)
	if err := table.Load(b); err != nil {
		return Spent{}, err
	}
	return Spent{got.Nodes, time.Duration(got.Seconds * float64(time.Second))}, nil
}
