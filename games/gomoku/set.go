package gomoku

import (
	"iter"
	"math/bits"
	"strconv"
)

// MaxSide is the largest number of rows, and of columns.
const MaxSide = 20

// stride is the distance between neighbouring squares of a column.
const stride = MaxSide

// words is the number of words with a bit for each square.
const words = (MaxSide*stride + 63) / 64

// MaxSquares is the length of an array indexed by [Square].
const MaxSquares = 64 * words

// Square is a square of the board, and the move that puts a stone there. Its
// number does not depend on the size of the board; it is below 400.
type Square uint16

// NoSquare stands for no square.
const NoSquare Square = 1<<16 - 1

// SquareAt returns the square in a row, counted from 0 at the bottom, and a
// column, counted from 0 on the left.
func SquareAt(row, column int) Square { return Square(row*stride + column) }

// Row returns the row of s, counted from 0 at the bottom.
func (s Square) Row() int { return int(s) / stride }

// Column returns the column of s, counted from 0 on the left.
func (s Square) Column() int { return int(s) % stride }

// String returns the notation of the square, such as "h8".
func (s Square) String() string {
	if s == NoSquare {
		return "-"
	}
	return string(s.appendText(nil))
}

func (s Square) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

func (s Square) appendText(dst []byte) []byte {
	return strconv.AppendInt(append(dst, 'a'+byte(s.Column())), int64(s.Row()+1), 10)
}

// Set is a set of squares.
type Set [words]uint64

// Has reports whether s is in the set.
func (set *Set) Has(s Square) bool { return set[s>>6]>>(s&63)&1 != 0 }

// Add adds s.
func (set *Set) Add(s Square) { set[s>>6] |= 1 << (s & 63) }

// Remove removes s.
func (set *Set) Remove(s Square) { set[s>>6] &^= 1 << (s & 63) }

// AddAll puts all squares of other into the set.
func (set *Set) AddAll(other *Set) {
	for i := range set {
		set[i] |= other[i]
	}
}

// RemoveAll removes all squares of other.
func (set *Set) RemoveAll(other *Set) {
	for i := range set {
		set[i] &^= other[i]
	}
}

// Intersect removes all squares that are not in other.
func (set *Set) Intersect(other *Set) {
	for i := range set {
		set[i] &= other[i]
	}
}

// Len returns the number of squares in the set.
func (set *Set) Len() int {
	n := 0
	for _, w := range set {
		n += bits.OnesCount64(w)
	}
	return n
}

// Empty reports whether the set has no square.
func (set *Set) Empty() bool { return *set == Set{} }

// All yields the squares of the set in ascending order.
func (set *Set) All() iter.Seq[Square] {
	return func(yield func(Square) bool) {
		for i, w := range set {
			for ; w != 0; w &= w - 1 {
				if !yield(Square(64*i + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// Each calls do with each square, in ascending order. It is faster than All.
func (set *Set) Each(do func(Square)) {
	for i, w := range set {
		for ; w != 0; w &= w - 1 {
			do(Square(64*i + bits.TrailingZeros64(w)))
		}
	}
}

// meet moves every square of other down by n < 64 numbers, removes from set all squares that
// are not in other then, and reports whether a square is left. Both sets may have squares in
// the first words elements only.
func (set *Set) meet(other *Set, n uint, words int) bool {
	left, last := uint64(0), words-1
	for i := range last {
		other[i] = other[i]>>n | other[i+1]<<(64-n)
		set[i] &= other[i]
		left |= set[i]
	}
	other[last] >>= n
	set[last] &= other[last]
	return left|set[last] != 0
}

// shiftedUp returns the set with every square moved up by n < 64 numbers.
func (set *Set) shiftedUp(n uint) (to Set) {
	for i := words - 1; i > 0; i-- {
		to[i] = set[i]<<n | set[i-1]>>(64-n)
	}
	to[0] = set[0] << n
	return to
}

// First returns the smallest square, or NoSquare if the set is empty.
func (set *Set) First() Square {
	for i, w := range set {
		if w != 0 {
			return Square(64*i + bits.TrailingZeros64(w))
		}
	}
	return NoSquare
}
