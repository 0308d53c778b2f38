package bench_test

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/bench"
)

var (
	usiEngines = flag.String("usi.engines", "", `programs that TestUSI measures, separated by ; — the command, perhaps followed by options after |, as in "yomikiri usi|MultiPV value 3"`)
	usiLimit   = flag.Duration("usi.limit", 4*time.Second, "CPU time for a problem")
	usiFrom    = flag.Int("usi.from", 0, "number of problems of each set to skip")
	usiCount   = flag.Int("usi.count", 100, "number of problems of each set")
)

// usiRun is how a program did on a problem, in CPU time.
type usiRun struct {
	decided     bool
	mate        bool
	first       time.Duration // when it told of a mate, 0 if it did not
	answer, all time.Duration
}

// TestUSI measures programs that solve mates by USI on the built-in sets, as a GUI uses them: a process for each problem,
// the programs in turn. The limit is one of CPU time, so the load of the machine matters little.
func TestUSI(t *testing.T) {
	if *usiEngines == "" {
		t.Skip("-usi.engines names the programs")
	}
	programs := strings.Split(*usiEngines, ";")
	for _, set := range bench.TsumeSets() {
		problems, err := bench.TsumeSet(set)
		require.NoError(t, err)
		problems = problems[min(*usiFrom, len(problems)):]
		problems = problems[:min(*usiCount, len(problems))]
		runs := make([][]usiRun, len(programs))
		for _, e := range problems {
			for i, program := range programs {
				r := solveByUSI(t, program, e.Position.SFEN())
				runs[i] = append(runs[i], r)
				t.Logf("%s\t%s\tdecided %v\tmate %v\tfirst %v\tanswer %v\tall %v", e.ID, program, r.decided, r.mate, r.first, r.answer, r.all)
			}
		}
		for i, program := range programs {
			var first, decided int
			var firstTime, total time.Duration
			for _, r := range runs[i] {
				if r.first > 0 || r.decided {
					first++
				}
				if r.decided {
					decided++
				}
				told := r.first
				if told == 0 {
					told = r.answer
				}
				firstTime += told
				total += r.all
			}
			fmt.Printf("%s of %d by %s: %d told in %.1f s of CPU time, %d answered in %.1f s\n", set, len(problems), program, first, firstTime.Seconds(), decided, total.Seconds())
		}
	}
}

// solveByUSI has a program solve a problem. At the limit it is told to stop, and killed if it does not.
func solveByUSI(t *testing.T, program, sfen string) (r usiRun) {
	words := strings.Split(program, "|")
	command := strings.Fields(words[0])
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = t.TempDir()
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := make(chan string, 1000)
	go func() {
		defer close(lines)
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			lines <- strings.TrimSpace(scanner.Text())
		}
	}()
	say := func(line string) { _, _ = io.WriteString(in, line+"\n") }
	say("usi")
	for _, o := range append([]string{"USI_Hash value 256"}, words[1:]...) {
		say("setoption name " + o)
	}
	say("isready")
	ticker := time.NewTicker(2 * time.Millisecond)
	defer ticker.Stop()
	stopped := false
	for answered := false; !answered; {
		select {
		case line, ok := <-lines:
			used := cpuTime(t, cmd.Process.Pid)
			switch word, rest, _ := strings.Cut(line, " "); {
			case !ok:
				answered = true
			case word == "readyok":
				say("usinewgame\nposition sfen " + sfen + " 1\ngo mate infinite")
			case word == "info" && strings.Contains(line, " score mate ") && r.first == 0:
				r.first = used
			case word == "checkmate":
				answered, r.answer = true, used
				// Some programs answer nomate when they are stopped.
				r.decided = rest != "timeout" && rest != "notimplemented" && !(stopped && rest == "nomate")
				r.mate = r.decided && rest != "nomate"
			}
		case <-ticker.C:
			switch used := cpuTime(t, cmd.Process.Pid); {
			case used >= *usiLimit && !stopped:
				stopped = true
				say("stop")
			case used >= *usiLimit+2*time.Second:
				answered, r.answer = true, used
				require.NoError(t, cmd.Process.Kill())
			}
		}
	}
	say("quit")
	_ = in.Close()
	_ = cmd.Wait()
	usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	require.NotNil(t, usage)
	r.all = time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	return r
}

// cpuTime is the CPU time of a process so far.
func cpuTime(t *testing.T, pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	require.NoError(t, err)
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	user, err := strconv.Atoi(fields[11])
	require.NoError(t, err)
	system, err := strconv.Atoi(fields[12])
	require.NoError(t, err)
	return time.Duration(user+system) * time.Second / 100 // the unit of the kernel
}
