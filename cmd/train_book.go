package cmd

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/app/records"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/book"
)

// bookOptions are the flags of train for a book.
type bookOptions struct {
	file   string
	print  bool
	search int
	margin int
	most   int
	plies  int
	least  int
}

// bookNodes is how many positions are searched for a move of a book that grows by itself.
const bookNodes = 100_000

func (o *bookOptions) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.file, "book", "", "write an opening book to a `file`, instead of weights")
	flags.BoolVar(&o.print, "print", false, "print the book in the file of --book instead of making one")
	ui.NumberFlag(flags, &o.search, "search", 0, 0, 1_000_000_000, "positions to search for each move of a book; 0 for none with games, else 100000")
	ui.NumberFlag(flags, &o.margin, "margin", 50, 0, 10_000, "leave out moves of a book whose estimate is so much below the best")
	ui.NumberFlag(flags, &o.most, "book-positions", 1000, 1, 1_000_000, "the most positions of a book")
	ui.NumberFlag(flags, &o.plies, "book-plies", 30, 1, 1000, "how many moves a book has from the start of a game")
	ui.NumberFlag(flags, &o.least, "least", 2, 1, 1_000_000, "number of games in which a move of a book was played at least")
}

// bookFlags are those that have no effect without --book, and weightFlags those that have none with it.
var (
	bookFlags   = []string{"print", "search", "margin", "book-positions", "book-plies", "least"}
	weightFlags = []string{"out", "results", "scores", "moves", "every", "agreement", "rate", "l1", "epochs", "positions"}
	madeFlags   = []string{"records", "self-play", "db", "file", "nodes", "random-plies", "plies", "from", "seed", "threads", "search", "margin", "book-positions", "book-plies", "least"}
)

// readBook checks flags and arguments together.
func (o *trainOptions) readBook(flags *pflag.FlagSet, files []string) (err error) {
	played := o.selfPlay > 0
	o.records = append(o.records, files...)
	some := played || len(o.records) > 0
	if err := ui.RefuseIdle(flags,
		ui.Idle{When: true, Why: "with --book: no weights are learned", Flags: weightFlags},
		ui.Idle{When: o.book.print, Why: "with --print: no book is made", Flags: madeFlags},
		ui.Idle{When: !played, Why: "without games to play: want --self-play N", Flags: []string{"file", "nodes", "random-plies", "plies", "threads", "seed"}},
		ui.Idle{When: !some, Why: "without games: want --records FILES or --self-play N", Flags: []string{"least"}},
		ui.Idle{When: some && o.book.search == 0, Why: "without a search: want --search NODES", Flags: []string{"margin"}},
		ui.Idle{When: some && !played && o.book.search == 0, Why: "without a search: want --search NODES or --self-play N", Flags: []string{"from"}},
	); err != nil {
		return err
	}
	if o.book.print {
		if len(files) > 0 {
			return ui.Usage(fmt.Errorf("unexpected argument %q with --print", files[0]))
		}
	} else if err := ui.CheckOutput(o.book.file, true); err != nil {
		return ui.Usage(fmt.Errorf("--book %w", err))
	}
	if !some && o.book.search == 0 {
		o.book.search = bookNodes
	}
	if o.file == "" {
		o.file = o.book.file + ".games"
	}
	o.begin, err = app.ReadWeights(o.from)
	return err
}

