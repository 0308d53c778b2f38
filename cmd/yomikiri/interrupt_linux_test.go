package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/solver/manager"
)

// TestInterrupt interrupts the solver at work on a game that takes it a while. The
// command that it then names goes on, until it is interrupted in its turn.
func TestInterrupt(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "solve me.db")
	code, stderr := interrupt(t, os.Interrupt, dir, exec.Command("yomikiri", "solve", "dobutsu", "--threads", "1", "--db", dir))
	require.Equal(t, 130, code, stderr)
	message := regexp.MustCompile(`(?s)^plan for dobutsu:\n  memory  at most .*\nyomikiri: interrupted after \S+; to resume: (yomikiri solve dobutsu --db .*)\n$`)
	require.Regexp(t, message, stderr)
	require.FileExists(t, filepath.Join(dir, "checkpoint"))
	require.NoFileExists(t, filepath.Join(dir, "yomikiri.manifest"))

	resume := message.FindStringSubmatch(stderr)[1]
	code, stderr = interrupt(t, syscall.SIGTERM, dir, exec.Command("sh", "-c", "exec "+resume))
	require.Equal(t, 130, code, stderr)
	require.Contains(t, stderr, "to resume: "+resume+"\n")
	require.FileExists(t, filepath.Join(dir, "checkpoint"))

	dir = filepath.Join(t.TempDir(), "small.db")
	code, stderr = interrupt(t, os.Interrupt, dir+".full", exec.Command("yomikiri", "solve", "dobutsu", "--threads", "1", "--compact", "--db", dir))
	require.Equal(t, 130, code, stderr)
	require.Contains(t, stderr, "to resume: yomikiri solve dobutsu --compact --db "+dir+" --threads 1\n")
}

// interrupt runs a command, sends it a signal when it has begun to work in dir,
// and returns its exit code and what it wrote.
func interrupt(t *testing.T, sig os.Signal, dir string, cmd *exec.Cmd) (code int, output string) {
	t.Helper()
	lock := filepath.Join(dir, "LOCK") // which it makes when it begins
	if err := os.Remove(lock); err != nil {
		require.ErrorIs(t, err, os.ErrNotExist)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	require.NoError(t, cmd.Start())
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for _, err := os.Stat(lock); err != nil; _, err = os.Stat(lock) {
		select {
		case err := <-done:
			require.Fail(t, "it ends before it begins", "%v: %s", err, stderr.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
	works(t, cmd.Process.Pid, 200*time.Millisecond) // so that there is something to keep
	require.NoError(t, cmd.Process.Signal(sig))
	var exit *exec.ExitError
	require.ErrorAs(t, <-done, &exit, "it ends as if nothing had happened")
	return exit.ExitCode(), stderr.String()
}

// works waits until a process has used so much processor time, or has ended.
func works(t *testing.T, pid int, least time.Duration) {
	t.Helper()
	const tick = 10 * time.Millisecond // in which Linux counts
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return true
		}
		_, after, _ := strings.Cut(string(text), ") ") // the name of the program may have blanks
		f := strings.Fields(after)
		user, err1 := strconv.Atoi(f[11])
		system, err2 := strconv.Atoi(f[12])
		require.NoError(t, errors.Join(err1, err2))
		return f[0] == "Z" || time.Duration(user+system)*tick >= least
	}, time.Minute, tick)
}

// TestInterruptTsume interrupts the search of a problem that takes long.
func TestInterruptTsume(t *testing.T) {
	cmd := exec.Command("yomikiri", "tsume", "--shortest", "--memory", "4MiB",
		"g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n 1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	for lines := bufio.NewScanner(out); lines.Scan() && lines.Text() != "先手番"; {
	}
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	var exit *exec.ExitError
	require.ErrorAs(t, cmd.Wait(), &exit)
	require.Equal(t, 130, exit.ExitCode())
	require.Equal(t, "yomikiri: interrupted after 0 of 1 problem\n", stderr.String())
}

// TestInterruptCheck interrupts the check of a proof with one certificate, which would
// take long.
func TestInterruptCheck(t *testing.T) {
	for i, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, os.Interrupt} {
		cmd := exec.Command("yomikiri", "check", "../../proof/testdata/costly-zones.proof")
		if i == 2 {
			cmd.Args = append(cmd.Args, "--plain")
		}
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		require.NoError(t, cmd.Start())
		works(t, cmd.Process.Pid, 200*time.Millisecond)
		require.NoError(t, cmd.Process.Signal(sig))
		var exit *exec.ExitError
		require.ErrorAs(t, cmd.Wait(), &exit)
		require.Equal(t, 130, exit.ExitCode(), stderr.String())
	}
}

