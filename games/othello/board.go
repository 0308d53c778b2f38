package othello

import "math/bits"

// A board is a set of squares: that in row r and column c has bit 8r + c, on boards of any size.
// Row 0 is at the top.

const (
	maxSide = 8

	// inner is all columns but the first and the last of eight. A disc there can be between
	// two others in its row; shifts do not carry it into another row.
	inner = 0x7e7e_7e7e_7e7e_7e7e
	left  = 0x0101_0101_0101_0101 // the first column
)

// directions are the shifts to the next square, and the discs that may lie on a line.
var directions = [4]struct {
	shift uint
	mask  uint64
}{{1, inner}, {8, ^uint64(0)}, {7, inner}, {9, inner}}

// targets returns the squares at the end of a line of discs of opposite that begins beside one
// of own. They may be occupied or off the board.
func targets(own, opposite uint64) (list uint64) {
	for _, d := range &directions {
		between := opposite & d.mask
		up, down := between&(own<<d.shift), between&(own>>d.shift)
		for range 2 { // lines of up to six discs
			up |= between & (up << d.shift)
			down |= between & (down >> d.shift)
			up |= between & (up << d.shift)
			down |= between & (down >> d.shift)
			up |= between & (up << d.shift)
			down |= between & (down >> d.shift)
		}
		list |= up<<d.shift | down>>d.shift
	}
	return list
}

// flips returns the discs that a disc of own on a square turns over.
func flips(own, opposite, square uint64) (list uint64) {
	for _, d := range &directions {
		between := opposite & d.mask
		line, next := uint64(0), square<<d.shift
		for ; next&between != 0; next <<= d.shift {
			line |= next
		}
		if next&own != 0 {
			list |= line
		}
		line, next = 0, square>>d.shift
		for ; next&between != 0; next >>= d.shift {
			line |= next
		}
		if next&own != 0 {
			list |= line
		}
	}
	return list
}

// around returns the squares beside those of a set, and the set.
func around(set uint64) uint64 {
	row := set | set&^(left<<7)<<1 | set&^left>>1
	return row | row<<8 | row>>8
}

// upsideDown returns the image of a set in which rows change places.
func (g *Game) upsideDown(set uint64) uint64 {
	return bits.ReverseBytes64(set) >> (8 * (maxSide - g.rows))
}

// mirrored returns the image of a set in which columns change places.
func (g *Game) mirrored(set uint64) uint64 {
	return bits.ReverseBytes64(bits.Reverse64(set)) >> (maxSide - g.columns)
}

// transposed returns the image of a set in which rows and columns change places.
func transposed(x uint64) uint64 {
	t := (x ^ x<<28) & 0x0f0f_0f0f_0000_0000
	x ^= t ^ t>>28
	t = (x ^ x<<14) & 0x3333_0000_3333_0000
	x ^= t ^ t>>14
	t = (x ^ x<<7) & 0x5500_5500_5500_5500
	return x ^ t ^ t>>7
}

// Sets returns the discs of the side to move and those of its opponent, for searches of their own:
// that in row r and column c, both from 0, has bit 8r + c.
func (p Position) Sets() (own, opposite uint64) { return p.own, p.opposite }

// Position returns the position with these discs, as [Position.Sets] has them, and X to move.
func (g *Game) Position(own, opposite uint64) Position { return Position{own: own, opposite: opposite} }

// Size returns the numbers of rows and columns.
func (g *Game) Size() (rows, columns int) { return g.rows, g.columns }

// Areas returns all squares of the board, those on its edge, and its corners.
func (g *Game) Areas() (all, edge, corners uint64) { return g.board, g.edge, g.corners }
