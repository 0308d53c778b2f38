package gomoku

import "math/bits"

// maxCosts is the largest number of parries of a threat on its line: the square that
// makes a four straight, and the two that complete it.
const maxCosts = 3

// Threat is a move that forces the defender to reply: a four, which threatens a
// line at once, or a three, which threatens a straight four (Allis, van den Herik,
// Huntjens 1993).
type Threat struct {
	// Gain is the square of the attacker's move.
	Gain Square
	// Four says that the threat is a four, not a three.
	Four bool

	n     uint8 // how many costs
	costs [maxCosts]Square
}

// Costs returns all replies on the threat's line that parry it. A four has one, a
// three two or three, sometimes one. A threat without any wins: it is a straight
// four, or another with two squares that complete a line.
func (t *Threat) Costs() []Square { return t.costs[:t.n] }

// Gains returns the squares where a stone of the side is a threat. It restores the
// board.
func (b *Board) Gains(side Side) (set Set) {
	for _, t := range b.AppendThreats(nil, side, nil) {
		set.Add(t.Gain)
	}
	return set
}

// gains adds to set the empty squares of the windows that lack two or three stones
// and contain all squares of with.
func (b *Board) gains(side Side, with []Square, set *Set) {
	l := b.layout
	if len(with) == 0 {
		b.addGaps(b.Windows(side, l.k-2), set)
		b.addGaps(b.Windows(side, l.k-3), set)
		return
	}
	other := side.Opponent()
	for _, at := range l.through[with[0]] {
		w := &b.states[at.Window]
		if w.occupied[other] != 0 || w.before[side] != 0 {
			continue
		}
		if n := bits.OnesCount32(w.occupied[side]); n != l.k-2 && n != l.k-3 {
			continue
		}
		if len(with) > 1 && !l.windows[at.Window].has(with[1], l.k) {
			continue
		}
		for e := b.EmptyBits(int(at.Window)); e != 0; e &= e - 1 {
			set.Add(l.windows[at.Window].square(bits.TrailingZeros32(e)))
		}
	}
}

// has reports whether s is one of the window's k squares.
func (w *window) has(s Square, k int) bool {
	d := int(s) - int(w.first)
	return d >= 0 && d%int(w.step) == 0 && d/int(w.step) < k
}

// AppendThreats appends the threats of a side to dst in a fixed order, at most one for
// each gain and line: all, or those that use the side's stones on the one or two squares
// of with. It restores the board.
func (b *Board) AppendThreats(dst []Threat, side Side, with []Square) []Threat {
	var gains Set
	b.gains(side, with, &gains)
	gains.Each(func(s Square) {
		b.Mark(s, side)
		dst = b.appendThreatsOf(dst, s, side, with)
		b.Unmark(s, side)
	})
	return dst
}

// appendThreatsOf appends the threats, one for each line, of the stone just placed on s.
func (b *Board) appendThreatsOf(dst []Threat, s Square, side Side, with []Square) []Threat {
	l := b.layout
	through := l.through[s]
	for begin := 0; begin < len(through); {
		// The windows through s come line by line.
		line := l.windows[through[begin].Window].line
		end := begin + 1
		for end < len(through) && l.windows[through[end].Window].line == line {
			end++
		}
		if t, ok := b.threatOn(s, side, through[begin:end], with); ok {
			dst = append(dst, t)
		}
		begin = end
	}
	return dst
}

// threatOn returns the threat of the stone on s on the line of the given windows
// through s.
func (b *Board) threatOn(s Square, side Side, through []Place, with []Square) (Threat, bool) {
	l := b.layout
	t := Threat{Gain: s}
	if len(with) > 0 {
		window := &l.windows[through[0].Window]
		for _, w := range with {
			if l.lines[w][window.direction] != window.line {
				return t, false
			}
		}
	}
	fives, threes := 0, 0
	var five Square
	for _, at := range through {
		switch b.StonesIn(at.Window, side) {
		case l.k - 1:
			e := b.gap(int(at.Window))
			if fives == 0 || e != five {
				fives++
			}
			five = e
		case l.k - 2:
			threes++
		}
	}
	switch {
	case fives > 1:
		return Threat{Gain: s, Four: true}, true
	case fives == 1:
		return Threat{Gain: s, costs: [maxCosts]Square{five}, n: 1, Four: true}, true
	case threes == 0:
		return t, false
	}
	return b.threeOn(s, side, through)
}

// threeOn returns the three that the stone on s makes on the line of the given windows:
// pairs of windows, one of them through s, that lack two stones each and have one empty
// square in common, where a stone makes a four with two squares to complete it. The
// parries are the squares that hit every pair.
func (b *Board) threeOn(s Square, side Side, through []Place) (Threat, bool) {
	l := b.layout
	t := Threat{Gain: s}
	pairs := 0
	first, last := int(through[0].Window)-l.k+1, int(through[len(through)-1].Window)+l.k-1
	first, last = max(first, 0), min(last, len(l.windows)-1)
	line := l.windows[through[0].Window].line
	for _, at := range through {
		if b.StonesIn(at.Window, side) != l.k-2 {
			continue
		}
		p, q := b.Gaps(int(at.Window))
		for other := first; other <= last; other++ {
			if l.windows[other].line != line || b.StonesIn(uint16(other), side) != l.k-2 || other == int(at.Window) {
				continue
			}
			u, v := b.Gaps(other)
			var squares [maxCosts]Square
			switch {
			case p == u && q != v:
				squares = [maxCosts]Square{p, q, v}
			case p == v && q != u:
				squares = [maxCosts]Square{p, q, u}
			case q == u && p != v:
				squares = [maxCosts]Square{q, p, v}
			case q == v && p != u:
				squares = [maxCosts]Square{q, p, u}
			default:
				continue
			}
			if pairs++; pairs == 1 {
				t.costs, t.n = squares, maxCosts
			} else {
				t.keep(squares)
			}
		}
	}
	return t, pairs > 0
}

// keep removes the costs that are not among squares.
func (t *Threat) keep(squares [maxCosts]Square) {
	n := uint8(0)
	for _, c := range t.Costs() {
		if c == squares[0] || c == squares[1] || c == squares[2] {
			t.costs[n] = c
			n++
		}
	}
	t.n = n
}
