package main

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster/clustertest"
	"github.com/yomikiri/yomikiri/db/store"
)

var (
	nodesGame  = flag.String("nodes.game", "awari:stones=11", "the game that TestNodesKilled and TestNodesCut solve")
	nodesKills = flag.Int("nodes.kills", 3, "how many processes TestNodesKilled kills")
	nodesPause = flag.Duration("nodes.pause", 600*time.Millisecond, "for how long TestNodesKilled lets them live at most")
	nodesCut   = flag.Duration("nodes.cut", time.Second, "for how long TestNodesCut cuts a node off")
)

// process is a command that runs.
type process struct {
	*exec.Cmd
	stdout bytes.Buffer // once it has exited
	mu     sync.Mutex
	stderr bytes.Buffer
	exited chan error
}

func (p *process) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stderr.Write(text)
}

func (p *process) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stderr.String()
}

func startProcess(t *testing.T, args ...string) *process {
	p := &process{Cmd: exec.Command("yomikiri", args...), exited: make(chan error, 1)}
	p.Stdout, p.Stderr = &p.stdout, p
	require.NoError(t, p.Start())
	go func() { p.exited <- p.Wait() }()
	t.Cleanup(func() { p.Process.Kill() })
	return p
}

// kill reports whether the process ran until it was killed. One that has ended by itself must have succeeded.
func (p *process) kill(t *testing.T) bool {
	t.Helper()
	p.Process.Kill() // which fails if it has ended
	err := <-p.exited
	if err == nil {
		p.exited <- nil
		return false
	}
	require.True(t, p.ProcessState.Sys().(syscall.WaitStatus).Signaled(), "%v: %s", err, p.text())
	return true
}

// changes waits until look returns something else than before, and reports whether the process has not ended
// until then.
func (p *process) changes(before string, look func() string) bool {
	for look() == before {
		select {
		case err := <-p.exited:
			p.exited <- err
			return false
		case <-time.After(time.Millisecond):
		}
	}
	return true
}

// children returns the processes that a process has started.
func children(pid int) (list []int) {
	var text []byte
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, task := range tasks {
		more, _ := os.ReadFile(task)
		text = append(append(text, ' '), more...)
	}
	for _, field := range strings.Fields(string(text)) {
		if pid, err := strconv.Atoi(field); err == nil {
			list = append(list, pid)
		}
	}
	return list
}

// checksumOf returns the checksum of a database.
func checksumOf(t *testing.T, dir string) string {
	m, err := store.ReadManifest(nil, dir)
	require.NoError(t, err)
	return m.Checksum
}

// requireSame checks that the database two is whole and right, is alone in its directory, and has the checksum of one.
func requireSame(t *testing.T, one, two string) {
	t.Helper()
	require.Equal(t, checksumOf(t, one), checksumOf(t, two))
	left, err := filepath.Glob(filepath.Join(two, "*"))
	require.NoError(t, err)
	require.Len(t, left, 2, "a store and a manifest: %v", left)
	out, err := exec.Command("yomikiri", "verify", two).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// TestNodesKilled solves a game with two nodes, and kills nodes and the coordinator at random
// moments. It is done in the end, and the checksum is that of one process.
func TestNodesKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes again and again")
	}
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one.db"), filepath.Join(dir, "two.db")
	require.NoError(t, exec.Command("yomikiri", "solve", *nodesGame, "--db", one, "--quiet").Run())
	args := []string{"solve", *nodesGame, "--nodes", "2", "--threads", "1", "--db", two, "--checkpoint-every", "50ms"}
	rng := rand.New(rand.NewPCG(1, 1))
	solve := startProcess(t, args...)
	for kills := 0; kills < *nodesKills; {
		select {
		case err := <-solve.exited:
			require.NoError(t, err, solve.text())
			t.Logf("done after %d kills", kills)
			kills = *nodesKills
			solve.exited <- err
			continue
		case <-time.After(*nodesPause/6 + time.Duration(rng.Int64N(int64(*nodesPause)))):
		}
		nodes := children(solve.Process.Pid)
		if victim := rng.IntN(3); victim == 2 {
			kills++
			require.NoError(t, solve.Process.Kill())
			<-solve.exited
			require.Eventually(t, func() bool { // nodes do not stay without it
				for _, pid := range nodes {
					if syscall.Kill(pid, 0) == nil {
						return false
					}
				}
				return true
			}, time.Minute, 10*time.Millisecond)
			solve = startProcess(t, args...)
		} else if victim < len(nodes) && syscall.Kill(nodes[victim], syscall.SIGKILL) == nil {
			kills++
		}
	}
	require.NoError(t, <-solve.exited, "%s", solve.text())
	requireSame(t, one, two)
}

