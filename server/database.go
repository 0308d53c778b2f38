package server

import (
	"context"
	"errors"
	"strings"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/app/records"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/server/lookup"
)

// Kinds of what is served.
const (
	kindDatabase = "database"
	kindSearch   = "search"
	kindGame     = "game"
	kindProof    = "proof"
)

// Game describes what is served, in the list of games.
type Game struct {
	Name      string            `json:"name"`           // as in paths; of a database, with rule options
	Game      string            `json:"game,omitempty"` // with rule options, if Name is another name
	Title     string            `json:"title"`
	Kind      string            `json:"kind"`               // "database", "search", "game" or "proof"
	Database  string            `json:"database,omitempty"` // name of the directory
	Notation  string            `json:"notation"`           // of positions and moves
	Rules     map[string]string `json:"rules"`              // all rule options
	RulesText string            `json:"rules_text"`         // those that are not the defaults, in human-readable form
	Section   string            `json:"section,omitempty"`  // the rules of a game from a file
	LeftOut   []string          `json:"left_out,omitempty"` // those that values leave out; see [games.Forgetful]
	Positions uint64            `json:"positions,omitempty"`
	Order     string            `json:"order,omitempty"` // of values: "distance", "score" or "result"
	Start     string            `json:"start"`           // position
	// Whole is the whole game, if the database is one of a part of it and that is served too.
	Whole *WholeGame `json:"whole,omitempty"`
	// PartOf is the name of the whole game, if the database is one of a part of it; it need not be served.
	PartOf string `json:"part_of,omitempty"`
	// Checksum is the logical checksum of the database; of a proof, of the database that it
	// rests on.
	Checksum string   `json:"checksum,omitempty"`
	Claims   []string `json:"claims,omitempty"` // of a proof, about the start position
	// Levels is the number of strengths of the opponent, 0 if there is none.
	Levels int `json:"levels,omitempty"`
	// Puzzles is the number of puzzles of a database.
	Puzzles int `json:"puzzles,omitempty"`
	// Asks is what a search can be asked for beside a win, Houses are the rules that it judges by, and Limits are its
	// limits; nil if there is none.
	Asks   []string     `json:"asks,omitempty"`
	Houses []string     `json:"houses,omitempty"`
	Limits *GivenLimits `json:"limits,omitempty"`
	// Formats are those in which the records of games are written, by the extensions of files; none of a proof.
	Formats []string `json:"formats,omitempty"`
	// Layout is the layout of the boards, nil if the game does not describe them.
	Layout *games.Layout `json:"layout,omitempty"`
	// Status says what is checked; nil of a search or a game.
	*Status
}

// WholeGame is a game of which a database has a part. Under its name the database answers for all
// positions of it, where most have no value.
type WholeGame struct {
	Name      string `json:"name"`
	RulesText string `json:"rules_text"`
	Start     string `json:"start"`
}

// entryOf describes a game under some rules.
func entryOf(g *app.Game) Game {
	info := g.Family.Info
	e := Game{
		Name: g.Name(), Title: info.Title, Notation: info.Notation, Layout: layoutOf(g.Plain), Rules: map[string]string{},
		Start: g.PositionText(g.Start()), Formats: records.Formats(g), Section: g.RulesText(), LeftOut: g.LeftOut(),
	}
	for _, o := range info.Options {
		e.Rules[o.Name] = g.Rules.Get(o.Name)
	}
	e.RulesText = optionsOf(g.Rules.String())
	return e
}

// optionsOf returns the rule options of a game, as in its name.
func optionsOf(name string) string {
	_, options, _ := strings.Cut(strings.TrimPrefix(name, games.VariantPrefix), ":")
	return options
}

// Database answers for the positions of a solved game. It is safe for concurrent use.
type Database interface {
	Playable
	// Manifest returns the description in the database itself. It must not be changed.
	Manifest() *db.Manifest
	// Answer answers for a position, without a line of play. It returns an [InputError] if
	// the query does not give a position, and an error that is [db.ErrNotHeld] if the
	// database does not hold the position.
	Answer(q Query) (*db.Answer, error)
	// Line returns best play from a position; see [db.Prober.Line].
	Line(ctx context.Context, q Query) (*db.LineAnswer, error)
	// Bare returns the game without the values of the database.
	Bare() Playable
	// Check compares the database with its checksums and with the record of a verification;
	// see [db.DB.Check].
	Check(ctx context.Context) (db.Verification, error)
	Close() error
}

