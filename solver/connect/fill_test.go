package connect

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/hex"
)

var fillPositions = flag.Int("fill.positions", 1500, "positions of each board in TestFill")

// bruteForce solves positions by trying all moves. A square with stones of both sides is nobody's.
type bruteForce struct {
	*Search
	known map[games.Placement]bool
}

// wins reports whether a side wins a position in which no other move is possible than on empty squares.
func (b *bruteForce) wins(at games.Placement, side int) bool {
	for winner := range at.Stones {
		if _, ok := b.chain(winner, own(&at, winner)); ok {
			return winner == side
		}
	}
	mover := b.moverWins(at)
	return mover == (at.ToMove == side)
}

func (b *bruteForce) moverWins(at games.Placement) bool {
	if won, ok := b.known[at]; ok {
		return won
	}
	won := false
	for empty := b.board.Minus(at.Stones[0]).Minus(at.Stones[1]); !empty.Empty() && !won; empty = empty.Rest() {
		next := b.play(at, empty.First())
		if _, won = b.chain(at.ToMove, own(&next, at.ToMove)); !won {
			won = !b.moverWins(next)
		}
	}
	b.known[at] = won
	return won
}

// placements calls f for all placements of a board without a chain, or for random ones with some empty squares.
func placements(s *Search, squares int, random *rand.Rand, number, empty int, f func(at games.Placement)) {
	call := func(at games.Placement) {
		for side := range at.Stones {
			if _, over := s.chain(side, at.Stones[side]); over {
				return
			}
		}
		for at.ToMove = range 2 {
			f(at)
		}
	}
	if random == nil {
		all := 1
		for range squares {
			all *= 3
		}
		for code := range all {
			var at games.Placement
			for square, rest := 0, code; rest > 0; square, rest = square+1, rest/3 {
				if digit := rest % 3; digit > 0 {
					at.Stones[digit-1] = at.Stones[digit-1].With(square)
				}
			}
			call(at)
		}
		return
	}
	for range number {
		var at games.Placement
		for i, square := range random.Perm(squares) {
			if side := random.IntN(2); i >= empty {
				at.Stones[side] = at.Stones[side].With(square)
			}
		}
		call(at)
	}
}

// smallest returns a carrier of a side that wins a position: with no stone or square that it could do without.
func (b *bruteForce) smallest(at games.Placement, winner int, rng *rand.Rand) carrier {
	x := carrier{stones: at.Stones[winner], squares: b.board.Minus(at.Stones[1-winner]), winner: uint8(winner), toMove: at.ToMove == winner}
	for _, square := range rng.Perm(games.MaxSquares) {
		if one := (games.Squares{}.With(square)); b.board.Has(square) {
			for _, y := range []carrier{
				{stones: x.stones.Minus(one), squares: x.squares.Minus(one)},
				{stones: x.stones.Minus(one), squares: x.squares},
			} {
				y.winner, y.toMove = x.winner, x.toMove
				if b.wins(b.placement(&y), winner) {
					x = y
					break
				}
			}
		}
	}
	return x
}

// TestFill compares who wins positions by brute force before and after they are filled, all of 3×3 and random ones of
// larger boards. The winner must win even if the other side has the dead squares, and that side's stones are all
// left. A smallest carrier in the filled position that uses captured squares must be one without them too.
func TestFill(t *testing.T) {
	filled, captured := 0, 0
	rng := rand.New(rand.NewPCG(9, 9))
	for _, board := range []struct {
		size           string
		squares, empty int
	}{{"3x3", 9, 9}, {"4x4", 16, 9}, {"5x5", 25, 9}} {
		g, err := hex.Family.Open("hex:size=" + board.size)
		require.NoError(t, err)
		s := New(BoardOf(g, g), DefaultLimits)
		number, random := *fillPositions, rand.New(rand.NewPCG(3, uint64(board.squares)))
		if board.squares == 9 {
			random = nil
		} else if testing.Short() {
			number /= 10
		}
		b := bruteForce{s, map[games.Placement]bool{}}
		var pairs [2][]pair
		placements(s, board.squares, random, number, board.empty, func(at games.Placement) {
			if random != nil {
				clear(b.known)
			}
			full := s.fill(at, &pairs)
			if full == at {
				return
			}
			filled++
			winner := 0
			if !b.wins(at, 0) {
				winner = 1
			}
			after := full
			after.Stones[winner] = own(&full, winner)
			require.True(t, b.wins(after, winner), "%v, %v", at, full)
			if len(pairs[winner]) == 0 {
				return
			}
			x := b.smallest(after, winner, rng)
			number, y := s.restore(0, x, pairs[winner])
			if number == 0 {
				return
			}
			captured++
			require.True(t, y.stones.Minus(own(&at, winner)).Empty() && y.squares.And(at.Stones[1-winner]).Empty(), "%v: %+v", at, y)
			require.True(t, b.wins(s.placement(&y), winner), "%v, %v: %+v from %+v", at, full, y, x)
		})
	}
	t.Logf("%d positions filled, %d pairs", filled, captured)
	require.Greater(t, min(filled, captured), 1000)
}

// TestDead turns single stones on dead squares of full boards: the winner must stay the same.
func TestDead(t *testing.T) {
	const squares = 25
	rng := rand.New(rand.NewPCG(2, 2))
	g, err := hex.Family.Open("hex:size=5x5")
	require.NoError(t, err)
	s := New(BoardOf(g, g), DefaultLimits)
	dead := 0
	for square := range squares {
		table := &s.tables[square]
		for code := range table.dead {
			if !table.dead[code] {
				continue
			}
			dead++
			for range 8 {
				var x games.Squares
				for other := range squares {
					if rng.IntN(2) == 0 {
						x = x.With(other)
					}
				}
				for i, near := range table.beside {
					switch code / int(powers[i]) % 3 {
					case 1:
						x = x.With(int(near))
					case 2:
						x = x.Minus(games.Squares{}.With(int(near)))
					}
				}
				one := games.Squares{}.With(square)
				_, with := s.chain(0, x.Or(one))
				_, without := s.chain(0, x.Minus(one))
				require.Equal(t, with, without, "square %d, code %d", square, code)
			}
		}
	}
	t.Logf("%d dead squares", dead)
	require.Greater(t, dead, 1000)
}
