package measure

import (
	"context"
	"math"

	"github.com/yomikiri/yomikiri/play"
)

// Difficulty is how hard a position is, as a search finds.
type Difficulty[M comparable] struct {
	Score play.Score // of the search with the full window
	Line  []M        // of that search
	Depth int        // of that search, in plies; the searches with a window go one deeper
	// Up is the effective branching factor of the search for something better than even, and
	// Down that of the search for something worse: the side to move has a choice of ways to win,
	// or its opponent has.
	Up, Down float64
	// Decided says that the search saw the end of the game. There are no factors then.
	Decided bool
}

// Measure searches the position of a query to depths 1, 2, and so on, until more than the given number
// of leaves are counted, and then one ply deeper with each window. Only the position, and the moves that
// led to it, matter of the query. The searches have neither Extensions nor Futility, since those make leaves
// differ in depth, and these leave some out without counting them. The engine's table should be clear, or
// hold results of such searches only.
func Measure[P, M comparable](ctx context.Context, s play.Engine[P, M], q play.Query[P, M], leaves uint64) (Difficulty[M], error) {
	var d Difficulty[M]
	search := func(depth int, w play.Window) (play.Result[M], error) {
		q.Limits, q.Window = play.Limits{FirstDepth: depth, Depth: depth}, w
		q.Without = Without
		r, err := s.Search(ctx, q)
		if err == nil {
			err = ctx.Err()
		}
		return r, err
	}
	for n := uint64(0); n <= leaves && d.Depth < play.MaxDepth-1; {
		r, err := search(d.Depth+1, play.Window{})
		if err != nil {
			return d, err
		}
		d.Depth++
		d.Score, d.Line = r.Best().Score, r.Best().Moves
		n += r.Leaves
		if _, mate := d.Score.Mate(); mate || r.Advice.By != "" {
			d.Decided = true
			return d, nil
		}
	}
	for _, w := range []struct {
		window play.Window
		factor *float64
	}{{play.AtLeastEven, &d.Up}, {play.AtMostEven, &d.Down}} {
		r, err := search(d.Depth+1, w.window)
		if err != nil {
			return d, err
		}
		*w.factor = Branching(r.Leaves, d.Depth+1)
	}
	return d, nil
}

// Without is what the search of [Measure] does without, since it would change how many leaves there are.
var Without = play.Pruning{Futility: true, Extensions: true}

// Branching returns the effective branching factor b of a search with n leaves at a depth: that of a
// tree with b^depth leaves. It is that of two leaves for fewer, so that it exceeds 1.
func Branching(n uint64, depth int) float64 {
	return math.Exp(math.Log(float64(max(n, 2))) / float64(depth))
}
