package proof

import (
	"math"

	"github.com/yomikiri/yomikiri/games"
)

// PlainSearcher is the capability of a game with scores to do the search of a [Searcher] itself, faster
// than by its other methods: in the same positions, so that the same number settles a question.
type PlainSearcher[P comparable] interface {
	// SearchPlainly reports whether the side to move in an unfinished position gets at least some points,
	// and how many positions the search looked at. It gives up, and is not settled, where
	// that would be more than most. It is called by several goroutines.
	SearchPlainly(p P, points int, most uint64) (reached bool, positions uint64, settled bool)
}

// quick returns the search of a game for claims about points, nil if it has none.
func quick[P, M comparable](g games.Game[P, M]) func(p games.Aim[P], most uint64) (reached bool, positions uint64, settled bool) {
	q, ok := g.(PlainSearcher[P])
	if !ok {
		return nil
	}
	return func(p games.Aim[P], most uint64) (bool, uint64, bool) {
		return q.SearchPlainly(p.Position, int(p.Points), most)
	}
}

// checkQuickly does what checkSearched does, by the search of the game.
func (w *worker[P, M]) checkQuickly(t *task[P]) error {
	reached, positions, settled := w.quick(t.p, t.Positions)
	switch {
	case !settled:
		return refused("the search does not settle it with %d positions", t.Positions)
	case reached != t.Kind.claimantToMove():
		return refused("the search finds that the claim does not hold")
	}
	return w.work.Spend(int(min(positions, math.MaxInt)))
}
