package db

import (
	"fmt"
	"sync/atomic"

	"github.com/yomikiri/yomikiri/games"
)

// Adjudicated is a game that is over, too, where a database holds the position, so that a
// search goes no further. The result is that of the database, at once: a win is [games.Win](0)
// there, however long it takes. Of the game's capabilities it keeps [games.Canonicalizer]
// and [games.MoveParser].
//
// If the database cannot be read, the game goes on, which no search can tell from a position
// that the database does not hold. Who searches asks [Adjudicated.Err] in the end.
type Adjudicated[P, M comparable] struct {
	games.Game[P, M]
	// Fail, if set, is called with the first error of the database, to end a search at once.
	Fail      func(error)
	endgame   *Endgame[P]
	canonical func(P) P
	err       atomic.Pointer[error]
}

var (
	_ games.Canonicalizer[int]   = (*Adjudicated[int, int])(nil)
	_ games.MoveParser[int, int] = (*Adjudicated[int, int])(nil)
)

// Adjudicate returns the game g over a database. It fails if the values of the game are
// scores.
func Adjudicate[P, M comparable](g games.Game[P, M], e *Endgame[P]) (*Adjudicated[P, M], error) {
	if games.OrderOf(g) != games.ByDistance {
		return nil, fmt.Errorf("%s has scores, and what is won before counts: a database does not decide it", g.Name())
	}
	a := &Adjudicated[P, M]{Game: g, endgame: e, canonical: func(p P) P { return p }}
	if c, ok := g.(games.Canonicalizer[P]); ok {
		a.canonical = c.Canonical
	}
	return a, nil
}

// Checksum returns the logical checksum of the database.
func (a *Adjudicated[P, M]) Checksum() string { return a.endgame.Checksum() }

// Err returns the first error of the database.
func (a *Adjudicated[P, M]) Err() error {
	if err := a.err.Load(); err != nil {
		return *err
	}
	return nil
}

// held returns the value of a position that the rules do not decide, for [games.Game]'s
// Outcome, if the database holds it.
func (a *Adjudicated[P, M]) held(p P) (games.Value, bool) {
	v, held, err := a.endgame.Value(p)
	if err != nil && a.err.CompareAndSwap(nil, &err) && a.Fail != nil {
		a.Fail(err)
	}
	switch {
	case !held:
		return games.Unfinished, false
	case v.Result() == games.Won:
		return games.Win(0), true
	case v.Result() == games.Lost:
		return games.Loss(0), true
	}
	return games.Draw, true
}

// Outcome implements [games.Game].
func (a *Adjudicated[P, M]) Outcome(p P) (games.Value, bool) {
	if v, finished := a.Game.Outcome(p); finished {
		return v, true
	}
	return a.held(p)
}

// AppendMoves implements [games.Game]. A position that the database holds has no moves.
func (a *Adjudicated[P, M]) AppendMoves(dst []M, p P) []M {
	if _, held := a.held(p); held {
		return dst
	}
	return a.Game.AppendMoves(dst, p)
}

// Canonical implements [games.Canonicalizer].
func (a *Adjudicated[P, M]) Canonical(p P) P { return a.canonical(p) }

// ParseMove implements [games.MoveParser].
func (a *Adjudicated[P, M]) ParseMove(p P, text string) (M, error) {
	if v, held := a.held(p); held {
		var none M
		return none, fmt.Errorf("move %q: the database decides the position (%v)", text, v.Result())
	}
	return games.ParseMove(a.Game, p, text)
}
