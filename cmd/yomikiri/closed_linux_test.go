package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestClosedOutput has a shell close the standard output, and others throw it away.
func TestClosedOutput(t *testing.T) {
	for _, args := range []string{"games", "games --json", "help games", "--version", "completion bash"} {
		text, err := exec.Command("sh", "-c", "yomikiri "+args+" >&-; echo $?").CombinedOutput()
		require.NoError(t, err)
		require.Equal(t, "yomikiri: standard output is closed\n1\n", string(text), args)
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	require.NoError(t, err)
	defer null.Close()
	for _, c := range []*exec.Cmd{
		exec.Command("yomikiri", "games"), exec.Command("sh", "-c", "yomikiri games && true"), exec.Command("sh", "-c", "yomikiri games >/dev/null && true"),
		exec.Command("sh", "-c", "yomikiri serve --listen 127.0.0.1:0 --help >/dev/null; yomikiri games | head -1"),
	} {
		c.Stdout = null
		require.NoError(t, c.Run(), c.Args)
	}
}
