package db

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
)

// ErrNoneDrawn is returned if a database holds hardly any unfinished position.
var ErrNoneDrawn = errors.New("no unfinished position was found")

// drawAttempts is how many indices are tried for a position.
const drawAttempts = 1 << 20

// Draw returns an unfinished position that the database holds, each with the same chance, and its
// index.
func (e *Endgame[P]) Draw(ctx context.Context, rng *rand.Rand) (p P, index uint64, err error) {
	var open uint64
	for _, t := range e.indexer.Tiers() {
		open += t.Open
	}
	for range drawAttempts {
		if open == 0 {
			break
		}
		if err := ctx.Err(); err != nil {
			return p, 0, err
		}
		at := rng.Uint64N(open)
		for _, t := range e.indexer.Tiers() {
			if at < t.Open {
				index = t.Start + at
				break
			}
			at -= t.Open
		}
		_, known, err := e.value(index)
		if err != nil {
			return p, 0, err
		}
		if known {
			if p, ok := e.indexer.Position(index); ok {
				return p, index, nil
			}
		}
	}
	return p, 0, fmt.Errorf("%s: %w in %d attempts", e.db.name, ErrNoneDrawn, drawAttempts)
}
