package cmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/app/records"
	"github.com/yomikiri/yomikiri/cmd/prooffile"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/review"
)

// analyzeOptions are the flags of analyze.
type analyzeOptions struct {
	dir     string
	proofs  []string
	leaves  int
	threads int
	memory  uint64
	weights string
	plot    string
	written string // the file of --annotated
	replace bool
	csv     bool
	side    int
	faults  bool
	marks   thresholds
	input   input
	found   bool                     // the game is that of the first file, not one that the user named
	gameOf  func(text []byte) string // of which it is a record, empty if there is none
	ui.Printing
}

func (o *analyzeOptions) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.dir, "db", "", "directory of a database with exact values, or its game")
	prooffile.Flag(flags, &o.proofs, "of positions that may occur; may be given again")
	ui.NumberFlag(flags, &o.leaves, "leaves", 20_000, 1, 1_000_000_000, "effort: how many leaves the search of a position counts at least")
	ui.ThreadsFlag(flags, &o.threads, "0", "positions to judge at the same time")
	ui.MemoryFlag(flags, &o.memory, "memory", "64MiB", "most memory for the search, shared by the threads")
	ui.WeightsFlag(flags, &o.weights)
	ui.PlotFlag(flags, &o.plot, "draw the game")
	ui.FileFlag(flags, &o.written, "annotated", false, "write the games with marks, comments and better lines, in the format that the name ends with, or else of the record")
	flags.BoolVar(&o.replace, "replace", false, "let --annotated replace a file that is there, such as the record itself")
	flags.BoolVar(&o.csv, "csv", false, "print one line a game, as CSV")
	ui.NumberFlag(flags, &o.side, "side", 0, 0, 2, "mark the moves of this side only, 1 or 2; 0 for both")
	flags.BoolVar(&o.faults, "faults", false, "print the moves with a mark only, judged again with more effort")
	o.marks = review.Thresholds
	flags.Var(&o.marks, "marks", "what a move with ?!, ? and ?? loses at least by estimates, in `percent` of the win rate")
	o.Printing.Flags(flags)
}

func newAnalyze(l plugins) *cobra.Command {
	var o analyzeOptions
	cmd := &cobra.Command{
		Use:   "analyze FILE ... | GAME FILE ... | GAME POSITION [moves MOVE ...]",
		Short: "Go through games: what was given away, and what is better",
		Long: `Analyze goes through a game move by move. For each position it prints its value if that
can be proven: by the rules, a database (--db), a proof file (--proof), which is checked
first, what is particular to the game, such as a mate search, or a search of all there is.
What is known of a position is carried to those before and after it. Otherwise it prints an estimate by a search, with a ~: the score for
the side to move and its win rate. Estimates prove nothing. Moves that give something away
are marked ?! (inaccurate), ? or ??, with a better move:

  by values     ?? changes the result, ?! wins later or loses sooner
  by estimates  ?! costs 5 % of the win rate, ? 10 % and ?? 20 %

--marks has other limits. A move that the search would make has no mark, nor has one that is
proven to lose nothing, and where estimates were measured to be rough only large losses have
one. Further columns: b*, the effective branching factor of a search for something better
than even (low if there is little choice), and, where there is a model of it, how likely an
amateur would resign (half of its positions were resignations); E, how widely the attacks of
the side to move are spread; and the opening, until that is over. See docs/judging.md.

A file has records of games, in formats of the game or as match --notation writes them; docs/records.md
lists them. The format is recognised, and with it the game unless one is named. - is standard input. Of a
record that is broken the moves before that are judged, and the exit code is 2. A game that
needs a damaged part of the database is not judged, and the exit code is 4.

--annotated FILE writes the games of a record again, with the marks, with comments that say
what a move gives away, and with better lines as variations. The name says the format: .kif,
.kifu, .csa, .jkf, .pdn, .sgf, .ggf or another that the game has, and .pgn for any game: PGN for
games from files, and for others as match --notation writes it. Without one of these it is the
format of the record, in which all else that the record says remains. A .kif is in Shift_JIS if
the record is, all else in UTF-8. Formats that have no variations have them as comments. A file
that is there is replaced with --replace only.`,
		Example: "  yomikiri analyze game.kif\n" +
			"  yomikiri analyze dobutsu startpos moves b3b2 b1b2 c4c3 --db dobutsu.db\n" +
			"  yomikiri analyze games/*.pdn --csv\n" +
			"  yomikiri analyze game.csa --annotated game.kif\n" +
			"  yomikiri analyze shogi - <game.csa",
		Args: ui.LeastArgs(1),
	}
	o.addFlags(cmd.Flags())
	ui.AddRuleFlags(cmd, l.infos()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if o.csv && o.JSON {
			return ui.Usage(errors.New("--csv and --json exclude each other"))
		}
		spec, rest, err := l.gameOfRecords(cmd, args, &o.input)
		if err != nil {
			return err
		}
		o.found, args = len(rest) == len(args), rest
		o.gameOf = l.gameOf
		g, err := l.openJudged(cmd, spec, &o.dir)
		if err != nil {
			return err
		}
		return o.run(cmd, l, g, args)
	}
	return cmd
}

