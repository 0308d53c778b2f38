package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/tsume"
)

func newUSI() *cobra.Command {
	return &cobra.Command{
		Use:   "usi",
		Short: "Speak USI, the protocol of shogi programs, to solve mate problems",
		Long: `Usi reads commands of the protocol USI from the standard input, as shogi programs
with a board send them, and answers "go mate". Options: USI_Hash, the size of the
table in MiB, and Threads.`,
		Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s := &usiSession{out: cmd.OutOrStdout(), hash: 256, threads: 1, position: shogi.Start()}
			return s.run(cmd.Context(), cmd.InOrStdin())
		},
	}
}

// usiSession is a conversation with a shogi program.
type usiSession struct {
	mutex    sync.Mutex // for out
	out      io.Writer
	hash     int64 // MiB
	threads  int
	table    *dfpn.Table
	position shogi.Position
	// cancel and done belong to the search that runs.
	cancel context.CancelFunc
	done   chan struct{}
}

func (s *usiSession) say(format string, args ...any) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	fmt.Fprintf(s.out, format+"\n", args...)
}

// run reads commands until quit or the end of the input.
func (s *usiSession) run(ctx context.Context, in io.Reader) error {
	defer s.stop()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 {
			continue
		}
		if fields[0] == "quit" {
			return nil
		}
		if err := s.command(ctx, fields); err != nil {
			s.say("info string %s: %v", fields[0], err)
		}
	}
	s.wait()
	return lines.Err()
}

func (s *usiSession) command(ctx context.Context, fields []string) error {
	switch fields[0] {
	case "usi":
		s.say("id name yomikiri %s", retro.Version)
		s.say("id author the yomikiri authors")
		s.say("option name USI_Hash type spin default 256 min 1 max 1048576")
		s.say("option name Threads type spin default 1 min 1 max 256")
		s.say("usiok")
	case "isready":
		if err := s.prepare(); err != nil {
			return err
		}
		s.say("readyok")
	case "setoption":
		return s.setOption(fields[1:])
	case "position":
		s.stop()
		return s.setPosition(strings.Join(fields[1:], " "))
	case "go":
		s.stop()
		return s.search(ctx, fields[1:])
	case "stop", "gameover":
		s.stop()
	case "usinewgame":
	default:
		return fmt.Errorf("no such command; usi, isready, setoption, position, go mate, stop and quit are known")
	}
	return nil
}

// prepare makes the table.
func (s *usiSession) prepare() (err error) {
	if s.table == nil {
		s.table, err = dfpn.NewTable(s.hash << 20)
	}
	return err
}

// setOption reads "name NAME value VALUE".
func (s *usiSession) setOption(fields []string) error {
	if len(fields) != 4 || fields[0] != "name" || fields[2] != "value" {
		return fmt.Errorf("want setoption name NAME value NUMBER")
	}
	n, err := strconv.Atoi(fields[3])
	switch name := fields[1]; {
	case name != "USI_Hash" && name != "Threads":
		return nil // programs send options of their own to everybody
	case err != nil || n < 1 || name == "Threads" && n > 256 || n > 1<<20:
		return fmt.Errorf("value %q of %s is out of range", fields[3], name)
	case name == "USI_Hash":
		s.stop()
		s.hash, s.table = int64(n), nil
	default:
		s.threads = n
	}
	return nil
}

func (s *usiSession) setPosition(text string) error {
	p, moves, err := shogi.ParsePosition(text)
	if err != nil {
		return err
	}
	b := shogi.NewBoard(p)
	for _, m := range moves {
		b.Do(m)
	}
	s.position = b.Position()
	return nil
}

// search answers "go mate infinite" and "go mate MILLISECONDS".
func (s *usiSession) search(ctx context.Context, fields []string) error {
	if len(fields) == 0 || fields[0] != "mate" {
		s.say("info string go: this program only solves mate problems (go mate)")
		s.say("bestmove resign")
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	if len(fields) > 1 && fields[1] != "infinite" {
		ms, err := strconv.Atoi(fields[1])
		if err != nil || ms < 0 {
			cancel()
			s.say("checkmate notimplemented")
			return fmt.Errorf("time %q, want infinite or milliseconds", fields[1])
		}
		ctx, cancel = withTimeout(ctx, cancel, time.Duration(ms)*time.Millisecond)
	}
	problem, err := tsume.NewProblem(s.position)
	if err == nil {
		err = s.prepare()
	}
	if err != nil {
		cancel()
		s.say("checkmate notimplemented")
		return err
	}
	s.cancel, s.done = cancel, make(chan struct{})
	go func() {
		defer close(s.done)
		s.solve(ctx, problem)
		cancel()
	}()
	return nil
}

// withTimeout adds a timeout to a context; the function that it returns cancels
// both.
func withTimeout(ctx context.Context, cancel context.CancelFunc, d time.Duration) (context.Context, context.CancelFunc) {
	limited, cancelLimited := context.WithTimeout(ctx, d)
	return limited, func() { cancelLimited(); cancel() }
}

func (s *usiSession) solve(ctx context.Context, problem tsume.Problem) {
	s.table.Clear()
	begin := time.Now()
	solution, err := tsume.Solve(ctx, problem, s.table, tsume.Options{Threads: s.threads, Progress: func(p tsume.Progress) {
		s.info(p, time.Since(begin), nil)
	}})
	if err != nil {
		s.say("info string %v", err)
	}
	moves := append(solution.Line, solution.Tail...)
	s.info(tsume.Progress{Nodes: solution.Nodes, Depth: solution.Depth, Full: solution.Full}, solution.Time, moves)
	switch {
	case solution.Outcome == dfpn.Disproven:
		s.say("checkmate nomate")
	case solution.Outcome == dfpn.Proven && len(moves) > 0:
		s.say("checkmate %s", usiMoves(moves))
	default:
		s.say("checkmate timeout")
	}
}

// info tells what the search has done.
func (s *usiSession) info(p tsume.Progress, elapsed time.Duration, line []shogi.Move) {
	nps := float64(p.Nodes) / max(elapsed.Seconds(), 1e-3)
	text := fmt.Sprintf("info depth %d seldepth %d time %d nodes %d nps %.0f hashfull %.0f",
		p.Depth, p.Depth, elapsed.Milliseconds(), p.Nodes, nps, 1000*p.Full)
	if len(line) > 0 {
		text += " score mate + pv " + usiMoves(line)
	}
	s.say("%s", text)
}

func usiMoves(moves []shogi.Move) string {
	var text []byte
	for i, m := range moves {
		if i > 0 {
			text = append(text, ' ')
		}
		text = m.AppendUSI(text)
	}
	return string(text)
}

// stop ends the search that runs, and waits until it has answered.
func (s *usiSession) stop() {
	if s.cancel != nil {
		s.cancel()
	}
	s.wait()
}

// wait waits until the search that runs has answered.
func (s *usiSession) wait() {
	if s.done != nil {
		<-s.done
		s.cancel, s.done = nil, nil
	}
}
