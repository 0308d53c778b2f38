package main

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// listen starts prove --listen, and returns the address at which workers can join.
func listen(t *testing.T, args ...string) (f *process, url string) {
	f = startProcess(t, args...)
	line := regexp.MustCompile(`(?m)^to add a worker: yomikiri work --join (\S+)\n`)
	require.Eventually(t, func() bool { return line.MatchString(f.text()) }, time.Minute, 10*time.Millisecond, "%v", f)
	return f, line.FindStringSubmatch(f.text())[1]
}

func startWorker(t *testing.T, url string, args ...string) *process {
	return startProcess(t, append([]string{"work", "--join", url, "--memory", "64MiB"}, args...)...)
}

var workKills = flag.Int("work.kills", 4, "how many processes TestWork kills for each method")

// TestWork has three worker processes and the front end do a proof, and kills each of
// them again and again until it is done. The result is that of one process. The workers evaluate positions
// for a search in the front end, or do jobs.
func TestWork(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes again and again")
	}
	for _, method := range []string{"best-first", "df-pn"} {
		t.Run(method, func(t *testing.T) { testWork(t, method) })
	}
}

func testWork(t *testing.T, method string) {
	dir := t.TempDir()
	proof := filepath.Join(dir, "proof")
	args := []string{"prove", "gomoku:size=4x7,k=4", "--tree", filepath.Join(dir, "tree"), "--workers", "0", "--budget", "20",
		"--method", method, "--memory", "64MiB", "--proof", proof, "--listen"}
	free, err := net.Listen("tcp", "127.0.0.2:0") // where no other test listens
	require.NoError(t, err)
	args = append(args, free.Addr().String())
	require.NoError(t, free.Close())
	workers := make([]*process, 3)
	for n := range workers {
		workers[n] = startWorker(t, "nats://"+free.Addr().String())
	}
	for _, w := range workers {
		require.Eventually(t, func() bool { return strings.Contains(w.text(), "waiting for it") }, time.Minute, 10*time.Millisecond)
	}
	f, url := listen(t, args...)
	store := func() string { // which every result of a worker changes
		files, _ := filepath.Glob(filepath.Join(dir, "tree", "store", "*"))
		return sizes(files...)()
	}
	rng := rand.New(rand.NewPCG(1, 2))
	kills := 0
	for ; kills < *workKills; kills++ {
		there := true
		for n := 1 + rng.IntN(5); n > 0 && there; n-- {
			there = f.changes(store(), store)
		}
		if !there {
			break
		}
		if kills%3 == 1 {
			if !f.kill(t) {
				break
			}
			f, url = listen(t, args...)
			continue
		}
		w := &workers[rng.IntN(len(workers))]
		if !(*w).kill(t) {
			break
		}
		*w = startWorker(t, url)
	}
	require.GreaterOrEqual(t, kills, 3, "the proof was done too early to try the front end and a worker")
	require.NoError(t, <-f.exited, "%s", f.text())
	require.Regexp(t, `(?m)^value            draw$`, f.stdout.String())
	require.Regexp(t, `(?m)^verified         a proof of `, f.stdout.String())
	for _, w := range workers {
		require.NoError(t, <-w.exited, "%s", w.text())
		require.Contains(t, w.text(), "the proof is done")
	}
	out, err := exec.Command("yomikiri", "check", proof).Output()
	require.NoError(t, err)
	require.Equal(t, "OK: draw\n", string(out[:bytes.IndexByte(out, '\n')+1]))
}

// TestWorkRefused has workers that may not join, and some that cannot.
func TestWorkRefused(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("YOMIKIRI_TOKEN", "secret")
	_, url := listen(t, "prove", "gomoku:size=9x9", "--tree", filepath.Join(dir, "tree"), "--workers", "0", "--listen", "127.0.0.1:0")
	work := func(args ...string) (code int, stderr string) {
		w := startWorker(t, url, args...)
		<-w.exited
		return w.ProcessState.ExitCode(), w.text()
	}
	code, stderr := work("--token", "guess")
	require.Equal(t, 2, code, stderr)
	require.Equal(t, "yomikiri: refused: the server does not accept the token\n", stderr)
	t.Setenv("YOMIKIRI_TOKEN", "")
	code, stderr = work()
	require.Equal(t, 2, code, stderr)
	require.Equal(t, "yomikiri: refused: the server wants a token, and none was given\n", stderr)

	// A worker is interrupted, and then the front end: the command that it names has no
	// token.
	w := startWorker(t, url, "--token", "secret", "--threads", "2")
	require.Eventually(t, func() bool { // it has got jobs
		out, _ := exec.Command("yomikiri", "tree", filepath.Join(dir, "tree")).Output()
		return regexp.MustCompile(`(?m)^jobs +[1-9]`).Match(out)
	}, time.Minute, 100*time.Millisecond)
	require.NoError(t, w.Process.Signal(os.Interrupt))
	require.Error(t, <-w.exited)
	require.Equal(t, 130, w.ProcessState.ExitCode(), w.text())
	require.Regexp(t, `^nats://127.0.0.1:\d+: evaluating positions of gomoku:size=9x9\nyomikiri: interrupted\n$`, w.text())
}
