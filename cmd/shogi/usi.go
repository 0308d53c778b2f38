package shogi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/uci"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

func newUSI() *cobra.Command {
	var file, openings string
	var seed uint64
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
nowhere (given) or in the defender's hand (rest); Shortest; Composed, the line and length that
composers would give; CountFutile; NodesLimit; Judge, whether the problem is sound, with a line
for each fault, by the house rules that Rules names.

Options for playing: Threads and USI_Hash; MultiPV, the number of lines that are shown;
SkillLevel, 1 to 10; Jitter, JitterDrift and LossBudget, which choose worse moves at random
(see docs/judging.md); ResignValue, the score at which it resigns, 0 for never;
ResignModel, to resign when a player would; BookFile, an opening book, as train writes it, and
USI_OwnBook, whether to play by it; NetworkDelay, the milliseconds that are kept
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
		if e.options.book, e.player.seed = openings, seed; openings != "" {
			if e.player.book, err = openBook(openings); err != nil {
				return err
			}
		}
		return e.run(cmd.Context(), cmd.InOrStdin())
	}
	ui.WeightsFlag(cmd.Flags(), &file)
	ui.BookFlag(cmd.Flags(), &openings)
	ui.SeedFlag(cmd.Flags(), &seed)
	return cmd
}

// usiOptions are what setoption sets.
type usiOptions struct {
	hash        int // MiB
	threads     int
	nodes       uint64
	shortest    bool
	countFutile bool
	composed    bool
	judge       bool
	rules       tsume.Rules
	reading     tsume.Reading

	lines       int // the others are for playing
	skill       int
	choice      play.Choice
	resign      int // 0 for never
	resignModel bool
	book        string // file
	ownBook     bool
	margin      int // ms
}

func option(name, kind string, set func(o *usiOptions, value string) error) uci.Option[usiOptions] {
	return uci.Option[usiOptions]{Name: name, Kind: kind, Set: set}
}

// usiOptionList are the options. Their bounds are the ones that the command usi declares.
var usiOptionList = []uci.Option[usiOptions]{
	option("USI_Hash", "spin default 256 min 1 max 1048576", func(o *usiOptions, value string) (err error) {
		o.hash, err = ui.WholeNumber(value, 1, 1<<20)
		return err
	}),
	option("Threads", "spin default 1 min 1 max 1024", func(o *usiOptions, value string) (err error) {
		o.threads, err = ui.WholeNumber(value, 1, ui.MostThreads)
		return err
	}),
	option("Shortest", "check default false", func(o *usiOptions, value string) (err error) {
		o.shortest, err = uci.Check(value)
		return err
	}),
	option("CountFutile", "check default false", func(o *usiOptions, value string) (err error) {
		o.countFutile, err = uci.Check(value)
		return err
	}),
	option("Composed", "check default false", func(o *usiOptions, value string) (err error) {
		o.composed, err = uci.Check(value)
		return err
	}),
	option("Judge", "check default false", func(o *usiOptions, value string) (err error) {
		o.judge, err = uci.Check(value)
		return err
	}),
	option("Rules", "combo default "+tsume.DefaultHouse+" var "+strings.Join(tsume.HouseNames(), " var "), func(o *usiOptions, value string) (err error) {
		o.rules, err = tsume.ParseRules(value)
		return err
	}),
	option("Attacker", "combo default auto var auto var black var white", func(o *usiOptions, value string) (err error) {
		o.reading.Attacker, err = parseAttacker(value)
		return err
	}),
	option("Hands", "combo default usual var usual var given var rest", func(o *usiOptions, value string) (err error) {
		o.reading.Hands, err = shogi.ParseHands(value)
		return err
	}),
	option("NodesLimit", "spin default 0 min 0 max 1000000000000", func(o *usiOptions, value string) (err error) {
		o.nodes, err = ui.WholeNumber[uint64](value, 0, 1_000_000_000_000)
		return err
	}),
	option("MultiPV", "spin default 1 min 1 max 600", func(o *usiOptions, value string) (err error) {
		o.lines, err = ui.WholeNumber(value, 1, 600)
		return err
	}),
	option("SkillLevel", "spin default 10 min 1 max 10", func(o *usiOptions, value string) (err error) {
		o.skill, err = ui.WholeNumber(value, 1, play.Levels)
		return err
	}),
	option("Jitter", "spin default 0 min 0 max 10000", func(o *usiOptions, value string) error {
		n, err := ui.WholeNumber(value, 0, 10_000)
		o.choice.Jitter = play.Score(n)
		return err
	}),
	option("JitterDrift", "check default false", func(o *usiOptions, value string) (err error) {
		o.choice.Drift, err = uci.Check(value)
		return err
	}),
	option("LossBudget", "spin default 0 min 0 max 10000", func(o *usiOptions, value string) error {
		n, err := ui.WholeNumber(value, 0, 10_000)
		o.choice.Budget = play.Score(n)
		return err
	}),
	option("ResignValue", "spin default 0 min 0 max 100000", func(o *usiOptions, value string) (err error) {
		o.resign, err = ui.WholeNumber(value, 0, 100_000)
		return err
	}),
	option("ResignModel", "check default false", func(o *usiOptions, value string) (err error) {
		o.resignModel, err = uci.Check(value)
		return err
	}),
	option("BookFile", "string default <empty>", func(o *usiOptions, value string) error {
		o.book = uci.Given(value)
		return nil
	}),
	option("USI_OwnBook", "check default true", func(o *usiOptions, value string) (err error) {
		o.ownBook, err = uci.Check(value)
		return err
	}),
	option("NetworkDelay", "spin default 120 min 0 max 10000", func(o *usiOptions, value string) (err error) {
		o.margin, err = ui.WholeNumber(value, 0, 10_000)
		return err
	}),
	// GUIs set it unasked. It makes no difference: go ponder says when to ponder.
	option("USI_Ponder", "", func(*usiOptions, string) error { return nil }),
}