// thresholds are a flag: what moves lose that are marked, as shares of the win rate.
type thresholds [3]float64

func (t *thresholds) String() string {
	return fmt.Sprintf("%g,%g,%g", 100*t[0], 100*t[1], 100*t[2])
}

func (t *thresholds) Type() string { return "percent" }

func (t *thresholds) Set(text string) error {
	list := strings.Split(text, ",")
	var set thresholds
	last := 0.0
	for i, x := range list {
		n, err := strconv.ParseFloat(x, 64)
		if len(list) != len(set) || err != nil || !(n > last && n <= 100) {
			return errors.New("want three numbers that increase, up to 100, such as 5,10,20")
		}
		last, set[i] = n, n/100
	}
	*t = set
	return nil
}

// input reads files of records.
type input struct {
	stdin    []byte
	stdinErr error
	begun    bool // to read standard input
}

// read reads a file, or standard input if its name is -, which it keeps. It refuses what is not text, nor a record all the same.
func (in *input) read(c *cobra.Command, name string) ([]byte, error) {
	if name != "-" {
		return in.readFile(c, name)
	}
	if !in.begun {
		in.begun = true
		in.stdin, in.stdinErr = in.readFile(c, name)
	}
	return in.stdin, in.stdinErr
}

func (in *input) readFile(c *cobra.Command, name string) ([]byte, error) {
	text, err := ui.ReadInput(c, name)
	if err != nil {
		return nil, err
	}
	if records.IsBinary(text) {
		return text, nil
	}
	text = bytes.TrimRight(text, "\x00\x1a") // as old systems end files
	if !ui.IsText(text) {
		return nil, ui.Usage(fmt.Errorf("%s: %w", ui.InputName(name), ui.ErrNotText))
	}
	return text, nil
}

// gameOfRecords returns the game that arguments name, or whose records the first file has, and the
// other arguments. The game has the rule options that the first file names, unless the user has
// given others.
func (l plugins) gameOfRecords(c *cobra.Command, args []string, in *input) (spec string, rest []string, err error) {
	p, _, err := l.rules(args[0])
	if err == nil {
		if len(args) == 1 {
			return "", nil, ui.Usage(errors.New("want a file, or a position and moves, after the game"))
		}
		spec = args[0]
		if !ui.IsFile(args[1]) && ui.MeansFile(args[1]) {
			return "", nil, ui.NoFile(args[1])
		}
		if !ui.IsFile(args[1]) {
			return spec, args[1:], nil
		}
		text, e := in.read(c, args[1])
		if e != nil {
			return spec, args[1:], nil
		}
		return ui.WithRecordRules(c.Flags(), spec, records.Options(p.Family, text)), args[1:], nil
	}
	switch {
	case ui.IsFile(args[0]):
	case ui.MeansFile(args[0]):
		return "", nil, ui.NoFile(args[0])
	case p != nil: // rule options are wrong
		return "", nil, ui.Usage(err)
	default:
		return "", nil, ui.Usage(fmt.Errorf("%w, and there is no file %s", err, args[0]))
	}
	text, err := in.read(c, args[0])
	if err != nil {
		return "", nil, err
	}
	names, options := records.Games(l.families(), text)
	switch len(names) {
	case 0:
		if len(bytes.TrimSpace(text)) == 0 {
			return "", nil, ui.Usage(fmt.Errorf("%s is empty", ui.InputName(args[0])))
		}
		return "", nil, ui.Usage(fmt.Errorf("%s: this is not a record of a game in a format that is known: %s", ui.InputName(args[0]), strings.Join(records.Reads(l.families()...), ", ")))
	case 1:
		return ui.WithRecordRules(c.Flags(), names[0], options), args, nil
	}
	const most = 5
	if len(names) > most {
		names = append(names[:most], "...")
	}
	return "", nil, ui.Usage(fmt.Errorf("%s: this may be a record of several games (%s): name the game before the file", ui.InputName(args[0]), strings.Join(names, ", ")))
}

