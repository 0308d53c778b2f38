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

	// Of each square, the squares beyond it in the four directions of rising bits and the four of
	// falling ones.
	up, down [64][4]uint64
	quarter  [4]uint64 // the board in four parts, for parity
}

const (
	inner = 0x7e7e_7e7e_7e7e_7e7e // all columns but the first and the last
	left  = 0x0101_0101_0101_0101
)

func newBoard(g *othello.Game) *board {
	b := &board{game: g}
	b.all, b.edge, b.corners = g.Areas()
	rows, columns := g.Size()
	for row := range rows {
		for column := range columns {
			b.quarter[row*2/rows*2+column*2/columns] |= 1 << (8*row + column)
			for i, d := range [4][2]int{{0, 1}, {1, -1}, {1, 0}, {1, 1}} {
				ray := func(sign int) (set uint64) {
					for r, c := row+sign*d[0], column+sign*d[1]; r >= 0 && r < rows && c >= 0 && c < columns; r, c = r+sign*d[0], c+sign*d[1] {
						set |= 1 << (8*r + c)
					}
					return set
				}
				b.up[8*row+column][i], b.down[8*row+column][i] = ray(1), ray(-1)
			}
		}
	}
	return b
}

// moves returns the squares on which a side can put a disc.
func (b *board) moves(own, opposite uint64) uint64 {
	between := opposite & inner
	list := line(own, between, 1) | line(own, between, 7) | line(own, between, 9) | line(own, opposite, 8)
	return list & b.all &^ (own | opposite)
}

// line returns the ends of the lines of discs in between that begin beside one of own.
func line(own, between uint64, shift uint) uint64 {
	up, down := between&(own<<shift), between&(own>>shift)
	up |= between & (up << shift)
	down |= between & (down >> shift)
	pairUp, pairDown := between&(between<<shift), between&(between>>shift)
	up |= pairUp & (up << (2 * shift))
	down |= pairDown & (down >> (2 * shift))
	up |= pairUp & (up << (2 * shift))
	down |= pairDown & (down >> (2 * shift))
	return up<<shift | down>>shift
}

// flips returns the discs that a disc of own on a square turns over.
func (b *board) flips(own, opposite uint64, square int) uint64 {
	var list uint64
	rays := &b.up[square&63]
	for i := range rays {
		// Adding one runs through the squares off the ray and the discs of opposite on it.
		ray := rays[i]
		end := ((opposite | ^ray) + 1) & ray & own
		list |= (end - (end|-end)>>63) & ray
	}
	rays = &b.down[square&63]
	for i := range rays {
		ray := rays[i]
		end := uint64(1<<63) >> bits.LeadingZeros64(ray&^opposite) & own
		list |= (-end << 1) & ray
	}
	return list
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
			full[i] |= b.up[square][i] | b.down[square][i] | 1<<square
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
