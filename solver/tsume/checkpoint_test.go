package tsume_test

import (
	"bytes"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games"
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

	var saved []byte
	var spent tsume.Spent
	pieces := uint64(0)
	for solved := false; !solved; pieces++ {
		require.Less(t, spent.Nodes, 2*whole.Nodes, "the pieces find out what one search does")
		table, err := dfpn.NewFixedTable(16 << 20) // another size
		require.NoError(t, err)
		table.Rekey(games.Seed(1 + pieces)) // and another seed, as another process has
		if saved != nil {
			got, err := tsume.LoadCheckpoint(bytes.NewReader(saved), p, false, table)
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
		var out bytes.Buffer
		require.NoError(t, tsume.SaveCheckpoint(&out, p, false, table, spent))
		saved = out.Bytes()
	}
	require.Greater(t, pieces, uint64(3))

	for name, refused := range map[string]struct {
		data   []byte
		p      tsume.Problem
		futile bool
	}{
		"another problem":  {saved, set[3].Problem, false},
		"in another way":   {saved, p, true},
		"not a checkpoint": {[]byte("4k4/9/4P4/9/9/9/9/9/9 b 2G\n"), p, false},
		"cut off":          {saved[:40], p, false},
		"the table in the file is damaged: it is cut off": {saved[:len(saved)-1], p, false},
		"numbers positions": {regexp.MustCompile(`"Key":\d+`).ReplaceAll(saved, []byte(`"Key":7`)), p, false},
		"the header of the checkpoint: invalid character 'x' looking for": {bytes.Replace(saved, []byte(`{"SFEN`), []byte(`x"SFEN`), 1), p, false},
	} {
		table, err := dfpn.NewFixedTable(16 << 20)
		require.NoError(t, err)
		_, err = tsume.LoadCheckpoint(bytes.NewReader(refused.data), refused.p, refused.futile, table)
		require.ErrorContains(t, err, name)
		require.Zero(t, table.Full())
	}
}
