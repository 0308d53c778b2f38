package lookup

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// Values are what a database looks up, such as a [db.Prober] with the Draw of a [db.Endgame]. They are safe for
// concurrent use.
type Values[P, M comparable] interface {
	Position(index uint64) (P, error)
	Probe(p P) (games.Value, error)
	Evaluate(p P, won [2]int) (*db.Answer, error)
	Answer(p P, won [2]int) (*db.Answer, error)
	AnswerLine(ctx context.Context, p P) (*db.LineAnswer, error)
	Find(ctx context.Context, v games.Value, limit int, found func(index uint64, a *db.Answer) error) error
	Draw(ctx context.Context, rng *rand.Rand) (P, uint64, error)
}

// Database answers for the positions of a game. It is safe for concurrent use.
type Database[P, M comparable] struct {
	Name   string           // of the game, for errors
	Game   games.Game[P, M] // as it is solved
	Whole  games.Game[P, M] // the whole game, if only part of it is solved
	Values Values[P, M]
}

// Browser goes through the positions of a database.
type Browser interface {
	// Random returns an unfinished position of the database.
	Random(ctx context.Context) (*Indexed, error)
	// Find calls found for the first unfinished positions with a value, with zugzwang only for
	// those in which each side would rather have the other move.
	Find(ctx context.Context, v games.Value, zugzwang bool, limit int, found func(Indexed)) error
}

// Solved answers for the positions of a database.
type Solved interface {
	Browser
	Answer(q Query) (*db.Answer, error)
	Line(ctx context.Context, q Query) (*db.LineAnswer, error)
	Place(q Query) (*Place, error)
	SetUp(b games.Board) (string, error)
}

// From reads a position of the whole game, without the moves after it.
func (d *Database[P, M]) From(q Query) (P, error) {
	switch {
	case q.Index != nil:
		return d.Values.Position(*q.Index)
	case q.Position == Startpos && !q.Whole:
		return d.Game.Start(), nil
	case q.Position == Startpos:
		return d.Whole.Start(), nil
	}
	p, err := d.Whole.ParsePosition(q.Position)
	if err != nil {
		err = BadPosition(err)
	}
	return p, err
}

// after reads a position of the whole game and moves after it.
func (d *Database[P, M]) after(q Query) (P, error) {
	p, err := d.From(q)
	if err != nil {
		return p, err
	}
	if p, err = games.PlayMoves(d.Whole, p, q.Moves); err != nil {
		err = BadMove(err)
	}
	return p, err
}

// position is after, but fails with [db.ErrNotHeld] if the position does not belong to the part of
// the game that is solved.
func (d *Database[P, M]) position(q Query) (P, error) {
	p, err := d.after(q)
	if err != nil || d.Game.Name() == d.Whole.Name() {
		return p, err
	}
	held, err := d.Game.ParsePosition(string(d.Whole.AppendPosition(nil, p)))
	if err != nil {
		return p, fmt.Errorf("%w: %w", db.ErrNotHeld, err)
	}
	return held, nil
}

// Answer answers for a position, without a line of play. It returns an [InputError] if
// the query does not give a position, and an error that is [db.ErrNotHeld] if the
// database does not hold the position.
func (d *Database[P, M]) Answer(q Query) (*db.Answer, error) {
	p, err := d.position(q)
	if err != nil {
		return nil, err
	}
	won, err := db.ParseScore(d.Whole, p, q.Score)
	if err != nil {
		return nil, InputError{Err: err}
	}
	look := d.Values.Answer
	if q.NoMoves {
		look = d.Values.Evaluate
	}
	a, err := look(p, won)
	if err == nil && q.Board {
		if b, traces := Describe(d.Whole, p); b != nil {
			a.Board, a.Turn = b, b.Turn
			for i := range a.Moves {
				a.Moves[i].Trace = traces[a.Moves[i].Move]
			}
		}
	}
	return a, err
}

// Line returns best play from a position; see [db.Prober.Line].
func (d *Database[P, M]) Line(ctx context.Context, q Query) (*db.LineAnswer, error) {
	p, err := d.position(q)
	if err != nil {
		return nil, err
	}
	return d.Values.AnswerLine(ctx, p)
}

// Place returns a position and its legal moves, without their values. The database need not hold the position.
func (d *Database[P, M]) Place(q Query) (*Place, error) {
	if q.Hands != "" {
		return nil, BadRequest("hands %q: %s has no mate problems", q.Hands, d.Name)
	}
	p, err := d.after(q)
	if err != nil {
		return nil, err
	}
	return NewPlace(d.Whole, p, q.Board, nil), nil
}

// SetUp returns the position of a board, or an [InputError] that says why there is none.
func (d *Database[P, M]) SetUp(b games.Board) (string, error) { return SetUp(d.Whole, b) }

// Indexed is an answer with the number of its position.
type Indexed struct {
	Index uint64 `json:"index"`
	*db.Answer
}

