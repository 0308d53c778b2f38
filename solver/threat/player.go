package threat

import (
	"cmp"
	"context"
	"slices"

	"github.com/yomikiri/yomikiri/games/gomoku"
)

// Limits of the search for a move where no win is forced.
const (
	chooseWidth = 12 // moves at the root
	searchWidth = 6  // moves further down
	searchDepth = 3  // plies after a move at the root
	wonScore    = 1 << 40
)

// Player chooses moves for play. It belongs to one goroutine.
type Player struct{ finder }

// NewPlayer returns a player that looks for wins by threat-space search with s, and
// with vct where that finds none, unless it is nil. Nothing else may use either of them.
func NewPlayer(s *Searcher, vct *VCT) *Player { return &Player{finder{s, vct}} }

// Choose returns a move of the side to move in the unfinished position p, and the tree if it
// begins a forced win.
//
// It plays forced wins that it finds, stops the opponent's, and otherwise searches a few
// plies ahead with an evaluation of all lines that can still win. When ctx ends it returns
// the best move so far, after at most one more threat-space search. Otherwise the choice
// depends only on the position and what the player has searched before.
func (x *Player) Choose(ctx context.Context, p gomoku.Position) (gomoku.Square, *Tree) {
	b, side := x.searcher.game.NewBoard(p), p.ToMove()
	if tree := x.win(ctx, b, side); tree != nil {
		return tree.Move, tree
	}
	other := side.Opponent()
	if fives := b.Fives(other); !fives.Empty() {
		return fives.First(), nil
	}
	moves := around(b)
	if threat := x.win(ctx, b, other); threat != nil {
		moves = threat.relevant(b, other, "a zone of the opponent's")
	}
	list := bestMoves(b, &moves, side, chooseWidth)
	best, bestScore := list[0], int64(-1<<62)
	for _, m := range list {
		if ctx.Err() != nil {
			break
		}
		b.Place(m, side)
		score := int64(0)
		if x.win(ctx, b, other) != nil {
			score = -wonScore + evaluate(b, side)
		} else {
			score = -negamax(ctx, b, other, searchDepth, -wonScore, -max(bestScore, -wonScore))
		}
		b.Remove(m, side)
		if score > bestScore && ctx.Err() == nil {
			best, bestScore = m, score
		}
	}
	return best, nil
}

// Swap reports whether the player prefers the other side of the unfinished position p, as a
// swap opening lets it choose. If not, it returns its move.
func (x *Player) Swap(ctx context.Context, p gomoku.Position) (gomoku.Square, bool) {
	move, win := x.Choose(ctx, p)
	if win != nil {
		return move, false
	}
	b, side, other := x.searcher.game.NewBoard(p), p.ToMove(), p.ToMove().Opponent()
	b.Place(move, side)
	// The other side is then to move, so it is ahead if the evaluation is even.
	return move, x.win(ctx, b, other) != nil || evaluate(b, other) >= 0
}

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

// evaluate returns the worth of the side's lines minus that of the opponent's.
func evaluate(b *gomoku.Board, side gomoku.Side) (sum int64) {
	for n := 1; n < b.K(); n++ {
		sum += lineWorth(n) * int64(b.Windows(side, n).Len()-b.Windows(side.Opponent(), n).Len())
	}
	return sum
}

// negamax returns the value of the board for the side to move, by alpha-beta
// search over the moves that look best. If ctx ends the value means nothing.
func negamax(ctx context.Context, b *gomoku.Board, side gomoku.Side, depth int, alpha, beta int64) int64 {
	if fives := b.Fives(side); !fives.Empty() {
		return wonScore
	}
	moves := b.Fives(side.Opponent())
	if moves.Empty() {
		if ctx.Err() != nil {
			return 0
		}
		if depth == 0 {
			return evaluate(b, side)
		}
		moves = b.EmptySquares()
	}
	value := int64(-wonScore)
	list := bestMoves(b, &moves, side, searchWidth)
	if len(list) == 0 {
		return 0
	}
	for _, m := range list {
		b.Place(m, side)
		score := -negamax(ctx, b, side.Opponent(), max(depth-1, 0), -beta, -max(alpha, value))
		b.Remove(m, side)
		if value = max(value, score); value >= beta {
			break
		}
	}
	return value
}
