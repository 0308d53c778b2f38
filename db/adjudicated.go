package db

import "github.com/yomikiri/yomikiri/games"

// Adjudicated is a game that is over where a database has the position, which may be one of
// a part of the game. Results are as in the database, without their distance. It is safe for
// concurrent use if the game is.
type Adjudicated[P, M comparable] struct {
	games.Game[P, M]
	endgame   *Endgame[P]
	canonical func(P) P
	fail      func(error)
}

// Adjudicate returns g as a game that is over where the database has the position. It calls
// fail, perhaps from several goroutines, with errors of the database: what is found after the
// first means nothing.
func Adjudicate[P, M comparable](g games.Game[P, M], e *Endgame[P], fail func(error)) *Adjudicated[P, M] {
	a := &Adjudicated[P, M]{Game: g, endgame: e, canonical: func(p P) P { return p }, fail: fail}
	if c, ok := g.(games.Canonicalizer[P]); ok {
		a.canonical = c.Canonical
	}
	return a
}

// Checksum returns the logical checksum of the database, 16 hexadecimal digits.
func (a *Adjudicated[P, M]) Checksum() string { return a.endgame.Checksum() }

// Outcome implements [games.Game].
func (a *Adjudicated[P, M]) Outcome(p P) (games.Value, bool) {
	if v, finished := a.Game.Outcome(p); finished {
		return v, true
	}
	v, held, err := a.endgame.Value(p)
	switch {
	case err != nil:
		a.fail(err)
		return games.Unfinished, false
	case !held:
		return games.Unfinished, false
	}
	switch v.Result() {
	case games.Won:
		return games.Win(0), true
	case games.Lost:
		return games.Loss(0), true
	}
	return games.Draw, true
}

// AppendMoves implements [games.Game].
func (a *Adjudicated[P, M]) AppendMoves(dst []M, p P) []M {
	if _, over := a.Outcome(p); over {
		return dst
	}
	return a.Game.AppendMoves(dst, p)
}

// Canonical implements [games.Canonicalizer].
func (a *Adjudicated[P, M]) Canonical(p P) P { return a.canonical(p) }

// ParseMove implements [games.MoveParser].
func (a *Adjudicated[P, M]) ParseMove(p P, text string) (M, error) {
	return games.ParseMove(a.Game, p, text)
}
