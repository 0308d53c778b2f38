package cmd

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

// TestServeNothing has a program whose games offer no search.
func TestServeNothing(t *testing.T) {
	code, stdout, stderr := run("serve", Game("tictactoe"))
	require.Equal(t, ui.ExitUsage, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "nothing to serve: name a game, a database or a proof file")
}

// unjudged is a game without features.
type unjudged struct{ likeTicTacToe }

// TestServeUnjudged has a game with neither a database nor an evaluation.
func TestServeUnjudged(t *testing.T) {
	t.Chdir(t.TempDir())
	p := like(tictactoe.Family.Info, unjudged{tictactoe.Game{}})
	code, stdout, stderr := run("serve tictactoe", p)
	require.Equal(t, ui.ExitUsage, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "no database in tictactoe.db (there is no such directory), and tictactoe: the game has no evaluation, since it has no games.Features\n")
	for _, command := range []string{"play tictactoe --level 3", "match tictactoe level=1 level=2", "analyze tictactoe startpos"} {
		code, _, stderr := run(command, p)
		require.Equal(t, ui.ExitUsage, code, command)
		require.Contains(t, stderr, "tictactoe: the game has no evaluation", command)
	}
}

// TestServedRecords has a client leave while its games are read.
func TestServedRecords(t *testing.T) {
	for game, text := range map[string]string{
		"checkers": "1. 11-15 23-19 *\n", "tictactoe": "startpos moves b2\n", "shogi": "startpos moves 7g7f\n",
	} {
		g, err := plugins{Game("checkers"), Game("tictactoe"), Game("shogi")}.open(game)
		require.NoError(t, err)
		s, err := plugins(nil).search(g, true, &servedFiles{servedWeights: &servedWeights{}, servedBooks: &servedBooks{}})
		require.NoError(t, err)
		list, err := s.Records(t.Context(), []byte(text))
		require.NoError(t, err, game)
		require.NotEmpty(t, list[0].Moves, game)
		ctx, leave := context.WithCancel(t.Context())
		leave()
		_, err = s.Records(ctx, []byte(text))
		require.ErrorIs(t, err, context.Canceled, game)
	}
}
