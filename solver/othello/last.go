package othello

import "math/bits"

// lastEmpties is the largest number of empty squares that is searched by this file. It knows the
// squares one by one and never makes a list of moves.
const lastEmpties = 4

// last searches a position with at most lastEmpties empty squares, in which a side may have to pass.
func (s *search) last(own, opposite uint64, alpha int) int {
	var squares [lastEmpties]int
	n := 0
	for empty := s.all &^ (own | opposite); empty != 0; empty &= empty - 1 {
		squares[n&3] = bits.TrailingZeros64(empty)
		n++
	}
	switch n {
	case 4:
		return s.last4(own, opposite, squares, alpha, false)
	case 3:
		return s.last3(own, opposite, squares[0], squares[1], squares[2], alpha, false)
	case 2:
		return s.last2(own, opposite, squares[0], squares[1], alpha, false)
	case 1:
		s.nodes++
		return s.last1(own, squares[0])
	}
	s.nodes++
	return s.game.Score(own, opposite)
}

// last4 searches a position with four empty squares: first those alone in a part of the board, or
// with two others.
func (s *search) last4(own, opposite uint64, squares [lastEmpties]int, alpha int, passed bool) int {
	s.nodes++
	a, b, c, d := squares[0], squares[1], squares[2], squares[3]
	odd := s.part[a&63] ^ s.part[b&63] ^ s.part[c&63] ^ s.part[d&63]
	if odd&s.part[a&63] == 0 {
		switch {
		case odd&s.part[b&63] != 0:
			a, b = b, a
		case odd&s.part[c&63] != 0:
			a, c = c, a
		case odd&s.part[d&63] != 0:
			a, d = d, a
		}
	}
	if odd&s.part[b&63] == 0 {
		switch {
		case odd&s.part[c&63] != 0:
			b, c = c, b
		case odd&s.part[d&63] != 0:
			b, d = d, b
		}
	}
	best := worse
	if turned := s.turns(own, opposite, a); turned != 0 {
		if best = -s.last3(opposite&^turned, own|turned|1<<a, b, c, d, ^alpha, false); best > alpha {
			return best
		}
	}
	if turned := s.turns(own, opposite, b); turned != 0 {
		if best = max(best, -s.last3(opposite&^turned, own|turned|1<<b, a, c, d, ^alpha, false)); best > alpha {
			return best
		}
	}
	if turned := s.turns(own, opposite, c); turned != 0 {
		if best = max(best, -s.last3(opposite&^turned, own|turned|1<<c, a, b, d, ^alpha, false)); best > alpha {
			return best
		}
	}
	if turned := s.turns(own, opposite, d); turned != 0 {
		best = max(best, -s.last3(opposite&^turned, own|turned|1<<d, a, b, c, ^alpha, false))
	}
	switch {
	case best != worse:
		return best
	case passed:
		return -s.game.Score(opposite, own)
	}
	return -s.last4(opposite, own, [lastEmpties]int{a, b, c, d}, ^alpha, true)
}

// last3 searches a position with three empty squares: first the one that is alone in a part of the
// board.
func (s *search) last3(own, opposite uint64, a, b, c int, alpha int, passed bool) int {
	s.nodes++
	switch s.part[c&63] {
	case s.part[b&63]:
	case s.part[a&63]:
		a, b = b, a
	default:
		if s.part[a&63] == s.part[b&63] {
			a, c = c, a
		}
	}
	best := worse
	if turned := s.turns(own, opposite, a); turned != 0 {
		if best = -s.last2(opposite&^turned, own|turned|1<<a, b, c, ^alpha, false); best > alpha {
			return best
		}
	}
	if turned := s.turns(own, opposite, b); turned != 0 {
		if best = max(best, -s.last2(opposite&^turned, own|turned|1<<b, a, c, ^alpha, false)); best > alpha {
			return best
		}
	}
	if turned := s.turns(own, opposite, c); turned != 0 {
		best = max(best, -s.last2(opposite&^turned, own|turned|1<<c, a, b, ^alpha, false))
	}
	switch {
	case best != worse:
		return best
	case passed:
		return -s.game.Score(opposite, own)
	}
	return -s.last3(opposite, own, a, b, c, ^alpha, true)
}

// last2 searches a position with two empty squares.
func (s *search) last2(own, opposite uint64, a, b int, alpha int, passed bool) int {
	s.nodes++
	best := worse
	if turned := s.turns(own, opposite, a); turned != 0 {
		s.nodes++
		if best = -s.last1(opposite&^turned, b); best > alpha {
			return best
		}
	}
	if turned := s.turns(own, opposite, b); turned != 0 {
		s.nodes++
		best = max(best, -s.last1(opposite&^turned, a))
	}
	switch {
	case best != worse:
		return best
	case passed:
		return -s.game.Score(opposite, own)
	}
	return -s.last2(opposite, own, a, b, ^alpha, true)
}

// last1 returns the score of a position with one empty square, which either side may fill. All other
// squares are those of own and the other side's.
func (s *search) last1(own uint64, square int) int {
	discs := bits.OnesCount64(own)
	if turned := s.turnedLast(own, square); turned != 0 {
		return 2*(discs+turned+1) - s.squares
	}
	opposite := s.all &^ own &^ (1 << square)
	if turned := s.turnedLast(opposite, square); turned != 0 {
		return 2*(discs-turned) - s.squares
	}
	return s.game.Score(own, opposite)
}

// turns returns the discs that a disc of own on an empty square turns over. It is quick where no disc
// of opposite is beside that.
func (s *search) turns(own, opposite uint64, square int) uint64 {
	if s.beside[square&63]&opposite == 0 {
		return 0
	}
	return s.flips(own, opposite, square)
}

// turnedLast returns how many discs a disc of own on the only empty square turns over.
func (b *board) turnedLast(own uint64, square int) int {
	const column, gather = left, 0x0102_0408_1020_4080
	r, c := uint(square>>3)&7, uint(square)&7
	d := &b.diagonals[square&63]
	return int(lastTurned[c][uint8(own>>(8*r))]) + int(lastTurned[r][uint8(own>>c&column*gather>>56)]) +
		int(lastTurned[c][uint8(own&d[0]*column>>56)]) + int(lastTurned[c][uint8(own&d[1]*column>>56)])
}

// lastTurned has the discs that a disc turns over on a line of eight squares that has no other empty
// square, by its place and the line's discs of the same side. Lines that are shorter have no disc of
// that side beyond their end.
var lastTurned = func() (table [8][256]uint8) {
	for at := range table {
		for own := range table[at] {
			for _, step := range [2]int{-1, 1} {
				i := at + step
				for i >= 0 && i < 8 && own>>i&1 == 0 {
					i += step
				}
				if i >= 0 && i < 8 {
					table[at][own] += uint8(max(i-at, at-i) - 1)
				}
			}
		}
	}
	return table
}()
