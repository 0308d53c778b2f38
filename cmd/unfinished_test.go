package cmd

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/retro"
)

// TestUnfinished asks about a solve that was interrupted.
func TestUnfinished(t *testing.T) {
	list := []Plugin{Game("tictactoe")}
	dir := filepath.Join(t.TempDir(), "t.db")
	commands := []string{"query tictactoe startpos --db " + dir, "play tictactoe --db " + dir, "stats " + dir, "verify " + dir}
	for _, command := range commands {
		_, _, stderr := run(command, list...)
		require.Regexp(t, "no database in "+dir+"|no file or directory "+dir, stderr, command)
	}

	u, err := games.UniverseOf(tictactoe.Game{})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = retro.Solve(ctx, u, dir, retro.Config{})
	require.ErrorIs(t, err, retro.ErrInterrupted)
	resume := "yomikiri solve tictactoe --positions reachable --db " + dir
	for _, command := range commands {
		code, _, stderr := run(command, list...)
		require.Equal(t, ui.ExitFailure, code, command)
		require.Equal(t, "yomikiri: "+dir+" holds a solve of tictactoe that is not finished; to continue, unless it is still running: "+resume+"\n", stderr, command)
	}

	// There is no checkpoint yet.
	require.NoError(t, os.Remove(filepath.Join(dir, "checkpoint")))
	for _, command := range commands {
		_, _, stderr := run(command, list...)
		require.Contains(t, stderr, dir+" holds a solve that is not finished; run the same solve command again to continue", command)
	}
	code, _, stderr := run(resume[len("yomikiri "):], list...)
	require.Equal(t, ui.ExitOK, code, stderr)
	code, _, stderr = run(commands[0], list...)
	require.Equal(t, ui.ExitOK, code, stderr)
}
