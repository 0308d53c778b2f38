package shogi

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// TestResume ends the reading of a checkpoint, which may be large, and damages each byte of it.
func TestResume(t *testing.T) {
	p, err := shogi.ParseSFEN("4k4/9/4P4/9/9/9/9/9/9 b 2G 1")
	require.NoError(t, err)
	problem, err := tsume.NewProblem(p, tsume.Natural)
	require.NoError(t, err)
	table, err := dfpn.NewFixedTable(1 << 16)
	require.NoError(t, err)
	_, err = tsume.Solve(t.Context(), problem, table, tsume.Options{})
	require.NoError(t, err)
	c := tsumeCommand{checkpoint: tsumeCheckpoint{file: filepath.Join(t.TempDir(), "checkpoint")}, progress: ui.NewProgress(&bytes.Buffer{}, false, true)}
	require.NoError(t, tsume.SaveCheckpoint(vfs.Default, c.checkpoint.file, problem, false, table, tsume.Spent{Nodes: 7}, io.Discard))
	table.Clear()
	spent, err := c.resume(t.Context(), problem, table)
	require.NoError(t, err)
	require.EqualValues(t, 7, spent.Nodes)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	table.Clear()
	_, err = c.resume(ctx, problem, table)
	require.Equal(t, context.Canceled, err)

	whole, err := os.ReadFile(c.checkpoint.file)
	require.NoError(t, err)
	for at := range whole {
		bad := bytes.Clone(whole)
		bad[at] ^= 1
		require.NoError(t, os.WriteFile(c.checkpoint.file, bad, 0o600))
		_, err = c.resume(t.Context(), problem, table)
		require.Equal(t, ui.ExitCorrupt, ui.ExitCode(err), "byte %d: %v", at, err)
		require.ErrorContains(t, err, "remove it to begin again")
	}
}
