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

// Windows returns the live windows of a side with n of its stones. They are valid until the
// next call of a method.
func (b *Board) Windows(side Side, n int) Windows {
	var not [maxKBits]uint64 // all bits set where that bit of n is 0
	for i := range not {
		not[i] = uint64(n>>i&1) - 1
	}
	found := b.found[:b.layout.words]
	for i := range found {
		c := &b.counts[i][side]
		found[i] = c.live & (c.stones[0] ^ not[0]) & (c.stones[1] ^ not[1]) & (c.stones[2] ^ not[2]) &
			(c.stones[3] ^ not[3]) & (c.stones[4] ^ not[4])
	}
	return found
}

// Live returns the live windows of a side. They are valid until the next call of a method.
func (b *Board) Live(side Side) Windows {
	found := b.found[:b.layout.words]
	for i := range found {
		found[i] = b.counts[i][side].live
	}
	return found
}

// Line returns the squares of a winning line of a side, k of them; none if it has no line.
func (b *Board) Line(side Side) (line []Square) {
	for i, w := range b.Windows(side, b.layout.k) {
		if w == 0 {
			continue
		}
		for j := range b.layout.k {
			line = append(line, b.WindowSquare(64*i+bits.TrailingZeros64(w), j))
		}
		return line
	}
	return nil
}

// StonesIn returns the number of a side's stones in a window, or -1 if the window is
// not live for it.
func (b *Board) StonesIn(window uint16, side Side) int {
	w := &b.layout.windows[window]
	own, others := b.lines[side][w.line]>>(w.place-1), b.lines[side.Opponent()][w.line]>>w.place
	if others&b.layout.full != 0 || own&b.layout.beside != 0 {
		return -1
	}
	return bits.OnesCount32(own >> 1 & b.layout.full)
}

// EmptyBits returns the empty squares of a window, a bit for each of the k.
func (b *Board) EmptyBits(window int) uint32 {
	w := &b.layout.windows[window]
	return b.layout.full &^ ((b.lines[0][w.line] | b.lines[1][w.line]) >> w.place)
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

// OnlyFive returns the square where a stone of the side makes a winning line: NoSquare if
// there is none, and false if there are several.
func (b *Board) OnlyFive(side Side) (Square, bool) {
	found := NoSquare
	for i, w := range b.Windows(side, b.layout.k-1) {
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
	for i, own := range b.lines[side][:len(b.layout.lines)] {
		if bits.OnesCount32(own) >= least {
			b.addGapsOf(uint16(i), ^uint32(0), side, least, set)
		}
	}
}

// AddGapsNear is [Board.AddGaps] for the windows with a square.
func (b *Board) AddGapsNear(s Square, side Side, least int, set *Set) {
	for d := range directions {
		at := &b.layout.spots[s][d]
		if bits.OnesCount32(b.lines[side][at.line]) < least {
			continue
		}
		b.addGapsOf(at.line, at.through, side, least, set)
	}
}

// addGapsOf is AddGaps for some of the windows of a line.
func (b *Board) addGapsOf(number uint16, windows uint32, side Side, least int, set *Set) {
	l := b.layout
	own, others := b.lines[side][number], b.lines[side.Opponent()][number]
	if windows &^= l.dead(own, others, number); windows == 0 {
		return
	}
	var more [MaxSide + 1]uint32 // element i: more than i gaps
	most := l.k - max(least, 0)
	for i := range l.k {
		gap := ^own >> i
		for j := most; j > 0; j-- {
			more[j] |= more[j-1] & gap
		}
		more[0] |= gap
	}
	windows &^= more[most]
	squares := uint32(0)
	for i := range l.k {
		squares |= windows << i
	}
	for squares &^= own; squares != 0; squares &= squares - 1 {
		set.Add(l.lines[number].square(bits.TrailingZeros32(squares)))
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
func (b *Board) Through(s Square) []uint16 { return b.layout.through[s] }

// Near returns the squares in line with s and less than k away.
func (b *Board) Near(s Square) Set { return b.layout.near[s] }

// StoneKey returns the key of one stone. The key of a board is the exclusive or of the keys
// of its stones.
func (b *Board) StoneKey(s Square, side Side) Key { return b.layout.keys[side][s] }

// Mark is a cheap [Board.Place]. The stone is visible only to [Board.IsEmpty],
// [Board.StonesIn], [Board.EmptyBits], [Board.AddGaps], [Board.AddGapsNear] and, if its
// argument with is not empty, [Board.AppendThreats]. No other method may be called before
// [Board.Unmark].
func (b *Board) Mark(s Square, side Side) {
	for d := range directions {
		at := b.layout.spots[s][d]
		b.lines[side][at.line] ^= at.bit
	}
}

// Unmark takes back [Board.Mark].
func (b *Board) Unmark(s Square, side Side) { b.Mark(s, side) }
