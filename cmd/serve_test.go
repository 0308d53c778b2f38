package cmd

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

// TestServeNothing has a program whose games offer no search.
func TestServeNothing(t *testing.T) {
	code, stdout, stderr := run("serve", Game(tictactoe.Family))
	require.Equal(t, exitUsage, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "nothing to serve: name a game, a database or a proof file")
}

// unjudged is a game without features.
type unjudged struct {
	games.Game[tictactoe.Position, tictactoe.Move]
}

// TestServeUnjudged has a game with neither a database nor an evaluation.
func TestServeUnjudged(t *testing.T) {
	t.Chdir(t.TempDir())
	family := games.NewFamily(tictactoe.Family.Info, func(games.Rules) unjudged { return unjudged{tictactoe.Game{}} })
	p := Game[unjudged, tictactoe.Position, tictactoe.Move](family)
	code, stdout, stderr := run("serve tictactoe", p)
	require.Equal(t, exitUsage, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "no database in tictactoe.db (it has no yomikiri.manifest), and tictactoe: the game has no evaluation, since it has no games.Features\n")
	for _, command := range []string{"play tictactoe --level 3", "match tictactoe level=1 level=2", "analyze tictactoe startpos"} {
		code, _, stderr := run(command, p)
		require.Equal(t, exitUsage, code, command)
		require.Contains(t, stderr, "tictactoe: the game has no evaluation", command)
	}
}
