package server

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// Game describes what is served, in the list of games.
type Game struct {
	Name      string            `json:"name"` // with rule options, as in paths
	Title     string            `json:"title"`
	Kind      string            `json:"kind"`               // "database", "search" or "proof"
	Database  string            `json:"database,omitempty"` // name of the directory
	Notation  string            `json:"notation"`           // of positions and moves
	Rules     map[string]string `json:"rules"`              // all rule options
	RulesText string            `json:"rules_text"`         // the same, for people
	Positions uint64            `json:"positions,omitempty"`
	Order     string            `json:"order,omitempty"` // of values: "distance" or "score"
	Start     string            `json:"start"`           // position
	Checksum  string            `json:"checksum,omitempty"`
	// Layout is that of the boards, nil if the game does not describe them.
	Layout *games.Layout `json:"layout,omitempty"`
}

// Query asks for a position.
type Query struct {
	Position string   // in the game's notation, or startpos
	Moves    []string // that follow it
	Score    string   // "S,N": points that the side to move and the opponent have won before
	Board    bool     // describe the board, and what moves do on it
}

// queryOf reads the query of a request. An underscore stands for a space.
func queryOf(r *http.Request) Query {
	values := r.URL.Query()
	q := Query{Position: strings.ReplaceAll(values.Get("position"), "_", " "), Score: values.Get("score"),
		Board: values.Get("board") != ""}
	if q.Position == "" {
		q.Position = startpos
	}
	if moves := values.Get("moves"); moves != "" {
		q.Moves = strings.Split(strings.ReplaceAll(moves, "_", " "), ",")
	}
	return q
}

const startpos = "startpos"

// InputError is an error in what was asked.
type InputError struct{ error }

// Unwrap returns the error.
func (e InputError) Unwrap() error { return e.error }

// Database answers for the positions of a solved game. It is safe for concurrent use.
type Database interface {
	// Game describes the database.
	Game() Game
	// Answer answers for a position, without a line of play. It returns an
	// [InputError] for what is no position, and an error that is [db.ErrNotHeld] for one
	// that the database does not hold.
	Answer(q Query) (*db.Answer, error)
	// Line returns best play from a position; see [db.Prober.Line].
	Line(q Query) ([]string, error)
	// SetUp returns the position of a board, or an [InputError] that says why there is none.
	SetUp(b games.Board) (string, error)
	Close() error
}

// Source is a game and its database.
type Source[P, M comparable] struct {
	Game   games.Game[P, M] // as it is solved
	Whole  games.Game[P, M] // the same, if only part of the game is solved
	Info   *games.Info
	Rules  games.Rules // of Game
	Name   string      // of the database's directory
	DB     *db.DB
	Prober *db.Prober[P, M]
}

// NewDatabase returns the database of a game.
func NewDatabase[P, M comparable](s Source[P, M]) Database { return &database[P, M]{s} }

type database[P, M comparable] struct{ Source[P, M] }

// Game implements [Database].
func (d *database[P, M]) Game() Game {
	m := d.DB.Manifest()
	total := m.Content.Total()
	g := Game{
		Name: d.Source.Game.Name(), Title: d.Info.Title, Kind: "database", Database: d.Name, Notation: d.Info.Notation,
		Layout: layoutOf(d.Whole),
		Rules:  map[string]string{}, Order: m.Content.Order, Checksum: m.Checksum,
		Start: string(d.Source.Game.AppendPosition(nil, d.Source.Game.Start())),
	}
	for _, n := range total.Counts {
		g.Positions += n.Positions
	}
	for _, o := range d.Info.Options {
		g.Rules[o.Name] = d.Rules.Get(o.Name)
	}
	_, g.RulesText, _ = strings.Cut(d.Rules.String(), ":")
	return g
}

// Answer implements [Database].
func (d *database[P, M]) Answer(q Query) (*db.Answer, error) {
	p, err := d.position(q)
	if err != nil {
		return nil, err
	}
	won, err := d.score(p, q.Score)
	if err != nil {
		return nil, InputError{err}
	}
	a, err := d.Prober.Answer(p, won)
	if err == nil && q.Board {
		describe(d.Whole, p, a)
	}
	return a, d.notHeld(err)
}

// notHeld says how a database could hold a position.
func (d *database[P, M]) notHeld(err error) error {
	if c := d.DB.Manifest().Content; errors.Is(err, db.ErrNotHeld) && c.Positions != "all" && c.Numbering == "" {
		return fmt.Errorf("%w: it holds those reachable from the start position; solve with --positions all to hold all", err)
	}
	return err
}

// Line implements [Database].
func (d *database[P, M]) Line(q Query) ([]string, error) {
	p, err := d.position(q)
	if err != nil {
		return nil, err
	}
	line, err := d.Prober.LineText(p)
	return line, d.notHeld(err)
}

// Close implements [Database].
func (d *database[P, M]) Close() error { return d.DB.Close() }

// position reads a position of the whole game and moves after it. It fails with
// [db.ErrNotHeld] if the position does not belong to the part of the game that is solved.
func (d *database[P, M]) position(q Query) (P, error) {
	p := d.Whole.Start()
	var err error
	if q.Position != startpos {
		if p, err = d.Whole.ParsePosition(q.Position); err != nil {
			return p, InputError{err}
		}
	}
	if p, err = games.PlayMoves(d.Whole, p, q.Moves); err != nil {
		return p, InputError{err}
	}
	held, err := d.Source.Game.ParsePosition(string(d.Whole.AppendPosition(nil, p)))
	if err != nil {
		return p, fmt.Errorf("%w: %w", db.ErrNotHeld, err)
	}
	return held, nil
}

// score reads the points that the side to move and the opponent have won before a
// position.
func (d *database[P, M]) score(position P, text string) (won [2]int, err error) {
	if text == "" {
		return won, nil
	}
	scorer, ok := d.Whole.(games.Scorer[P, M])
	if !ok {
		return won, fmt.Errorf("score %q: the values of %s are not scores", text, d.Whole.Name())
	}
	fields := strings.Split(text, ",")
	if len(fields) != 2 {
		return won, fmt.Errorf("score %q: want S,N: points that the side to move and the opponent have won before", text)
	}
	for i, field := range fields {
		n, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil || n < 0 {
			return won, fmt.Errorf("score %q: %q is not a number of points, 0 or more", text, field)
		}
		won[i] = n
	}
	remaining, most := scorer.Remaining(position), scorer.Remaining(d.Whole.Start())
	if sum := won[0] + won[1] + remaining; won[0] > most || won[1] > most || sum > most {
		return won, fmt.Errorf("score %q: with %d on the board that makes more than the %d of the game", text, remaining, most)
	}
	return won, nil
}