// families returns the games of the list.
func (l plugins) families() (list []*app.Family) {
	for i := range l {
		list = append(list, l[i].Family)
	}
	return list
}

// gameOf returns the game of which a text is a record with moves, empty if there is none.
func (l plugins) gameOf(text []byte) string {
	names, options := records.Games(l.families(), text)
	if len(names) != 1 {
		return ""
	}
	spec := names[0]
	for _, o := range options {
		spec = app.AddOption(spec, o)
	}
	p, rules, err := l.rules(spec)
	if err != nil {
		return ""
	}
	g, err := p.Open(rules.String())
	if err != nil {
		return ""
	}
	list, err := records.Read(context.Background(), g, "", text)
	if err != nil || !slices.ContainsFunc(list, func(r records.Game) bool { return len(r.Moves) > 0 }) {
		return ""
	}
	return p.Name
}

func (o *analyzeOptions) run(c *cobra.Command, l plugins, part *app.Game, args []string) (err error) {
	if o.dir != "" {
		if _, err := store.ReadManifest(nil, o.dir); errors.Is(err, db.ErrNoDatabase) {
			if e := unfinished(c, o.dir, err); e != err {
				return e
			}
			return fmt.Errorf("--db: %w: want one of %s, as solve writes it; without --db, positions are judged by estimates", err, part.Family.Name)
		}
	}
	g, d, done, err := judgedGame(c, part, o.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	if err := o.checkAnnotated(g, args); err != nil {
		return err
	}
	known, err := l.proven(c, g, o.dir, o.proofs, o.Progress(c))
	if err != nil {
		return err
	}
	cfg, err := o.reviewConfig(g, d, known)
	if err != nil {
		return err
	}
	a := &analysis{c: c, o: o, game: g, cfg: cfg, out: c.OutOrStdout()}
	if a.verification, a.head, err = judgedBy(o.dir); err != nil {
		return err
	}
	if o.found { // the user may have meant another
		a.head = fmt.Sprintf("game      %s\n", g.Rules) + a.head
	}
	a.head += leftOutLine(g.LeftOut())
	if o.csv {
		a.csv = csv.NewWriter(a.out)
		if err := a.csv.Write(analyzeColumns); err != nil {
			return err
		}
		defer func() {
			a.csv.Flush()
			err = errors.Join(err, a.csv.Error())
		}()
	}
	if ui.IsFile(args[0]) {
		return a.files(args)
	}
	from, moves, err := games.ReadGame(g.Board, strings.Join(args, " "))
	if err != nil && moves == nil && (len(args) == 1 || ui.IsFile(args[1])) {
		err = fmt.Errorf("%w, and there is no file %s", err, args[0])
	}
	r := records.Game{Recorded: app.Recorded{From: from, Moves: moves}, Err: err}
	if r.Shows() {
		if err := a.one("", r); err != nil {
			return err
		}
		if err := a.writeAnnotated("", false); err != nil {
			return err
		}
	}
	if err != nil {
		return ui.Usage(err)
	}
	return nil
}

// files goes through the games of files.
func (a *analysis) files(names []string) error {
	c, o := a.c, a.o
	if o.plot != "" && len(names) > 1 {
		return ui.Usage(fmt.Errorf("--plot is for one game, and there are %d files", len(names)))
	}
	all, bad, damaged := 0, 0, 0 // games, those that cannot be read, those with a value that is damaged
	for _, name := range names {
		text, err := o.input.read(c, name)
		if c.Context().Err() != nil {
			return ui.Interrupted("interrupted")
		}
		name = ui.InputName(name)
		var list []records.Game
		if err == nil {
			if list, err = records.Read(c.Context(), a.game, name, text); err != nil {
				if other := o.gameOf(text); other != "" && other != a.game.Family.Name {
					err = fmt.Errorf("%s: this is a record of %s, not of %s", name, other, a.game.Family.Name)
				}
			}
		}
		if err != nil && len(names) == 1 {
			return ui.Usage(err)
		}
		if err != nil {
			fmt.Fprintf(c.ErrOrStderr(), "%v\n", err)
			bad++
			if err := a.unread(name, "", err); err != nil {
				return err
			}
			continue
		}
		if o.plot != "" && len(list) > 1 {
			return ui.Usage(fmt.Errorf("--plot is for one game, and %s has %d", name, len(list)))
		}
		for _, r := range list {
			all++
			if r.Shows() {
				err := a.one(name, r)
				switch {
				case errors.Is(err, db.ErrCorrupt):
					damaged++
					fmt.Fprintf(c.ErrOrStderr(), "%s: %v\n", strings.TrimSpace(name+" "+r.Title), err)
					if err := a.annotate(r, nil); err != nil {
						return err
					}
					r.Err = errors.Join(r.Err, err)
					if err := a.unjudged(name, r); err != nil {
						return err
					}
					continue
				case err != nil:
					return err
				}
			}
			if r.Err != nil {
				fmt.Fprintf(c.ErrOrStderr(), "%s: %v\n", name, r.Err)
				bad++
			}
		}
	}
	if err := a.writeAnnotated(names[0], bad > 0); err != nil {
		return err
	}
	switch {
	case damaged > 0:
		return fmt.Errorf("%d of %s: %w", damaged, ui.Counted(uint64(all), "game"), db.ErrCorrupt)
	case bad > 0:
		return ui.Usage(fmt.Errorf("%s could not be read whole", ui.Counted(uint64(bad), "record")))
	}
	return nil
}

// reviewConfig configures a review of a game without types.
type reviewConfig = review.Config[app.Position, app.Move]

// reviewConfig returns how to judge positions, of which a database and proofs know some.
func (o *analyzeOptions) reviewConfig(g *app.Game, d app.Database, known play.Proofs[app.Position]) (reviewConfig, error) {
	// A table is cleared for each position, so it is no larger than a search of so many leaves can use.
	memory := min(o.memory/uint64(o.threads), max(uint64(o.leaves)<<10, 1<<20))
	spec := &playerSpec{pruning: play.AllPruning, memory: memory, threads: 1, weights: o.weights}
	spec.pruning.Extensions = false // as [measure.Measure]: players of lab judge see what it sees
	player, err := spec.read()
	if err != nil {
		return reviewConfig{}, err
	}
	e, err := player.Of(g)
	if err != nil {
		return reviewConfig{}, err
	}
	cfg := reviewConfig{
		Leaves: uint64(o.leaves), Threads: o.threads, Side: o.side, Thresholds: o.marks, Faults: o.faults, Calibration: e.Set.Calibration, Book: bookPlies, Resignation: g.Family.Resignation,
		Search: func() (play.Engine[app.Position, app.Move], error) { return searchOf(g, player, known) },
	}
	if d != nil {
		cfg.Value = func(p app.Position) (games.Value, string, bool, error) {
			v, known, err := d.Value(p)
			return v, play.ByDatabase, known, err
		}
	}
	return cfg, nil
}

// bookPlies is where the opening may end at the earliest.
const bookPlies = 20

// analysis goes through games and prints what it finds.
type analysis struct {
	c    *cobra.Command
	o    *analyzeOptions
	game *app.Game
	cfg  reviewConfig
	out  io.Writer
	csv  *csv.Writer

	annotated []app.AnnotatedGame // for --annotated

	verification *db.Verification // nil without a database
	head         string           // lines about it and rules left out, which the text of the first game has
}

var analyzeColumns = []string{"file", "game", "plies", "inaccuracies_1", "mistakes_1", "blunders_1", "inaccuracies_2", "mistakes_2", "blunders_2", "mean_loss_1", "mean_loss_2", "opening_ends", "hopeless", "error"}

// one analyzes one game.
func (a *analysis) one(file string, r records.Game) error {
	shown, begin := a.o.Progress(a.c), time.Now()
	cfg := a.cfg
	cfg.Progress = shown.Since(begin)
	v, err := review.Game(a.c.Context(), a.game.Board, r.From, r.Moves, cfg)
	shown.Done()
	if errors.Is(err, context.Canceled) {
		return a.interrupted(file, r, v)
	}
	if err != nil {
		return err
	}
	switch {
	case a.o.JSON:
		err = a.records(file, r, v)
	case a.o.csv:
		err = a.line(file, r, v)
	default:
		err = a.text(file, r, v)
	}
	if err == nil {
		err = a.annotate(r, v)
	}
	if err == nil && a.o.plot != "" {
		var svg []byte
		if svg, err = v.Plot(strings.TrimSpace(file + " " + r.Title)); err == nil {
			err = ui.WriteFile(a.o.plot, svg)
		}
	}
	return err
}

// text prints a review as text.
func (a *analysis) text(file string, r records.Game, v *review.Review) error {
	_, err := io.WriteString(a.out, a.head+analyzeText(file, r.Title, a.recordLine(&r.Recorded), v, a.o.faults, ui.PaintOf(a.c)))
	a.head = ""
	return err
}

// interrupted prints the positions that were judged before an interrupt, nil if there are none. A line of CSV has no place for
// a part of a game.
func (a *analysis) interrupted(file string, r records.Game, v *review.Review) error {
	if v == nil || a.csv != nil {
		return ui.Interrupted("interrupted")
	}
	done := ui.Interrupted(fmt.Sprintf("interrupted: %d of %s judged, and no mark confirmed", len(v.Rows), ui.Counted(uint64(len(r.Moves)+1), "position")))
	var err error
	if a.o.JSON {
		r.Err = errors.Join(r.Err, done)
		err = a.records(file, r, v)
	} else {
		err = a.text(file, r, v)
	}
	return cmp.Or(err, done)
}

// recordLine says in which format a game was read, and how it ended; empty if neither is known.
func (a *analysis) recordLine(r *app.Recorded) string {
	var list []string
	if r.Format != "" {
		format := strings.ToUpper(r.Format)
		for _, f := range a.game.Records {
			if slices.Contains(f.Extensions, r.Format) {
				format = f.Name[:strings.IndexAny(f.Name+",", ",(")]
				break
			}
		}
		list = append(list, strings.TrimSpace(format))
	}
	switch loser := 1 + len(r.Moves)%2; {
	case r.Resigned:
		list = append(list, fmt.Sprintf("player %d resigned", loser))
	case r.Points == nil:
	case *r.Points == 0.5:
		list = append(list, "drawn")
	case *r.Points > 0.5:
		list = append(list, "player 1 won")
	default:
		list = append(list, "player 2 won")
	}
	if len(list) == 0 {
		return ""
	}
	return "record    " + strings.Join(list, ", ") + "\n"
}

func (a *analysis) records(file string, r records.Game, v *review.Review) error {
	for i := range v.Rows {
		if a.o.faults && v.Rows[i].Mark == "" {
			continue
		}
		if err := ui.WriteRecord(a.out, &v.Rows[i]); err != nil {
			return err
		}
	}
	return a.end(file, r, v)
}

// end writes the record after those of the positions of a game.
func (a *analysis) end(file string, r records.Game, v *review.Review) error {
	broken := ""
	if r.Err != nil {
		broken = r.Err.Error()
	}
	return ui.WriteRecord(a.out, struct {
		File  string `json:"file,omitempty"`
		Title string `json:"title,omitempty"`
		Game  string `json:"game"`
		Plies int    `json:"plies"`
		// Format, Points and Resigned are those of the record; see [app.Played].
		Format   string   `json:"format,omitempty"`
		Points   *float64 `json:"points,omitempty"`
		Resigned bool     `json:"resigned,omitempty"`
		Error    string   `json:"error,omitempty"`
		*review.Review
		Verification *db.Verification `json:"verification,omitempty"`
		LeftOut      []string         `json:"left_out,omitempty"` // rules; see [games.Forgetful]
	}{file, r.Title, a.game.Name(), len(r.Moves), r.Format, r.Points, r.Resigned, broken, v, a.verification, a.game.LeftOut()})
}

func (a *analysis) line(file string, r records.Game, v *review.Review) error {
	row := []string{file, r.Title, strconv.Itoa(len(r.Moves))}
	for side := range 2 {
		m := v.Marks[side]
		row = append(row, strconv.Itoa(m.Inaccuracies), strconv.Itoa(m.Mistakes), strconv.Itoa(m.Blunders))
	}
	for side := range 2 {
		row = append(row, strconv.FormatFloat(v.MeanLoss[side], 'f', 4, 64))
	}
	row = append(row, "", "", "")
	if len(v.Rows) > 0 && v.Rows[0].Evidence != nil {
		row[len(row)-3] = strconv.Itoa(v.OpeningEnds)
	}
	if v.Hopeless != nil {
		row[len(row)-2] = strconv.Itoa(*v.Hopeless)
	}
	if r.Err != nil {
		row[len(row)-1] = r.Err.Error()
	}
	return a.writeLine(row)
}

// unjudged writes what takes the place of a game that cannot be judged, with --csv or --json.
func (a *analysis) unjudged(file string, r records.Game) error {
	if a.o.JSON {
		return a.end(file, r, nil)
	}
	return a.unread(file, r.Title, r.Err)
}

// unread writes the line of a file without a game that can be read, or of a game that cannot be
// judged, with --csv.
func (a *analysis) unread(file, title string, why error) error {
	if a.csv == nil {
		return nil
	}
	row := make([]string, len(analyzeColumns))
	row[0], row[1], row[len(row)-1] = file, title, why.Error()
	return a.writeLine(row)
}

func (a *analysis) writeLine(row []string) error {
	if err := a.csv.Write(row); err != nil {
		return err
	}
	a.csv.Flush()
	return a.csv.Error()
}

// analyzeText is a review as text; with faults it has only the moves with a mark.
func analyzeText(file, title, record string, v *review.Review, faults bool, paint ui.Paint) string {
	var b strings.Builder
	if name := strings.TrimSpace(file + " " + title); name != "" {
		fmt.Fprintf(&b, "%s\n", name)
	}
	b.WriteString(record)
	row := func(ply, move, value, rate, branching, resign, e, phase, better string) {
		line := fmt.Sprintf("%4s  %s %s %6s %6s  ", ply, ui.Pad(move, 10), ui.Pad(value, 18), rate, branching)
		if v.Hopeless != nil {
			line += fmt.Sprintf("%6s  ", resign)
		}
		if v.Rows[0].Evidence != nil {
			line += fmt.Sprintf("%4s  %-8s ", e, phase)
		}
		b.WriteString(strings.TrimRight(line+better, " ") + "\n")
	}
	row("ply", "move", "value", "win %", "b*", "resign", "E", "phase", "better")
	for i := range v.Rows {
		x := &v.Rows[i]
		if faults && x.Mark == "" {
			continue
		}
		value, rate, branching, resign, e := "", "", "", "", ""
		switch {
		case x.Value != nil:
			value = paint.Bounds(*x.Value)
		case x.Score != nil:
			value, rate = scoreText(*x.Score), fmt.Sprintf("%.1f", 100**x.WinRate)
		}
		if x.Up > 0 {
			branching = fmt.Sprintf("%.2f", x.Up)
		}
		if x.Resign != nil {
			resign = fmt.Sprintf("%.2f", *x.Resign)
		}
		if x.Evidence != nil {
			e = fmt.Sprintf("%.2f", x.Evidence[x.Side-1].E)
		}
		row(strconv.Itoa(x.Ply+1), x.Move+markText(x.Mark, paint), value, rate, branching, resign, e, x.Phase, betterText(x))
	}
	for side := range 2 {
		m := v.Marks[side]
		fmt.Fprintf(&b, "player %d  %s, %s, %s", side+1, ui.Counted(uint64(m.Blunders), "blunder"), ui.Counted(uint64(m.Mistakes), "mistake"),
			ui.CountedAs(m.Inaccuracies, "inaccuracy", "inaccuracies"))
		moves := 0
		for i := range v.Rows {
			if x := &v.Rows[i]; x.Side == side+1 && x.Estimated() {
				moves++
			}
		}
		if moves > 0 {
			fmt.Fprintf(&b, "; by estimates of %s, one costs %s of the win rate on average", ui.Counted(uint64(moves), "move"), percent(v.MeanLoss[side]))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "proven    %d of %s%s\n", v.Decided, ui.Counted(uint64(len(v.Rows)), "position"), provers(v.Rows))
	if v.OpeningEnds > 0 {
		fmt.Fprintf(&b, "opening   until ply %d\n", v.OpeningEnds)
	}
	if v.Hopeless != nil && *v.Hopeless >= 0 {
		x := &v.Rows[*v.Hopeless] // its ply: the rows are those of a whole game
		fmt.Fprintf(&b, "resign    player %d more likely than not from ply %d on, by a model of amateurs, of which %.0f %% of the positions were resignations\n", x.Side, x.Ply+1, 100*x.ResignBase)
	}
	return b.String()
}

// markText is a mark in the colour of what it says.
func markText(m review.Mark, paint ui.Paint) string {
	if m == review.Inaccuracy {
		return paint.Doubtful(string(m))
	}
	return paint.Bad(string(m))
}

// provers says who has proven the values of how many rows.
func provers(rows []review.Row) string {
	count := map[string]int{}
	for i := range rows {
		if by := rows[i].ProvedBy; by != "" {
			count[by]++
		}
	}
	var list []string
	for _, by := range slices.Sorted(maps.Keys(count)) {
		list = append(list, fmt.Sprintf("%d by %s", count[by], by))
	}
	if len(list) == 0 {
		return ""
	}
	return ": " + strings.Join(list, ", ")
}

// scoreText writes an estimate, so that it cannot be taken for a value.
func scoreText(s play.Score) string {
	if plies, mate := s.Mate(); mate {
		if s > 0 {
			return fmt.Sprintf("~+mate %d", plies)
		}
		return fmt.Sprintf("~-mate %d", plies)
	}
	return fmt.Sprintf("~%+d", int(s))
}

func betterText(row *review.Row) string {
	if row.Best == "" {
		return ""
	}
	text := row.Best
	switch {
	case row.After != nil && row.Value == nil:
		text += fmt.Sprintf(" (instead of %v)", *row.After)
	case row.After != nil:
		text += fmt.Sprintf(" (%v instead of %v)", *row.Value, *row.After)
	default:
		text += fmt.Sprintf(" (%s more)", percent(row.Lost))
	}
	return text
}

// percent writes a share of the win rate, with as many digits as tell it from none.
func percent(x float64) string {
	switch x *= 100; {
	case x == 0:
		return "0 %"
	case x < 0.1:
		return "less than 0.1 %"
	case x < 10:
		return fmt.Sprintf("%.1f %%", x)
	}
	return fmt.Sprintf("%.0f %%", x)
}
