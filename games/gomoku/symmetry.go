package gomoku

import "math/bits"

// images returns for each symmetry of a board, the identity first, where each
// square goes: eight turns and mirror images of a square board, four of another.
func images(rows, columns int) [][numbers]Square {
	n := 4
	if rows == columns {
		n = 8
	}
	list := make([][numbers]Square, n)
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

// Symmetries returns the number of symmetries of the board: 8 if it is square,
// else 4. Symmetry 0 is the identity.
func (g *Game) Symmetries() int { return len(g.images) }

// Image returns where the given symmetry takes a square.
func (g *Game) Image(symmetry int, s Square) Square { return g.images[symmetry][s] }

func (set *Set) image(to *[numbers]Square) (moved Set) {
	for i, w := range set {
		for ; w != 0; w &= w - 1 {
			moved.Add(to[64*i+bits.TrailingZeros64(w)])
		}
	}
	return moved
}

// Canonical implements [games.Canonicalizer].
func (g *Game) Canonical(p Position) Position {
	c, _ := g.CanonicalImage(p)
	return c
}

// CanonicalImage returns the canonical position of p and a symmetry that takes
// p there.
func (g *Game) CanonicalImage(p Position) (canonical Position, symmetry int) {
	canonical = p
	for i := 1; i < len(g.images); i++ {
		black := p.stones[Black].image(&g.images[i])
		order := black.compare(&canonical.stones[Black])
		if order > 0 {
			continue
		}
		white := p.stones[White].image(&g.images[i])
		if order < 0 || white.compare(&canonical.stones[White]) < 0 {
			canonical.stones = [2]Set{black, white}
			symmetry = i
		}
	}
	return canonical, symmetry
}

func (set *Set) compare(other *Set) int {
	for i := range set {
		if set[i] != other[i] {
			if set[i] < other[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}
