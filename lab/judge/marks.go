package judge

import (
	"context"
	"fmt"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/lab/interval"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/review"
)

// Marks compares reviews of games with the truth, as far as that is known.
type Marks[P, M comparable] struct {
	Judge[P, M]
	// Review is how games are gone through, with one thread and First as Last says.
	Review review.Config[P, M]
	// Last is how many positions at the end of a game are gone through; 0 means all.
	Last int
	// Truth returns what is known of an unfinished position: [games.Unbounded] if nothing is. An engine is given that
	// has what Search makes.
	Truth func(ctx context.Context, s play.Engine[P, M], p P) (games.Bounds, error)
}

// MarkedMove is a move of a game that was reviewed, or its last position.
type MarkedMove struct {
	// Game is the number of the game, and Left how many plies of it come after the position.
	Game, Left int
	review.Row
	// Truth is what is known of the position, and Fate of the move; Result is the true result, if it is known.
	Truth games.Bounds
	Fate  Fate
	// Wrong says that the review and the truth exclude each other.
	Wrong bool
	// Sum is the estimate of the position and that of the next one, each for its side to move, nil if one of them has
	// none. Searched is that of the scores as the searches to Depths found them.
	Sum      *float64
	Searched float64
	Depths   [2]int
}

// Fate says what a move does to the value of a position: to the result, or to the score in games of scores.
type Fate uint8

// The fates. Of the last position, and of moves of which it is not known, it is Unknown.
const (
	Unknown Fate = iota
	Keeps
	Loses
)

// Run reviews games.
func (m *Marks[P, M]) Run(ctx context.Context, list []Played[P, M]) ([]MarkedMove, error) {
	found := make([][]MarkedMove, len(list))
	err := m.each(ctx, len(list), func(s play.Engine[P, M], i int) (err error) {
		found[i], err = m.game(ctx, s, i, list[i])
		return err
	})
	var all []MarkedMove
	for _, moves := range found {
		all = append(all, moves...)
	}
	return all, err
}

// game reviews a game.
func (m *Marks[P, M]) game(ctx context.Context, s play.Engine[P, M], number int, played Played[P, M]) ([]MarkedMove, error) {
	c := m.Review
	c.Threads, c.Search = 1, func() (play.Engine[P, M], error) { return s, nil }
	if m.Last > 0 {
		c.First = max(0, len(played.Moves)+1-m.Last)
	}
	v, err := review.Game(ctx, m.Game, played.From, played.Moves, c)
	if err != nil {
		return nil, err
	}
	g, p := m.Game, played.From
	scorer, _ := games.As[games.Scorer[P, M]](g)
	var list []MarkedMove
	gains := make([]int, len(played.Moves))
	for ply := 0; ; ply++ {
		if i := ply - c.First; i >= 0 {
			x := MarkedMove{Game: number, Left: len(played.Moves) - ply, Row: v.Rows[i], Truth: games.Unbounded}
			if value, finished := g.Outcome(p); finished {
				x.Truth = games.BoundsOf(value)
			} else if m.Truth != nil {
				if x.Truth, err = m.Truth(ctx, s, p); err != nil {
					return nil, err
				}
			}
			list = append(list, x)
		}
		if ply == len(played.Moves) {
			break
		}
		if scorer != nil {
			gains[ply] = scorer.Gain(p, played.Moves[ply])
		}
		p = g.Play(p, played.Moves[ply])
	}
	order := games.OrderOf(g)
	for i := range list {
		x := &list[i]
		if x.Value != nil {
			_, err := x.Truth.Meet(*x.Value)
			x.Wrong = err != nil
		}
		if i+1 == len(list) {
			break
		}
		next := &list[i+1]
		x.Fate = fateOf(order, x.Truth, next.Truth.Backup(gains[c.First+i]))
		if x.estimated() && next.estimated() {
			sum := float64(*x.Score + *next.Score)
			x.Sum, x.Searched, x.Depths = &sum, sum, [2]int{x.Depth, next.Depth}
			for _, depth := range x.Depths {
				x.Searched += float64(m.Review.Calibration.Optimism[depth%2])
			}
		}
	}
	return list, nil
}

// estimated reports whether a position has an estimate that is not a mate.
func (x *MarkedMove) estimated() bool {
	if x.Score == nil {
		return false
	}
	_, mate := x.Score.Mate()
	return !mate
}

// fateOf returns what a move that is worth after does to the value of a position.
func fateOf(order games.Order, now, after games.Bounds) Fate {
	if order == games.ByScore {
		switch {
		case after.Lower >= now.Upper:
			return Keeps
		case after.Upper < now.Lower:
			return Loses
		}
		return Unknown
	}
	switch {
	case after.Lower.Result() >= now.Upper.Result():
		return Keeps
	case after.Upper.Result() < now.Lower.Result():
		return Loses
	}
	return Unknown
}

// MarkedShare returns the mean of a number that some moves have, with its interval by game.
func MarkedShare(list []MarkedMove, seed uint64, of func(x *MarkedMove) (value float64, ok bool)) (v interval.Interval, n int) {
	var values []float64
	var group []int
	for i := range list {
		if value, ok := of(&list[i]); ok {
			values, group = append(values, value), append(group, list[i].Game)
		}
	}
	if len(values) == 0 {
		return v, 0
	}
	return interval.Of(len(values), func(i int) int { return group[i] }, Draws, seed, func(drawn []int) float64 {
		sum := 0.0
		for _, i := range drawn {
			sum += values[i]
		}
		return sum / float64(len(drawn))
	}), len(values)
}

// String returns "keeps", "loses" or "unknown".
func (f Fate) String() string {
	if int(f) < len(fates) {
		return fates[f]
	}
	return fmt.Sprintf("Fate(%d)", uint8(f))
}

var fates = [...]string{"unknown", "keeps", "loses"}
