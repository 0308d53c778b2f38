package shogi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/app/records"
	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/cmd/prooffile"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/shogi"
	shogirecord "github.com/yomikiri/yomikiri/games/shogi/record"
	"github.com/yomikiri/yomikiri/play/measure"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/proof/rules"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// Extra is what shogi has beyond other games: the solver of mate problems, and the plain
// rules to check proofs by.
var Extra = app.Extra[shogi.Game, shogi.Position, shogi.Move]{
	Decider:  newDecider,
	Check:    rules.Check,
	Search:   &app.Search[shogi.Game, shogi.Position, shogi.Move]{Name: "tsume", Title: "Shogi: mate problems", Read: readMate, Run: findMate, Asks: mateAsks, Houses: tsume.HouseNames()},
	Japanese: inJapanese,
	Large:    true,
	Records:  records.Shogi,
	Instead:  "tsume",

	Resignation: measure.Amateurs,
}

// newDecider returns a decider. There is none if a side must give check: its lines have other moves too.
func newDecider(g shogi.Game, memory uint64) (games.Decider[shogi.Position, shogi.Move], error) {
	if g != (shogi.Game{}) {
		return nil, nil
	}
	return tsume.NewDecider(memory)
}

// Commands are the commands of shogi alone, and Benches those under bench.
var (
	Commands = []func() *cobra.Command{newTsume, newUSI}
	Benches  = []func() *cobra.Command{newBenchTsume}
)

// mateAsks is what findMate can be asked for.
var mateAsks = []string{app.AskShortest, app.AskAlternatives, app.AskVariations, app.AskRecord, app.AskJudge}

// mateFound is what findMate returns.
type mateFound = app.SearchResult[shogi.Position, shogi.Move]

// readMate reads a position for findMate, and returns how its hands were read.
func readMate(text, hands string) (p shogi.Position, used string, err error) {
	h, err := shogi.ParseHands(hands)
	if err != nil {
		return p, "", fmt.Errorf("hands %w", err)
	}
	r := shogirecord.ParseUSI(text, h)
	if r.Err != nil {
		return p, "", r.Err
	}
	return r.Final(), r.Hands.String(), nil
}

// findMate looks for a mate by the natural attacker, or judges the problem.
func findMate(ctx context.Context, _ shogi.Game, p shogi.Position, o app.SearchOptions) (mateFound, error) {
	problem, err := tsume.NewProblem(p, tsume.Natural)
	if err != nil {
		return mateFound{}, app.InputError{Err: err}
	}
	entry := tsume.Entry{Problem: problem}
	if entry.Hands, err = shogi.ParseHands(o.Hands); err != nil {
		return mateFound{}, err
	}
	if entry.Moves, _, err = games.ParseMoves(games.Game[shogi.Position, shogi.Move](shogi.Game{}), problem.Position, o.Intended); err != nil {
		return mateFound{}, app.InputError{Err: fmt.Errorf("intended: %w", err)}
	}
	table, err := dfpn.NewTable(int64(o.Memory))
	if err != nil {
		return mateFound{}, err
	}
	c := tsumeCommand{notation: "usi"}
	if o.Asked(app.AskJudge) {
		rules, err := tsume.ParseRules(cmp.Or(o.Rules, tsume.DefaultHouse))
		if err != nil {
			return mateFound{}, app.InputError{Err: fmt.Errorf("rules: %w", err)}
		}
		j := problemJudge{tsumeJudge: tsumeJudge{rules: rules}, tsumeCommand: &c}
		judgement, err := tsume.Judge(ctx, problem, entry.Moves, table, tsume.JudgeOptions{Nodes: o.Nodes, Time: o.Time, Rules: rules})
		if err != nil {
			return mateFound{}, app.InputError{Err: err}
		}
		return mateFound{From: problem.Position, Line: judgement.Line, Result: j.record(&entry, &judged{Judgement: judgement})}, nil
	}
	s, err := tsume.Solve(ctx, problem, table, tsume.Options{
		Nodes: o.Nodes, Time: o.Time, Shortest: o.Asked(app.AskShortest),
		Alternatives: o.Asked(app.AskAlternatives), Variations: o.Asked(app.AskVariations),
	})
	if err != nil {
		return mateFound{}, err
	}
	found := mateFound{From: problem.Position, Line: s.Line, Result: c.record(&entry, &s)}
	if o.Asked(app.AskRecord) && len(s.Line) > 0 {
		found.Record = string(kifOf(&entry, &s).AppendKIF(nil, shogirecord.UTF8))
	}
	return found, nil
}

