package uci

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
)

// Options that clients and engines know, and the games that they mean apart from those by their own names.
const (
	optionVariant  = "UCI_Variant"
	optionChess960 = "UCI_Chess960"

	chess    = "chess"
	chess960 = "fischerandom"
)

// Config is what an engine has.
type Config struct {
	// Names are the games, as GUIs name them.
	Names []string
	// Open opens one of them.
	Open func(name string) (*app.Game, error)
	// Read reads a file of variants and returns the names of all games there are then, and why some sections are not offered.
	Read func(file string) (names []string, broken []error, err error)
	// Database opens a database, and returns the game that it is of.
	Database func(dir string) (*app.Game, app.Database, error)
	// Weights are those of a file, in place of those that games come with.
	Weights app.Weights
	// Book is an opening book to begin with, nil for none, and Seed is what choices in books begin with; 0 for another each
	// time.
	Book *app.Book
	Seed uint64
}

// options are what setoption sets.
type options struct {
	variant   string
	chess960  bool
	variants  string // file
	databases string // directories
	hash      int    // MiB
	threads   int
	lines     int
	skill     int
	book      string // file
	ownBook   bool
	overhead  int // ms
}

// Engine is an engine for a GUI over the Universal Chess Interface.
type Engine struct {
	*Session
	config  Config
	options options
	usual   options // that are set before a GUI sets others
	list    []Option[options]

	game     *app.Game
	book     *app.Book                         // nil if there is none
	opening  play.Book[app.Position, app.Move] // the book for the game, nil if it is of another one
	bases    []base
	searcher play.Engine[app.Position, app.Move]
	made     options // with which the searcher was made
	newGames uint64  // how many there were

	from     app.Position
	moves    []app.Move
	position error // why there is no position
}

// base is a database that is open.
type base struct {
	family *app.Family
	app.Database
}

// NewEngine returns an engine that writes to out. The first game is chess if it has that.
func NewEngine(out io.Writer, c Config) (*Engine, error) {
	if len(c.Names) == 0 {
		return nil, errors.New("there are no games to play")
	}
	first := c.Names[0]
	if slices.Contains(c.Names, chess) {
		first = chess
	}
	usual := options{variant: first, hash: 64, threads: 1, lines: 1, skill: play.Levels, ownBook: true, overhead: 30}
	e := &Engine{Session: NewSession(out), config: c, options: usual, usual: usual, book: c.Book}
	e.list = e.optionList()
	return e, e.choose(e.options)
}

// optionList returns the options, with the names of all games.
func (e *Engine) optionList() []Option[options] {
	number := func(name string, least, most int, field func(o *options) *int) Option[options] {
		return Option[options]{name, fmt.Sprintf("spin default %d min %d max %d", *field(&e.usual), least, most), func(o *options, value string) (err error) {
			*field(o), err = ui.WholeNumber(value, least, most)
			return err
		}}
	}
	return []Option[options]{
		{optionVariant, fmt.Sprintf("combo default %s var %s", e.usual.variant, strings.Join(e.config.Names, " var ")), func(o *options, value string) error {
			if !slices.Contains(e.config.Names, value) {
				return fmt.Errorf("no game %q%s", value, games.DidYouMean(value, e.config.Names))
			}
			o.variant = value
			return nil
		}},
		{"VariantPath", "string default <empty>", func(o *options, value string) error {
			o.variants = Given(value)
			return nil
		}},
		{optionChess960, "check default false", func(o *options, value string) (err error) {
			o.chess960, err = Check(value)
			return err
		}},
		number("Hash", 1, 1<<20, func(o *options) *int { return &o.hash }),
		number("Threads", 1, ui.MostThreads, func(o *options) *int { return &o.threads }),
		number("MultiPV", 1, 600, func(o *options) *int { return &o.lines }),
		number("SkillLevel", 1, play.Levels, func(o *options) *int { return &o.skill }),
		number("Move Overhead", 0, 10_000, func(o *options) *int { return &o.overhead }),
		{"DatabasePath", "string default <empty>", func(o *options, value string) error {
			o.databases = Given(value)
			return nil
		}},
		{"BookFile", "string default <empty>", func(o *options, value string) error {
			o.book = Given(value)
			return nil
		}},
		{"OwnBook", "check default true", func(o *options, value string) (err error) {
			o.ownBook, err = Check(value)
			return err
		}},
		{"Clear Hash", "button", func(*options, string) error {
			if !e.Searching() && e.searcher != nil {
				e.searcher.Clear()
			}
			return nil
		}},
		// GUIs set them unasked. They make no difference: go ponder says when to ponder.
		{"Ponder", "check default false", func(*options, string) error { return nil }},
		{"UCI_AnalyseMode", "", func(*options, string) error { return nil }},
	}
}

// Given returns a value, empty if it says so in the words of the protocol.
func Given(value string) string {
	if value == "<empty>" {
		return ""
	}
	return value
}

// setOption obeys setoption. What it changes counts from the next search on.
func (e *Engine) setOption(text string) error {
	changed, err := Set(e.list, e.options, text)
	if err != nil {
		return err
	}
	if changed.variants != e.options.variants {
		if changed.variants != "" {
			names, broken, err := e.config.Read(changed.variants)
			if err != nil {
				return err
			}
			for _, err := range broken {
				e.Say("info string not offered: %v", err)
			}
			e.config.Names = names
			e.list = e.optionList()
		}
		e.Say("info string there are %s: %s", ui.Counted(uint64(len(e.config.Names)), "game"), strings.Join(e.config.Names, " "))
	}
	if changed.databases != e.options.databases {
		e.Stop()
		if err := e.openBases(changed.databases); err != nil {
			e.options.databases = ""
			return fmt.Errorf("option DatabasePath: %w", err)
		}
	}
	if changed.book != e.options.book {
		b, err := app.ReadBook(changed.book)
		if err != nil {
			return fmt.Errorf("option BookFile: %w", err)
		}
		e.book = b
		e.openBook()
	}
	return e.choose(changed)
}

