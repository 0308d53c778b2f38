package main

import (
	"bufio"
	"bytes"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// frontEnd is a prove --listen that runs.
type frontEnd struct {
	*exec.Cmd
	url    string
	stdout bytes.Buffer
}

// listen starts prove --listen, and waits until workers can join.
func listen(t *testing.T, args ...string) *frontEnd {
	f := &frontEnd{Cmd: exec.Command("yomikiri", args...)}
	f.Stdout = &f.stdout
	stderr, err := f.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, f.Start())
	t.Cleanup(func() { f.Process.Kill() })
	lines := bufio.NewReader(stderr)
	line, err := lines.ReadString('\n')
	require.NoError(t, err, line)
	match := regexp.MustCompile(`^to add a worker: yomikiri work --join (\S+)\n$`).FindStringSubmatch(line)
	require.NotNil(t, match, line)
	f.url = match[1]
	go io.Copy(io.Discard, lines)
	return f
}

// worker is a yomikiri work that runs.
type worker struct {
	*exec.Cmd
	stderr bytes.Buffer
}

func startWorker(t *testing.T, url string, args ...string) *worker {
	w := &worker{Cmd: exec.Command("yomikiri", append([]string{"work", "--join", url, "--memory", "64MiB"}, args...)...)}
	w.Stderr = &w.stderr
	require.NoError(t, w.Start())
	t.Cleanup(func() { w.Process.Kill() })
	return w
}

// kill reports whether the process ran until it was killed. One that has ended by itself
// must have succeeded.
func kill(t *testing.T, cmd *exec.Cmd, output *bytes.Buffer) bool {
	require.NoError(t, cmd.Process.Kill())
	if err := cmd.Wait(); err == nil {
		return false
	}
	require.True(t, cmd.ProcessState.Sys().(syscall.WaitStatus).Signaled(), output)
	return true
}

// TestWork has three worker processes and the front end do a proof, and kills each of
// them again and again until it is done. The result is that of one process.
func TestWork(t *testing.T) {
	dir := t.TempDir()
	proof := filepath.Join(dir, "proof")
	args := []string{"prove", "gomoku:size=4x7,k=4", "--tree", filepath.Join(dir, "tree"), "--workers", "0", "--budget", "20",
		"--memory", "64MiB", "--proof", proof, "--listen"}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	args = append(args, free.Addr().String())
	require.NoError(t, free.Close())
	workers := make([]*worker, 3)
	for n := range workers {
		workers[n] = startWorker(t, "nats://"+free.Addr().String())
	}
	for _, w := range workers { // which wait for the front end then
		works(t, w.Process.Pid, 20*time.Millisecond)
	}
	f := listen(t, args...)
	rng := rand.New(rand.NewPCG(1, 2))
	kills := 0
	for ; kills < 9; kills++ {
		time.Sleep(time.Duration(200+rng.IntN(300)) * time.Millisecond) // until any moment, at work or not
		if kills%3 == 1 {
			if !kill(t, f.Cmd, &f.stdout) {
				break
			}
			f = listen(t, args...)
			continue
		}
		w := &workers[rng.IntN(len(workers))]
		if !kill(t, (*w).Cmd, &(*w).stderr) {
			break
		}
		*w = startWorker(t, f.url)
	}
	require.GreaterOrEqual(t, kills, 3, "the proof was done too early to try the front end and a worker")
	if f.ProcessState == nil {
		require.NoError(t, f.Wait())
	}
	require.Regexp(t, `(?m)^value            draw$`, f.stdout.String())
	require.Regexp(t, `(?m)^verified         a proof of `, f.stdout.String())
	for _, w := range workers {
		if w.ProcessState == nil {
			require.NoError(t, w.Wait(), &w.stderr)
		}
		require.Contains(t, w.stderr.String(), "the proof is done")
	}
	out, err := exec.Command("yomikiri", "check", proof).Output()
	require.NoError(t, err)
	require.Equal(t, "OK: draw\n", string(out[:bytes.IndexByte(out, '\n')+1]))
}

// TestWorkRefused has workers that may not join, and some that cannot.
func TestWorkRefused(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("YOMIKIRI_TOKEN", "secret")
	f := listen(t, "prove", "gomoku:size=9x9", "--tree", filepath.Join(dir, "tree"), "--workers", "0", "--listen", "127.0.0.1:0")
	work := func(args ...string) (code int, stderr string) {
		w := startWorker(t, f.url, args...)
		w.Wait()
		return w.ProcessState.ExitCode(), w.stderr.String()
	}
	code, stderr := work("--token", "guess")
	require.Equal(t, 2, code, stderr)
	require.Equal(t, "yomikiri: refused: the token is not the one that is wanted\n", stderr)
	t.Setenv("YOMIKIRI_TOKEN", "")
	code, stderr = work()
	require.Equal(t, 2, code, stderr)
	require.Equal(t, "yomikiri: refused: a token is wanted, and none was given\n", stderr)

	// A worker is interrupted, and then the front end: the command that it names has no
	// token.
	w := startWorker(t, f.url, "--token", "secret", "--threads", "2")
	require.Eventually(t, func() bool { // it has got jobs
		out, _ := exec.Command("yomikiri", "tree", filepath.Join(dir, "tree")).Output()
		return regexp.MustCompile(`(?m)^jobs +[1-9]`).Match(out)
	}, time.Minute, 100*time.Millisecond)
	require.NoError(t, w.Process.Signal(os.Interrupt))
	require.Error(t, w.Wait())
	require.Equal(t, 130, w.ProcessState.ExitCode(), &w.stderr)
	require.Regexp(t, `^nats://127.0.0.1:\d+: working on gomoku:size=9x9\nyomikiri: interrupted\n$`, w.stderr.String())
}