// inJapanese is a move in Japanese notation, with a square in place of 同.
func inJapanese(p shogi.Position, m shogi.Move) string {
	return string(shogirecord.AppendJapanese(nil, shogi.NewBoard(p), m))
}

// tsumeOptions are the flags of tsume.
type tsumeOptions struct {
	tsumeCommand
	attackerName string
	encodingName string
	judging      tsumeJudge
	lang         string
	goal         tsumeGoal
}

func (o *tsumeOptions) addFlags(flags *pflag.FlagSet) {
	flags.BoolVar(&o.options.Shortest, "shortest", false, "find the shortest mate and prove that none is shorter")
	flags.BoolVar(&o.options.FirstMoves, "all-first-moves", false, "find all first moves that mate")
	flags.BoolVar(&o.options.Alternatives, "alternatives", false, "find all other checks along the whole main line that mate too")
	ui.FileFlag(flags, &o.kif, "kif", false, "write the main line of a mate with its variations, in KIF; with a single problem only")
	flags.StringVar(&o.encodingName, "kif-encoding", "auto", "encoding of the files of --kif and --book, which declare it: utf-8, shift_jis, or auto (shift_jis for names that end in .kif, else utf-8)")
	flags.BoolVar(&o.options.Certain, "certain", false, "search again with other keys, which must confirm the answer, or with --judge the verdict sound")
	flags.BoolVar(&o.options.CountFutile, "count-futile", false, "count futile interpositions in the length")
	flags.BoolVar(&o.options.Composed, "composed", false, composedUsage)
	flags.Uint64Var(&o.options.Nodes, "nodes", 0, "node limit for a problem; 0 for none")
	ui.TimeFlag(flags, &o.options.Time, "time", "0", "time limit for a problem; 0 for none")
	ui.MemoryFlag(flags, &o.memory, "memory", defaultTsumeMemory, "memory for the tables of all threads together, such as 4GiB")
	ui.ThreadsFlag(flags, &o.threads, "0", "number of threads")
	ui.CheckedFlag(flags, "ply", "int", "", "number of moves to play first, of a record or after a position; by default none of a record, and all after a position", func(text string) (err error) {
		o.reading.HasPly = true
		o.reading.Ply, err = ui.WholeNumber(text, 0, math.MaxInt32)
		return err
	})
	ui.CheckedFlag(flags, "hands", "string", "", "if pieces are missing: given (they are nowhere) or rest (the defender has them); by default rest for problems with one king, given with two", func(text string) (err error) {
		o.reading.Hands, err = shogi.ParseHands(text)
		return err
	})
	flags.StringVar(&o.attackerName, "attacker", "auto", "side that mates: black, white, or auto (the side to move, unless only it has a king)")
	flags.StringVar(&o.notation, "notation", "usi", "notation of moves: usi or japanese; by default usi, and japanese with texts in Japanese")
	flags.StringVar(&o.lang, "lang", "auto", "language of texts: en, ja, or auto (by LC_ALL, LC_MESSAGES or LANG)")
	ui.FileFlag(flags, &o.proof, "proof", true, "write the proof of a mate, for yomikiri check; with a single problem only")
	ui.FileFlag(flags, &o.checkpoint.file, "checkpoint", true, "write what a search has found to a file now and then, and continue from it; with a single problem only")
	ui.TimeFlag(flags, &o.checkpoint.every, "checkpoint-every", "10m", "time between checkpoints")
	o.judging.addFlags(flags)
	o.goal.addFlags(flags)
	o.Flags(flags)
}