// TestKillTree kills a proof again and again, interrupts it once, and lets it end: the
// proof is accepted, and little was lost.
func TestKillTree(t *testing.T) {
	dir := t.TempDir()
	tree := filepath.Join(dir, "tree")
	args := []string{"prove", "gomoku:size=4x7,k=4", "--tree", tree, "--workers", "2", "--budget", "30",
		"--memory", "64MiB", "--proof", filepath.Join(dir, "proof")}
	var jobs []int
	kills := 8
	if testing.Short() {
		kills = 4
	}
	for n := range kills {
		cmd := exec.Command("yomikiri", args...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool {
			_, err := os.Stat(filepath.Join(tree, manager.ManifestName))
			return err == nil
		}, time.Minute, time.Millisecond, "a busy machine begins late")
		works(t, cmd.Process.Pid, time.Duration(100*n)*time.Millisecond)
		if n == 1 { // early, as a fast machine is soon done
			require.NoError(t, cmd.Process.Signal(os.Interrupt))
			var exit *exec.ExitError
			require.ErrorAs(t, cmd.Wait(), &exit)
			require.Equal(t, 130, exit.ExitCode(), stderr.String())
			require.Contains(t, stderr.String(), "to resume: yomikiri prove gomoku:size=4x7,k=4 ")
			continue
		}
		require.NoError(t, cmd.Process.Kill())
		if cmd.Wait() == nil {
			break // it was done
		}
		out, err := exec.Command("yomikiri", "tree", tree, "--json").Output()
		require.NoError(t, err)
		var r struct {
			Stats struct{ Jobs int }
		}
		require.NoError(t, json.Unmarshal(out, &r))
		jobs = append(jobs, r.Stats.Jobs)
	}
	require.True(t, slices.IsSorted(jobs), "%v", jobs)
	out, err := exec.Command("yomikiri", args...).Output()
	require.NoError(t, err)
	require.Regexp(t, `(?m)^value            draw$`, string(out))
	out, err = exec.Command("yomikiri", "check", filepath.Join(dir, "proof")).Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "OK: draw\n")
}

// killed starts a command again and again, and kills it when it has changed what look returns, often times at
// most. It reports whether the command has not ended before.
func killed(t *testing.T, often int, look func() string, args ...string) bool {
	t.Helper()
	for n := range often {
		before := look()
		p := startProcess(t, args...)
		if !p.changes(before, look) || !p.kill(t) {
			require.NoError(t, <-p.exited, "%s", p.text())
			t.Logf("it ended after %d kills", n)
			return false
		}
	}
	return true
}

// sizes returns a function that returns the sizes and ages of files.
func sizes(names ...string) func() string {
	return func() (text string) {
		for _, name := range names {
			if info, err := os.Stat(name); err == nil {
				text += fmt.Sprintln(info.Size(), info.ModTime().UnixNano())
			}
		}
		return text
	}
}

// TestKillMatch kills a match again and again: its games and its result are in the end those of one that was
// not killed.
func TestKillMatch(t *testing.T) {
	dir := t.TempDir()
	games := "40"
	if testing.Short() {
		games = "12"
	}
	play := func(file, threads string) []string {
		return []string{"match", "dobutsu", "nodes=3000", "nodes=1500,jitter=20", "--games", games, "--random-plies", "3", "--json", "-q",
			"--threads", threads, "--file", filepath.Join(dir, file), "--notation", filepath.Join(dir, file+".txt")}
	}
	want, err := exec.Command("yomikiri", play("whole", "1")...).Output()
	require.NoError(t, err)
	parts := filepath.Join(dir, "parts")
	require.True(t, killed(t, 1, sizes(parts), play("parts", "2")...), "killed as soon as there is a file")
	killed(t, 6, sizes(parts), play("parts", "2")...)
	got, err := exec.Command("yomikiri", play("parts", "2")...).Output()
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
	for _, end := range []string{"", ".txt"} {
		want, err := os.ReadFile(filepath.Join(dir, "whole"+end))
		require.NoError(t, err)
		got, err := os.ReadFile(parts + end)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
	}
}

// TestKillTrain kills a training while it plays, and while it learns: its weights are in the end the same bytes
// as those of one that was not killed, and it leaves nothing else.
func TestKillTrain(t *testing.T) {
	train := func(dir string) (out string, args []string) {
		out = filepath.Join(dir, "weights")
		return out, []string{"train", "connect4", "--self-play", "60", "--nodes", "100", "--from", "made", "--moves", "0.1", "--epochs", "6", "--l1", "0.1",
			"--agreement", "50", "--threads", "2", "-q", "--json", "--out", out}
	}
	whole, args := train(t.TempDir())
	_, err := exec.Command("yomikiri", args...).Output()
	require.NoError(t, err)
	parts, args := train(t.TempDir())
	require.True(t, killed(t, 1, sizes(parts+".games"), args...))
	killed(t, 4, sizes(parts+".games"), args...)
	killed(t, 4, sizes(parts+".state"), args...)
	_, err = exec.Command("yomikiri", args...).Output()
	require.NoError(t, err)
	for _, end := range []string{"", ".games"} {
		want, err := os.ReadFile(whole + end)
		require.NoError(t, err)
		got, err := os.ReadFile(parts + end)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), "weights%s differs", end)
	}
	left, err := os.ReadDir(filepath.Dir(parts))
	require.NoError(t, err)
	require.Len(t, left, 2, "%v", left)
}
