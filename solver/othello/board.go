package othello

import (
	"math/bits"

	"github.com/yomikiri/yomikiri/games/othello"
)

// board has what the search knows about a board: that in row r and column c has bit 8r + c, as in
// games/othello.
type board struct {
	game               *othello.Game
	all, edge, corners uint64

	squares int

	rays [64]rays
	// Of each square, those beside it, and those on its two diagonals, itself included.
	beside    [64]uint64
	diagonals [64][2]uint64
	// The board in four parts, for parity: their squares, and the bit of each square's part.
	quarter [4]uint64
	part    [64]uint8
}

// rays are the squares beyond a square in eight directions: four of rising bits, of which one stays in
// the row, the same of falling ones, and three of these with the rows in reverse order.
type rays struct {
	up, down [4]uint64
	reversed [3]uint64
}

const (
	inner = 0x7e7e_7e7e_7e7e_7e7e // all columns but the first and the last
	left  = 0x0101_0101_0101_0101
)

func newBoard(g *othello.Game) *board {
	b := &board{game: g}
	b.all, b.edge, b.corners = g.Areas()
	b.squares = bits.OnesCount64(b.all)
	rows, columns := g.Size()
	for row := range rows {
		for column := range columns {
			square := 8*row + column
			quarter := row*2/rows*2 + column*2/columns
			b.quarter[quarter] |= 1 << square
			b.part[square] = 1 << quarter
			b.beside[square] = around(1<<square) & b.all &^ (1 << square)
			r := &b.rays[square]
			for i, d := range [4][2]int{{0, 1}, {1, -1}, {1, 0}, {1, 1}} {
				ray := func(sign int) (set uint64) {
					for r, c := row+sign*d[0], column+sign*d[1]; r >= 0 && r < rows && c >= 0 && c < columns; r, c = r+sign*d[0], c+sign*d[1] {
						set |= 1 << (8*r + c)
					}
					return set
				}
				if r.up[i], r.down[i] = ray(1), ray(-1); i > 0 {
					r.reversed[i-1] = bits.ReverseBytes64(r.down[i])
				}
			}
			b.diagonals[square] = [2]uint64{r.up[1] | r.down[1] | 1<<square, r.up[3] | r.down[3] | 1<<square}
		}
	}
	return b
}

// moves returns the squares on which a side can put a disc. Each direction looks at lines of up to six
// discs; a carry runs along those of rising bits in a row.
func (b *board) moves(own, opposite uint64) uint64 {
	between := opposite & inner
	list := between + own<<1&between

	down := between & (own >> 1)
	down |= between & (down >> 1)
	pairs := between & (between >> 1)
	down |= pairs & (down >> 2)
	down |= pairs & (down >> 2)
	list |= down >> 1

	up, down := between&(own<<7), between&(own>>7)
	up |= between & (up << 7)
	down |= between & (down >> 7)
	pairs = between & (between << 7)
	up |= pairs & (up << 14)
	down |= pairs >> 7 & (down >> 14)
	up |= pairs & (up << 14)
	down |= pairs >> 7 & (down >> 14)
	list |= up<<7 | down>>7

	up, down = between&(own<<9), between&(own>>9)
	up |= between & (up << 9)
	down |= between & (down >> 9)
	pairs = between & (between << 9)
	up |= pairs & (up << 18)
	down |= pairs >> 9 & (down >> 18)
	up |= pairs & (up << 18)
	down |= pairs >> 9 & (down >> 18)
	list |= up<<9 | down>>9

	up, down = opposite&(own<<8), opposite&(own>>8)
	up |= opposite & (up << 8)
	down |= opposite & (down >> 8)
	pairs = opposite & (opposite << 8)
	up |= pairs & (up << 16)
	down |= pairs >> 8 & (down >> 16)
	up |= pairs & (up << 16)
	down |= pairs >> 8 & (down >> 16)
	list |= up<<8 | down>>8

	return list & b.all &^ (own | opposite)
}

// flips returns the discs that a disc of own on a square turns over.
func (b *board) flips(own, opposite uint64, square int) uint64 {
	r := &b.rays[square&63]
	// With the rows in reverse order all directions but one have rising bits.
	reversedOwn, reversedOpposite := bits.ReverseBytes64(own), bits.ReverseBytes64(opposite)
	list := bits.ReverseBytes64(turned(reversedOwn, reversedOpposite, r.reversed[0]) |
		turned(reversedOwn, reversedOpposite, r.reversed[1]) |
		turned(reversedOwn, reversedOpposite, r.reversed[2]))
	list |= turned(own, opposite, r.up[0]) | turned(own, opposite, r.up[1]) | turned(own, opposite, r.up[2]) | turned(own, opposite, r.up[3])
	ray := r.down[0]
	end := uint64(1) << ((bits.Len64(ray&^opposite|1) - 1) & 63) & own & ray
	return list | -end<<1&ray
}

// turned returns the discs of opposite from the beginning of a ray of rising bits up to one of own.
// Adding one runs through the squares off the ray and the discs of opposite on it.
func turned(own, opposite, ray uint64) uint64 {
	end := ((opposite | ^ray) + 1) & ray & own
	return (end - (end|-end)>>63) & ray
}

// canonical returns the image of a position that stands for all.
func (b *board) canonical(own, opposite uint64) (uint64, uint64) {
	return b.game.Canonical(b.game.Position(own, opposite)).Sets()
}

// around returns the squares beside those of a set, and the set.
func around(set uint64) uint64 {
	row := set | set&^(left<<7)<<1 | set&^left>>1
	return row | row<<8 | row>>8
}

// stable returns discs of opposite that nothing can turn over any more: on each of the four lines
// through them all squares are taken, or the next in one direction is the edge or another of them.
func (b *board) stable(own, opposite uint64) uint64 {
	empty := b.all &^ (own | opposite)
	var full [4]uint64 // squares on lines without an empty square, by direction
	for set := empty; set != 0; set &= set - 1 {
		square := bits.TrailingZeros64(set)
		for i := range full {
			full[i] |= b.rays[square].up[i] | b.rays[square].down[i] | 1<<square
		}
	}
	off := ^b.all
	for i, shift := range [4]uint{1, 7, 8, 9} {
		beyond := off<<shift | off>>shift | (1<<shift - 1) | ^(^uint64(0) >> shift)
		if shift != 8 {
			beyond |= left
			beyond |= left << 7
		}
		full[i] = ^full[i] | beyond
	}
	for stable := uint64(0); ; {
		next := opposite
		for i, shift := range [4]uint{1, 7, 8, 9} {
			up, down := stable<<shift, stable>>shift
			next &= full[i] | up | down
		}
		next |= stable
		if next == stable {
			return stable
		}
		stable = next
	}
}
