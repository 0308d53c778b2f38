package checkers

import "math/bits"

// A board is a set of dark squares. Two rows take nine bits. The last of these is never set,
// so a step forward is always by 4 or 5 bits, and a step off the board leads to no square:
//
//	row 3  13 14 15 16      columns 0 2 4 6
//	row 2   9 10 11 12      columns 1 3 5 7
//	row 1   4  5  6  7      columns 0 2 4 6
//	row 0   0  1  2  3      columns 1 3 5 7
//
// Smaller boards are the first rows and columns of the large one.
type board = uint64

const (
	stepLeft, stepRight = 4, 5

	maxSquares = 32
)

// rowStart returns the first bit of a row.
func rowStart(row int) int { return 9*(row/2) + stepLeft*(row%2) }

// geometry is what depends on the size of the board.
type geometry struct {
	side    int // rows and columns
	squares int
	valid   board // all squares
	first   board // the row nearest to the mover
	last    board // the row in which the mover's men are crowned
	turn    uint  // how far reversed boards must be shifted
	// spread turns a byte of a set of square numbers into a board.
	spread [maxSquares / 8][256]board
}

func newGeometry(side int) *geometry {
	g := &geometry{side: side, squares: side * side / 2}
	for row := range side {
		g.valid |= (1<<(side/2) - 1) << rowStart(row)
	}
	g.first = g.valid & (1<<rowStart(1) - 1)
	g.last = g.valid &^ (1<<rowStart(side-1) - 1)
	g.turn = uint(bits.LeadingZeros64(g.valid))
	for square, left := 0, g.valid; left != 0; square, left = square+1, left&(left-1) {
		for set := range 256 {
			if set>>(square%8)&1 != 0 {
				g.spread[square/8][set] |= left & -left
			}
		}
	}
	return g
}

// turned returns a board seen from the other side.
func (g *geometry) turned(b board) board { return bits.Reverse64(b) >> (g.turn & 63) }

// board returns the squares whose numbers are in set.
func (g *geometry) board(set uint32) board {
	return g.spread[0][set&255] | g.spread[1][set>>8&255] | g.spread[2][set>>16&255] | g.spread[3][set>>24]
}

// Position is a position, seen from the side to move, whose men move to higher bits.
type Position struct {
	own, opposite board
	kings         board // of both sides
	white         bool  // White is to move
}

// material counts the pieces of a position.
func (p *Position) material() material {
	return material{
		uint8(bits.OnesCount64(p.own & p.kings)), uint8(bits.OnesCount64(p.own &^ p.kings)),
		uint8(bits.OnesCount64(p.opposite & p.kings)), uint8(bits.OnesCount64(p.opposite &^ p.kings)),
	}
}

// pieces returns the number of pieces on the board.
func (p *Position) pieces() int { return bits.OnesCount64(p.own | p.opposite) }

// turnedPosition returns a position with the other side to move, as that side sees it.
func (g *geometry) turnedPosition(p Position) Position {
	return Position{g.turned(p.opposite), g.turned(p.own), g.turned(p.kings), !p.white}
}