// usiEngine is an engine that talks to a GUI.
type usiEngine struct {
	*uci.Session

	options usiOptions
	table   *dfpn.Table
	start   string // of the game that the table is about

	text     string // of the position
	problem  tsume.Entry
	position error // why there is no problem
	player   usiPlayer
}

func newUSIEngine(out io.Writer) *usiEngine {
	return &usiEngine{
		Session: uci.NewSession(out), options: usiOptions{hash: 256, threads: 1, lines: 1, rules: tsume.DefaultRules(), skill: play.Levels, ownBook: true, margin: 120},
		position: errors.New("no position was given"),
		player:   usiPlayer{position: errors.New("no position was given")},
	}
}

// run obeys commands; see [uci.Session.Run].
func (e *usiEngine) run(ctx context.Context, in io.Reader) error { return e.Run(ctx, in, e.command) }

// command obeys a command and returns false if that was quit.
func (e *usiEngine) command(ctx context.Context, line string) bool {
	name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	switch name {
	case "":
	case "usi":
		uci.Introduce(e.Session, ui.Version(), usiOptionList)
		e.Say("usiok")
	case "isready":
		// A search for a mate has no clock, so it may make its table later.
		if !e.Searching() {
			if err := e.preparePlayer(); err != nil {
				e.Say("info string %v", err)
			}
		}
		e.Say("readyok")
	case "setoption":
		if err := e.setOption(rest); err != nil {
			e.Say("info string %v", err)
		}
	case "usinewgame":
		e.Stop()
		if e.table != nil {
			e.table.Clear()
		}
		if e.player.searcher != nil {
			e.player.searcher.Clear()
		}
		e.player.games++
		e.Late = 0
	case "position":
		e.text = rest
		e.problem, e.position = tsume.ParseEntry(rest, e.options.reading)
		if e.player.set(rest); e.position != nil && e.player.position != nil {
			e.Say("info string position: %v", e.position)
		}
	case "go":
		e.Stop()
		e.obeyGo(ctx, strings.Fields(rest))
	case "stop", "gameover":
		e.Stop()
	case "ponderhit":
		if args, ok := e.PonderHit(strings.Fields(rest)); ok {
			e.obeyGo(ctx, args)
		}
	case "debug":
		// Nothing to do for a solver.
	case "quit":
		return false
	default:
		e.Say("info string unknown command %q", name)
	}
	return true
}

// setOption obeys setoption. It does not affect a running search.
func (e *usiEngine) setOption(text string) error {
	changed, err := uci.Set(usiOptionList, e.options, text)
	if err == nil && changed.reading != e.options.reading && e.text != "" {
		e.problem, e.position = tsume.ParseEntry(e.text, changed.reading)
	}
	if err == nil && changed.book != e.options.book {
		opening, failed := openBook(changed.book)
		if failed != nil {
			return fmt.Errorf("option BookFile: %w", failed)
		}
		e.player.book = opening
	}
	e.options = changed
	return err
}

// prepareMate allocates a table for mates of the size that is set, unless there is one. There is one
// table of this size at a time: that of [usiPlayer] is given up, but only then. In the memory of a table that was given
// up before, the runtime would clear every page, which takes longer than most problems.
func (e *usiEngine) prepareMate() error {
	want := int64(e.options.hash) << 20
	if e.table != nil && e.table.Size() == want {
		return nil
	}
	if err := ui.CheckMemory(uint64(want)); err != nil {
		return fmt.Errorf("USI_Hash %d: %w", e.options.hash, err)
	}
	table, err := dfpn.NewTable(want)
	if err != nil {
		return err
	}
	e.table, e.player.searcher = table, nil
	debug.FreeOSMemory() // so that two tables never fill memory
	return nil
}

// obeyGo starts a search, for a mate or for a move. With infinite and ponder the answer must not come
// before stop or ponderhit. A GUI that wants a move always gets an answer: it would wait forever otherwise.
func (e *usiEngine) obeyGo(ctx context.Context, args []string) {
	if len(args) > 0 && args[0] == "mate" {
		if err := e.goMate(ctx, args[1:]); err != nil {
			e.Say("info string %v", err)
			e.Say("checkmate notimplemented")
		}
		return
	}
	if err := e.goPlay(ctx, args); err != nil {
		e.Say("info string %v", err)
		e.Say("bestmove resign")
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
		e.Say("info string hands as given; with the option Hands rest the defender has the rest of the set")
	case shogi.BlackHasRest, shogi.WhiteHasRest:
		e.Say("info string %s has the rest of the set in hand", shogi.Color(hands-shogi.BlackHasRest))
	}
	searching, cancel := context.WithCancel(ctx)
	if limit > 0 {
		searching, cancel = context.WithTimeout(ctx, limit)
	}
	m := &mateSearch{problem: e.problem.Problem, options: e.options, table: e.table, progress: e.info}
	begin := time.Now()
	m.found = func(length int, line []shogi.Move) {
		if length > 0 {
			e.Say("info time %d %s", time.Since(begin).Milliseconds(), usiMate(m.problem, length, line))
		}
	}
	e.Start(&uci.Search{Answer: func() { m.answer(e.Say) }}, cancel, func() { m.run(searching) })
	return nil
}

// info reports the progress of a search.
func (e *usiEngine) info(p tsume.Progress) {
	pv := ""
	if len(p.Line) > 0 {
		pv = " pv" + usiLine(p.Line)
	}
	e.Say("info depth %d seldepth %d %s%s", len(p.Line), p.Depth, usiSpeed(p.Nodes, p.Time, p.Full), pv)
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
