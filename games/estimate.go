package games

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
)

// checkPlays fails if random play shows that a game has more than most positions.
func checkPlays[P, M comparable](ctx context.Context, g Game[P, M], most uint64) error {
	for _, most := range []uint64{MaxNumbered, most} {
		// By the birthday paradox, two of this many random plays would meet if the number of
		// positions did not exceed most, except in about one case in a million.
		plays := int(math.Sqrt(2 * 14 * float64(most)))
		for _, plies := range []int{6, 12, 24} {
			meet, err := playsMeet(ctx, g, plays, plies)
			if err != nil {
				return err
			}
			if !meet {
				return tooMany(g, most)
			}
		}
	}
	return nil
}

// ErrTooMany says that a game has more positions than [Number] numbers with any memory.
var ErrTooMany = errors.New("no memory will do, the game needs a numbering of its own")

// ErrMemory says that a game has more positions than [Number] numbers with the memory that it may take.
var ErrMemory = errors.New("allow more, or give the game a numbering of its own")

func tooMany[P, M comparable](g Game[P, M], most uint64) error {
	if most >= MaxNumbered {
		return fmt.Errorf("%s has more than %d reachable positions, too many to number: %w", g.Name(), uint64(MaxNumbered), ErrTooMany)
	}
	return fmt.Errorf("%s has more than %d reachable positions, too many to number in so little memory: %w", g.Name(), most, ErrMemory)
}

// playsMeet reports whether two of the given number of random plays reach the same position
// after the given number of plies, or more than half of the plays, or of the first of them, end earlier.
func playsMeet[P, M comparable](ctx context.Context, g Game[P, M], plays, plies int) (bool, error) {
	rng := rand.New(rand.NewPCG(1, 1))
	canonical := canonicalOf(g)
	seen := map[P]bool{}
	var moves []M
	for play := 0; len(seen) < plays; play++ {
		if play%(1<<8) == 0 {
			if play > 2*len(seen) {
				return true, nil
			}
			if err := ctx.Err(); err != nil {
				return false, err
			}
		}
		p, ply := g.Start(), 0
		for ; ply < plies; ply++ {
			if _, finished := g.Outcome(p); finished {
				break
			}
			if moves = g.AppendMoves(moves[:0], p); len(moves) == 0 {
				return false, bug(g, CheckPosition(g, p))
			}
			p = g.Play(p, moves[rng.IntN(len(moves))])
		}
		if ply < plies {
			continue
		}
		if p = canonical(p); seen[p] {
			return true, nil
		}
		seen[p] = true
	}
	return false, nil
}

// canonicalOf returns the Canonical of a game that is a [Canonicalizer].
func canonicalOf[P, M comparable](g Game[P, M]) func(P) P {
	if c, ok := g.(Canonicalizer[P]); ok {
		return c.Canonical
	}
	return func(p P) P { return p }
}
