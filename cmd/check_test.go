package cmd

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/tictactoe"
)

// TestCheckProgress shows how far a check is, unless that is not wanted.
func TestCheckProgress(t *testing.T) {
	path := filepath.Join(t.TempDir(), "draw.proof")
	code, _, stderr := run("prove -q tictactoe --proof "+path, Game(tictactoe.Family))
	require.Equal(t, exitOK, code, stderr)
	for _, c := range []struct {
		progress *progress
		want     string
	}{
		{&progress{}, `^\d+(\.\d+)? s  [\d,]+ nodes, [\d,]+ replies, [1-9]\d? % of the file\n$`},
		{&progress{json: true}, `^{"nodes":\d+,.*"bytes":\d+,.*}\n$`},
		{&progress{quiet: true}, `^$`},
	} {
		f, err := os.Open(path)
		require.NoError(t, err)
		defer f.Close()
		var out bytes.Buffer
		c.progress.w = &out
		result, err := plugins{Game(tictactoe.Family)}.checkProof(t.Context(), f, c.progress)
		require.NoError(t, err)
		require.Equal(t, "draw", result.Value)
		require.Regexp(t, c.want, out.String())
	}

	// Standard input is a file too.
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var answer strings.Builder
	require.Equal(t, exitOK, Run(t.Context(), []string{"yomikiri", "check", "-", "-q"}, Stdio{bytes.NewReader(data), &answer, io.Discard}, Game(tictactoe.Family)))
	require.Contains(t, answer.String(), "OK: draw\n")

	// The size of what comes through a pipe is not known.
	r, w, err := os.Pipe()
	require.NoError(t, err)
	go func() {
		w.Write(data)
		w.Close()
	}()
	var out bytes.Buffer
	_, err = plugins{Game(tictactoe.Family)}.checkProof(t.Context(), r, &progress{w: &out})
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(out.String(), "\n"))
	require.NotContains(t, out.String(), "%")
}
