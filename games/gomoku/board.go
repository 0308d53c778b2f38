package gomoku

import "math/bits"

// Board is a mutable board for search. It counts each side's stones in each window of
// k squares, so fives, fours and threes are known after each move. Either side may
// place stones in any order. A board belongs to one goroutine. It is a single allocation:
// smaller ones could share cache lines with the boards of other goroutines.
type Board struct {
	game   *Game
	layout *layout
	stones [2]Set
	key    Key
	// lines has the stones on each line, by side: a bit for each square, from 1 on.
	lines [2][maxLines]uint32
	// counts has the number of each side's stones in each window, for 64 windows per element.
	counts [maxWindowWords][2]counts
	found  [maxWindowWords]uint64 // what Windows returned last
}

// counts are bit-sliced counters of a side's stones in 64 windows: bit j of stones[i] is bit
// i of the count for window j. Adding or removing a stone ripples a carry through the words.
type counts struct {
	stones [maxKBits]uint64 // in the window
	beside [2]uint64        // next to it under the exact rule: with one, a full window is an overline
	live   uint64           // windows that can become a winning line of the side
}

// Key is a hash of the stones on a board, 128 bits wide. The first half is the same in every run,
// so that searches which find their places by it are; the second is drawn by each process, so that
// nobody can build two positions with the same key ([games.ProcessSeed]).
type Key [2]uint64

// NewBoard returns a board with the stones of p.
func (g *Game) NewBoard(p Position) *Board {
	b := &Board{game: g, layout: g.layout}
	b.Set(p)
	return b
}

// Game returns the game that the board is for.
func (b *Board) Game() *Game { return b.game }

// Set makes the stones on the board those of p.
func (b *Board) Set(p Position) {
	b.stones = [2]Set{}
	b.key = Key{}
	clear(b.lines[Black][:len(b.layout.lines)])
	clear(b.lines[White][:len(b.layout.lines)])
	for i, all := range b.layout.all {
		b.counts[i] = [2]counts{{live: all}, {live: all}}
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
func (b *Board) IsEmpty(s Square) bool {
	at := &b.layout.spots[s][0]
	return (b.lines[Black][at.line]|b.lines[White][at.line])&at.bit == 0
}

// Place puts a stone of a side on s, which must be empty.
func (b *Board) Place(s Square, side Side) {
	b.stones[side].Add(s)
	b.toggle(s, side, 0)
}

// Remove takes the stone of a side from s, which must have one.
func (b *Board) Remove(s Square, side Side) {
	b.stones[side].Remove(s)
	b.toggle(s, side, ^uint64(0))
}

// toggle updates the key, the lines and the counts for a stone that is placed, or, if all
// bits of less are set, for one that is removed.
func (b *Board) toggle(s Square, side Side, less uint64) {
	l := b.layout
	b.key[0] ^= l.keys[side][s][0]
	b.key[1] ^= l.keys[side][s][1]
	b.Mark(s, side)
	for i := range l.places[s] {
		p := &l.places[s][i]
		own, other := &b.counts[p.word][side], &b.counts[p.word][side.Opponent()]
		n := &own.stones
		carry := p.through
		c0 := n[0]
		n[0], carry = c0^carry, carry&(c0^less)
		c1 := n[1]
		n[1], carry = c1^carry, carry&(c1^less)
		c2 := n[2]
		n[2], carry = c2^carry, carry&(c2^less)
		some := n[0] | n[1] | n[2]
		if l.k > 7 {
			c3 := n[3]
			n[3], carry = c3^carry, carry&(c3^less)
			n[4] ^= carry
			some |= n[3] | n[4]
		}
		other.live = l.all[p.word] &^ (some | other.beside[0] | other.beside[1])
		if p.beside == 0 {
			continue
		}
		carry, some = p.beside, 0
		for i, c := range own.beside {
			own.beside[i] = c ^ carry
			some |= c ^ carry
			carry &= c ^ less
		}
		for _, c := range other.stones {
			some |= c
		}
		own.live = l.all[p.word] &^ some
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
