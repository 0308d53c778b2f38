package shogi

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// TestResumeInterrupted ends the reading of a checkpoint, which may be large.
func TestResumeInterrupted(t *testing.T) {
	p, err := shogi.ParseSFEN("4k4/9/4P4/9/9/9/9/9/9 b 2G 1")
	require.NoError(t, err)
	problem, err := tsume.NewProblem(p, tsume.Natural)
	require.NoError(t, err)
	table, err := dfpn.NewFixedTable(1 << 16)
	require.NoError(t, err)
	_, err = tsume.Solve(t.Context(), problem, table, tsume.Options{})
	require.NoError(t, err)
	c := tsumeCommand{checkpoint: tsumeCheckpoint{file: filepath.Join(t.TempDir(), "checkpoint")}, progress: ui.NewProgress(&bytes.Buffer{}, false, true)}
	var text bytes.Buffer
	require.NoError(t, tsume.SaveCheckpoint(&text, problem, false, table, tsume.Spent{Nodes: 7}))
	require.NoError(t, os.WriteFile(c.checkpoint.file, text.Bytes(), 0o600))
	table.Clear()
	spent, err := c.resume(t.Context(), problem, table)
	require.NoError(t, err)
	require.EqualValues(t, 7, spent.Nodes)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	table.Clear()
	_, err = c.resume(ctx, problem, table)
	require.Equal(t, context.Canceled, err)
}
