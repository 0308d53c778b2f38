package server

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// Browser goes through the positions of a database.
type Browser interface {
	// Random returns an unfinished position of the database.
	Random(ctx context.Context) (*Indexed, error)
	// Find calls found for the first unfinished positions with a value, with zugzwang only for
	// those in which each side would rather have the other move.
	Find(ctx context.Context, v games.Value, zugzwang bool, limit int, found func(Indexed)) error
}

// Indexed is an answer with the number of its position.
type Indexed struct {
	Index uint64 `json:"index"`
	*db.Answer
}

// Random implements [Browser].
func (d *database) Random(ctx context.Context) (*Indexed, error) {
	_, index, err := d.Source.Database.Draw(ctx, rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())))
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
func (d *database) Find(ctx context.Context, v games.Value, zugzwang bool, limit int, found func(Indexed)) error {
	if !zugzwang {
		return d.Source.Database.Find(ctx, v, limit, func(index uint64, a *db.Answer) error {
			found(Indexed{index, a})
			return nil
		})
	}
	err := d.Source.Database.Find(ctx, v, math.MaxInt, func(index uint64, a *db.Answer) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, err := d.Source.Database.Position(index)
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
func (d *database) zugzwang(p app.Position, v games.Value) (bool, error) {
	q, possible := passed(d.Source.Game, p)
	if !possible {
		return false, nil
	}
	other, err := d.Source.Database.Probe(q)
	if errors.Is(err, db.ErrNotHeld) {
		return false, nil
	}
	return err == nil && v.Result()+other.Result() < 0, err
}

// passed returns the position with the other side to move, if there is one.
func passed(g app.Board, p app.Position) (q app.Position, possible bool) {
	d, ok := games.As[games.Describer[app.Position, app.Move]](g)
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

// browser returns the database that a request names.
func (r *request) browser() (Browser, error) {
	b, ok := r.database.(Browser)
	if !ok {
		return nil, notFound("%s cannot be browsed", r.entry.Name)
	}
	return b, nil
}

// random answers GET /api/v1/{game}/random.
func (s *Server) random(r *request) (reply, error) {
	b, err := r.browser()
	if err != nil {
		return reply{}, err
	}
	return s.limited(r, func(ctx context.Context) (reply, error) {
		a, err := b.Random(ctx)
		return reply{body: a}, err
	})
}

// positionsAnswer answers GET /api/v1/{game}/positions.
type positionsAnswer struct {
	Value     games.Value `json:"value"`
	Positions []Indexed   `json:"positions"`
	// Complete says that the database has no more of them. Otherwise a limit was reached.
	Complete bool `json:"complete"`
}

// mostFound is the most positions that one request lists.
const mostFound = 100

// positions lists positions of a value. It reads the database from its beginning, so it takes the
// slot of a search, and its time.
func (s *Server) positions(r *request) (reply, error) {
	b, err := r.browser()
	if err != nil {
		return reply{}, err
	}
	values, d := r.values, r.database
	a := positionsAnswer{Positions: []Indexed{}}
	if err := a.Value.UnmarshalText([]byte(spaces(values["value"]))); err != nil {
		return reply{}, badRequest("value %q: want a value of the counts in %s/stats, such as %q: %w", values["value"], r.entry.Name, exampleValue(d), err)
	}
	limit := 20
	if text, given := values["limit"]; given {
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 || limit > mostFound {
			return reply{}, badRequest("limit %q: want 1 to %d", text, mostFound)
		}
	}
	zugzwang, err := zugzwangsOf(r.entry, values["zugzwang"])
	if err != nil {
		return reply{}, err
	}
	return s.limited(r, func(ctx context.Context) (reply, error) {
		err := b.Find(ctx, a.Value, zugzwang, limit, func(found Indexed) { a.Positions = append(a.Positions, found) })
		if errors.Is(err, context.DeadlineExceeded) && r.Context().Err() == nil {
			return reply{body: a}, nil
		}
		a.Complete = len(a.Positions) < limit
		return reply{body: a}, err
	})
}

// zugzwangsOf reads whether only zugzwangs are asked for, of a game that has some.
func zugzwangsOf(g Game, text string) (bool, error) {
	switch {
	case text == "" || text == "0":
		return false, nil
	case text != "1":
		return false, badRequest("zugzwang %q: want 1, or 0", text)
	case g.Order == games.ByScore.String():
		return false, badRequest("zugzwang: the values of %s are scores, want a game of wins, draws and losses", g.Name)
	case g.Layout == nil || g.Layout.Derived:
		return false, badRequest("zugzwang: a position of %s cannot be turned over to the other side", g.Name)
	}
	return true, nil
}

// exampleValue returns a value that some position of a database has.
func exampleValue(d Database) string {
	for _, t := range d.Manifest().Content.Tiers {
		for _, c := range t.Counts {
			return c.Value.String()
		}
	}
	return games.Draw.String()
}
