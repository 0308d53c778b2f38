package threat

import (
	"cmp"
	"slices"

	"github.com/yomikiri/yomikiri/games/gomoku"
)

// around returns the empty squares at most two away from a stone or, if there are none, the
// centre of an empty board or all empty squares.
func around(b *gomoku.Board) (set gomoku.Set) {
	r := b.Game().Rules()
	add := func(at gomoku.Square) {
		for row := max(at.Row()-2, 0); row <= min(at.Row()+2, r.Rows-1); row++ {
			for column := max(at.Column()-2, 0); column <= min(at.Column()+2, r.Columns-1); column++ {
				set.Add(gomoku.SquareAt(row, column))
			}
		}
	}
	for side := gomoku.Black; side <= gomoku.White; side++ {
		stones := b.Stones(side)
		stones.Each(add)
	}
	if set.Empty() {
		set.Add(gomoku.SquareAt(r.Rows/2, r.Columns/2))
	}
	empty := b.EmptySquares()
	if set.Intersect(&empty); set.Empty() {
		set = empty
	}
	return set
}

// lineWorth is the worth of a line that can still win and has n stones.
func lineWorth(n int) int64 { return 1<<(2*n) - 1 }

// worth is what a move on s adds to the lines of the side, plus what it takes from the
// opponent's.
func worth(b *gomoku.Board, s gomoku.Square, side gomoku.Side) (sum int64) {
	for _, at := range b.Through(s) {
		if own := b.StonesIn(at, side); own >= 0 {
			sum += lineWorth(own+1) - lineWorth(own)
		}
		if others := b.StonesIn(at, side.Opponent()); others >= 0 {
			sum += lineWorth(others)
		}
	}
	return sum
}

// bestMoves returns the best moves of set, at most the given number, best first.
func bestMoves(b *gomoku.Board, set *gomoku.Set, side gomoku.Side, most int) []gomoku.Square {
	var worths [gomoku.MaxSquares]int64
	var list []gomoku.Square
	set.Each(func(s gomoku.Square) {
		worths[s] = worth(b, s, side)
		list = append(list, s)
	})
	slices.SortStableFunc(list, func(s, t gomoku.Square) int { return cmp.Compare(worths[t], worths[s]) })
	return list[:min(most, len(list))]
}