func newTsume() *cobra.Command {
	var o tsumeOptions
	cmd := &cobra.Command{
		Use:   "tsume SFEN|FILE|-",
		Short: "Solve mate problems of shogi (tsume-shogi)",
		Long: `Tsume finds out whether the side to move can mate with a check on every move, and how.
With one king on the board, the defender has all pieces that are not shown, unless a record
has its hand; with two, a position has the pieces that it shows. --hands says otherwise.

A problem is a position in SFEN, perhaps followed by moves, also as programs copy it for
USI ("position sfen ... moves ..."). A file has one problem a line, perhaps followed by
its declared length and an id, separated by tabs; or it has records in KIF, KI2 or CSA.
The file - is standard input.

The problems of a file are solved in parallel, one on each thread. A single problem is
solved by all threads together. Positions on standard input are solved as they come, one
on each thread. A problem that cannot be read is reported and skipped; the exit code is
then 2.

Without --shortest the mate that is found may not be the shortest, and "in at most" says so. Its main line is chosen
as composers do: the defender leaves the attacker as little in hand at the end as it can,
and then holds out as long as it can.

With --brinkmate, the attacker may also make moves that only threaten mate. After the last
one the defender cannot prevent it.

With --helpmate both sides help to mate the defender, with --selfmate the defender is forced to mate
the attacker, and with --helpselfmate it helps to. All of these want checks only, count every
interposition, and say whether there is one solution.

With --judge, the moves after a position or of a record are the intended line. Without
one, the main line is searched for.`,
		Example: "  yomikiri tsume 4k4/9/4P4/9/9/9/9/9/9 b 2G\n" +
			"  yomikiri tsume --shortest --all-first-moves problem.kif\n" +
			"  yomikiri tsume --brinkmate 3 7kl/9/9/9/9/9/9/9/9 b GSN\n" +
			"  yomikiri tsume --helpmate 5 9/9/9/9/9/9/9/6k2/9 b R\n" +
			"  yomikiri tsume --time 10s --json problems.sfen",
		Args:              func(cmd *cobra.Command, args []string) error { return o.inLanguage(ui.LeastArgs(1)(cmd, args)) },
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error { return o.inLanguage(ui.CheckFlags(cmd, args)) },
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return o.inLanguage(ui.FlagError(cmd, err)) })
	o.addFlags(cmd.Flags())
	cmd.RegisterFlagCompletionFunc("hands", cobra.FixedCompletions([]string{"given", "rest"}, cobra.ShellCompDirectiveNoFileComp))
	cmd.RegisterFlagCompletionFunc("attacker", cobra.FixedCompletions([]string{"auto", "black", "white"}, cobra.ShellCompDirectiveNoFileComp))
	cmd.RegisterFlagCompletionFunc("kif-encoding", cobra.FixedCompletions([]string{"auto", "utf-8", "shift_jis"}, cobra.ShellCompDirectiveNoFileComp))
	cmd.RegisterFlagCompletionFunc("lang", cobra.FixedCompletions(languages, cobra.ShellCompDirectiveNoFileComp))
	cmd.RegisterFlagCompletionFunc("notation", cobra.FixedCompletions([]string{"usi", "japanese"}, cobra.ShellCompDirectiveNoFileComp))
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if o.japanese, err = wantsJapanese(o.lang); err != nil {
			return ui.Usage(err)
		}
		defer func() { err = o.inLanguage(err) }()
		if err := o.check(cmd.Flags()); err != nil {
			return err
		}
		c := &o.tsumeCommand
		if c.input, err = readProblems(cmd, args, c.reading, c.japanese, c.proof != "" || c.kif != "" || c.checkpoint.file != ""); err != nil {
			return err
		}
		for _, flag := range []string{"proof", "kif", "checkpoint"} {
			if cmd.Flags().Changed(flag) && c.input.count > 1 {
				return ui.Usage(sayOneProblem.Error(flag, c.input.count))
			}
		}
		if o.judging.judge && c.input.count != 1 && !cmd.Flags().Changed("time") && !cmd.Flags().Changed("nodes") {
			c.options.Time = batchTime
		}
		c.out, c.paint, c.progress = cmd.OutOrStdout(), ui.PaintOf(cmd), c.Printing.Progress(cmd)
		if o.judging.judge {
			return newProblemJudge(c, o.judging).run(cmd.Context())
		}
		if asked, err := o.goal.run(cmd.Context(), c); asked {
			return err
		}
		return c.run(cmd.Context())
	}
	return cmd
}

