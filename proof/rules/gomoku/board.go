package gomoku

import "math/bits"

// set is a set of squares, or of windows by their first squares. A square is bit
// row*(columns+1)+column: the bit after each row is not a square, so that no line continues
// at the opposite edge of the board.
type set [(maxSide*(maxSide+1) + 63) / 64]uint64

func (s *set) add(bit int)        { s[bit>>6] |= 1 << (bit & 63) }
func (s *set) remove(bit int)     { s[bit>>6] &^= 1 << (bit & 63) }
func (s *set) bit(bit int) uint64 { return s[bit>>6] >> (bit & 63) & 1 }
func (s *set) has(bit int) bool   { return s.bit(bit) != 0 }

// wide is a set with zeros on both sides of it.
type wide [16]uint64

func (s *set) wide() (w wide) {
	copy(w[1:], s[:])
	return w
}

// from returns the 64 elements from bit on, some of which may lie outside the set.
func (w *wide) from(bit int) uint64 {
	word, shift := uint(bit+64)>>6, uint(bit)&63
	return w[word&15]>>shift | w[(word+1)&15]<<1<<(63-shift)
}

// grid is a board without stones.
type grid struct {
	squares set
	bits    []int  // by the number of the square
	steps   [4]int // from a square to the next one of a line, in bits
	words   int    // of a set that are in use
}

func newGrid(rows, columns int) (g grid) {
	width := columns + 1
	g.steps = [4]int{1, width, width + 1, width - 1}
	for row := range rows {
		for column := range columns {
			bit := row*width + column
			g.bits = append(g.bits, bit)
			g.squares.add(bit)
			g.words = bit/64 + 1
		}
	}
	return g
}

// windows returns, of the 64 windows from bit on, in the direction of step, those in which
// the side needs at most lacks more stones for its line. A window is k squares in a row. In
// the windows returned the other side has no stone and, with the exact rule, the side itself
// has none on the square before or after. own has the side's stones, and free the squares
// without a stone of the other side.
func (g *Game) windows(own, free *wide, bit, step, lacks int) uint64 {
	// There is a counter of five bits for each window. It starts at a value from which it
	// overflows when there are enough stones.
	start := 32 - max(g.k-lacks, 0)
	digit := func(n int) uint64 { return -uint64(start >> n & 1) }
	c0, c1, c2, c3, c4, found := digit(0), digit(1), digit(2), digit(3), digit(4), digit(5)
	for i := range g.k {
		carry := own.from(bit + i*step)
		c0, carry = c0^carry, c0&carry
		c1, carry = c1^carry, c1&carry
		c2, carry = c2^carry, c2&carry
		c3, carry = c3^carry, c3&carry
		c4, carry = c4^carry, c4&carry
		found |= carry
	}
	for i := 0; i < g.k && found != 0; i++ {
		found &= free.from(bit + i*step)
	}
	if g.exact {
		found &^= own.from(bit-step) | own.from(bit+g.k*step)
	}
	return found
}

// stonesOf returns the stones of a side. It has no branch for each square, which would often be
// mispredicted.
func (g *Game) stonesOf(squares string, side byte) (s set) {
	for row := range g.rows {
		stones := uint64(0)
		for column := range g.columns {
			differs := uint64(squares[row*g.columns+column] ^ side)
			stones |= (differs - 1) >> 63 << column
		}
		bit := row * (g.columns + 1)
		s[bit>>6] |= stones << (bit & 63)
		if rest := stones >> 1 >> (^bit & 63); rest != 0 {
			s[bit>>6+1] |= rest
		}
	}
	return s
}

// free returns the squares of the board that are not in a set.
func (g *Game) free(taken *set) (w wide) {
	for i := range taken {
		w[1+i] = g.grid.squares[i] &^ taken[i]
	}
	return w
}

// hasLine reports whether a side with some stones has a line.
func (g *Game) hasLine(stones *set) bool {
	own := stones.wide()
	for _, step := range g.grid.steps {
		for word := range g.grid.words {
			bit := 64 * word
			lines := own.from(bit)
			for i := 1; i < g.k && lines != 0; i++ {
				lines &= own.from(bit + i*step)
			}
			if g.exact {
				lines &^= own.from(bit-step) | own.from(bit+g.k*step)
			}
			if lines != 0 {
				return true
			}
		}
	}
	return false
}

// threatens reports whether a side without a line can make one by its next stone.
func (g *Game) threatens(own, other *set) bool {
	o, free := own.wide(), g.free(other)
	for _, step := range g.grid.steps {
		for word := range g.grid.words {
			if g.windows(&o, &free, 64*word, step, 1) != 0 {
				return true
			}
		}
	}
	return false
}

// addWindows adds to the set to, for each window in which the side needs at most the given
// number of further stones for its line, the squares without a stone of its own.
func (g *Game) addWindows(to, own, other *set, stones int) {
	o, free := own.wide(), g.free(other)
	for _, step := range g.grid.steps {
		var found wide
		any := uint64(0)
		for word := range g.grid.words {
			found[1+word] = g.windows(&o, &free, 64*word, step, stones)
			any |= found[1+word]
		}
		for i := 0; i < g.k && any != 0; i++ {
			for word := range g.grid.words {
				to[word] |= found.from(64*word-i*step) &^ own[word]
			}
		}
	}
}

// addWindowsThrough is addWindows for the windows that include the square bit.
func (g *Game) addWindowsThrough(bit int, to, own, other *set, stones int) {
	full := uint64(1)<<g.k - 1
	for _, step := range g.grid.steps {
		// The squares from k before to k after the given one, as bits.
		var line, free uint64
		first := bit - g.k*step
		for i, at := 0, first; i <= 2*g.k; i, at = i+1, at+step {
			if at >= 0 && at < 64*len(own) && g.grid.squares.has(at) {
				line |= own.bit(at) << i
				free |= (1 ^ other.bit(at)) << i
			}
		}
		if bits.OnesCount64(line) < g.k-stones {
			continue
		}
		for i := 1; i <= g.k; i++ {
			if free>>i&full != full || bits.OnesCount64(line>>i&full) < g.k-stones || g.exact && (line>>(i-1)|line>>(i+g.k))&1 != 0 {
				continue
			}
			for n := range g.k {
				if line>>(i+n)&1 == 0 {
					to.add(first + (i+n)*step)
				}
			}
		}
	}
}

// board is a board in a tree. A square that is taken but has no stone has a ghost: the
// defender had a stone there on the board on which the node was proven, so the node has no
// answer to a reply there.
type board struct{ attacker, defender, taken set }

func (t *treeChecker) board(p Position) (b board) {
	for m := range p.squares {
		switch bit := t.grid.bits[m]; p.squares[m] {
		case t.attacker:
			b.attacker.add(bit)
			b.taken.add(bit)
		case t.defender:
			b.place(bit)
		}
	}
	return b
}

// place adds a stone of the defender, and take removes one.
func (b *board) place(bit int) { b.defender.add(bit); b.taken.add(bit) }
func (b *board) take(bit int)  { b.defender.remove(bit); b.taken.remove(bit) }
