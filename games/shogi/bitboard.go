package shogi

import "math/bits"

// Bitboard is a set of squares. Files 1 to 7 lie in lo, 9 bits each, files 8 and
// 9 in hi, so no file crosses the words and a step along a file is a shift. The
// zero Bitboard is the empty set.
type Bitboard struct{ lo, hi uint64 }

const (
	loBits  uint64 = 1<<63 - 1
	hiBits  uint64 = 1<<18 - 1
	loWidth        = 63
)

var squareBit [squares]Bitboard

// Has reports whether a square is in the set.
func (b Bitboard) Has(s Square) bool {
	x := &squareBit[s]
	return b.lo&x.lo|b.hi&x.hi != 0
}

// Empty reports whether no square is in the set.
func (b Bitboard) Empty() bool { return b.lo|b.hi == 0 }

// Len returns the number of squares in the set.
func (b Bitboard) Len() int { return bits.OnesCount64(b.lo) + bits.OnesCount64(b.hi) }

// First returns the lowest square of the set. The set must not be empty.
func (b Bitboard) First() Square {
	if b.lo != 0 {
		return Square(bits.TrailingZeros64(b.lo))
	}
	return Square(loWidth + bits.TrailingZeros64(b.hi))
}

// rest returns the set without its lowest square.
func (b Bitboard) rest() Bitboard {
	if b.lo != 0 {
		return Bitboard{b.lo & (b.lo - 1), b.hi}
	}
	return Bitboard{0, b.hi & (b.hi - 1)}
}

// last returns the highest square of the set, which must not be empty.
func (b Bitboard) last() Square {
	if b.hi != 0 {
		return Square(loWidth + 63 - bits.LeadingZeros64(b.hi))
	}
	return Square(63 - bits.LeadingZeros64(b.lo))
}

// single reports whether the set has at most one square.
func (b Bitboard) single() bool {
	if b.lo != 0 {
		return b.lo&(b.lo-1)|b.hi == 0
	}
	return b.hi&(b.hi-1) == 0
}

func (b Bitboard) and(c Bitboard) Bitboard     { return Bitboard{b.lo & c.lo, b.hi & c.hi} }
func (b Bitboard) or(c Bitboard) Bitboard      { return Bitboard{b.lo | c.lo, b.hi | c.hi} }
func (b Bitboard) without(c Bitboard) Bitboard { return Bitboard{b.lo &^ c.lo, b.hi &^ c.hi} }
func (b Bitboard) meets(c Bitboard) bool       { return b.lo&c.lo|b.hi&c.hi != 0 }

// flip adds the squares of c that are missing, and removes those that are present.
func (b *Bitboard) flip(c Bitboard) {
	b.lo ^= c.lo
	b.hi ^= c.hi
}

func (b Bitboard) not() Bitboard { return Bitboard{b.lo ^ loBits, b.hi ^ hiBits} }

// forward returns the squares in front of those of the set, as c moves. No
// square of the set may lie on the far rank of c.
func (b Bitboard) forward(c Color) Bitboard {
	if c == Black {
		return Bitboard{b.lo >> 1, b.hi >> 1}
	}
	return Bitboard{b.lo << 1, b.hi << 1}
}
