package games

import "math/bits"

// MaxSquares is the number of squares that [Squares] has room for.
const MaxSquares = 128

// Squares is a set of the squares of a board, which have numbers from 0 on.
type Squares [2]uint64

// With returns the set with one square more.
func (s Squares) With(square int) Squares {
	s[square>>6] |= 1 << (square & 63)
	return s
}

// Has reports whether a square is in the set.
func (s Squares) Has(square int) bool { return s[square>>6]>>(square&63)&1 != 0 }

// Or returns the squares of both sets.
func (s Squares) Or(t Squares) Squares { return Squares{s[0] | t[0], s[1] | t[1]} }

// And returns the squares that are in both sets.
func (s Squares) And(t Squares) Squares { return Squares{s[0] & t[0], s[1] & t[1]} }

// Minus returns the squares of s that are not in t.
func (s Squares) Minus(t Squares) Squares { return Squares{s[0] &^ t[0], s[1] &^ t[1]} }

// First returns the lowest square of a set that is not empty.
func (s Squares) First() int {
	if s[0] != 0 {
		return bits.TrailingZeros64(s[0])
	}
	return 64 + bits.TrailingZeros64(s[1])
}

// Rest returns the set without its lowest square.
func (s Squares) Rest() Squares {
	if s[0] != 0 {
		return Squares{s[0] & (s[0] - 1), s[1]}
	}
	return Squares{0, s[1] & (s[1] - 1)}
}

// Empty reports whether the set has no square.
func (s Squares) Empty() bool { return s[0]|s[1] == 0 }

// Len returns the number of squares.
func (s Squares) Len() int { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }

// Placement is the stones on a board and the side to move, 0 or 1.
type Placement struct {
	Stones [2]Squares // of each side
	ToMove int
}

// NoWorse reports whether the same side is to move in p and q, and a side has all its stones of q in
// p, and the other side no stones in p that it does not have in q.
func (p *Placement) NoWorse(q *Placement, side int) bool {
	return p.ToMove == q.ToMove && q.Stones[side].Minus(p.Stones[side]).Empty() &&
		p.Stones[1-side].Minus(q.Stones[1-side]).Empty()
}

// Monotone is OPTIONAL: it is for games in which a position is nothing but a [Placement], and an extra
// stone never hurts its owner. If a side can force a win from an unfinished position, it can from
// every unfinished one that is no worse for it: see [Placement.NoWorse]. Numbers of stones need not
// balance. Use [MonotoneOf].
type Monotone[P comparable] interface {
	// Monotone reports whether the rules of this game allow that.
	Monotone() bool

	// Placement returns the stones of a position.
	Placement(p P) Placement
}

// MonotoneOf returns the capability of g, or nil if g does not have it under its rules.
func MonotoneOf[P, M comparable](g Game[P, M]) Monotone[P] {
	if m, ok := As[Monotone[P]](g); ok && m.Monotone() {
		return m
	}
	return nil
}

// Symmetric is OPTIONAL: it is for a [Monotone] game whose board has symmetries that change no value.
type Symmetric interface {
	// Images returns what p looks like under each of them, p included.
	Images(p Placement) []Placement
}

// NoWorse reports whether p is no worse than q for the side to move in p, or for the other side.
func NoWorse[P comparable](m Monotone[P], p, q P, forMover bool) bool {
	a, b := m.Placement(p), m.Placement(q)
	side := a.ToMove
	if !forMover {
		side = 1 - side
	}
	return a.NoWorse(&b, side)
}

// Connection is OPTIONAL: it is for a [Monotone] game in which a move puts a stone on any empty
// square, and the first side wins that has a chain of stones between its two edges. One side always
// does, and never both.
type Connection[P, M comparable] interface {
	Monotone[P]

	// Place returns the position with some stones.
	Place(p Placement) P

	// Square returns the square that m puts a stone on.
	Square(m M) int

	// Beside returns the neighbours of a square in a chain.
	Beside(square int) Squares

	// Edges returns the squares on the two edges of a side.
	Edges(side int) [2]Squares

	// Weigh estimates how much a stone on each empty square matters to the two sides.
	Weigh(p P, weights *[MaxSquares]float64)
}

// ConnectionOf returns the capability of g, or nil if g does not have it under its rules.
func ConnectionOf[P, M comparable](g Game[P, M]) Connection[P, M] {
	if c, ok := g.(Connection[P, M]); ok && c.Monotone() {
		return c
	}
	return nil
}
