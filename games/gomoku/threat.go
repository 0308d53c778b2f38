package gomoku

import "math/bits"

// Threat is a move that forces the defender to reply: a four, which threatens a
// line at once, or a three, which threatens a straight four, with the replies
// that parry it on its line (Allis, van den Herik, Huntjens 1993).
type Threat struct {
	// Gain is the square of the attacker's move.
	Gain Square
	// Costs are the squares of the replies that parry the threat, all of those
	// on its line. A four has one; a three has two or three, sometimes one.
	Costs []Square
	// Four says that the threat is a four, not a three.
	Four bool
	// Wins says that nothing on the line parries the threat: a straight four,
	// or another with two places to make a line.
	Wins bool
}

// Gains returns the squares where a stone of the side is a threat. The board is as
// before when Gains returns.
func (b *Board) Gains(side Side) (set Set) {
	for _, t := range b.appendThreats(nil, side, nil) {
		set.Add(t.gain)
	}
	return set
}

// maxCosts is how many replies on its line parry a threat at most: a square that
// makes the four straight, and the two that complete it.
const maxCosts = 3

// threat is a Threat without memory of its own.
type threat struct {
	gain  Square
	costs [maxCosts]Square
	n     uint8 // how many costs
	four  bool
}

func (t *threat) parries() []Square { return t.costs[:t.n] }

// Threats returns the threats of a side, at most one of a gain on each line, in a
// fixed order. The board is as before when Threats returns.
func (b *Board) Threats(side Side) []Threat {
	var list []Threat
	for _, t := range b.appendThreats(nil, side, nil) {
		list = append(list, Threat{
			Gain: t.gain, Costs: append([]Square(nil), t.parries()...), Four: t.four, Wins: t.n == 0,
		})
	}
	return list
}

// gains adds to set the empty squares of the windows that lack two or three
// stones; of those that have all squares in with.
func (b *Board) gains(side Side, with []Square, set *Set) {
	l := b.layout
	if len(with) == 0 {
		b.addWindows(b.windows(side, l.k-2), set)
		b.addWindows(b.windows(side, l.k-3), set)
		return
	}
	other := side.Opponent()
	for _, at := range l.through[with[0]] {
		w := &b.states[at.window]
		if w.occupied[other] != 0 || w.before[side] != 0 {
			continue
		}
		if n := bits.OnesCount32(w.occupied[side]); n != l.k-2 && n != l.k-3 {
			continue
		}
		if len(with) > 1 && !l.windows[at.window].has(with[1], l.k) {
			continue
		}
		for e := b.empty(int(at.window)); e != 0; e &= e - 1 {
			set.Add(l.windows[at.window].square(bits.TrailingZeros32(e)))
		}
	}
}

// has reports whether s is one of the window's k squares.
func (w *window) has(s Square, k int) bool {
	d := int(s) - int(w.first)
	return d >= 0 && d%int(w.step) == 0 && d/int(w.step) < k
}

// addWindows adds the empty squares of a set of windows to set.
func (b *Board) addWindows(windows []uint64, set *Set) {
	for i, w := range windows {
		for ; w != 0; w &= w - 1 {
			window := 64*i + bits.TrailingZeros64(w)
			for e := b.empty(window); e != 0; e &= e - 1 {
				set.Add(b.layout.windows[window].square(bits.TrailingZeros32(e)))
			}
		}
	}
}

// appendThreats appends the threats of a side to dst: all, or those on a line
// with the one or two squares of with, which have stones of the side. They need
// these stones.
func (b *Board) appendThreats(dst []threat, side Side, with []Square) []threat {
	var gains Set
	b.gains(side, with, &gains)
	for i, w := range gains {
		for ; w != 0; w &= w - 1 {
			s := Square(64*i + bits.TrailingZeros64(w))
			b.mark(s, side, 1)
			dst = b.appendThreatsOf(dst, s, side, with)
			b.mark(s, side, unmark)
		}
	}
	return dst
}