// inLanguage returns an error in the language that is wanted, as far as the flags that were read say.
func (o *tsumeOptions) inLanguage(err error) error {
	if japanese, unknown := wantsJapanese(o.lang); err == nil || unknown != nil || !japanese {
		return err
	}
	return inJapaneseError(err)
}

// check checks the flags, and reads those that are names.
func (o *tsumeOptions) check(flags *pflag.FlagSet) (err error) {
	if o.japanese && !flags.Changed("notation") && !o.JSON {
		o.notation = "japanese"
	}
	if o.notation != "usi" && o.notation != "japanese" {
		return ui.Usage(errNotation.Error(o.notation))
	}
	if o.reading.Attacker, err = parseAttacker(o.attackerName); err != nil {
		return ui.Usage(fmt.Errorf("--attacker %w", err))
	}
	if err := checkComposed(o.options); err != nil {
		return err
	}
	if o.encoding, err = parseKIFEncoding(o.encodingName, o.kif+o.judging.book); err != nil {
		return err
	}
	if o.kif == "" && o.judging.book == "" && flags.Changed("kif-encoding") {
		return ui.Usage(errEncodingFor.Error())
	}
	if o.options.Certain && o.checkpoint.file != "" {
		return ui.Usage(errCertain.Error())
	}
	if o.checkpoint.every == 0 {
		return ui.Usage(errEvery.Error())
	}
	if err := o.judging.check(flags); err != nil {
		return err
	}
	if err := o.goal.check(flags); err != nil {
		return err
	}
	o.reading.HasPly = o.reading.HasPly || o.judging.judge
	o.options.Variations = o.kif != ""
	return nil
}

// composedUsage describes the flag --composed.
const composedUsage = "with --shortest, also give the length as composers count, without futile interpositions; may take several times longer"

// checkComposed checks that --composed goes with the other flags.
func checkComposed(o tsume.Options) error {
	if o.Composed && (!o.Shortest || o.CountFutile) {
		return ui.Usage(errComposed.Error())
	}
	return nil
}

// defaultTsumeMemory is the default of --memory.
const defaultTsumeMemory = "256MiB"

// parseAttacker reads which side is to mate.
func parseAttacker(text string) (tsume.Attacker, error) {
	switch text {
	case "auto":
		return tsume.Natural, nil
	case "black":
		return tsume.BlackAttacks, nil
	case "white":
		return tsume.WhiteAttacks, nil
	}
	return 0, errAttacker.Error(text)
}

// parseKIFEncoding reads the encoding of a KIF file. The author of the format has names with
// .kif for Shift_JIS and those with .kifu for UTF-8.
func parseKIFEncoding(text, file string) (shogirecord.Encoding, error) {
	sjis := strings.EqualFold(filepath.Ext(file), ".kif")
	switch strings.ToLower(text) {
	case "auto":
	case "utf-8":
		sjis = false
	case "shift_jis":
		sjis = true
	default:
		return 0, ui.Usage(errEncoding.Error(text))
	}
	if sjis {
		return shogirecord.ShiftJIS, nil
	}
	return shogirecord.UTF8, nil
}

