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
// three two or three, sometimes one. A threat without costs wins: it is a straight four, or
// another four that can be completed on two squares.
func (t *Threat) Costs() []Square { return t.costs[:t.n] }

// Gains returns the squares where a stone of the side is a threat.
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
	for d := range directions {
		at := &l.spots[with[0]][d]
		through := at.through
		if len(with) > 1 {
			other := &l.spots[with[1]][d]
			if other.line != at.line {
				continue
			}
			through &= other.through
		}
		own, others := b.lines[side][at.line], b.lines[side.Opponent()][at.line]
		_, two, three := l.lacking(own, others, at.line)
		windows, squares := (two|three)&through, uint32(0)
		for i := range l.k {
			squares |= windows << i
		}
		for squares &^= own; squares != 0; squares &= squares - 1 {
			set.Add(l.lines[at.line].square(bits.TrailingZeros32(squares)))
		}
	}
}

// lacking returns the windows of a line, each by the bit of its first square, that are live
// for the side with the own stones and lack one, two or three stones.
func (l *layout) lacking(own, others uint32, number uint16) (one, two, three uint32) {
	dead, four := l.dead(own, others, number), uint32(0)
	for i := range l.k {
		gap := ^own >> i
		four |= three & gap
		three |= two & gap
		two |= one & gap
		one |= gap
	}
	return one &^ (two | dead), two &^ (three | dead), three &^ (four | dead)
}

// dead returns the windows of a line that are not live for the side with the own stones.
func (l *layout) dead(own, others uint32, number uint16) (dead uint32) {
	others |= l.lines[number].off
	for i := range l.k {
		dead |= others >> i
	}
	if l.beside != 0 {
		dead |= own<<1 | own>>l.k
	}
	return dead
}

// AppendThreats appends the threats of a side to dst in a fixed order, at most one for each
// gain and line. If with is empty, it appends all threats, otherwise only those that use the
// side's stones on the one or two squares of with.
func (b *Board) AppendThreats(dst []Threat, side Side, with []Square) []Threat {
	var gains Set
	b.gains(side, with, &gains)
	gains.Each(func(s Square) {
	directions:
		for d := range directions {
			at := &b.layout.spots[s][d]
			for _, w := range with {
				if b.layout.spots[w][d].line != at.line {
					continue directions
				}
			}
			if t, ok := b.threatOn(s, side, at); ok {
				dst = append(dst, t)
			}
		}
	})
	return dst
}

// threatOn returns the threat of a stone on the empty square s on a line.
func (b *Board) threatOn(s Square, side Side, at *spot) (t Threat, ok bool) {
	l := b.layout
	own := b.lines[side][at.line] | at.bit
	one, two, _ := l.lacking(own, b.lines[side.Opponent()][at.line], at.line)
	one &= at.through
	gaps := func(window uint32) uint32 { return l.full << bits.TrailingZeros32(window) &^ own }
	fives := uint32(0)
	for ; one != 0; one &= one - 1 {
		fives |= gaps(one)
	}
	t.Gain = s
	switch {
	case fives&(fives-1) != 0:
		t.Four = true
		return t, true
	case fives != 0:
		t.Four, t.n = true, 1
		t.costs[0] = l.lines[at.line].square(bits.TrailingZeros32(fives))
		return t, true
	}
	// A three: pairs of windows, one of them through s, that lack two stones each and have
	// one empty square in common, where a stone makes a four with two squares to complete
	// it. The parries are the squares that hit every pair.
	var squares [maxCosts]uint32 // of the first pair
	costs := ^uint32(0)
	for p := two & at.through; p != 0; p &= p - 1 {
		for q := two &^ (p & -p); q != 0; q &= q - 1 {
			u, v := gaps(p), gaps(q)
			common := u & v
			if common == 0 || common == u {
				continue
			}
			if !ok {
				ok, squares = true, [maxCosts]uint32{common, u &^ v, v &^ u}
			}
			costs &= u | v
		}
	}
	for _, bit := range squares {
		if costs&bit != 0 {
			t.costs[t.n] = l.lines[at.line].square(bits.TrailingZeros32(bit))
			t.n++
		}
	}
	return t, ok
}
