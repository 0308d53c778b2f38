package gomoku

import "math/bits"

// Windows is a set of windows, a bit for each: bit i of word n is the window with
// number 64n+i.
type Windows []uint64

// Len returns the number of windows.
func (w Windows) Len() (n int) {
	for _, word := range w {
		n += bits.OnesCount64(word)
	}
	return n
}

// K returns the number of stones in a row that win.
func (b *Board) K() int { return b.layout.k }

// Windows returns the live windows of a side with n of its stones.
func (b *Board) Windows(side Side, n int) Windows {
	w := b.layout.words
	return b.live[side][n*w : n*w+w]
}

// StonesIn returns the number of a side's stones in a window, or -1 if the window is
// not live for it.
func (b *Board) StonesIn(window uint16, side Side) int {
	w := &b.states[window]
	if w.occupied[side.Opponent()] != 0 || w.before[side] != 0 {
		return -1
	}
	return bits.OnesCount32(w.occupied[side])
}

// EmptyBits returns the empty squares of a window, a bit for each of the k.
func (b *Board) EmptyBits(window int) uint32 {
	w := &b.states[window]
	return b.layout.full &^ (w.occupied[0] | w.occupied[1])
}

// WindowSquare returns the i-th square of a window.
func (b *Board) WindowSquare(window, i int) Square { return b.layout.windows[window].square(i) }

// gap returns the first empty square of a window, which must have one.
func (b *Board) gap(window int) Square {
	return b.layout.windows[window].square(bits.TrailingZeros32(b.EmptyBits(window)))
}

// Gaps returns the first and the last empty square of a window, which must have
// one.
func (b *Board) Gaps(window int) (first, last Square) {
	e := b.EmptyBits(window)
	w := &b.layout.windows[window]
	return w.square(bits.TrailingZeros32(e)), w.square(31 - bits.LeadingZeros32(e))
}

// OnlyGap returns the empty square that windows lacking one stone each have in common:
// NoSquare if there are no windows, and false if they lack different squares.
func (b *Board) OnlyGap(windows Windows) (Square, bool) {
	found := NoSquare
	for i, w := range windows {
		for ; w != 0; w &= w - 1 {
			s := b.gap(64*i + bits.TrailingZeros64(w))
			if found != NoSquare && found != s {
				return found, false
			}
			found = s
		}
	}
	return found, true
}

// AddGaps adds to set the empty squares of the side's live windows with at least the
// given number of its stones.
func (b *Board) AddGaps(side Side, least int, set *Set) {
	for n := max(least, 0); n < b.layout.k; n++ {
		b.addGaps(b.Windows(side, n), set)
	}
}

func (b *Board) addGaps(windows Windows, set *Set) {
	for i, w := range windows {
		for ; w != 0; w &= w - 1 {
			window := 64*i + bits.TrailingZeros64(w)
			for e := b.EmptyBits(window); e != 0; e &= e - 1 {
				set.Add(b.layout.windows[window].square(bits.TrailingZeros32(e)))
			}
		}
	}
}

// SameLine reports whether two windows are on the same line.
func (b *Board) SameLine(window, other int) bool {
	return b.layout.windows[window].line == b.layout.windows[other].line
}

// Through returns the windows that a square is in, line by line.
func (b *Board) Through(s Square) []Place { return b.layout.through[s] }

// Near returns the squares in line with s and less than k away.
func (b *Board) Near(s Square) Set { return b.layout.near[s] }

// StoneKey returns the key of one stone. The key of a board is that of all its
// stones, combined by exclusive or.
func (b *Board) StoneKey(s Square, side Side) Key { return b.layout.keys[side][s] }

// Mark is a cheap [Board.Place] that counts for [Board.StonesIn], [Board.EmptyBits] and
// [Board.AppendThreats] only. Nothing else may be used before [Board.Unmark].
func (b *Board) Mark(s Square, side Side) { b.mark(s, side, 1) }

// Unmark takes back [Board.Mark].
func (b *Board) Unmark(s Square, side Side) { b.mark(s, side, less) }

func (b *Board) mark(s Square, side Side, step uint8) {
	for _, at := range b.layout.through[s] {
		b.states[at.Window].occupied[side] ^= at.Bit
	}
	for _, number := range b.layout.beyond[s] {
		b.states[number].before[side] += step
	}
}
