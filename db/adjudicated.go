package db

import (
	"fmt"

	"github.com/yomikiri/yomikiri/games"
)

// Adjudicated is a game that also ends where a database holds the position, so that a search
// goes no further. The position then has the database's result at once: a win is
// [games.Win](0), however long it takes. Of the other capabilities of a game it has only
// [games.Layerer], if the game does.
type Adjudicated[P, M comparable] interface {
	games.Game[P, M]
	games.Canonicalizer[P]
	games.MoveParser[P, M]

	// Checksum returns the logical checksum of the database.
	Checksum() string
}

// Adjudicate returns the game g adjudicated by a database. It returns an error if the
// values of the game are scores. Errors of the database in later calls are passed to fail,
// perhaps from several goroutines: then the game goes on, but results are meaningless.
func Adjudicate[P, M comparable](g games.Game[P, M], e *Endgame[P], fail func(error)) (Adjudicated[P, M], error) {
	if games.OrderOf(g) != games.ByDistance {
		return nil, fmt.Errorf("%s has scores, and what is won before counts: a database does not decide it", g.Name())
	}
	a := &adjudicated[P, M]{Game: g, endgame: e, canonical: func(p P) P { return p }, fail: fail}
	if c, ok := g.(games.Canonicalizer[P]); ok {
		a.canonical = c.Canonical
	}
	if l, ends := g.(games.Layerer[P]); ends {
		return layered[P, M]{a, l}, nil
	}
	return a, nil
}

type adjudicated[P, M comparable] struct {
	games.Game[P, M]
	endgame   *Endgame[P]
	canonical func(P) P
	fail      func(error)
}

// layered is an adjudicated game that always ends.
type layered[P, M comparable] struct {
	*adjudicated[P, M]
	games.Layerer[P]
}

// Checksum implements [Adjudicated].
func (a *adjudicated[P, M]) Checksum() string { return a.endgame.Checksum() }

// RulesText implements [games.Ruled].
func (a *adjudicated[P, M]) RulesText() string { return games.RulesTextOf(a.Game) }

// held returns the value of a position that the rules do not decide, for [games.Game]'s
// Outcome, if the database holds it.
func (a *adjudicated[P, M]) held(p P) (games.Value, bool) {
	v, held, err := a.endgame.Value(p)
	if err != nil {
		a.fail(err)
	}
	switch {
	case err != nil || !held:
		return games.Unfinished, false
	case v.Result() == games.Won:
		return games.Win(0), true
	case v.Result() == games.Lost:
		return games.Loss(0), true
	}
	return games.Draw, true
}

// Outcome implements [games.Game].
func (a *adjudicated[P, M]) Outcome(p P) (games.Value, bool) {
	if v, finished := a.Game.Outcome(p); finished {
		return v, true
	}
	return a.held(p)
}

// AppendMoves implements [games.Game]. A position that the database holds has no moves.
func (a *adjudicated[P, M]) AppendMoves(dst []M, p P) []M {
	if _, held := a.held(p); held {
		return dst
	}
	return a.Game.AppendMoves(dst, p)
}

// Canonical implements [games.Canonicalizer].
func (a *adjudicated[P, M]) Canonical(p P) P { return a.canonical(p) }

// ParseMove implements [games.MoveParser].
func (a *adjudicated[P, M]) ParseMove(p P, text string) (M, error) {
	if v, held := a.held(p); held {
		var none M
		return none, fmt.Errorf("move %q: the database decides the position (%v)", text, v.Result())
	}
	return games.ParseMove(a.Game, p, text)
}
