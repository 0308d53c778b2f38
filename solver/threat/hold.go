package threat

import (
	"math"
	"math/bits"

	"github.com/yomikiri/yomikiri/games/gomoku"
)

// A side holds if its opponent, the attacker, cannot force a line. Two criteria show this
// without search, from the windows that the attacker can still fill:
//
//   - a pairing: disjoint pairs of empty squares such that each window has both
//     squares of some pair; the holder answers each stone of the attacker on one
//     with a stone on the other (Hales, Jewett 1963). One pair serves all windows
//     of a line that have both of its squares;
//   - weights: a window with n empty squares weighs 2^-n. If the weights sum up to
//     less than 1, or 1/2 with the attacker to move, the holder takes the square on
//     which most weight depends, and no window is ever filled (Erdős, Selfridge
//     1973).
//
// Neither considers the holder's own threats. An extra stone never hurts the holder
// in either, under both rules.

// weightOne is a weight of 1; windows have at most 20 squares.
const weightOne = 1 << 20

// demand is a group of windows of one line that one pair must serve: any two of
// the empty squares that they have in common.
type demand struct {
	squares [gomoku.MaxSide]gomoku.Square
	count   int
	taken   int // so many squares at the beginning are not free any more
}

// holder looks for proofs that a side holds. It belongs to one goroutine.
type holder struct {
	demands []demand
	owner   [gomoku.MaxSquares]int16  // number of the demand that has each square, from 1; 0 if none has
	seen    [gomoku.MaxSquares]uint32 // the stamp of the last search that came to each square
	stamp   uint32
	path    []gomoku.Square // to which the current search came
}

// windowWeight returns the sum of the weights of the windows that the attacker can
// still fill.
func windowWeight(b *gomoku.Board, attacker gomoku.Side) int {
	sum := 0
	for n := range b.K() {
		sum += b.Windows(attacker, n).Len() * (weightOne >> (b.K() - n))
	}
	return sum
}

// far is the largest number of lacking squares that is counted.
const far = 32

// holds reports whether a criterion shows that the attacker cannot win. The
// attacker must not have a line yet. If a pairing shows it, demands and owner hold the
// pairing; otherwise there are no demands.
func (h *holder) holds(b *gomoku.Board, attacker gomoku.Side, attackerToMove bool) bool {
	return h.lacks(b, attacker, attackerToMove, 1) == 0
}

// lacks returns the number of squares that a pairing lacks, up to most, and 0 if a criterion
// shows that the attacker cannot win.
func (h *holder) lacks(b *gomoku.Board, attacker gomoku.Side, attackerToMove bool, most int) int {
	h.demands = h.demands[:0]
	limit := weightOne
	if attackerToMove {
		limit /= 2
	}
	if windowWeight(b, attacker) < limit {
		return 0
	}
	empty := b.EmptySquares()
	if !h.collect(b, attacker, (empty.Len()+most-1)/2) {
		return most
	}
	return h.match(b, most)
}

// collect fills demands, and reports whether there are at most most of them.
func (h *holder) collect(b *gomoku.Board, attacker gomoku.Side, most int) bool {
	last, common := -1, uint32(0) // previous window; common squares of the group, as it numbers them
	flush := func() bool {
		if last < 0 {
			return true
		}
		if len(h.demands) == most {
			return false
		}
		h.demands = append(h.demands, demand{})
		d := &h.demands[len(h.demands)-1]
		for ; common != 0; common &= common - 1 {
			d.squares[d.count] = b.WindowSquare(last, bits.TrailingZeros32(common))
			d.count++
		}
		return true
	}
	for i, live := range b.Live(attacker) {
		for ; live != 0; live &= live - 1 {
			number := 64*i + bits.TrailingZeros64(live)
			empty := b.EmptyBits(number)
			if bits.OnesCount32(empty) < 2 {
				return false
			}
			if last >= 0 && number == last+1 && b.SameLine(number, last) {
				// The common squares, as this window numbers them.
				if both := common >> 1 & empty; bits.OnesCount32(both) >= 2 {
					last, common = number, both
					continue
				}
			}
			if !flush() {
				return false
			}
			last, common = number, empty
		}
	}
	return flush()
}

// useless is the stamp of a square from which no search gets to a free one.
const useless = math.MaxUint32

// match gives each demand two squares that no other has, as far as possible, and returns
// the number of squares lacking, up to most. The squares that a failed search has come to are
// useless for good: the demands that own them can use no squares but these, so no later search
// gets from there to a free one.
func (h *holder) match(b *gomoku.Board, most int) int {
	squares := gomoku.SquareAt(b.Game().Rules().Rows, 0)
	clear(h.owner[:squares])
	clear(h.seen[:squares])
	h.stamp = 0
	lack := 0
	for number := range h.demands {
		for range 2 {
			h.stamp++
			h.path = h.path[:0]
			if h.augment(int16(number + 1)) {
				continue
			}
			if lack++; lack == most {
				return lack
			}
			for _, s := range h.path {
				h.seen[s] = useless
			}
		}
	}
	return lack
}

// augment gives a demand one more square: a free one if there is one, else one whose owner
// gets a different square.
func (h *holder) augment(number int16) bool {
	d := &h.demands[number-1]
	for ; d.taken < d.count; d.taken++ {
		if s := d.squares[d.taken]; h.owner[s] == 0 {
			h.owner[s] = number
			return true
		}
	}
	for _, s := range d.squares[:d.count] {
		if h.seen[s] >= h.stamp || h.owner[s] == number {
			continue
		}
		h.seen[s] = h.stamp
		h.path = append(h.path, s)
		if h.augment(h.owner[s]) {
			h.owner[s] = number
			return true
		}
	}
	return false
}

// appendPairing appends the certificate of the pairing that holds has found on the image of
// a board under a symmetry: the word pairing, and the squares of the pairs, two by two.
func (h *holder) appendPairing(dst []byte, g *gomoku.Game, symmetry int) []byte {
	var from [gomoku.MaxSquares]gomoku.Square
	for row := range g.Rules().Rows {
		for column := range g.Rules().Columns {
			s := gomoku.SquareAt(row, column)
			from[g.Image(symmetry, s)] = s
		}
	}
	dst = append(dst, "pairing"...)
	for number := range h.demands {
		d := &h.demands[number]
		for _, s := range d.squares[:d.count] {
			if h.owner[s] == int16(number+1) {
				dst = append(append(dst, ' '), from[s].String()...)
			}
		}
	}
	return dst
}
