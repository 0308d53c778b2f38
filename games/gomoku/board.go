package gomoku

import "math/bits"

// Board is a mutable board for search. It counts each side's stones in each window of
// k squares, so fives, fours and threes are known after each move. Either side may
// place stones in any order. A board belongs to one goroutine.
type Board struct {
	game   *Game
	layout *layout
	stones [2]Set
	key    Key
	states []windowState
	// live[side][n*words:] is the set of the windows that have n stones of the
	// side, none of the other, and can become a winning line.
	live [2][]uint64
}

// Key is a hash of the stones on a board, 128 bits wide.
type Key [2]uint64

// windowState holds the stones in a window.
type windowState struct {
	occupied [2]uint32 // by side: a bit for each square
	// before counts the side's stones next to the window under the exact rule:
	// with one, a full window is an overline.
	before [2]uint8
}

// NewBoard returns a board with the stones of p.
func (g *Game) NewBoard(p Position) *Board {
	l := g.layout
	b := &Board{game: g, layout: l, states: make([]windowState, len(l.windows))}
	for side := range b.live {
		b.live[side] = make([]uint64, (g.k+1)*l.words)
	}
	b.Set(p)
	return b
}

// Game returns the game that the board is for.
func (b *Board) Game() *Game { return b.game }

// Set makes the stones on the board those of p.
func (b *Board) Set(p Position) {
	b.stones = [2]Set{}
	b.key = Key{}
	clear(b.states)
	for side := range b.live {
		clear(b.live[side])
		for i := range b.layout.windows {
			b.live[side][i>>6] |= 1 << (i & 63)
		}
	}
	for side := Black; side <= White; side++ {
		for s := range p.stones[side].All() {
			b.Place(s, side)
		}
	}
}

// Position returns the position with the stones on the board.
func (b *Board) Position(toMove Side) Position { return Position{b.stones, toMove} }

// Stones returns the squares of a side's stones.
func (b *Board) Stones(side Side) Set { return b.stones[side] }

// Key returns the hash of the stones.
func (b *Board) Key() Key { return b.key }

// EmptySquares returns the squares without a stone.
func (b *Board) EmptySquares() Set { return b.game.EmptySquares(Position{stones: b.stones}) }

// IsEmpty reports whether s has no stone.
func (b *Board) IsEmpty(s Square) bool { return !b.stones[Black].Has(s) && !b.stones[White].Has(s) }

func (b *Board) flip(side Side, stones int, window uint16) {
	b.live[side][stones*b.layout.words+int(window>>6)] ^= 1 << (window & 63)
}

// Place puts a stone of a side on s, which must be empty.
func (b *Board) Place(s Square, side Side) {
	b.stones[side].Add(s)
	b.toggle(s, side, 1)
}

// Remove takes the stone of a side from s, which must have one.
func (b *Board) Remove(s Square, side Side) {
	b.stones[side].Remove(s)
	b.toggle(s, side, less)
}

const less = 1<<8 - 1 // -1

// toggle changes the key and the windows as one stone more, or less, does.
func (b *Board) toggle(s Square, side Side, step uint8) {
	l, other := b.layout, side.Opponent()
	b.key[0] ^= l.keys[side][s][0]
	b.key[1] ^= l.keys[side][s][1]
	for _, at := range l.through[s] {
		w := &b.states[at.Window]
		without, others := w.occupied[side]&^at.Bit, w.occupied[other]
		if others == 0 && w.before[side] == 0 {
			n := bits.OnesCount32(without)
			b.flip(side, n, at.Window)
			b.flip(side, n+1, at.Window)
		}
		if without == 0 && w.before[other] == 0 {
			b.flip(other, bits.OnesCount32(others), at.Window)
		}
		w.occupied[side] ^= at.Bit
	}
	for _, number := range l.beyond[s] {
		w := &b.states[number]
		before := w.before[side]
		w.before[side] += step
		if before*w.before[side] == 0 && w.occupied[other] == 0 { // the first one comes, or the last one goes
			b.flip(side, bits.OnesCount32(w.occupied[side]), number)
		}
	}
}

// HasWon reports whether a side has a winning line.
func (b *Board) HasWon(side Side) bool {
	for _, w := range b.Windows(side, b.layout.k) {
		if w != 0 {
			return true
		}
	}
	return false
}

// Fives returns the squares where a stone of the side makes a winning line.
func (b *Board) Fives(side Side) (set Set) {
	for i, w := range b.Windows(side, b.layout.k-1) {
		for ; w != 0; w &= w - 1 {
			set.Add(b.gap(64*i + bits.TrailingZeros64(w)))
		}
	}
	return set
}
