package cmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

func newUSI() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "usi",
		Short: "Solve mate problems for a shogi GUI over USI",
		Long: `Usi speaks the Universal Shogi Interface on standard input and output. It solves mate
problems: it answers "go mate" with "checkmate" and the moves, or with nomate, or with
timeout if the time runs out first. It does not play games: it answers any other "go"
with "bestmove resign".

In a GUI, add an engine with the command "yomikiri usi".`,
		Args: arguments(cobra.NoArgs),
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return newUSIEngine(cmd.OutOrStdout()).run(cmd.Context(), cmd.InOrStdin())
	}
	return cmd
}

// usiOptions are what setoption sets.
type usiOptions struct {
	hash        int // MiB
	threads     int
	nodes       uint64
	shortest    bool
	countFutile bool
	attacker    tsume.Attacker
}

// usiOption is an option that the engine offers.
type usiOption struct {
	name string
	kind string // its declaration, after the word type
	set  func(o *usiOptions, value string) error
}

// usiOptionList are the options. Their bounds are the ones that the command usi declares.
var usiOptionList = []usiOption{
	{"USI_Hash", "spin default 256 min 1 max 1048576", func(o *usiOptions, value string) (err error) {
		o.hash, err = wholeNumber(value, 1, 1<<20)
		return err
	}},
	{"Threads", "spin default 1 min 1 max 1024", func(o *usiOptions, value string) (err error) {
		o.threads, err = wholeNumber(value, 1, mostThreads)
		return err
	}},
	{"Shortest", "check default false", func(o *usiOptions, value string) (err error) {
		o.shortest, err = check(value)
		return err
	}},
	{"CountFutile", "check default false", func(o *usiOptions, value string) (err error) {
		o.countFutile, err = check(value)
		return err
	}},
	{"Attacker", "combo default auto var auto var black var white", func(o *usiOptions, value string) (err error) {
		o.attacker, err = parseAttacker(value)
		return err
	}},
	{"NodesLimit", "spin default 0 min 0 max 1000000000000", func(o *usiOptions, value string) error {
		n, err := wholeNumber(value, 0, 1_000_000_000_000)
		o.nodes = uint64(n)
		return err
	}},
	// GUIs set it unasked. A solver ignores it.
	{"USI_Ponder", "", func(*usiOptions, string) error { return nil }},
}

func check(value string) (bool, error) {
	if value != "true" && value != "false" {
		return false, fmt.Errorf("%q: want true or false", value)
	}
	return value == "true", nil
}

// usiEngine is an engine that talks to a GUI. All but the search happens on one
// goroutine, which reads commands while a search runs.
type usiEngine struct {
	mu  sync.Mutex // guards out
	out io.Writer

	options usiOptions
	table   *dfpn.Table
	// The contents of the table are useless when one of these changes.
	attacker    shogi.Color
	countFutile bool

	text     string // of the position
	problem  tsume.Problem
	position error // why there is no problem
	search   *usiSearch
	idle     bool // stop, or ponderhit, is to be answered with a move
}

// usiSearch is a running search.
type usiSearch struct {
	problem tsume.Problem
	cancel  context.CancelFunc
	done    chan struct{} // closed when the search has ended
	result  tsume.Solution
	err     error
}

func newUSIEngine(out io.Writer) *usiEngine {
	return &usiEngine{
		out: out, options: usiOptions{hash: 256, threads: 1},
		position: errors.New("no position was given"),
	}
}

// say writes a line.
func (e *usiEngine) say(format string, args ...any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	fmt.Fprintf(e.out, format+"\n", args...)
}

// run obeys commands until quit, the end of the input, or the end of ctx.
func (e *usiEngine) run(ctx context.Context, in io.Reader) error {
	lines, failed := make(chan string), make(chan error, 1)
	over := make(chan struct{})
	defer close(over)
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, 1<<20) // long games come on one line
		for scanner.Scan() {
			select {
			case lines <- scanner.Text():
			case <-over:
				return
			}
		}
		failed <- scanError(scanner)
	}()
	defer e.abandon()
	for {
		var done <-chan struct{} // never, if no search runs
		if e.search != nil {
			done = e.search.done
		}
		select {
		case <-ctx.Done():
			return interruptedError{"interrupted"}
		case <-done:
			e.answer()
		case line, ok := <-lines:
			if !ok {
				return <-failed
			}
			if !e.command(ctx, line) {
				return nil
			}
		}
	}
}

