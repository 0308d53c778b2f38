package awari

import "math/bits"

const (
	pits = 6 // of a side
	// maxStones is the number of stones in the game.
	maxStones = 48
)

// row is the pits of one side, from its owner's left to right: pit i in bits 8i
// to 8i+7.
type row uint64

const (
	ones    = 0x0101_0101_0101 // one stone in each pit
	allPits = 1<<(8*pits) - 1
)

func (r row) pit(i int) int { return int(r >> (8 * i) & 0xff) }

// sums returns in byte i how many stones pits 0 to i have together.
func (r row) sums() uint64 { return uint64(r) * ones & allPits }

// stones returns how many stones the row has. No sum exceeds maxStones, so none
// runs over into the next byte.
func (r row) stones() int { return int(r.sums() >> (8 * (pits - 1))) }

// Position is a position seen from the side to move.
type Position struct {
	own, opposite row
}

// Stones returns the number of stones on the board.
func (p Position) Stones() int { return p.own.stones() + p.opposite.stones() }

// Pits returns the stones of each pit: the mover's A to F, the opponent's a to f.
func (p Position) Pits() [2 * pits]int {
	var list [2 * pits]int
	for i := range pits {
		list[i], list[pits+i] = p.own.pit(i), p.opposite.pit(i)
	}
	return list
}

// positionOf returns the position with these stones in the mover's pits A to F and the
// opponent's a to f.
func positionOf(stones [2 * pits]int) (p Position) {
	for i, n := range stones[:pits] {
		p.own |= row(n) << (8 * i)
		p.opposite |= row(stones[pits+i]) << (8 * i)
	}
	return p
}

// sowing is what sowing a number of stones from a pit adds to both rows, and
// where the last stone falls.
type sowing struct {
	own, opposite row
	// shift moves the opponent's pit in which the last stone falls into the
	// topmost byte; it is noShift if the last stone falls elsewhere.
	shift uint8
}

// noShift shifts everything out, so that nothing is capturable.
const noShift = 64

// sowings has the sowing of each number of stones from each of the mover's pits.
var sowings = func() (table [pits][maxStones + 1]sowing) {
	for from := range table {
		s := sowing{shift: noShift}
		at := from
		for n := 1; n <= maxStones; n++ {
			if at = (at + 1) % (2 * pits); at == from {
				at++
			}
			if at < pits {
				s.own += 1 << (8 * at)
				s.shift = noShift
			} else {
				s.opposite += 1 << (8 * (at - pits))
				s.shift = uint8(8 * (7 - (at - pits)))
			}
			table[from][n] = s
		}
	}
	return table
}()

// sow sows the stones of a pit that is not empty. It returns both rows before the capture,
// and in captured the stones of the opponent that the move captures if the rules allow it.
func (p Position) sow(pit int) (own, opposite, captured row) {
	s := &sowings[pit][p.own.pit(pit)&63]
	own = p.own&^(0xff<<(8*pit)) + s.own
	opposite = p.opposite + s.opposite
	return own, opposite, opposite & capturable(opposite, s.shift)
}

// capturable returns a mask of the pits that the last stone captures, with all bits of these
// pits set. A left shift by shift moves the pit where the stone falls to the topmost byte,
// unless shift is noShift.
func capturable(r row, shift uint8) row {
	// A byte of others is 0 exactly where a pit holds two or three.
	others := uint64(r^0x0202_0202_0202) & 0xfefe_fefe_fefe
	n := bits.LeadingZeros64(others<<(shift&63)) / 8
	// Zeros shifted in below the first pit are not pits.
	n = min(n, 8-int(shift)/8)
	return row(^uint64(0) << uint(64-8*n) >> (shift & 63))
}