// TestNodesInterrupted interrupts a solve by nodes: it ends soon, with the command to resume,
// which other numbers of nodes cannot.
func TestNodesInterrupted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "solve.db")
	solve := startProcess(t, "solve", "dobutsu", "--nodes", "2", "--threads", "1", "--db", dir)
	require.Eventually(t, func() bool { return strings.Contains(solve.text(), "node 2 is ") }, time.Minute, 10*time.Millisecond, "%v", solve)
	nodes := children(solve.Process.Pid)
	require.Len(t, nodes, 2)
	require.NoError(t, solve.Process.Signal(os.Interrupt))
	require.Error(t, <-solve.exited)
	require.Equal(t, 130, solve.ProcessState.ExitCode(), solve.text())
	require.Regexp(t, `yomikiri: interrupted after \S+; to resume: yomikiri solve dobutsu .*--nodes 2`, solve.text())
	for _, pid := range nodes {
		require.Error(t, syscall.Kill(pid, 0), "a node has stayed")
	}
	out, err := exec.Command("yomikiri", "verify", dir).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), " --nodes 2\n")
	for _, args := range [][]string{{"--nodes", "3"}, nil} {
		out, err := exec.Command("yomikiri", append([]string{"solve", "dobutsu", "--quiet", "--db", dir}, args...)...).CombinedOutput()
		require.Error(t, err)
		require.Contains(t, string(out), "is being solved by 2 nodes")
	}
}

// TestNodesCut solves a game with nodes that join, one of which is cut off for some time: the
// solve waits for it, and no epoch begins again.
func TestNodesCut(t *testing.T) {
	if testing.Short() {
		t.Skip("waits while a node is cut off")
	}
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one.db"), filepath.Join(dir, "two.db")
	require.NoError(t, exec.Command("yomikiri", "solve", *nodesGame, "--db", one, "--quiet").Run())
	solve := startProcess(t, "solve", *nodesGame, "--nodes", "2", "--listen", "127.0.0.1:0", "--db", two)
	url := ""
	require.Eventually(t, func() bool {
		match := regexp.MustCompile(`to add a node: yomikiri node --join nats://(\S+)\n`).FindStringSubmatch(solve.text())
		if match != nil {
			url = match[1]
		}
		return match != nil
	}, time.Minute, 10*time.Millisecond)
	p := clustertest.NewProxy(t, "nats://"+url)
	first := startProcess(t, "node", "--join", "nats://"+url, "--dir", filepath.Join(dir, "first"), "--threads", "1")
	second := startProcess(t, "node", "--join", p.URL(), "--dir", filepath.Join(dir, "second"), "--threads", "1")
	require.Eventually(t, func() bool { return strings.Contains(second.text(), " of 2 of ") }, time.Minute, time.Millisecond)
	time.Sleep(150 * time.Millisecond)
	p.Set(false)
	time.Sleep(*nodesCut)
	select {
	case <-solve.exited:
		t.Fatal("it was done too early", solve.text())
	default:
	}
	p.Set(true)
	require.NoError(t, <-solve.exited, "%s", solve.text())
	require.NotContains(t, solve.text(), "going on from")
	require.Equal(t, checksumOf(t, one), checksumOf(t, two))
	for _, node := range []*process{first, second} {
		require.NoError(t, <-node.exited, "%s", node.text())
		require.Contains(t, node.text(), "the solve is done")
	}
	for _, dir := range []string{filepath.Join(dir, "first"), filepath.Join(dir, "second")} {
		left, err := filepath.Glob(filepath.Join(dir, "*"))
		require.NoError(t, err)
		require.Empty(t, left)
	}
	out, err := exec.Command("yomikiri", "verify", two).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// TestNodeRefused has nodes that may not join.
func TestNodeRefused(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("YOMIKIRI_TOKEN", "secret")
	solve := startProcess(t, "solve", "tictactoe", "--nodes", "1", "--listen", "127.0.0.1:0", "--db", filepath.Join(dir, "db"))
	line := regexp.MustCompile(`node --join (\S+)\n`)
	require.Eventually(t, func() bool { return line.MatchString(solve.text()) }, time.Minute, 10*time.Millisecond)
	join := []string{"node", "--join", line.FindStringSubmatch(solve.text())[1], "--dir"}
	t.Setenv("YOMIKIRI_TOKEN", "")
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"a"}, "the server wants a token, and none was given"},
		{[]string{"a", "--token", "guess"}, "the server does not accept the token"},
	} {
		test.args[0] = filepath.Join(dir, test.args[0])
		out, err := exec.Command("yomikiri", append(join, test.args...)...).CombinedOutput()
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit)
		require.Equal(t, 2, exit.ExitCode(), string(out))
		require.Contains(t, string(out), "yomikiri: refused: "+test.want)
	}
	require.NoError(t, exec.Command("yomikiri", append(join, filepath.Join(dir, "a"), "--token", "secret")...).Run())
	require.NoError(t, <-solve.exited, "%s", solve.text())
}