// command obeys a command and returns false if that was quit.
func (e *usiEngine) command(ctx context.Context, line string) bool {
	name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	switch name {
	case "":
	case "usi":
		e.introduce()
	case "isready":
		if err := e.prepare(); err != nil {
			e.say("info string %v", err)
		}
		e.say("readyok")
	case "setoption":
		if err := e.setOption(rest); err != nil {
			e.say("info string %v", err)
		}
	case "usinewgame":
		e.stop()
		if e.table != nil {
			e.table.Clear()
		}
	case "position":
		e.text = rest
		if e.problem, e.position = tsume.ParseProblem(rest, e.options.attacker); e.position != nil {
			e.say("info string position: %v", e.position)
		}
	case "go":
		e.stop()
		e.obeyGo(ctx, strings.Fields(rest))
	case "stop", "gameover":
		e.stop()
	case "ponderhit":
		e.resign()
	case "debug":
		// Nothing to do for a solver.
	case "quit":
		return false
	default:
		e.say("info string unknown command %q", name)
	}
	return true
}

func (e *usiEngine) introduce() {
	e.say("id name yomikiri %s", version())
	e.say("id author the yomikiri authors")
	for _, o := range usiOptionList {
		if o.kind != "" {
			e.say("option name %s type %s", o.name, o.kind)
		}
	}
	e.say("usiok")
}

// setOption obeys setoption name NAME value VALUE. It does not affect a running search.
func (e *usiEngine) setOption(text string) error {
	text, ok := strings.CutPrefix(text, "name ")
	name, value, given := strings.Cut(text, " value ")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || !given || value == "" {
		return errors.New("setoption: want name NAME value VALUE")
	}
	for _, o := range usiOptionList {
		if !strings.EqualFold(o.name, name) {
			continue
		}
		changed := e.options
		if err := o.set(&changed, value); err != nil {
			return fmt.Errorf("option %s: %w", o.name, err)
		}
		if changed.attacker != e.options.attacker && e.text != "" {
			e.problem, e.position = tsume.ParseProblem(e.text, changed.attacker)
		}
		e.options = changed
		return nil
	}
	return fmt.Errorf("no option %q", name)
}

// prepare allocates a table of the size that is set, unless there is one or a search is
// running.
func (e *usiEngine) prepare() error {
	want := int64(e.options.hash) << 20
	if e.search != nil || e.table != nil && e.table.Size() == want {
		return nil
	}
	if err := checkMemory(uint64(want)); err != nil {
		return fmt.Errorf("USI_Hash %d: %w", e.options.hash, err)
	}
	if e.table != nil {
		e.table = nil
		runtime.GC() // so that there are never two tables
	}
	table, err := dfpn.NewTable(want)
	e.table = table
	return err
}

// obeyGo starts a search for a mate. A GUI that wants a move gets one: it would wait
// forever otherwise. With infinite and ponder it must not come before stop or ponderhit.
func (e *usiEngine) obeyGo(ctx context.Context, args []string) {
	if len(args) > 0 && args[0] == "mate" {
		if err := e.goMate(ctx, args[1:]); err != nil {
			e.say("info string %v", err)
			e.say("checkmate notimplemented")
		}
		return
	}
	e.say("info string go: this engine solves mate problems and does not play: want go mate")
	e.idle = true
	if !slices.Contains(args, "infinite") && !slices.Contains(args, "ponder") {
		e.resign()
	}
}

// resign answers the go that waits for a move, if any.
func (e *usiEngine) resign() {
	if e.idle {
		e.idle = false
		e.say("bestmove resign")
	}
}