// tsumeCommand solves problems and prints the results.
type tsumeCommand struct {
	ui.Printing
	input      *tsumeInput
	options    tsume.Options
	memory     uint64
	threads    int
	reading    tsume.Reading
	notation   string
	japanese   bool   // texts are in Japanese
	proof      string // file
	kif        string // file
	checkpoint tsumeCheckpoint
	encoding   shogirecord.Encoding
	out        io.Writer
	paint      ui.Paint // of out
	progress   *ui.Progress
}

// share returns how many problems are searched at once and the options of each. If there is only one
// problem it prints the board.
func (c *tsumeCommand) share() (workers int, options tsume.Options, err error) {
	workers, options = c.threads, c.options
	if c.input.count > 0 {
		workers = min(workers, c.input.count)
	}
	options.Threads = c.threads / workers
	if c.input.count == 1 {
		options.Progress = c.showSearch
		err = c.board()
	}
	return workers, options, err
}

// ended returns the error that has ended the searches before the last problem, nil if none has.
func (c *tsumeCommand) ended(ctx context.Context, written int, failure error) error {
	switch {
	case ctx.Err() != nil && c.input.count == 0: // how many there are is not known
		return ui.InterruptedError(pick(uint64(written), sayStopped1, sayStopped).Error(ui.Grouped(uint64(written))))
	case ctx.Err() != nil:
		return ui.InterruptedError(pick(uint64(c.input.count), sayStoppedOf1, sayStoppedOf).Error(written, ui.Grouped(uint64(c.input.count))))
	case failure != nil:
		return failure
	}
	return c.input.err
}

// unanswered returns an error if problems were left open because of a limit, or could not be read.
func (c *tsumeCommand) unanswered(written, open int, limit error) error {
	switch in := c.input; {
	case open == 0:
		limit = nil
	case in.count != 1:
		all := uint64(max(in.count, written))
		limit = pick(all, sayUnanswered1, sayUnanswered).Error(open, ui.Grouped(all), limit)
	}
	return errors.Join(c.input.unread(written), limit)
}

// run solves all problems, one on each thread, and prints the results in the order of
// the problems.
func (c *tsumeCommand) run(ctx context.Context) error {
	workers, options, err := c.share()
	if err != nil {
		return err
	}
	type answer struct {
		solution  tsume.Solution
		proof     *prooffile.File
		unwritten error // why there is no proof
	}
	var last answer
	written, undecided := 0, 0
	failure := tsume.Each(ctx, c.input.problems, workers, int64(c.memory), func(ctx context.Context, entry tsume.Entry, table *dfpn.Table) (a answer, err error) {
		a.solution, err = c.solve(ctx, entry.Problem, table, options)
		if err == nil && c.proof != "" && a.solution.Outcome == dfpn.Proven {
			a.proof, a.unwritten = c.writeProof(ctx, entry.Problem, table)
		}
		return a, err
	}, func(entry tsume.Entry, a answer) error {
		last = a
		if !c.complete(&a.solution) {
			undecided++
		}
		written++
		err := errors.Join(c.write(&entry, &a.solution, a.proof), a.unwritten)
		if c.kif != "" && len(a.solution.Line) > 0 {
			err = errors.Join(err, c.writeKIF(&entry, &a.solution))
		}
		c.showCount(written, undecided)
		return err
	})
	c.progress.Done()
	switch err := c.ended(ctx, written, failure); {
	case err != nil:
		return err
	case undecided > 0:
	case c.proof != "" && last.proof == nil:
		return sayNoProof.Error()
	case c.kif != "" && last.solution.Outcome == dfpn.Disproven:
		return sayNoKIF.Error()
	}
	return c.unanswered(written, undecided, ui.ErrLimit)
}

