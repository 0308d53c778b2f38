package shogi

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

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

func newUSI() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "usi",
		Short: "Solve mate problems and play shogi for a GUI over USI",
		Long: `Usi speaks the Universal Shogi Interface on standard input and output. It solves mate
problems: it answers "go mate" with "checkmate" and the moves, or with nomate, or with
timeout if the time runs out first; with MultiPV it also shows other first moves that mate. It
answers any other "go" with a move: that of a mate if it proves one, and otherwise by a search of
package play, whose scores are estimates. It declares a win by an entering king where the
27-point rule allows it.

Options for mates: Attacker, black, white, or auto; Hands, whether pieces that are not shown are
nowhere (given) or in the defender's hand (rest); Shortest; CountFutile; NodesLimit.

Options for playing: Threads and USI_Hash; MultiPV, the number of lines that are shown;
SkillLevel, 1 to 10; Jitter, JitterDrift and LossBudget, which choose worse moves at random
(see docs/judging.md); ResignValue, the score at which it resigns, 0 for never;
ResignModel, to resign when a player would; NetworkDelay, the milliseconds that are kept
for the way to the GUI.

In a GUI, add an engine with the command "yomikiri usi". Where a GUI takes only the name of a
program, copy or link this one to a name with -usi, such as yomikiri-usi: called so without
arguments, it runs this command.`,
		Example: "  printf 'usi\\nisready\\nquit\\n' | yomikiri usi",
		Args:    ui.NoArgs,
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		weights, err := app.ReadWeights(file)
		if err != nil {
			return err
		}
		e := newUSIEngine(cmd.OutOrStdout())
		if e.player.evaluation, err = evaluationBy(weights); err != nil {
			return err
		}
		return e.run(cmd.Context(), cmd.InOrStdin())
	}
	ui.WeightsFlag(cmd.Flags(), &file)
	return cmd
}

// usiOptions are what setoption sets.
type usiOptions struct {
	hash        int // MiB
	threads     int
	nodes       uint64
	shortest    bool
	countFutile bool
	reading     tsume.Reading

	lines       int // the others are for playing
	skill       int
	choice      play.Choice
	resign      int // 0 for never
	resignModel bool
	margin      int // ms
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
		o.hash, err = ui.WholeNumber(value, 1, 1<<20)
		return err
	}},
	{"Threads", "spin default 1 min 1 max 1024", func(o *usiOptions, value string) (err error) {
		o.threads, err = ui.WholeNumber(value, 1, ui.MostThreads)
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
		o.reading.Attacker, err = parseAttacker(value)
		return err
	}},
	{"Hands", "combo default usual var usual var given var rest", func(o *usiOptions, value string) (err error) {
		o.reading.Hands, err = shogi.ParseHands(value)
		return err
	}},
	{"NodesLimit", "spin default 0 min 0 max 1000000000000", func(o *usiOptions, value string) (err error) {
		o.nodes, err = ui.WholeNumber[uint64](value, 0, 1_000_000_000_000)
		return err
	}},
	{"MultiPV", "spin default 1 min 1 max 600", func(o *usiOptions, value string) (err error) {
		o.lines, err = ui.WholeNumber(value, 1, 600)
		return err
	}},
	{"SkillLevel", "spin default 10 min 1 max 10", func(o *usiOptions, value string) (err error) {
		o.skill, err = ui.WholeNumber(value, 1, play.Levels)
		return err
	}},
	{"Jitter", "spin default 0 min 0 max 10000", func(o *usiOptions, value string) error {
		n, err := ui.WholeNumber(value, 0, 10_000)
		o.choice.Jitter = play.Score(n)
		return err
	}},
	{"JitterDrift", "check default false", func(o *usiOptions, value string) (err error) {
		o.choice.Drift, err = check(value)
		return err
	}},
	{"LossBudget", "spin default 0 min 0 max 10000", func(o *usiOptions, value string) error {
		n, err := ui.WholeNumber(value, 0, 10_000)
		o.choice.Budget = play.Score(n)
		return err
	}},
	{"ResignValue", "spin default 0 min 0 max 100000", func(o *usiOptions, value string) (err error) {
		o.resign, err = ui.WholeNumber(value, 0, 100_000)
		return err
	}},
	{"ResignModel", "check default false", func(o *usiOptions, value string) (err error) {
		o.resignModel, err = check(value)
		return err
	}},
	{"NetworkDelay", "spin default 120 min 0 max 10000", func(o *usiOptions, value string) (err error) {
		o.margin, err = ui.WholeNumber(value, 0, 10_000)
		return err
	}},
	// GUIs set it unasked. It makes no difference: go ponder says when to ponder.
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
	mu   sync.Mutex // guards out
	out  io.Writer
	gone chan struct{} // closed when nobody reads out

	options usiOptions
	table   *dfpn.Table
	start   string // of the game that the table is about

	text     string // of the position
	problem  tsume.Entry
	position error // why there is no problem
	search   *usiSearch
	player   usiPlayer
	late     time.Duration // how much of the next search's time it took to end pondering
}