// goMate starts a search.
func (e *usiEngine) goMate(ctx context.Context, args []string) error {
	limit := time.Duration(0)
	if len(args) > 0 && args[0] != "infinite" {
		ms, err := strconv.ParseInt(args[0], 10, 64)
		if err != nil || ms < 1 || ms > int64(1<<62/time.Millisecond) {
			return fmt.Errorf("go mate %s: want infinite or a number of milliseconds", args[0])
		}
		limit = time.Duration(ms) * time.Millisecond
	}
	if e.position != nil {
		return fmt.Errorf("position: %w", e.position)
	}
	if err := e.prepare(); err != nil {
		return err
	}
	if attacker := e.problem.Attacker(); e.attacker != attacker || e.countFutile != e.options.countFutile {
		e.attacker, e.countFutile = attacker, e.options.countFutile
		e.table.Clear()
	}
	searching, cancel := context.WithCancel(ctx)
	if limit > 0 {
		searching, cancel = context.WithTimeout(ctx, limit)
	}
	s := &usiSearch{problem: e.problem, cancel: cancel, done: make(chan struct{})}
	e.search = s
	problem, table, begin := e.problem, e.table, time.Now()
	options := tsume.Options{
		Threads: e.options.threads, Nodes: e.options.nodes, Shortest: e.options.shortest,
		CountFutile: e.options.countFutile, Progress: e.info,
		Found: func(length int, line []shogi.Move) {
			if length > 0 {
				e.say("info time %d %s", time.Since(begin).Milliseconds(), usiMate(problem, length, line))
			}
		},
	}
	go func() {
		defer close(s.done)
		s.result, s.err = tsume.Solve(searching, problem, table, options)
	}()
	return nil
}

// info reports the progress of a search.
func (e *usiEngine) info(p tsume.Progress) {
	pv := ""
	if len(p.Line) > 0 {
		pv = " pv" + usiLine(p.Line)
	}
	e.say("info depth %d seldepth %d %s%s", len(p.Line), p.Depth, usiSpeed(p.Nodes, p.Time, p.Full), pv)
}

func usiSpeed(nodes uint64, d time.Duration, full float64) string {
	return fmt.Sprintf("time %d nodes %d nps %.0f hashfull %.0f", d.Milliseconds(), nodes, float64(nodes)/max(d.Seconds(), 1e-9), 1000*full)
}

// usiMate writes the score of a mate and its line. The score is from the point of view of
// the side to move.
func usiMate(p tsume.Problem, length int, line []shogi.Move) string {
	if p.Defends {
		length = -length
	}
	return fmt.Sprintf("score mate %d pv%s", length, usiLine(line))
}

// usiLine writes moves, each after a space.
func usiLine(line []shogi.Move) string {
	var b []byte
	for _, m := range line {
		b = m.AppendUSI(append(b, ' '))
	}
	return string(b)
}

// stop ends what the last go began, and answers it if it is not answered yet.
func (e *usiEngine) stop() {
	e.resign()
	if e.search != nil {
		e.search.cancel()
		e.answer()
	}
}

// abandon ends the current search without an answer.
func (e *usiEngine) abandon() {
	if e.search != nil {
		e.search.cancel()
		<-e.search.done
		e.search = nil
	}
}

// answer waits for the end of the search and prints its result.
func (e *usiEngine) answer() {
	search := e.search
	<-search.done
	search.cancel()
	e.search = nil
	if search.err != nil {
		e.say("info string %v", search.err)
		e.say("checkmate timeout")
		return
	}
	s := search.result
	speed := usiSpeed(s.Nodes, s.Time, s.Full)
	switch {
	case s.Outcome == dfpn.Disproven:
		e.say("info depth %d seldepth %d %s", s.Depth, s.Depth, speed)
		e.say("checkmate nomate")
	case s.Outcome == dfpn.Proven && s.Length == 0:
		// GUIs treat checkmate without a move as an error, or keep waiting.
		e.say("info string the side to move is mated")
		e.say("checkmate nomate")
	case s.Outcome == dfpn.Proven && len(s.Line) > 0:
		e.say("info depth %d seldepth %d %s %s", s.Length, s.Depth, speed, usiMate(search.problem, s.Length, s.Line))
		if e.options.shortest && !s.Shortest {
			e.say("info string there may be a shorter mate")
		}
		e.say("checkmate%s", usiLine(s.Line))
	default:
		e.say("info depth %d seldepth %d %s", s.Depth, s.Depth, speed)
		if s.Outcome == dfpn.Proven {
			e.say("info string mate in at most %d, but the line is not known", s.Length)
		}
		e.say("checkmate timeout")
	}
}
