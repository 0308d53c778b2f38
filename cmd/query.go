package cmd

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro"
)

// queryOptions are the flags of query.
type queryOptions struct {
	dir, score, file, value string
	index                   uint64
	limit                   int
	ui.Printing
}

func newQuery(l plugins) *cobra.Command {
	var o queryOptions
	cmd := &cobra.Command{
		Use:   "query GAME|DATABASE POSITION [moves MOVE ...]",
		Short: "Look up positions: value, all moves best first, a best line",
		Long: `Query looks up a position in the database of a game. The position is startpos or in the
game's notation (see yomikiri games); moves may follow. It can also be given by --index.
The database is a directory, or that of a game in its default place, ./GAME.db.

If the position is -, positions are read from standard input, one on each line, perhaps
with moves. Each is answered with a JSON record on a line, which has line_number. --file does
so for a file. The file may also have records of games, in formats of the game or as match
--notation writes them, as for analyze; they are recognised. Then every position of each game
is answered; those outside the database are unknown. A line or a game that cannot be read is
reported and skipped, and the exit code is 2. Where the database is damaged, the record has
an error instead of a value, and the exit code is 4.

With --value, such as 'win in 5', draw or +3, query lists positions of this value that are
not finished, by index. It says how many there are if it stops at --limit.

Query also says whether the database was verified, by the record of yomikiri verify. It
compares the record with the manifest and the sizes of files, not with what is in them.`,
		Example: "  yomikiri query dobutsu startpos\n  yomikiri query dobutsu.db startpos moves b3b2\n" +
			"  yomikiri query dobutsu 'l1g/E1c/1Ce/G1L b -'\n" +
			"  yomikiri query awari 1,1,1,1,1,2,4,2,3,0,0,0 --score 17,15\n" +
			"  yomikiri query dobutsu - < positions.txt\n" +
			"  yomikiri query checkers --file games.pdn\n" +
			"  yomikiri query dobutsu --value 'loss in 78' --limit 10",
		ValidArgsFunction: l.completeSolvable(),
	}
	flags := cmd.Flags()
	o.addFlags(flags)
	ui.AddRuleFlags(cmd, l.infos()...)
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		ways := 0
		for _, name := range []string{"file", "index", "value"} {
			if flags.Changed(name) {
				ways++
			}
		}
		switch {
		case ways > 1:
			return ui.Usage(errors.New("--file, --index and --value exclude each other"))
		case ways == 1:
			return ui.ExactArgs(1)(cmd, args)
		}
		return ui.LeastArgs(2)(cmd, args)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		n, err := l.database(flags, args[0], o.dir)
		if err != nil {
			return err
		}
		g, err := n.open(cmd)
		if err != nil {
			return err
		}
		return o.run(cmd, g, n.dir, args[1:])
	}
	return cmd
}

func (o *queryOptions) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.dir, "db", "", "directory of the database, or its game (default ./GAME.db)")
	flags.StringVar(&o.score, "score", "", "`S,N`: points that the side to move and the opponent have won before")
	flags.StringVar(&o.file, "file", "", "file of positions, one on each line, or of games as analyze reads them; - for standard input")
	flags.Uint64Var(&o.index, "index", 0, "number of the position")
	flags.StringVar(&o.value, "value", "", "list positions of this value")
	ui.NumberFlag(flags, &o.limit, "limit", 100, 1, math.MaxInt32, "number of positions that --value lists at most")
	o.JSONFlag(flags)
}

