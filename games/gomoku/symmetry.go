package gomoku

import (
	"math/bits"
	"slices"
)

// images returns the image of each square under each symmetry of a board, the identity first.
// A square board has eight symmetries, any other board four.
func images(rows, columns int) [][MaxSquares]Square {
	n := 4
	if rows == columns {
		n = 8
	}
	list := make([][MaxSquares]Square, n)
	for i := range list {
		for r := range rows {
			for c := range columns {
				row, column := r, c
				if i&1 != 0 {
					column = columns - 1 - column
				}
				if i&2 != 0 {
					row = rows - 1 - row
				}
				if i&4 != 0 {
					row, column = column, row
				}
				list[i][SquareAt(r, c)] = SquareAt(row, column)
			}
		}
	}
	return list
}

// Symmetries returns how many symmetries the board has.
func (g *Game) Symmetries() int { return len(g.images) }

// Image returns where a symmetry takes a square. Symmetry 0 is the identity.
func (g *Game) Image(symmetry int, s Square) Square { return g.images[symmetry][s] }

// ImageOf returns the image of a position.
func (g *Game) ImageOf(symmetry int, p Position) Position {
	for i := range p.stones {
		p.stones[i] = p.stones[i].image(&g.images[symmetry])
	}
	return p
}

// AppendFixing appends the symmetries, except the identity, that map p to itself.
func (g *Game) AppendFixing(dst []int, p Position) []int {
	for i := 1; i < len(g.images); i++ {
		image := &g.images[i]
		if p.stones[Black].image(image) == p.stones[Black] && p.stones[White].image(image) == p.stones[White] {
			dst = append(dst, i)
		}
	}
	return dst
}

func (set *Set) image(to *[MaxSquares]Square) (moved Set) {
	for i, w := range set {
		for ; w != 0; w &= w - 1 {
			moved.Add(to[64*i+bits.TrailingZeros64(w)])
		}
	}
	return moved
}

func (g *Game) Canonical(p Position) Position {
	canonical := p
	for i := 1; i < len(g.images); i++ {
		black := p.stones[Black].image(&g.images[i])
		order := slices.Compare(black[:], canonical.stones[Black][:])
		if order > 0 {
			continue
		}
		white := p.stones[White].image(&g.images[i])
		if order < 0 || slices.Compare(white[:], canonical.stones[White][:]) < 0 {
			canonical.stones = [2]Set{black, white}
		}
	}
	return canonical
}
