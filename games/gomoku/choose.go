package gomoku

import (
	"cmp"
	"math/bits"
	"slices"
)

// What the choice of a move looks at where no win is forced.
const (
	chooseWidth = 12 // moves at the root
	searchWidth = 6  // moves further down
	searchDepth = 3  // plies behind the root
	wonScore    = 1 << 40
)

// Choose returns a sensible move of a side that is to move, and the tree of the
// win if it is the first move of one. There must be an empty square, and no
// winning line.
//
// It wins where it finds a forced win, stops the opponent's, and otherwise looks
// a few plies ahead at an evaluation of all lines that can still win. The choice
// is the same each time for the same searcher and board, but for what the
// searcher knows from before.
func (s *Searcher) Choose(b *Board, side Side) (Square, *Tree) {
	if tree := s.win(b, side); tree != nil {
		return tree.Move, tree
	}
	other := side.Opponent()
	if fives := b.Fives(other); !fives.Empty() {
		for move := range fives.All() {
			return move, nil
		}
	}
	moves := s.around(b)
	if threat := s.win(b, other); threat != nil {
		// Moves outside of the zone have no effect.
		moves = threat.Zone(b, other)
		moves.Intersect(b.emptySquares())
	}
	best, bestScore := NoSquare, int64(-1<<62)
	for _, m := range b.best(&moves, side, chooseWidth) {
		b.Place(m, side)
		score := int64(0)
		if s.win(b, other) != nil {
			score = -wonScore + b.evaluate(side)
		} else {
			score = -b.negamax(other, searchDepth, -wonScore, -max(bestScore, -wonScore))
		}
		b.Remove(m, side)
		if score > bestScore {
			best, bestScore = m, score
		}
	}
	return best, nil
}

// win returns a win of a side that is to move, nil if none is found.
func (s *Searcher) win(b *Board, side Side) *Tree {
	tree := s.ThreatSpace(b, side)
	if tree == nil && s.Prove != nil {
		tree = s.Prove(b.Position(side))
	}
	return tree
}

// emptySquares returns the squares without a stone.
func (b *Board) emptySquares() *Set {
	empty := b.game.EmptySquares(Position{stones: b.stones})
	return &empty
}

// around returns the empty squares at most two away from a stone, the centre of
// an empty board, and all empty squares where there are none of these.
func (s *Searcher) around(b *Board) (set Set) {
	g := b.game
	add := func(at Square) {
		for row := max(at.Row()-2, 0); row <= min(at.Row()+2, g.rows-1); row++ {
			for column := max(at.Column()-2, 0); column <= min(at.Column()+2, g.columns-1); column++ {
				set.Add(SquareAt(row, column))
			}
		}
	}
	b.stones[Black].each(add)
	b.stones[White].each(add)
	if set.Empty() {
		set.Add(SquareAt(g.rows/2, g.columns/2))
	}
	if set.Intersect(b.emptySquares()); set.Empty() {
		set = *b.emptySquares()
	}
	return set
}

// weight is the worth of a line that can still win and has n stones.
func weight(n int) int64 { return 1<<(2*n) - 1 }

// worth is what a move on s adds to the lines of the side, and takes from those
// of the other.
func (b *Board) worth(s Square, side Side) (sum int64) {
	for _, at := range b.layout.through[s] {
		w := &b.states[at.window]
		own, others := bits.OnesCount32(w.occupied[side]), bits.OnesCount32(w.occupied[side.Opponent()])
		if others == 0 && w.before[side] == 0 {
			sum += weight(own+1) - weight(own)
		}
		if own == 0 && w.before[side.Opponent()] == 0 {
			sum += weight(others)
		}
	}
	return sum
}

// best returns the moves of set that are worth most, at most so many, best first.
func (b *Board) best(set *Set, side Side, most int) []Square {
	type choice struct {
		s     Square
		worth int64
	}
	var list []choice
	set.each(func(s Square) { list = append(list, choice{s, b.worth(s, side)}) })
	slices.SortStableFunc(list, func(x, y choice) int { return cmp.Compare(y.worth, x.worth) })
	list = list[:min(most, len(list))]
	squares := make([]Square, len(list))
	for i := range list {
		squares[i] = list[i].s
	}
	return squares
}

// evaluate sums the worth of the side's lines less that of the other's.
func (b *Board) evaluate(side Side) (sum int64) {
	for n := 1; n < b.layout.k; n++ {
		own, others := 0, 0
		for _, w := range b.windows(side, n) {
			own += bits.OnesCount64(w)
		}
		for _, w := range b.windows(side.Opponent(), n) {
			others += bits.OnesCount64(w)
		}
		sum += weight(n) * int64(own-others)
	}
	return sum
}

// negamax returns the value of the board for the side to move, by alpha-beta
// search over the moves that look best.
func (b *Board) negamax(side Side, depth int, alpha, beta int64) int64 {
	if fives := b.Fives(side); !fives.Empty() {
		return wonScore
	}
	moves := b.Fives(side.Opponent())
	if moves.Empty() {
		if depth == 0 {
			return b.evaluate(side)
		}
		moves = *b.emptySquares()
	}
	value := int64(-wonScore)
	list := b.best(&moves, side, searchWidth)
	if len(list) == 0 {
		return 0
	}
	for _, m := range list {
		b.Place(m, side)
		score := -b.negamax(side.Opponent(), max(depth-1, 0), -beta, -max(alpha, value))
		b.Remove(m, side)
		if value = max(value, score); value >= beta {
			break
		}
	}
	return value
}