// runBook makes a book, or prints one.
func (o *trainOptions) runBook(c *cobra.Command, part *app.Game) (err error) {
	if o.book.print {
		return o.printBook(c, part)
	}
	ctx := c.Context()
	g, d, done, err := judgedGame(c, part, o.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	r := madeBook{Book: o.book.file}
	var read trained
	list, err := readGames(c, g, o.records, &read)
	if err != nil {
		return ended(ctx, err)
	}
	cfg := book.Config[app.Position, app.Move]{
		Plies: o.book.plies, Least: o.book.least, Most: o.book.most, Margin: play.Score(o.book.margin), File: o.book.file + ".state",
	}
	if d != nil {
		cfg.Database = d
		cfg.Settings = "db " + d.DB().Manifest().Checksum
	}
	if o.selfPlay > 0 || o.book.search > 0 {
		e, err := o.begin.Of(g)
		if err != nil {
			return err
		}
		if o.selfPlay > 0 {
			more, err := o.playItself(c, g, e, d)
			if err != nil {
				return ended(ctx, err)
			}
			list = records.Joined(list, more)
		}
		if o.book.search > 0 {
			const memory = 64 << 20
			cfg.Nodes, cfg.Settings = uint64(o.book.search), fmt.Sprintf("%s weights %08x", cfg.Settings, checksum(e.Weights))
			if cfg.Search, err = g.Search(play.Config[app.Position]{Evaluation: e, Memory: memory, Pruning: play.AllPruning, Database: cfg.Database}); err != nil {
				return err
			}
		}
	}
	cfg.Games, cfg.Made = list, o.madeBy(len(list))
	shown, begin := o.Progress(c), time.Now()
	cfg.Progress = shown.Since(begin)
	made, err := book.Build(ctx, g.Board, cfg)
	shown.Done()
	switch {
	case ctx.Err() != nil:
		return ui.Interrupted("interrupted; the same command goes on")
	case errors.Is(err, book.ErrEmpty):
		return ui.Usage(fmt.Errorf("%w: no move was played in %s and is good enough; want more games, or a smaller --least", err, ui.Counted(uint64(o.book.least), "game")))
	case errors.Is(err, book.ErrState):
		return ui.Usage(err)
	case err != nil:
		return err
	}
	if err := made.Write(vfs.Default, o.book.file); err != nil {
		return err
	}
	r.Games, r.Unread, r.Positions = len(list), read.Unread, len(made.Positions)
	for _, p := range made.Positions {
		r.Moves += len(p.Moves)
	}
	return o.Result(c, &r, r.text())
}

// madeBy says how a book is made, for its file.
func (o *trainOptions) madeBy(played int) string {
	text := "grown from the start position"
	if played > 0 {
		text = fmt.Sprintf("%s, moves of at least %d", ui.Counted(uint64(played), "game"), o.book.least)
	}
	if o.selfPlay > 0 {
		text += fmt.Sprintf(", %d of them of self-play at %d nodes a move", o.selfPlay, o.nodes)
	}
	if o.book.search > 0 {
		text += fmt.Sprintf("; searches of %d nodes a move, margin %d", o.book.search, o.book.margin)
	}
	if o.dir != "" {
		text += "; values of a database"
	}
	return text
}

// madeBook is the result of making a book.
type madeBook struct {
	Games     int    `json:"games"`
	Unread    int    `json:"unread"`
	Positions int    `json:"positions"`
	Moves     int    `json:"moves"`
	Book      string `json:"book"`
}

func (r *madeBook) text() string {
	return fmt.Sprintf("games     %s, %s not read whole\nbook      %s: %s, %s\n", ui.Grouped(uint64(r.Games)), ui.Grouped(uint64(r.Unread)),
		r.Book, ui.Counted(uint64(r.Positions), "position"), ui.Counted(uint64(r.Moves), "move"))
}

// bookHead is what --print says of a book.
type bookHead struct {
	book.Origin
	Positions int `json:"positions"`
}

// bookRecord is a position of a book, for --print.
type bookRecord struct {
	// Line leads there from the start position; nil if the moves of the book do not.
	Line []string `json:"line"`
	book.Position
}

// printBook prints a book: first the positions that its moves reach from the start position, with the moves as they are
// there, then the others.
func (o *trainOptions) printBook(c *cobra.Command, g *app.Game) error {
	read, err := app.ReadBook(o.book.file)
	if err != nil {
		return err
	}
	opening, err := book.Open(read.Book, games.Game[app.Position, app.Move](g.Board))
	if err != nil {
		return ui.Usage(fmt.Errorf("%s: %w", o.book.file, err))
	}
	head := bookHead{read.Origin, len(read.Positions)}
	if err := o.Result(c, head, fmt.Sprintf("book      %s, %s: %s\n", g.Name(), ui.Counted(uint64(len(read.Positions)), "position"), read.Made)); err != nil {
		return err
	}
	reached := map[string]bool{}
	opening.Walk(func(line []app.Move, p app.Position, list []book.Known[app.Move]) {
		reached[g.PositionText(g.Canonical(p))] = true
		r := bookRecord{Line: []string{}, Position: book.Position{Position: g.PositionText(p)}}
		at := g.Start()
		for _, m := range line {
			r.Line = append(r.Line, g.MoveText(at, m))
			at = g.Play(at, m)
		}
		for _, k := range list {
			m := *k.Move
			m.Move = g.MoveText(p, k.Same[0])
			r.Moves = append(r.Moves, m)
		}
		err = errors.Join(err, o.Result(c, r, r.text()))
	})
	for _, p := range read.Positions {
		if r := (bookRecord{Position: p}); !reached[p.Position] {
			err = errors.Join(err, o.Result(c, r, r.text()))
		}
	}
	return err
}

func (r *bookRecord) text() string {
	var b strings.Builder
	switch {
	case r.Line == nil:
		fmt.Fprintf(&b, "\n%s\n", r.Position.Position)
	case len(r.Line) == 0:
		fmt.Fprintf(&b, "\nfirst moves\n")
	default:
		fmt.Fprintf(&b, "\n%s\n", ui.Wrapped("after "+strings.Join(r.Line, " "), 6))
	}
	all := 0
	for _, m := range r.Moves {
		all += m.Weight
	}
	for _, m := range r.Moves {
		fmt.Fprintf(&b, "  %-6s  %5.1f %%", m.Move, 100*float64(m.Weight)/float64(all))
		if m.Played > 0 {
			fmt.Fprintf(&b, "  %s, +%d =%d -%d", ui.Counted(uint64(m.Played), "game"), m.Won, m.Drawn, m.Lost)
		}
		switch {
		case m.Value != nil:
			fmt.Fprintf(&b, "  %v by %s", *m.Value, m.ProvedBy)
		case m.Estimate != nil:
			fmt.Fprintf(&b, "  %s", scoreText(*m.Estimate))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