// usiSearch is a running search, for a mate or for a move.
type usiSearch struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when the search has ended
	answer func()        // called after that
	// wait says that the answer must not come before stop, and args are those of a go that
	// ponderhit begins again.
	wait bool
	args []string
}

func newUSIEngine(out io.Writer) *usiEngine {
	return &usiEngine{
		out: out, gone: make(chan struct{}), options: usiOptions{hash: 256, threads: 1, lines: 1, skill: play.Levels, margin: 120},
		position: errors.New("no position was given"),
		player:   usiPlayer{position: errors.New("no position was given")},
	}
}

// say writes a line.
func (e *usiEngine) say(format string, args ...any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	select {
	case <-e.gone:
		return
	default:
	}
	if _, err := fmt.Fprintf(e.out, format+"\n", args...); err != nil {
		close(e.gone)
	}
}

// run obeys commands until quit, the end of the input, or the end of ctx. A search that runs
// at the end of the input goes on and is answered, unless nobody reads the answer.
func (e *usiEngine) run(ctx context.Context, in io.Reader) error {
	input, failed := make(chan string), make(chan error, 1)
	over := make(chan struct{})
	defer close(over)
	go func() {
		defer close(input)
		scanner := bufio.NewScanner(ui.TextOf(in))
		scanner.Buffer(nil, 1<<20) // long games come on one line
		for scanner.Scan() {
			select {
			case input <- scanner.Text():
			case <-over:
				return
			}
		}
		failed <- ui.ScanError(scanner)
	}()
	defer e.abandon()
	lines := (<-chan string)(input) // nil after the last
	for {
		if ctx.Err() != nil { // select takes any case that is ready, the end of the input too
			return ui.Interrupted("interrupted")
		}
		var done <-chan struct{} // never, if no search runs
		if e.search != nil && !e.search.wait {
			done = e.search.done
		}
		select {
		case <-ctx.Done():
			return ui.Interrupted("interrupted")
		case <-e.gone:
			return nil // the caller knows the error
		case <-done:
			e.answer()
			if lines == nil {
				return nil
			}
		case line, ok := <-lines:
			if !ok {
				if e.search != nil && e.search.wait {
					e.stop()
				}
				if err := <-failed; err != nil || e.search == nil {
					return err
				}
				lines = nil
				continue
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
		// A search for a mate has no clock, so it may make its table later.
		if e.search == nil {
			if err := e.preparePlayer(); err != nil {
				e.say("info string %v", err)
			}
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
		if e.player.searcher != nil {
			e.player.searcher.Clear()
		}
		e.player.games++
		e.late = 0
	case "position":
		e.text = rest
		e.problem, e.position = tsume.ParseEntry(rest, e.options.reading)
		if e.player.set(rest); e.position != nil && e.player.position != nil {
			e.say("info string position: %v", e.position)
		}
	case "go":
		e.stop()
		e.obeyGo(ctx, strings.Fields(rest))
	case "stop", "gameover":
		e.stop()
	case "ponderhit":
		e.ponderHit(ctx, strings.Fields(rest))
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
	e.say("id name yomikiri %s", ui.Version())
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
		if changed.reading != e.options.reading && e.text != "" {
			e.problem, e.position = tsume.ParseEntry(e.text, changed.reading)
		}
		e.options = changed
		return nil
	}
	return fmt.Errorf("no option %q", name)
}

// prepareMate allocates a table for mates of the size that is set, unless there is one. There is one
// table of this size at a time: that of [usiPlayer] is given up.
func (e *usiEngine) prepareMate() error {
	want := int64(e.options.hash) << 20
	if e.table != nil && e.table.Size() == want {
		return nil
	}
	if err := ui.CheckMemory(uint64(want)); err != nil {
		return fmt.Errorf("USI_Hash %d: %w", e.options.hash, err)
	}
	e.table, e.player.searcher = nil, nil
	runtime.GC() // so that there are never two tables
	table, err := dfpn.NewTable(want)
	e.table = table
	return err
}

// obeyGo starts a search, for a mate or for a move. With infinite and ponder the answer must not come
// before stop or ponderhit. A GUI that wants a move always gets an answer: it would wait forever otherwise.
func (e *usiEngine) obeyGo(ctx context.Context, args []string) {
	if len(args) > 0 && args[0] == "mate" {
		if err := e.goMate(ctx, args[1:]); err != nil {
			e.say("info string %v", err)
			e.say("checkmate notimplemented")
		}
		return
	}
	if err := e.goPlay(ctx, args); err != nil {
		e.say("info string %v", err)
		e.say("bestmove resign")
	}
}

// ponderHit begins the search that the GUI has let ponder again, with the clock running. Some GUIs send
// the limits only now.
func (e *usiEngine) ponderHit(ctx context.Context, limits []string) {
	if e.search == nil || e.search.args == nil {
		return
	}
	if len(limits) == 0 {
		limits = slices.DeleteFunc(e.search.args, func(word string) bool { return word == "ponder" })
	}
	begin := time.Now()
	e.abandon()
	e.late = time.Since(begin)
	e.obeyGo(ctx, limits)
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
	if err := e.prepareMate(); err != nil {
		return err
	}
	start, _, _ := strings.Cut(e.text, "moves")
	if start = strings.TrimSpace(start); e.start != start {
		e.start = start
		e.table.Clear()
	}
	switch hands := e.problem.Hands; hands {
	case shogi.GivenHands:
		e.say("info string hands as given; with the option Hands rest the defender has the rest of the set")
	case shogi.BlackHasRest, shogi.WhiteHasRest:
		e.say("info string %s has the rest of the set in hand", shogi.Color(hands-shogi.BlackHasRest))
	}
	searching, cancel := context.WithCancel(ctx)
	if limit > 0 {
		searching, cancel = context.WithTimeout(ctx, limit)
	}
	s := &usiSearch{cancel: cancel, done: make(chan struct{})}
	var result tsume.Solution
	var failed error
	e.search = s
	problem, table, begin := e.problem.Problem, e.table, time.Now()
	s.answer = func() { e.answerMate(problem, result, failed) }
	options := tsume.Options{
		Threads: e.options.threads, Nodes: e.options.nodes, Shortest: e.options.shortest, Lines: e.options.lines,
		CountFutile: e.options.countFutile, Progress: e.info,
		Found: func(length int, line []shogi.Move) {
			if length > 0 {
				e.say("info time %d %s", time.Since(begin).Milliseconds(), usiMate(problem, length, line))
			}
		},
	}
	go func() {
		defer close(s.done)
		result, failed = tsume.Solve(searching, problem, table, options)
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
	if e.search == nil {
		return
	}
	begin, pondering := time.Now(), e.search.args != nil
	e.search.cancel()
	e.answer()
	if pondering {
		e.late = time.Since(begin)
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
	search.answer()
}

// answerMate prints the result of a search for a mate.
func (e *usiEngine) answerMate(p tsume.Problem, s tsume.Solution, err error) {
	if err != nil {
		e.say("info string %v", err)
		e.say("checkmate timeout")
		return
	}
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
		which := func(i int) string {
			if len(s.Others) == 0 {
				return ""
			}
			return fmt.Sprintf(" multipv %d", i)
		}
		e.say("info depth %d seldepth %d%s %s %s", s.Length, s.Depth, which(1), speed, usiMate(p, s.Length, s.Line))
		for i, o := range s.Others {
			e.say("info depth %d seldepth %d%s %s %s", o.Length, s.Depth, which(i+2), speed, usiMate(p, o.Length, o.Line))
		}
		if s.Cut {
			e.say("info string a limit was reached before the line was known to its end")
		}
		if e.options.shortest && !s.Shortest {
			e.say("info string there may be a shorter mate")
		}
		e.say("checkmate%s", usiLine(s.Line))
	default:
		e.say("info depth %d seldepth %d %s", s.Depth, s.Depth, speed)
		e.say("checkmate timeout")
	}
}