// Source is a game and its database.
type Source struct {
	Game     *app.Game // as it is solved; Asked is the whole game, if only part of it is solved
	Name     string    // of the database's directory
	Named    bool      // the whole game is served too, under its name, if it can be played
	Database app.Database
	// Evaluation is for an opponent; nil if there is none.
	Evaluation *play.Evaluation
	// Book has moves for the opponent; nil if there is none.
	Book play.Book[app.Position, app.Move]
	// Proofs are what proofs that are served say about positions of the whole game; nil if there is none.
	Proofs play.Proofs[app.Position]
	// Puzzles are positions to train with, the hardest first.
	Puzzles []Puzzle
}

// NewDatabase returns the database of a game.
func NewDatabase(s Source) Database {
	whole := s.Game.Asked
	d := &database{Source: s, whole: whole, opponent: opponent{whole, s.Evaluation, s.Database, s.Book, s.Proofs}}
	m := s.Database.DB().Manifest()
	d.entry = entryOf(s.Game)
	d.entry.Kind, d.entry.Database, d.entry.Order, d.entry.Checksum = kindDatabase, s.Name, m.Content.Order, m.Checksum
	d.entry.Levels, d.entry.Puzzles = d.opponent.levels(), len(s.Puzzles)
	for _, n := range m.Content.Total().Counts {
		d.entry.Positions += n.Positions
	}
	if d.part = s.Game.Name() != whole.Name(); d.part {
		d.entry.PartOf = whole.Name()
	}
	if d.part && s.Named && s.Evaluation != nil {
		d.entry.Whole = &WholeGame{Name: whole.Name(), Start: whole.PositionText(whole.Start())}
		d.entry.Whole.RulesText = optionsOf(whole.Name())
	}
	return d
}

type database struct {
	Source
	whole    *app.Game
	entry    Game
	part     bool // only part of the game is solved
	bare     bool // values are not looked up
	opponent opponent
}

// Game implements [Playable].
func (d *database) Game() Game { return d.entry }

// Manifest implements [Database].
func (d *database) Manifest() *db.Manifest { return d.Source.Database.DB().Manifest() }

// lookup answers for the positions.
func (d *database) lookup() *lookup.Database[app.Position, app.Move] {
	return &lookup.Database[app.Position, app.Move]{Name: d.entry.Name, Game: d.Source.Game, Whole: d.whole, Values: d.Source.Database}
}

// Answer implements [Database].
func (d *database) Answer(q Query) (*db.Answer, error) { return d.lookup().Answer(q) }

// Line implements [Database].
func (d *database) Line(ctx context.Context, q Query) (*db.LineAnswer, error) {
	return d.lookup().Line(ctx, q)
}

// Check implements [Database].
func (d *database) Check(ctx context.Context) (db.Verification, error) {
	return d.Source.Database.DB().Check(ctx)
}

// Bare implements [Database].
func (d *database) Bare() Playable {
	bare := *d
	bare.bare, bare.opponent.database = true, nil
	return &bare
}

// Close implements [Database].
func (d *database) Close() error { return d.Source.Database.Close() }

// Place implements [Playable]. The database need not hold the position.
func (d *database) Place(q Query) (*Place, error) { return d.lookup().Place(q) }

// Choose implements [Playable].
func (d *database) Choose(ctx context.Context, q Query, s Strength) (*Chosen, error) {
	p, err := d.lookup().From(q)
	if err != nil {
		return nil, err
	}
	c, err := d.opponent.choose(ctx, p, q.Moves, s)
	if err != nil || d.bare {
		return c, err
	}
	a, err := d.Answer(Query{Position: c.Position})
	if errors.Is(err, db.ErrNotHeld) {
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	for i := range a.Moves {
		if m := &a.Moves[i]; m.Move == c.Move {
			c.Verdict, c.Value, c.ProvedBy, c.Estimate = &m.Verdict, nil, "", nil
		}
	}
	return c, nil
}