// run answers from the database in dir.
func (o *queryOptions) run(cmd *cobra.Command, g *app.Game, dir string, args []string) (err error) {
	if len(args) == 1 && args[0] == "-" {
		o.file = "-"
	}
	if o.score != "" && (o.file != "" || o.value != "") {
		return ui.Usage(errors.New("--score goes with one position only"))
	}
	flags := cmd.Flags()
	single := o.file == "" && !flags.Changed("value") && !flags.Changed("index")
	var p app.Position
	var v games.Value
	switch {
	case single:
		p, err = parseHeld(g, args)
	case o.file == "" && flags.Changed("value"):
		if v, err = games.ParseValue(o.value); err != nil {
			err = ui.Usage(fmt.Errorf("--value: %w", err))
		}
	}
	if err != nil {
		return err
	}
	d, err := openDatabase(cmd, g, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	q := &query{Command: cmd, game: g, database: d}
	if q.verification, err = d.DB().Verification(); err != nil {
		return err
	}
	switch {
	case o.file != "":
		return q.batch(o.file)
	case flags.Changed("value"):
		return q.list(v, o.limit, &o.Printing)
	case !single:
		if p, err = d.Position(o.index); err != nil {
			return err
		}
	}
	a, err := q.answer(p, o.score)
	if err != nil {
		return err
	}
	return o.Result(cmd, a, string(a.text(dir, g.Drawing(p), ui.PaintOf(cmd))))
}

// query answers from a database.
type query struct {
	*cobra.Command
	game         *app.Game
	database     app.Database
	verification db.Verification
}

// lookedUp is the answer for a position as JSON.
type lookedUp struct {
	Index *uint64 `json:"index,omitempty"` // with --value
	// In a batch: the number of the game from 1, the line on which the position or its game begins, and
	// how many moves were made before the position, and which there.
	Record     int    `json:"record,omitempty"`
	LineNumber int    `json:"line_number,omitempty"`
	Ply        *int   `json:"ply,omitempty"`
	Played     string `json:"played,omitempty"`
	*db.Answer
	LeftOut      []string        `json:"left_out,omitempty"` // rules; see [games.Forgetful]
	Verification db.Verification `json:"verification"`
	Error        string          `json:"error,omitempty"` // what of the database is damaged
}

// answer answers for a position. score is text for [db.ParseScore].
func (q *query) answer(p app.Position, score string) (*lookedUp, error) {
	whole, err := q.game.Family.Open(q.game.Rules.Whole().String())
	if err != nil {
		return nil, err
	}
	won, err := db.ParseScore(whole.Board, p, score)
	if err != nil {
		return nil, ui.Usage(fmt.Errorf("--%w", err))
	}
	a := &lookedUp{LeftOut: q.game.LeftOut(), Verification: q.verification}
	if a.Answer, err = q.database.Answer(p, won); err != nil {
		return nil, err
	}
	line, err := q.database.AnswerLine(q.Context(), p)
	if err != nil {
		return nil, err
	}
	a.Line, a.LineEnd = line.Moves, line.End
	return a, nil
}

// parseHeld reads a position of the game that the user asked for, and moves after it. It
// fails with [db.ErrNotHeld] if it does not belong to the part of the game that is solved.
func parseHeld(g *app.Game, args []string) (app.Position, error) {
	p, err := games.ReadPosition(g.Asked.Board, strings.Join(args, " "))
	if err != nil {
		return p, ui.Usage(err)
	}
	return held(g, g.Asked.PositionText(p))
}

// held reads a position of the game that the user asked for as one of the game that is solved.
// It fails with [db.ErrNotHeld] if that is only part of the game, without the position.
func held(g *app.Game, position string) (app.Position, error) {
	p, err := g.ParsePosition(position)
	if err != nil {
		return p, fmt.Errorf("%w: %w", db.ErrNotHeld, err)
	}
	return p, nil
}

// extentFlags returns the flags of solve that say how much of a game to solve, unless
// its rules say so.
func extentFlags(info *games.Info, r games.Rules) (flags string) {
	for _, o := range info.Options {
		if o.Extent && r.Get(o.Name) == o.Values[0] {
			flags += " --" + o.Name + " " + o.Form
		}
	}
	return flags
}

// howToSolve adds to the error for a directory without a database how to make one, if that
// is possible on this machine.
func howToSolve(c *cobra.Command, g *app.Game, dir string, err error) error {
	if e := unfinished(c, dir, err); e != err {
		return e
	}
	extent := extentFlags(g.Family.Info, g.Rules)
	if extent == "" {
		switch e := solvable(c.Context(), g, dir, ui.MemoryLimit()); {
		case errors.Is(e, context.Canceled):
			return e
		case e != nil:
			return fmt.Errorf("%w; solving will not do: %w", err, insteadOfSolving(c, g, e))
		}
	}
	return fmt.Errorf("%w; make one with: %s solve %s%s", err, c.Root().Name(), g.Name(), extent)
}

// solvable returns an error if solving the game in a directory takes too much memory or disk.
func solvable(ctx context.Context, g *app.Game, dir string, memory uint64) error {
	if !g.Numbered() {
		return g.CheckNumber(ctx, games.NumberOptions{Memory: memory / 2})
	}
	u, err := g.Universe()
	if err != nil {
		return err
	}
	return retro.PlanOf(u, retro.Config{Memory: memory}).Check(freeDisk(dir))
}

// unfinished says of a directory without a database that a solve there is not finished.
func unfinished(c *cobra.Command, dir string, err error) error {
	a, ok := retro.Unfinished(nil, dir)
	if !errors.Is(err, db.ErrNoDatabase) || !ok {
		return err
	}
	if a.Game == "" {
		return fmt.Errorf("%s holds a solve that is not finished; run the same solve command again to continue, unless it is still running", dir)
	}
	flag, more, unless := "--db", "", ", unless it is still running"
	if a.Shared {
		flag, unless = "--share", ""
	}
	if a.Nodes > 0 {
		more = fmt.Sprintf(" --nodes %d", a.Nodes)
	}
	if a.Results {
		more += " --results"
	}
	return fmt.Errorf("%s holds a solve of %s that is not finished; to continue%s: %s solve %s --positions %s %s %s%s",
		dir, a.Game, unless, c.Root().Name(), a.Game, a.Positions, flag, ui.ShellQuoted(dir), more)
}

// openDatabase opens the database of a game.
func openDatabase(c *cobra.Command, g *app.Game, dir string) (app.Database, error) {
	d, err := store.Open(dir, nil)
	if errors.Is(err, db.ErrNoDatabase) {
		return nil, howToSolve(c, g, dir, err)
	}
	if err != nil {
		return nil, err
	}
	if c := &d.Manifest().Content; c.Game == g.Family.Name || strings.HasPrefix(c.Game, g.Family.Name+":") {
		if err := games.CheckRules(c.Game, c.Rules, g.RulesText()); err != nil {
			return nil, errors.Join(ui.Usage(fmt.Errorf("%s: %w", dir, err)), d.Close())
		}
	}
	if want := d.Manifest().Content.Game; want != g.Name() { // before numbering, which may take long
		err := ui.Usage(fmt.Errorf("%s is a database of %s, not of %s", dir, want, g.Name()))
		return nil, errors.Join(err, d.Close())
	}
	if _, err = number(c, g, ui.MemoryLimit(), ui.NewProgress(c.ErrOrStderr(), false, false)); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	x, err := g.Database(d)
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return x, nil
}

// leftOutLine names the rules that values leave out, if there are any.
func leftOutLine(rules []string) string {
	if len(rules) == 0 {
		return ""
	}
	return ui.Wrapped("left out  "+strings.Join(rules, ", "), 10) + "\n"
}

// databaseLine names a database and says what is known of its verification.
func databaseLine(dir string, v db.Verification) string {
	return ui.Wrapped(fmt.Sprintf("database  %s, %v", dir, v), 10) + "\n"
}

// verificationOf returns what is known of the verification of the database in dir.
func verificationOf(dir string) (db.Verification, error) {
	d, err := store.Open(dir, nil)
	if err != nil {
		return db.Verification{}, err
	}
	v, err := d.Verification()
	return v, errors.Join(err, d.Close())
}

// text returns an answer from the database in dir, and a drawing of the board, in
// human-readable form.
func (a *lookedUp) text(dir string, board []byte, paint ui.Paint) []byte {
	dst := fmt.Appendf(board, "position  %s\nvalue     %s", a.Position, paint.Value(a.Value))
	if a.Finished {
		dst = append(dst, " (finished by the rules)"...)
	}
	dst = append(dst, '\n')
	if a.FinalScore != nil {
		dst = fmt.Appendf(dst, "score     %v - %v in the end\n", a.FinalScore[0], a.FinalScore[1])
	}
	dst = append(dst, leftOutLine(a.LeftOut)...)
	dst = append(dst, databaseLine(dir, a.Verification)...)
	if len(a.Moves) > 0 {
		dst = append(dst, "moves\n"...)
	}
	for _, m := range a.Moves {
		dst = fmt.Appendf(dst, "  %-6s  %s", m.Move, paint.Value(m.Value))
		if m.FinalScore != nil {
			dst = fmt.Appendf(dst, "\t%v - %v", m.FinalScore[0], m.FinalScore[1])
		}
		dst = append(dst, '\n')
	}
	if len(a.Line) > 0 {
		dst = fmt.Appendf(dst, "%s\n", ui.Wrapped("line      "+strings.Join(a.Line, " "), 10))
	}
	switch a.LineEnd {
	case db.LineRepeats:
		dst = append(dst, "          the position repeats\n"...)
	case db.LineLimit:
		dst = append(dst, "          how it goes on was not found\n"...)
	}
	return dst
}