// complete reports whether a solution answers all that was asked.
func (c *tsumeCommand) complete(s *tsume.Solution) bool {
	for _, m := range s.FirstMoves {
		if m.Outcome == dfpn.Unknown {
			return false
		}
	}
	for _, a := range s.Alternatives {
		if a.Outcome == dfpn.Unknown || len(a.Line) == 0 {
			return false
		}
	}
	if s.Incomplete || c.options.Certain && !s.Certain {
		return false
	}
	switch s.Outcome {
	case dfpn.Proven:
		return !s.Cut && (s.Shortest || !c.options.Shortest)
	case dfpn.Disproven:
		return true
	}
	return false
}

// board draws the board of the only problem.
func (c *tsumeCommand) board() error {
	if c.JSON || c.Quiet {
		return nil
	}
	_, err := c.out.Write(append(c.input.single.Position.AppendBoard(nil), '\n'))
	return err
}

// showSearch shows the progress of the search of the only problem.
func (c *tsumeCommand) showSearch(p tsume.Progress) {
	fields := map[string]any{"seconds": p.Time.Seconds(), "nodes": p.Nodes, "depth": p.Depth, "table_full": p.Full}
	bounds := ""
	if p.Length > 0 {
		fields["length"] = p.Length
		if p.Longer > 0 {
			fields["longer_than"] = p.Longer
		}
		bounds = "  " + sayMateAtMost.In(false, p.Length) + longerThan(false, p.Longer)
	}
	c.progress.Show(func() string {
		return fmt.Sprintf("%s  %s nodes  depth %d  table %.0f %%%s", ui.Seconds(p.Time), ui.Grouped(p.Nodes), p.Depth, 100*p.Full, bounds)
	}, fields)
}

// showCount shows how many of many problems are done.
func (c *tsumeCommand) showCount(done, undecided int) {
	if c.input.count == 1 {
		return
	}
	fields := map[string]any{"done": done, "not_solved": undecided}
	text := c.say(pick(uint64(done), sayDoneOne, sayDone), done, undecided)
	if n := c.input.count; n > 0 {
		fields["problems"] = n
		text = c.say(sayDoneOf, done, ui.Grouped(uint64(n)), undecided)
	}
	c.progress.Show(func() string { return text }, fields)
}

// answer describes a solution in words.
func (c *tsumeCommand) answer(s *tsume.Solution) string {
	answer := c.inPlies(s.Outcome, s.Length, s.Shortest)
	if s.Outcome != dfpn.Proven {
		return answer
	}
	if !s.Shortest {
		answer += longerThan(c.japanese, s.Longer)
	}
	if 0 < len(s.Line) && len(s.Line) < s.Length {
		answer += c.say(sayMainLine, len(s.Line))
	}
	if composedShorter(s) {
		answer += c.say(sayComposed, s.Composed)
	}
	return answer
}

// outcome colours a text about an outcome.
func (c *tsumeCommand) outcome(o dfpn.Outcome, text string) string {
	switch o {
	case dfpn.Proven:
		return c.paint.Result(games.Won, text)
	case dfpn.Disproven:
		return c.paint.Result(games.Lost, text)
	}
	return text
}

// inPlies describes an outcome, and the length of a mate, which is an upper bound unless it is proven to be the
// shortest. Nothing is shorter than one move.
func (c *tsumeCommand) inPlies(o dfpn.Outcome, length int, shortest bool) string {
	text := c.say(sayUnknown)
	switch {
	case o == dfpn.Disproven:
		text = c.say(sayNoMate)
	case o == dfpn.Proven && (shortest || length <= 2):
		text = c.say(sayMate, length)
	case o == dfpn.Proven:
		text = c.say(sayMateAtMost, length)
	}
	return c.outcome(o, text)
}

// longerThan describes a lower bound of a length, which is 0 if there is none.
func longerThan(japanese bool, plies int) string {
	if plies == 0 {
		return ""
	}
	return sayLonger.In(japanese, plies)
}

// composedShorter reports whether composers count fewer plies in a mate.
func composedShorter(s *tsume.Solution) bool {
	return s.Composed > 0 && s.Composed < s.Length
}

