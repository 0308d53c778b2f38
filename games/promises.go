package games

import (
	"fmt"
	"math/rand/v2"
)

// CheckPosition returns an error if g breaks a promise of [Game] in p: if the value of Outcome is
// not one that a finished position of the game can have, or does not go with its second result or
// with the number of legal moves.
func CheckPosition[P, M comparable](g Game[P, M], p P) error {
	v, finished := g.Outcome(p)
	moves := len(g.AppendMoves(nil, p))
	_, distance := v.Plies()
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%s %s", g.AppendPosition(nil, p), fmt.Sprintf(format, args...))
	}
	switch {
	case !finished && v != Unfinished:
		return wrong("has the outcome %v, and false: want Unfinished, and false, for a position that is not finished", v)
	case !finished && moves == 0:
		return wrong("has no moves, but Outcome says that it is not finished")
	case !finished:
		return nil
	case v == Unfinished || v == Hole:
		return wrong("is finished with the value %v: want the value for the side to move", v)
	case OrderOf(g) == ByScore && distance:
		return wrong("is finished with the value %v: want a score, as the game is a Scorer", v)
	case OrderOf(g) != ByScore && v != Win(0) && v != Win(1) && v != Draw && v != Loss(0):
		hint := ""
		if !distance {
			hint = "; a game with scores is a Scorer"
		}
		return wrong("is finished with the value %v: want a draw, a loss in 0, or a win in 0 or 1%s", v, hint)
	case moves > 0:
		return wrong("is finished (%v), but has moves", v)
	}
	return nil
}

// CheckPlay plays random games, of about a thousand positions in all and the same in each call,
// and returns the error of [CheckPosition] for the first position that has one. It takes some
// milliseconds, and finds most of what would lead an engine to wrong results; package gametest
// looks at far more.
func CheckPlay[P, M comparable](g Game[P, M]) error {
	const plays, most = 10, 100
	rng := rand.New(rand.NewPCG(1, 1))
	for range plays {
		p := g.Start()
		for range most {
			if err := CheckPosition(g, p); err != nil {
				return fmt.Errorf("bug in the game %s: %w", g.Name(), err)
			}
			moves := g.AppendMoves(nil, p)
			if len(moves) == 0 {
				break
			}
			p = g.Play(p, moves[rng.IntN(len(moves))])
		}
	}
	return nil
}