// openBook has the engine play by the book if that is of the game.
func (e *Engine) openBook() {
	var err error
	if e.opening, err = app.BookOf(e.book, e.game.Board); err != nil {
		e.Say("info string no book: %v", err)
	}
}

// choose opens the game of options, and takes them over.
func (e *Engine) choose(o options) error {
	name := func(o *options) string {
		if o.chess960 && o.variant == chess {
			return chess960
		}
		return o.variant
	}
	if o.chess960 && !e.options.chess960 && o.variant != chess {
		e.Say("info string %s is for chess only: %s has castlings as moves of the king", optionChess960, o.variant)
	}
	if e.game == nil || name(&o) != name(&e.options) {
		g, err := e.config.Open(name(&o))
		if err != nil {
			return err
		}
		e.Stop()
		e.game, e.searcher = g, nil
		e.from, e.moves, e.position = g.Start(), nil, nil
		e.openBook()
	}
	e.options = o
	return nil
}

// openBases opens the databases in directories, and closes those that were open.
func (e *Engine) openBases(list string) error {
	e.closeBases()
	for _, dir := range filepath.SplitList(list) {
		g, d, err := e.config.Database(dir)
		if err != nil {
			e.closeBases()
			return err
		}
		e.bases = append(e.bases, base{g.Family, d})
	}
	return nil
}

func (e *Engine) closeBases() {
	for _, b := range e.bases {
		if err := b.Close(); err != nil {
			e.Say("info string %v", err)
		}
	}
	e.bases, e.searcher = nil, nil
}

// values are the databases of a game: the first that knows a position has its value.
type values []app.Database

// Value implements [play.Database].
func (list values) Value(p app.Position) (v games.Value, known bool, err error) {
	for _, d := range list {
		if v, known, err = d.Value(p); known || err != nil {
			return v, known, err
		}
	}
	return v, false, nil
}

// database returns the values that databases have of the game, nil if there are none.
func (e *Engine) database() play.Database[app.Position] {
	var list values
	for _, b := range e.bases {
		if b.family.Name == e.game.Family.Name {
			list = append(list, b.Database)
		}
	}
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return list
}

// Run obeys commands until quit, the end of the input, or the end of ctx; see [Session.Run].
func (e *Engine) Run(ctx context.Context, in io.Reader) error {
	defer e.closeBases()
	return e.Session.Run(ctx, in, e.command)
}

// command obeys a command and returns false if that was quit.
func (e *Engine) command(ctx context.Context, line string) bool {
	name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.Join(strings.Fields(rest), " ")
	switch name {
	case "", "debug", "register":
	case "uci":
		Introduce(e.Session, ui.Version(), e.list)
		e.Say("uciok")
	case "isready":
		if !e.Searching() {
			if err := e.prepare(); err != nil {
				e.Say("info string %v", err)
			}
		}
		e.Say("readyok")
	case "setoption":
		if err := e.setOption(rest); err != nil {
			e.Say("info string %v", err)
		}
	case "ucinewgame":
		e.Stop()
		if e.searcher != nil {
			e.searcher.Clear()
		}
		e.newGames++
		e.Late = 0
	case "position":
		e.from, e.moves, e.position = games.ReadGame(e.game.Board, strings.TrimPrefix(rest, "fen "))
		if e.position != nil {
			e.Say("info string position: %v", e.position)
		}
	case "go":
		e.Stop()
		e.obeyGo(ctx, strings.Fields(rest))
	case "stop":
		e.Stop()
	case "ponderhit":
		if args, ok := e.PonderHit(strings.Fields(rest)); ok {
			e.obeyGo(ctx, args)
		}
	case "d":
		e.show()
	case "quit":
		return false
	default:
		e.Say("info string unknown command %q", name)
	}
	return true
}

// here returns the position after the moves.
func (e *Engine) here() app.Position {
	p := e.from
	for _, m := range e.moves {
		p = e.game.Play(p, m)
	}
	return p
}

// show draws the board.
func (e *Engine) show() {
	if e.position != nil {
		e.Say("info string position: %v", e.position)
		return
	}
	p := e.here()
	e.Say("%s\nFen: %s", strings.TrimRight(string(e.game.Drawing(p)), "\n"), e.game.PositionText(p))
	if v, over := e.game.Outcome(p); over {
		e.Say("The game is over: %v", v)
	}
}

// prepare makes a searcher for the options that are set, unless there is one. There is one table at a time.
func (e *Engine) prepare() error {
	o := e.options
	if e.searcher != nil && e.made.hash == o.hash && e.made.threads == o.threads {
		return nil
	}
	memory := uint64(o.hash) << 20
	if err := ui.CheckMemory(memory); err != nil {
		return fmt.Errorf("the option Hash %d: %w", o.hash, err)
	}
	e.searcher = nil
	runtime.GC() // so that there are never two tables
	evaluation, err := e.config.Weights.Of(e.game)
	if err != nil {
		return err
	}
	e.searcher, err = e.game.Search(play.Config[app.Position]{
		Evaluation: evaluation, Memory: memory, Threads: o.threads, Pruning: play.AllPruning, Database: e.database(),
	})
	e.made = o
	return err
}