// moves returns a line of play from a position in the notation that is wanted.
func (c *tsumeCommand) moves(p shogi.Position, line []shogi.Move) []string {
	b := shogi.NewBoard(p)
	texts := make([]string, 0, len(line))
	for _, m := range line {
		text := m.String()
		if c.notation == "japanese" {
			text = string(shogirecord.AppendJapanese(nil, b, m))
		}
		texts = append(texts, text)
		b.Do(m)
	}
	return texts
}

// movesAfter returns a line of play that leaves another one after ply moves.
func (c *tsumeCommand) movesAfter(p shogi.Position, line []shogi.Move, ply int, moves ...shogi.Move) []string {
	return c.moves(p, slices.Concat(line[:ply], moves))[ply:]
}

// writeProof writes the proof of a mate that the table holds.
func (c *tsumeCommand) writeProof(ctx context.Context, p tsume.Problem, table *dfpn.Table) (*prooffile.File, error) {
	return prooffile.Write(c.proof, tsume.ProofHeader(p), c.progress, func(w *proof.Writer) error {
		_, err := tsume.WriteProof(ctx, w, p, table, tsume.Options{CountFutile: c.options.CountFutile})
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return err
	}, nil)
}

// write prints the result of a problem, and its proof file unless that is nil.
func (c *tsumeCommand) write(entry *tsume.Entry, s *tsume.Solution, proven *prooffile.File) error {
	if c.JSON {
		r := c.record(entry, s)
		r.Proof = proven
		return ui.WriteRecord(c.out, r)
	}
	c.progress.Done()
	var b strings.Builder
	b.WriteString(c.answer(s))
	if s.InHand != 0 {
		b.WriteString(c.say(sayInHand, c.inHand(s.InHand)))
	}
	b.WriteString(c.confirmed(c.options.Certain && s.Outcome != dfpn.Unknown, s.Certain))
	if entry.Declared > 0 && s.Outcome == dfpn.Proven && len(s.Line) != entry.Declared && s.Composed != entry.Declared {
		b.WriteString(c.say(sayDeclared, entry.Declared))
	}
	b.WriteString(c.cost(s.Nodes, s.Time.Seconds()))
	if len(s.Line) > 0 {
		b.WriteString("  " + strings.Join(c.moves(entry.Position, s.Line), " "))
	}
	if s.Cut {
		b.WriteString(" ...")
	}
	b.WriteString("\n" + c.handsLine(entry.Hands))
	if composedShorter(s) {
		b.WriteString(c.say(sayComposedLine, strings.Join(c.moves(entry.Position, s.ComposedLine), " ")))
	}
	for _, m := range s.FirstMoves {
		fmt.Fprintf(&b, "    %s  %s\n", c.moves(entry.Position, []shogi.Move{m.Move})[0], c.firstMove(m))
	}
	c.writeAlternatives(&b, entry, s)
	text := idText(entry.ID) + b.String()
	if proven != nil {
		text += c.say(sayProof, proven)
	}
	_, err := io.WriteString(c.out, text)
	return err
}

// idText is what a line about a problem begins with.
func idText(id string) string {
	if id == "" {
		return ""
	}
	return id + "  "
}

// handsLine is a line that says how hands were read; "" if a text leaves nothing open.
func (c *tsumeCommand) handsLine(h shogi.Hands) string {
	switch h {
	case shogi.GivenHands:
		return c.say(sayGivenHands)
	case shogi.BlackHasRest, shogi.WhiteHasRest:
		return c.say(sayRest, shogi.Color(h-shogi.BlackHasRest))
	}
	return ""
}

// confirmed says whether a search with other keys has confirmed an answer, if it was asked for.
func (c *tsumeCommand) confirmed(asked, certain bool) string {
	switch {
	case !asked:
		return ""
	case certain:
		return c.say(sayCertain)
	}
	return c.say(sayNotConfirmed)
}

// firstMove describes the outcome of a check.
func (c *tsumeCommand) firstMove(m tsume.FirstMove) string {
	return c.inPlies(m.Outcome, m.Length, m.Shortest)
}

