package hex

import "math/bits"

// set is a set of squares: square n*row + column of a board with n rows has the bit of that number.
type set [2]uint64

func (s set) has(square int) bool { return s[square>>6]>>(square&63)&1 != 0 }
func (s set) with(square int) set { s[square>>6] |= 1 << (square & 63); return s }
func (s set) or(t set) set        { return set{s[0] | t[0], s[1] | t[1]} }
func (s set) and(t set) set       { return set{s[0] & t[0], s[1] & t[1]} }
func (s set) minus(t set) set     { return set{s[0] &^ t[0], s[1] &^ t[1]} }
func (s set) empty() bool         { return s[0]|s[1] == 0 }
func (s set) count() int          { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }

// up and down move the bits of a set by fewer than 64 numbers.
func (s set) up(n int) set   { return set{s[0] << n, s[1]<<n | s[0]>>(64-n)} }
func (s set) down(n int) set { return set{s[0]>>n | s[1]<<(64-n), s[1] >> n} }

// first returns the lowest square of a set that is not empty.
func (s set) first() int {
	if s[0] != 0 {
		return bits.TrailingZeros64(s[0])
	}
	return 64 + bits.TrailingZeros64(s[1])
}

// rest returns the set without its lowest square.
func (s set) rest() set {
	if s[0] != 0 {
		return set{s[0] & (s[0] - 1), s[1]}
	}
	return set{0, s[1] & (s[1] - 1)}
}

// less orders sets.
func (s set) less(t set) bool { return s[1] < t[1] || s[1] == t[1] && s[0] < t[0] }

// turned returns the image of a set on the board turned by half a turn.
func (g *Game) turned(s set) set {
	return set{bits.Reverse64(s[1]), bits.Reverse64(s[0])}.lower(128 - g.n*g.n)
}

// lower is down for any number of bits.
func (s set) lower(n int) set {
	if n >= 64 {
		return set{s[1] >> (n - 64)}
	}
	return s.down(n)
}

// beside returns the neighbours of the squares of a set.
func (g *Game) beside(s set) set {
	notFirst := s.up(1).or(s.down(g.n - 1)).minus(g.edges[o][0])
	notLast := s.down(1).or(s.up(g.n - 1)).minus(g.edges[o][1])
	return notFirst.or(notLast).or(s.up(g.n)).or(s.down(g.n)).and(g.board)
}

// flood returns the squares of through that are connected with those of from in it.
func (g *Game) flood(from, through set) set {
	reached := from.and(through)
	for {
		next := g.beside(reached).and(through).or(reached)
		if next == reached {
			return reached
		}
		reached = next
	}
}

// connects reports whether stones of a side connect its edges.
func (g *Game) connects(side int, stones set) bool {
	return !g.flood(g.edges[side][0], stones).and(g.edges[side][1]).empty()
}

// distance returns how many stones a side needs to connect its edges if the opponent passes, or
// n*n if it cannot.
func (g *Game) distance(side int, stones, opposite set) int {
	free := g.board.minus(opposite)
	reached := g.flood(g.edges[side][0], stones)
	next := g.edges[side][0].or(g.beside(reached)).and(free)
	for n := 0; ; n++ {
		if !reached.and(g.edges[side][1]).empty() {
			return n
		}
		grown := reached.or(next)
		if grown == reached {
			return g.n * g.n
		}
		reached = grown.or(g.flood(g.beside(grown), stones))
		next = g.beside(reached).and(free)
	}
}
