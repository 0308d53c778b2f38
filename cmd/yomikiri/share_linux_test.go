package main

import (
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	shareGame  = flag.String("share.game", "checkers:pieces=4", "the game that TestShareKilled solves")
	shareKills = flag.Int("share.kills", 4, "how many processes TestShareKilled kills")
	sharePause = flag.Duration("share.pause", 250*time.Millisecond, "for how long TestShareKilled lets them live at most")
)

// TestShareKilled solves a game by two processes, kills them at random moments, and starts others in
// their place. The database is that of one process.
func TestShareKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes again and again")
	}
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one.db"), filepath.Join(dir, "two.db")
	require.NoError(t, exec.Command("yomikiri", "solve", *shareGame, "--db", one, "--quiet").Run())
	start := func() *process { return startProcess(t, "solve", *shareGame, "--share", two, "--threads", "1") }
	rng := rand.New(rand.NewPCG(1, 1))
	list := []*process{start(), start()}
	for kills := 0; kills < *shareKills; kills++ {
		victim := rng.IntN(len(list))
		select {
		case err := <-list[victim].exited:
			require.NoError(t, err, list[victim].text())
			t.Logf("done after %d kills", kills)
			list[victim].exited <- err
			kills = *shareKills
			continue
		case <-time.After(time.Duration(rng.Int64N(int64(*sharePause)))):
		}
		list[victim].kill(t)
		list[victim] = start()
	}
	for _, p := range list {
		require.NoError(t, <-p.exited, p.text())
	}
	requireSame(t, one, two)
}

// TestShareInterrupted interrupts a process. What it has finished is there for the command that it
// names, and other commands say that the solve is not finished.
func TestShareInterrupted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "solve me.db")
	solve := startProcess(t, "solve", "checkers", "--pieces", "5", "--threads", "1", "--share", dir)
	require.True(t, solve.changes("", func() string {
		if _, err := os.Stat(filepath.Join(dir, "tier-4")); err != nil {
			return ""
		}
		return "finished"
	}), "%v", solve)
	require.NoError(t, solve.Process.Signal(os.Interrupt))
	require.Error(t, <-solve.exited)
	require.Equal(t, 130, solve.ProcessState.ExitCode(), solve.text())
	resume := "yomikiri solve checkers --pieces 5 --share '" + dir + "' --threads 1\n"
	require.Regexp(t, `yomikiri: interrupted after \S+, with \d+ of 46 tiers finished; `, solve.text())
	require.True(t, strings.HasSuffix(solve.text(), "; to resume: "+resume), solve.text())
	out, err := exec.Command("yomikiri", "verify", dir).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "holds a solve of checkers:pieces=5 that is not finished; to continue: yomikiri solve checkers:pieces=5 --positions all --share '")
	out, err = exec.Command("yomikiri", "solve", "checkers", "--pieces", "5", "--db", dir, "--quiet").CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "processes share the tiers of a game there; continue that solve, or choose another directory")
}