// mark places or removes a stone in the states of windows only, which is all that
// it takes to see what the stone threatens. Step is 1, or unmark to remove it.
func (b *Board) mark(s Square, side Side, step uint8) {
	for _, at := range b.layout.through[s] {
		b.states[at.window].occupied[side] ^= at.bit
	}
	for _, number := range b.layout.beyond[s] {
		b.states[number].before[side] += step
	}
}

const unmark = 1<<8 - 1 // -1

// appendThreatsOf appends what the stone that the side has just put on s
// threatens, a threat for each line.
func (b *Board) appendThreatsOf(dst []threat, s Square, side Side, with []Square) []threat {
	l := b.layout
	through := l.through[s]
	for begin := 0; begin < len(through); {
		// The windows through s come line by line.
		line := l.windows[through[begin].window].line
		end := begin + 1
		for end < len(through) && l.windows[through[end].window].line == line {
			end++
		}
		if t, ok := b.threatOn(s, side, through[begin:end], with); ok {
			dst = append(dst, t)
		}
		begin = end
	}
	return dst
}

// threatOn returns what the stone on s threatens on the line of the given
// windows through s.
func (b *Board) threatOn(s Square, side Side, through []place, with []Square) (threat, bool) {
	l := b.layout
	t := threat{gain: s}
	if len(with) > 0 {
		window := &l.windows[through[0].window]
		for _, w := range with {
			if l.lines[w][window.direction] != window.line {
				return t, false
			}
		}
	}
	fives, threes := 0, 0
	var five Square
	for _, at := range through {
		switch b.stonesIn(at.window, side) {
		case l.k - 1:
			e := l.windows[at.window].square(bits.TrailingZeros32(b.empty(int(at.window))))
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
		return threat{gain: s, four: true}, true
	case fives == 1:
		return threat{gain: s, costs: [maxCosts]Square{five}, n: 1, four: true}, true
	case threes == 0:
		return t, false
	}
	return b.threeOn(s, side, through)
}

// stonesIn returns how many stones a side has in a window that can become its
// line, and -1 if the window cannot.
func (b *Board) stonesIn(window uint16, side Side) int {
	w := &b.states[window]
	if w.occupied[side.Opponent()] != 0 || w.before[side] != 0 {
		return -1
	}
	return bits.OnesCount32(w.occupied[side])
}

// threeOn returns the three that the stone on s makes with the windows through
// it on one line: the pairs of windows, one of them through s, that lack two
// stones each and have one empty square in common, where a stone makes a four with
// two places to complete it. The replies that parry are those that hit every
// pair.
func (b *Board) threeOn(s Square, side Side, through []place) (threat, bool) {
	l := b.layout
	t := threat{gain: s}
	pairs := 0
	first, last := int(through[0].window)-l.k+1, int(through[len(through)-1].window)+l.k-1
	first, last = max(first, 0), min(last, len(l.windows)-1)
	line := l.windows[through[0].window].line
	for _, at := range through {
		if b.stonesIn(at.window, side) != l.k-2 {
			continue
		}
		p, q := b.lacking(int(at.window))
		for other := first; other <= last; other++ {
			if l.windows[other].line != line || b.stonesIn(uint16(other), side) != l.k-2 || other == int(at.window) {
				continue
			}
			u, v := b.lacking(other)
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

// lacking returns the two empty squares of a window.
func (b *Board) lacking(window int) (first, second Square) {
	e := b.empty(window)
	w := &b.layout.windows[window]
	return w.square(bits.TrailingZeros32(e)), w.square(31 - bits.LeadingZeros32(e))
}

// keep keeps the costs that are among squares.
func (t *threat) keep(squares [maxCosts]Square) {
	n := uint8(0)
	for _, c := range t.parries() {
		if c == squares[0] || c == squares[1] || c == squares[2] {
			t.costs[n] = c
			n++
		}
	}
	t.n = n
}
