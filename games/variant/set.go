package variant

import "math/bits"

// MaxSquares is the number of squares of the largest board: 12 files and 10 ranks.
const (
	maxFiles   = 12
	maxRanks   = 10
	MaxSquares = maxFiles * maxRanks
)

// set is a set of squares. Square 0 is a1, and the squares of a rank follow each other.
type set struct{ low, high uint64 }

// square returns the set of one square.
func square(s int) set {
	if s < 64 {
		return set{low: 1 << s}
	}
	return set{high: 1 << (s - 64)}
}

func (a set) and(b set) set     { return set{a.low & b.low, a.high & b.high} }
func (a set) or(b set) set      { return set{a.low | b.low, a.high | b.high} }
func (a set) xor(b set) set     { return set{a.low ^ b.low, a.high ^ b.high} }
func (a set) without(b set) set { return set{a.low &^ b.low, a.high &^ b.high} }
func (a set) empty() bool       { return a.low|a.high == 0 }
func (a set) meets(b set) bool  { return a.low&b.low|a.high&b.high != 0 }
func (a set) count() int        { return bits.OnesCount64(a.low) + bits.OnesCount64(a.high) }

func (a set) has(s int) bool {
	if s < 64 {
		return a.low>>s&1 != 0
	}
	return a.high>>(s-64)&1 != 0
}

func (a *set) add(s int) {
	if s < 64 {
		a.low |= 1 << s
	} else {
		a.high |= 1 << (s - 64)
	}
}

func (a *set) remove(s int) {
	if s < 64 {
		a.low &^= 1 << s
	} else {
		a.high &^= 1 << (s - 64)
	}
}

// first and last return the lowest and the highest square of a set that is not empty.
func (a set) first() int {
	if a.low != 0 {
		return bits.TrailingZeros64(a.low)
	}
	return 64 + bits.TrailingZeros64(a.high)
}

func (a set) last() int {
	if a.high != 0 {
		return 127 - bits.LeadingZeros64(a.high)
	}
	return 63 - bits.LeadingZeros64(a.low)
}

// below returns how many squares of a set come before a square.
func (a set) below(s int) int {
	if s < 64 {
		return bits.OnesCount64(a.low & (1<<s - 1))
	}
	return bits.OnesCount64(a.low) + bits.OnesCount64(a.high&(1<<(s-64)-1))
}

// nth returns the square before which n others come, and -1 if there are not so many.
func (a set) nth(n int) int {
	word, base := a.low, 0
	if k := bits.OnesCount64(a.low); n >= k {
		word, base, n = a.high, 64, n-k
	}
	for width := 32; width > 0 && word != 0; width /= 2 {
		low := word & (1<<width - 1)
		if k := bits.OnesCount64(low); n >= k {
			word, base, n = word>>width, base+width, n-k
		} else {
			word = low
		}
	}
	if word == 0 || n > 0 {
		return -1
	}
	return base
}

// pop removes the lowest square of a set that is not empty, and returns it.
func (a *set) pop() int {
	if a.low != 0 {
		s := bits.TrailingZeros64(a.low)
		a.low &= a.low - 1
		return s
	}
	s := bits.TrailingZeros64(a.high)
	a.high &= a.high - 1
	return 64 + s
}

// region is a set of squares that does not depend on the size of the board: a bit for each file of each rank. It is
// what a section says, which a child with a larger or a smaller board inherits.
type region [maxRanks]uint16

var everywhere = func() (r region) {
	for i := range r {
		r[i] = 1<<maxFiles - 1
	}
	return r
}()

// ranks returns the region of the given ranks, which count from 1.
func ranks(list ...int) (r region) {
	for _, i := range list {
		r[i-1] = 1<<maxFiles - 1
	}
	return r
}

func (r region) empty() bool { return r == region{} }

// on returns the squares of r on a board.
func (r region) on(files, ranks int) (s set) {
	for rank := range ranks {
		for file := range files {
			if r[rank]>>file&1 != 0 {
				s.add(rank*files + file)
			}
		}
	}
	return s
}