// Random implements [Browser].
func (d *Database[P, M]) Random(ctx context.Context) (*Indexed, error) {
	_, index, err := d.Values.Draw(ctx, rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())))
	if errors.Is(err, db.ErrNoneDrawn) {
		return nil, fmt.Errorf("%w: it has none that the rules leave open", db.ErrNotHeld)
	}
	if err != nil {
		return nil, err
	}
	a, err := d.Answer(Query{Index: &index})
	return &Indexed{index, a}, err
}

// Find implements [Browser].
func (d *Database[P, M]) Find(ctx context.Context, v games.Value, zugzwang bool, limit int, found func(Indexed)) error {
	if !zugzwang {
		return d.Values.Find(ctx, v, limit, func(index uint64, a *db.Answer) error {
			found(Indexed{index, a})
			return nil
		})
	}
	err := d.Values.Find(ctx, v, math.MaxInt, func(index uint64, a *db.Answer) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, err := d.Values.Position(index)
		if err != nil {
			return err
		}
		if is, err := d.zugzwang(p, v); !is || err != nil {
			return err
		}
		found(Indexed{index, a})
		if limit--; limit == 0 {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// errEnough ends a list of positions.
var errEnough = errors.New("the list is long enough")

// zugzwang reports whether each side would get a better result from a position if the other were
// to move.
func (d *Database[P, M]) zugzwang(p P, v games.Value) (bool, error) {
	q, possible := passed(d.Game, p)
	if !possible {
		return false, nil
	}
	other, err := d.Values.Probe(q)
	if errors.Is(err, db.ErrNotHeld) {
		return false, nil
	}
	return err == nil && v.Result()+other.Result() < 0, err
}

// passed returns the position with the other side to move, if there is one.
func passed[P, M comparable](g games.Game[P, M], p P) (q P, possible bool) {
	d, ok := games.As[games.Describer[P, M]](g)
	if !ok {
		return q, false
	}
	l, b := d.Layout(), d.Board(p)
	b.Turn = 3 - b.Turn
	if l.Relative { // the board is seen from the side to move
		b.Turn = 1
		at := map[string]string{}
		for i, square := range l.Squares {
			at[square] = l.Squares[len(l.Squares)-1-i]
		}
		for i := range b.Pieces {
			b.Pieces[i].Side, b.Pieces[i].Square = 3-b.Pieces[i].Side, at[b.Pieces[i].Square]
		}
	}
	q, err := d.SetUp(b)
	return q, err == nil && q != p
}

// PositionsAnswer answers GET /api/v1/{game}/positions.
type PositionsAnswer struct {
	Value     games.Value `json:"value"`
	Positions []Indexed   `json:"positions"`
	// Complete says that the database has no more of them. Otherwise a limit was reached.
	Complete bool `json:"complete"`
}

// mostFound is the most positions that one request lists.
const mostFound = 100

// PositionsQuery asks for the positions of a value.
type PositionsQuery struct {
	Value    games.Value
	Zugzwang bool
	Limit    int
}

// ReadPositions reads what the parameters of a request ask for, of a database with a name, a manifest, and perhaps a layout of
// its boards.
func ReadPositions(values map[string]string, name string, m *db.Manifest, l *games.Layout) (q PositionsQuery, err error) {
	if err := q.Value.UnmarshalText([]byte(Spaces(values["value"]))); err != nil {
		return q, BadRequest("value %q: want a value of the counts in %s/stats, such as %q: %w", values["value"], name, exampleValue(m), err)
	}
	q.Limit = 20
	if text, given := values["limit"]; given {
		if q.Limit, err = strconv.Atoi(text); err != nil || q.Limit < 1 || q.Limit > mostFound {
			return q, BadRequest("limit %q: want 1 to %d", text, mostFound)
		}
	}
	q.Zugzwang, err = zugzwangsOf(name, m.Content.Order, l, values["zugzwang"])
	return q, err
}

// Positions lists positions of a value.
func Positions(ctx context.Context, b Browser, q PositionsQuery) (PositionsAnswer, error) {
	a := PositionsAnswer{Value: q.Value, Positions: []Indexed{}}
	err := b.Find(ctx, q.Value, q.Zugzwang, q.Limit, func(found Indexed) { a.Positions = append(a.Positions, found) })
	a.Complete = err == nil && len(a.Positions) < q.Limit
	return a, err
}

// zugzwangsOf reads whether only zugzwangs are asked for, of a game that has some.
func zugzwangsOf(name, order string, l *games.Layout, text string) (bool, error) {
	switch {
	case text == "" || text == "0":
		return false, nil
	case text != "1":
		return false, BadRequest("zugzwang %q: want 1, or 0", text)
	case order == games.ByScore.String():
		return false, BadRequest("zugzwang: the values of %s are scores, want a game of wins, draws and losses", name)
	case l == nil || l.Derived:
		return false, BadRequest("zugzwang: a position of %s cannot be turned over to the other side", name)
	}
	return true, nil
}

// exampleValue returns a value that some position of a database has.
func exampleValue(m *db.Manifest) string {
	for _, t := range m.Content.Tiers {
		for _, c := range t.Counts {
			return c.Value.String()
		}
	}
	return games.Draw.String()
}
