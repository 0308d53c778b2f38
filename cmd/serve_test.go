package cmd

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/tictactoe"
)

// TestServeNothing has a program whose games offer no search.
func TestServeNothing(t *testing.T) {
	code, stdout, stderr := run("serve", Game(tictactoe.Family))
	require.Equal(t, exitUsage, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "nothing to serve: name a database or a proof file")
}
