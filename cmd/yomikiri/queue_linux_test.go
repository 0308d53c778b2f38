package main

import (
	"flag"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	queueGame  = flag.String("queue.game", "checkers:pieces=4", "the game that TestQueueKilled solves")
	queueKills = flag.Int("queue.kills", 4, "how many processes TestQueueKilled kills")
	queuePause = flag.Duration("queue.pause", 500*time.Millisecond, "for how long TestQueueKilled lets them live at most")
)

// freeAddress returns an address where no other test listens.
func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.3:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().String()
}

// TestQueueKilled solves a game by a process that hands out tiers and two workers, kills them at random moments, and
// starts others in their place. The database is that of one process.
func TestQueueKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes again and again")
	}
	dir, address := t.TempDir(), freeAddress(t)
	one, two := filepath.Join(dir, "one.db"), filepath.Join(dir, "two.db")
	require.NoError(t, exec.Command("yomikiri", "solve", *queueGame, "--db", one, "--quiet").Run())
	host := func() *process {
		return startProcess(t, "solve", *queueGame, "--share", two, "--threads", "1", "--listen", address)
	}
	worker := func() *process {
		return startProcess(t, "work", "--join", "nats://"+address, "--dir", filepath.Join(dir, "work"))
	}
	rng := rand.New(rand.NewPCG(1, 3))
	list := []*process{host(), worker(), worker()}
	done := false
	for kills := 0; kills < *queueKills && !done; kills++ {
		select {
		case err := <-list[0].exited:
			require.NoError(t, err, list[0].text())
			t.Logf("done after %d kills", kills)
			list[0].exited <- err
			done = true
			continue
		case <-time.After(time.Duration(rng.Int64N(int64(*queuePause)))):
		}
		victim := rng.IntN(len(list))
		if kills == *queueKills-1 {
			victim = 0 // the next host need not wait for the lease of who was killed before
		}
		if list[victim].kill(t); victim == 0 {
			list[0] = host()
		} else {
			list[victim] = worker()
		}
	}
	require.NoError(t, <-list[0].exited, list[0].text())
	for _, w := range list[1:] { // one that came too late would wait for an hour
		w.Process.Kill()
		<-w.exited
	}
	requireSame(t, one, two)
}

// TestQueueInterrupted interrupts a worker, and then the process that hands out tiers, which names the command that goes on.
func TestQueueInterrupted(t *testing.T) {
	dir := t.TempDir()
	share, own := filepath.Join(dir, "shared.db"), filepath.Join(dir, "work")
	host, url := listen(t, "solve", "checkers", "--pieces", "5", "--threads", "1", "--share", share, "--listen", "127.0.0.1:0")
	worker := startProcess(t, "work", "--join", url, "--dir", own)
	require.True(t, worker.changes("", func() string {
		if files, _ := filepath.Glob(filepath.Join(own, "1", "tier-*")); len(files) == 0 {
			return ""
		}
		return "it has solved or fetched a tier"
	}), "%v", worker)
	require.NoError(t, worker.Process.Signal(os.Interrupt))
	require.Error(t, <-worker.exited)
	require.Equal(t, 130, worker.ProcessState.ExitCode(), worker.text())
	require.Contains(t, worker.text(), "yomikiri: interrupted; the tier in hand, if there was one, is for another worker; the same command joins again")
	require.NoDirExists(t, own)

	require.NoError(t, host.Process.Signal(os.Interrupt))
	require.Error(t, <-host.exited)
	require.Equal(t, 130, host.ProcessState.ExitCode(), host.text())
	resume := "yomikiri solve checkers --listen 127.0.0.1:0 --pieces 5 --share " + share + " --threads 1\n"
	require.Regexp(t, `yomikiri: interrupted after \S+, with \d+ of 46 tiers finished; workers go on with the tiers that they have; to resume: `, host.text())
	require.True(t, strings.HasSuffix(host.text(), "; to resume: "+resume), host.text())
	require.DirExists(t, filepath.Join(share, "streams"))
}

// TestQueueRefused has workers that a solve does not take.
func TestQueueRefused(t *testing.T) {
	_, url := listen(t, "solve", "checkers", "--pieces", "5", "--share", filepath.Join(t.TempDir(), "shared.db"), "--listen", "127.0.0.1:0")
	for want, args := range map[string][]string{
		"--db is for a proof, and " + url + " has a solve": {"--db", "x"},
		"solving needs at least ":                          {"--memory", "1MiB"},
	} {
		out, err := exec.Command("yomikiri", append([]string{"work", "--join", url}, args...)...).CombinedOutput()
		require.Error(t, err)
		require.Contains(t, string(out), want)
	}
}
