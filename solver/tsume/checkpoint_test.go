//go:build !race

package tsume_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/sealed"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// TestCheckpoint stops a search again and again, as a limit does, and goes on from what was saved.
func TestCheckpoint(t *testing.T) {
	set, err := bench.TsumeSet("zuko")
	require.NoError(t, err)
	p := set[2].Problem
	table, err := dfpn.NewFixedTable(8 << 20)
	require.NoError(t, err)
	whole, err := tsume.Solve(t.Context(), p, table, tsume.Options{})
	require.NoError(t, err)
	require.Equal(t, dfpn.Proven, whole.Outcome)

	fs := vfs.NewMem()
	var spent tsume.Spent
	pieces := uint64(0)
	for solved := false; !solved; pieces++ {
		require.Less(t, spent.Nodes, 2*whole.Nodes, "the pieces find out what one search does")
		table, err := dfpn.NewFixedTable(16 << 20) // another size
		require.NoError(t, err)
		table.Rekey(games.Seed(1 + pieces)) // and another seed, as another process has
		if pieces > 0 {
			got, err := tsume.LoadCheckpoint(fs, "checkpoint", p, false, table, io.Discard)
			require.NoError(t, err)
			require.Equal(t, spent, got)
			require.Equal(t, games.Seed(1), table.Seed(), "the search goes on with the keys that were saved")
		}
		s, err := tsume.Solve(t.Context(), p, table, tsume.Options{Nodes: whole.Nodes / 8})
		require.NoError(t, err)
		if solved = s.Outcome != dfpn.Unknown; solved {
			require.Equal(t, dfpn.Proven, s.Outcome)
			break
		}
		spent = tsume.Spent{Nodes: spent.Nodes + s.Nodes, Time: spent.Time + time.Second}
		require.NoError(t, tsume.SaveCheckpoint(fs, "checkpoint", p, false, table, spent, io.Discard))
	}
	require.Greater(t, pieces, uint64(3))

	refuses := func(p tsume.Problem, futile bool, text string) {
		table, err := dfpn.NewFixedTable(16 << 20)
		require.NoError(t, err)
		_, err = tsume.LoadCheckpoint(fs, "checkpoint", p, futile, table, io.Discard)
		require.ErrorIs(t, err, tsume.ErrOtherCheckpoint)
		require.NotErrorIs(t, err, sealed.ErrDamaged)
		require.ErrorContains(t, err, "checkpoint: ")
		require.ErrorContains(t, err, text)
		require.Zero(t, table.Full())
	}
	refuses(set[3].Problem, false, "of the problem "+p.Position.SFEN())
	refuses(p, true, "futile interpositions in another way")
	mates := sealed.Kind{Name: "a search for mate", Version: 2}
	var header map[string]any
	f, err := sealed.Open(fs, "checkpoint", mates, &header)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	header["Key"] = 7
	require.NoError(t, sealed.Write(fs, "checkpoint", mates, header, nil))
	refuses(p, false, "numbers positions in another way")
	mates.Version++
	require.NoError(t, sealed.Write(fs, "checkpoint", mates, header, nil))
	refuses(p, false, "version 3, this program reads version 2")
	_, err = tsume.LoadCheckpoint(fs, "none", p, false, table, io.Discard)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// searched is a problem, and a table that a search of it has filled.
func searched(t *testing.T) (tsume.Problem, *dfpn.Table) {
	set, err := bench.TsumeSet("zuko")
	require.NoError(t, err)
	table, err := dfpn.NewFixedTable(8 << 20)
	require.NoError(t, err)
	_, err = tsume.Solve(t.Context(), set[0].Problem, table, tsume.Options{Nodes: 100_000})
	require.NoError(t, err)
	return set[0].Problem, table
}

// TestCheckpointDamage changes bytes everywhere in a checkpoint of several chunks, cuts it off, and puts
// other things under right sums.
func TestCheckpointDamage(t *testing.T) {
	p, table := searched(t)
	fs := vfs.NewMem()
	require.NoError(t, tsume.SaveCheckpoint(fs, "whole", p, false, table, tsume.Spent{}, io.Discard))
	f, err := fs.Open("whole")
	require.NoError(t, err)
	whole, err := io.ReadAll(f)
	require.NoError(t, errors.Join(err, f.Close()))
	var header json.RawMessage
	mates := sealed.Kind{Name: "a search for mate", Version: 2}
	file, err := sealed.Open(fs, "whole", mates, &header)
	require.NoError(t, err)
	require.Greater(t, file.Chunks(), 1)
	chunk, _, err := file.Chunk(0, nil, nil)
	require.NoError(t, errors.Join(err, file.Close()))

	again, err := dfpn.NewFixedTable(8 << 20)
	require.NoError(t, err)
	refuses := func(what string) {
		_, err := tsume.LoadCheckpoint(fs, "bad", p, false, again, io.Discard)
		require.ErrorIs(t, err, sealed.ErrDamaged, what)
		require.ErrorContains(t, err, "bad: ", what)
		require.Zero(t, again.Full(), what)
	}
	write := func(data []byte) {
		f, err := fs.Create("bad", vfs.WriteCategoryUnspecified)
		require.NoError(t, err)
		_, err = f.Write(data)
		require.NoError(t, errors.Join(err, f.Close()))
	}
	n := len(whole)
	for _, at := range []int{0, 5, 16, 18, 25, 60, 200, 400, n / 4, n / 2, n - n/8, n - 100, n - 20, n - 12, n - 1} {
		bad := bytes.Clone(whole)
		bad[at] ^= 16
		write(bad)
		refuses(fmt.Sprintf("byte %d of %d is another", at, n))
		write(whole[:at])
		refuses(fmt.Sprintf("%d of %d bytes are left", at, n))
	}
	write([]byte("yomikiri tsume checkpoint 1\n{}\nyomikiri table 1\n"))
	refuses("of the first format")
	for what, forged := range map[string][]byte{"half an entry": chunk[:len(chunk)-14], "an empty chunk": nil} {
		require.NoError(t, sealed.Write(fs, "bad", mates, header, func(w *sealed.Writer) error {
			return errors.Join(w.Append(chunk), w.Append(forged))
		}))
		refuses(what)
	}
	_, err = tsume.LoadCheckpoint(fs, "whole", p, false, again, io.Discard)
	require.NoError(t, err)
	require.NotZero(t, again.Full())
}

// TestCheckpointStops ends the writing and reading of a checkpoint between two chunks: the file is as
// it was, and the table empty.
func TestCheckpointStops(t *testing.T) {
	p, table := searched(t)
	fs := vfs.NewMem()
	require.NoError(t, tsume.SaveCheckpoint(fs, "checkpoint", p, false, table, tsume.Spent{Nodes: 7}, io.Discard))
	require.ErrorIs(t, tsume.SaveCheckpoint(fs, "checkpoint", p, false, table, tsume.Spent{Nodes: 8}, &second{}), errStopped)
	again, err := dfpn.NewFixedTable(8 << 20)
	require.NoError(t, err)
	_, err = tsume.LoadCheckpoint(fs, "checkpoint", p, false, again, &second{})
	require.ErrorIs(t, err, errStopped)
	require.Zero(t, again.Full())
	spent, err := tsume.LoadCheckpoint(fs, "checkpoint", p, false, again, io.Discard)
	require.NoError(t, err)
	require.EqualValues(t, 7, spent.Nodes)
	list, err := fs.List("")
	require.NoError(t, err)
	require.Equal(t, []string{"checkpoint"}, list)
}

var errStopped = errors.New("stopped")

// second is a writer that fails when it is used for the second time.
type second struct{ used bool }

func (s *second) Write(data []byte) (int, error) {
	if s.used {
		return 0, errStopped
	}
	s.used = true
	return len(data), nil
}