// solvedProblem is the result of a problem as JSON. Lengths are in plies.
type solvedProblem struct {
	ID       string `json:"id,omitempty"`
	SFEN     string `json:"sfen"`
	Hands    string `json:"hands,omitempty"` // given or rest, if pieces were missing and the text left it open
	Declared int    `json:"declared,omitempty"`
	Answer   string `json:"answer"`             // mate, no mate, or unknown
	Length   *int   `json:"length,omitempty"`   // of a mate, 0 if it is one already
	Shortest bool   `json:"shortest,omitempty"` // proven to be
	// LongerThan is a number of plies that every mate is proven to exceed, if Shortest is
	// false.
	LongerThan int      `json:"longer_than,omitempty"`
	Line       []string `json:"line,omitempty"`
	Cut        bool     `json:"cut,omitempty"`  // the line ends before the mate
	Tail       []string `json:"tail,omitempty"` // futile interpositions and captures after the line
	// Composed is the length as composers count, if that is known, and ComposedLine
	// the line if it is less than Length.
	Composed     int                `json:"composed,omitempty"`
	ComposedLine []string           `json:"composed_line,omitempty"`
	InHand       string             `json:"in_hand,omitempty"` // what the attacker has left after the line
	Variations   []variationEntry   `json:"variations,omitempty"`
	Incomplete   bool               `json:"incomplete,omitempty"` // variations are missing
	Certain      bool               `json:"certain,omitempty"`    // confirmed by a search with other keys
	FirstMoves   []firstMoveEntry   `json:"first_moves,omitempty"`
	Alternatives []alternativeEntry `json:"alternatives,omitempty"`
	Nodes        uint64             `json:"nodes"`
	Seconds      float64            `json:"seconds"`
	Depth        int                `json:"depth"`
	TableFull    float64            `json:"table_full"`
	Proof        *prooffile.File    `json:"proof,omitempty"`
}

type firstMoveEntry struct {
	Move   string `json:"move"`
	Answer string `json:"answer"`
	Length int    `json:"length,omitempty"`
	// Shortest is true if it is proven that no mate that begins with the move is shorter.
	Shortest bool `json:"shortest,omitempty"`
}

func newFirstMoveEntry(move string, m tsume.FirstMove) firstMoveEntry {
	return firstMoveEntry{Move: move, Answer: bench.Answer(tsume.Solution{Outcome: m.Outcome}), Length: m.Length, Shortest: m.Shortest}
}

func (c *tsumeCommand) record(entry *tsume.Entry, s *tsume.Solution) solvedProblem {
	whole := c.moves(entry.Position, slices.Concat(s.Line, s.Tail))
	r := solvedProblem{
		ID: entry.ID, SFEN: entry.Position.SFEN(), Hands: entry.Hands.String(), Declared: entry.Declared, Answer: bench.Answer(*s),
		Shortest: s.Shortest, Line: whole[:len(s.Line)], Cut: s.Cut, Tail: whole[len(s.Line):], Composed: s.Composed, Nodes: s.Nodes,
		InHand: c.inHand(s.InHand), Alternatives: c.alternatives(entry, s), Variations: c.variations(entry, s), Incomplete: s.Incomplete, Certain: s.Certain,
		Seconds: math.Round(s.Time.Seconds()*1e6) / 1e6, Depth: s.Depth, TableFull: s.Full,
	}
	if s.Outcome == dfpn.Proven {
		r.Length = &s.Length
	}
	if composedShorter(s) {
		r.ComposedLine = c.moves(entry.Position, s.ComposedLine)
	}
	if !s.Shortest {
		r.LongerThan = s.Longer
	}
	for _, m := range s.FirstMoves {
		r.FirstMoves = append(r.FirstMoves, newFirstMoveEntry(c.moves(entry.Position, []shogi.Move{m.Move})[0], m))
	}
	return r
}
