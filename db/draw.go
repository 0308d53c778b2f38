package db

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/yomikiri/yomikiri/games"
)

// ErrNoneDrawn is returned if a database holds hardly any unfinished position.
var ErrNoneDrawn = errors.New("no unfinished position was found")

// drawAttempts is how many indices are tried for a position: at least one index of so many should have one.
const drawAttempts = 1 << 20

// Draw returns an unfinished position that the database holds, each with the same chance, and its
// value for the side to move.
func (e *Endgame[P]) Draw(rng *rand.Rand) (p P, v games.Value, err error) {
	var open uint64
	for _, t := range e.indexer.Tiers() {
		open += t.Open
	}
	for range drawAttempts {
		if open == 0 {
			break
		}
		at, index := rng.Uint64N(open), uint64(0)
		for _, t := range e.indexer.Tiers() {
			if at < t.Open {
				index = t.Start + at
				break
			}
			at -= t.Open
		}
		v, known, err := e.value(index)
		if err != nil {
			return p, 0, err
		}
		if known {
			if p, ok := e.indexer.Position(index); ok {
				return p, v, nil
			}
		}
	}
	return p, 0, fmt.Errorf("%s: %w in %d attempts", e.db.dir, ErrNoneDrawn, drawAttempts)
}
