package cmd

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// served starts serve in a folder for a game without a database, and returns what it answers.
func served(t *testing.T, dir, command, game, path string) string {
	c := exec.Command(command, "serve", game, "--listen", "127.0.0.1:0")
	c.Dir = dir
	stderr, err := c.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	defer func() {
		c.Process.Kill()
		c.Wait()
	}()
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "serving on "); ok {
			r, err := http.Get(address + path)
			require.NoError(t, err)
			defer r.Body.Close()
			text, err := io.ReadAll(r.Body)
			require.NoError(t, err)
			return string(text)
		}
		require.Contains(t, lines.Text(), game+": there is no database ")
	}
	t.Fatal("serve has ended")
	return ""
}

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
	module := fmt.Sprintf("module example.com/mygames\n%s\nrequire github.com/yomikiri/yomikiri v0.0.0\n\nreplace github.com/yomikiri/yomikiri => %s\n", after, root)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module), 0o644))
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644))

	// run runs a program in the folder and returns what it writes.
	run := func(name string, args ...string) string {
		t.Helper()
		c := exec.Command(name, args...)
		c.Dir = dir
		// What the module needs is in the cache, and its packages are compiled with the same flags.
		c.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod -buildvcs=false", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off")
		var stderr bytes.Buffer
		c.Stderr = &stderr
		out, err := c.Output()
		require.NoError(t, err, "%s %v: %s", name, args, &stderr)
		return string(out)
	}
	run("go", "build", "-ldflags=-s -w") // as docs/adding-a-game.md does, but without what debuggers need
	command := filepath.Join(dir, "mygames")
	if runtime.GOOS == "windows" {
		command += ".exe"
	}
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
	require.Regexp(t, `(?s)yes: [1-9]\d? positions.*verified         the second rules accept [1-9]\d? nodes\n`, run(command, "prove", "nim"))
	require.Contains(t, run(command, "prove", "nim", "--heaps", "4-4-1", "--proof", "four.proof"), "value            win\n")
	require.Contains(t, run(command, "check", "four.proof"), "OK: win\n")
	// It has an attack, alone and for the leaves of a tree, and plays by the proof.
	require.Contains(t, run(command, "help", "prove"), "  nim  by moves to a nim-sum of 0\n")
	require.Regexp(t, `(?s)yes: 1 position,.*verified         the second rules accept 206 nodes\n`, run(command, "prove", "nim", "--attack", "--proof", "attack.proof"))
	require.Contains(t, run(command, "check", "attack.proof"), "OK: win\n")
	require.Contains(t, run(command, "play", "nim", "--proof", "attack.proof"), "the proof plays a2 (by attack.proof)")
	require.Contains(t, run(command, "prove", "nim", "--attack", "--tree", "tree", "--json"), `"verified":{"nodes":41}`)
	require.Contains(t, served(t, dir, command, "nim", "/api/v1/nimsum?position=3-4-5"), `"result":{"sum":2}`)
	// It has features of twenty lines, so it is judged too.
	require.Contains(t, run(command, "analyze", "nim", "startpos", "moves", "a2", "b1"), "proven    3 of 3 positions: 3 by exhausted search\n")
	require.Regexp(t, `(?m)^games     20: \d+ won, 0 drawn, \d+ lost by the first; `, run(command, "match", "nim", "level=1", "level=10", "--games", "20"))
	require.Contains(t, run(command, "play", "nim", "--level", "10", "--second"), "the search plays a2 (win for it, by exhausted search)")
	require.Contains(t, served(t, dir, command, "nim:heaps=1-2-4", "/api/v1/nim:heaps=1-2-4/move?level=10"), `"move":"c1","after":"1-2-3","value":"win","proved_by":"exhausted search"`)
	help := run(command, "help") + run(command, "help", "solve") + run(command, "help", "prove")
	require.NotContains(t, help, "tsume")
	require.NotContains(t, help, "yomikiri")
	require.Contains(t, help, "nim:heaps=3-4-5 is the same as\nnim --heaps 3-4-5. See mygames games.")
}
