package gametest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// monotone checks [games.Monotone] on positions with few empty squares: the value is not worse with a
// stone more or one of the other side's less. It also checks [games.Connection], which makes them.
func (s *suite[P, M]) monotone(t *testing.T, c games.Connection[P, M]) {
	const (
		mostEmpty = 7   // squares of positions that are solved
		solved    = 100 // such positions
	)
	known, left, finished, tried := map[P]games.Result{}, solved, 0, 0
	for _, p := range s.positions {
		at := c.Placement(p)
		require.Equal(t, p, c.Place(at), s.name(p))
		_, over := s.g.Outcome(p)
		last := 1 - at.ToMove
		require.Equal(t, connects(c, last, at.Stones[last]), over, "%s: over or not, against Beside and Edges", s.name(p))
		if over {
			finished++
			continue
		}
		moves, empty := s.g.AppendMoves(nil, p), games.Squares{}
		var weights [games.MaxSquares]float64
		c.Weigh(p, &weights)
		for _, m := range moves {
			square := c.Square(m)
			empty = empty.With(square)
			after := at
			after.Stones[at.ToMove], after.ToMove = after.Stones[at.ToMove].With(square), 1-at.ToMove
			require.Equal(t, c.Place(after), s.g.Play(p, m), "%s: move %s", s.name(p), s.g.AppendMove(nil, p, m))
			require.False(t, weights[square] != weights[square], "%s: %s weighs NaN", s.name(p), s.g.AppendMove(nil, p, m))
		}
		require.Len(t, moves, empty.Len(), "%s: two moves to one square", s.name(p))
		require.True(t, empty.And(at.Stones[0].Or(at.Stones[1])).Empty(), "%s: a move to a square with a stone", s.name(p))
		if len(moves) > mostEmpty || left == 0 {
			continue
		}
		left--
		value := Negamax(s.g, p, known)
		for _, m := range moves {
			for _, side := range []int{at.ToMove, 1 - at.ToMove} {
				more, fewer := at, at
				more.Stones[side] = more.Stones[side].With(c.Square(m))
				for square := range games.MaxSquares {
					if at.Stones[1-side].Has(square) && s.rng.IntN(4) == 0 {
						fewer.Stones[1-side] = fewer.Stones[1-side].Minus(games.Squares{}.With(square))
						break
					}
				}
				for _, better := range []games.Placement{more, fewer} {
					require.True(t, better.NoWorse(&at, side))
					q, turned := c.Place(better), better
					turned.ToMove = 1 - turned.ToMove
					if _, over := s.g.Outcome(c.Place(turned)); over {
						continue // the side to move has won
					}
					if _, over := s.g.Outcome(q); over {
						continue
					}
					tried++
					if v := Negamax(s.g, q, known); side == at.ToMove {
						require.GreaterOrEqual(t, v, value, "%s: %s is no worse for the side to move", s.name(p), s.name(q))
					} else {
						require.LessOrEqual(t, v, value, "%s: %s is no worse for the other side", s.name(p), s.name(q))
					}
				}
			}
		}
	}
	require.Less(t, left, solved, "no position has few enough empty squares")
	require.Positive(t, finished)
	require.Positive(t, tried)
}

// connects reports whether stones of a side are a chain between its edges.
func connects[P, M comparable](c games.Connection[P, M], side int, stones games.Squares) bool {
	edges := c.Edges(side)
	var reached games.Squares
	for next := edges[0].And(stones); !next.Empty(); {
		square := next.First()
		reached = reached.With(square)
		next = next.Rest().Or(c.Beside(square).And(stones).Minus(reached))
	}
	return !reached.And(edges[1]).Empty()
}
