package cmd

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestModule builds a command of another module, which has a game of its own, and
// solves that game with it.
func TestModule(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/module")))
	// With the requirements of this module, go needs nothing that this module does not.
	requirements, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	_, after, found := bytes.Cut(requirements, []byte("module github.com/yomikiri/yomikiri\n"))
	require.True(t, found)
	module := fmt.Sprintf("module example.com/nim\n%s\nrequire github.com/yomikiri/yomikiri v0.0.0\n\nreplace github.com/yomikiri/yomikiri => %s\n", after, root)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module), 0o644))
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644))

	// run runs a program in the folder and returns what it writes.
	run := func(name string, args ...string) string {
		t.Helper()
		c := exec.Command(name, args...)
		c.Dir = dir
		// What the module needs is in the cache.
		c.Env = append(os.Environ(), "GOFLAGS=-mod=mod -buildvcs=false", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off")
		var stderr bytes.Buffer
		c.Stderr = &stderr
		out, err := c.Output()
		require.NoError(t, err, "%s %v: %s", name, args, &stderr)
		return string(out)
	}
	run("go", "build", "-o", "solver.exe", ".")
	command := filepath.Join(dir, "solver.exe")
	out := run(command, "solve", "nim")
	require.Contains(t, out, "start position   win in 11\n")
	require.Contains(t, out, "positions        120 (reachable)\n")
	require.Contains(t, run(command, "solve", "nim", "--heaps", "1-2-3", "--json"), `"start_value":"loss in `)
	require.Contains(t, run(command, "query", "nim", "startpos", "moves", "a2"), "value     loss in 10\n")
	require.Contains(t, run(command, "verify", "nim.db"), "OK: 119 positions")
	require.Contains(t, run(command, "prove", "nim", "--method", "df-pn", "--memory", "1MiB", "--proof", "win.proof"), "value            win\n")
	require.Contains(t, run(command, "check", "win.proof"), "OK: win\n")
	require.Contains(t, run(command, "games"), "nim:heaps=A-B-C (3-4-5 if not given)")
	require.Equal(t, "2\n", run(command, "nimsum", "3-4-5"))
	// 3-4-5 is a win of 11 plies: six moves of the one side, and all replies.
	require.Regexp(t, `(?s)yes: [1-9]\d? positions.*verified         a proof of [1-9]\d? nodes was checked\n`, run(command, "prove", "nim"))
	require.Contains(t, run(command, "prove", "nim", "--heaps", "4-4-1", "--proof", "four.proof"), "value            win\n")
	require.Contains(t, run(command, "check", "four.proof"), "OK: win\n")
	help := run(command, "help") + run(command, "help", "solve")
	require.NotContains(t, help, "tsume")
	require.NotContains(t, help, "yomikiri")
	require.Contains(t, help, "nim:heaps=3-4-5 is the same\nas nim --heaps 3-4-5. See solver games.")
}
