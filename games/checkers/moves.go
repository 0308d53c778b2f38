package checkers

import "math/bits"

// Move is a move, seen from the side that makes it: the bit of the square that it leaves,
// the number of pieces that it captures, and the direction of each step or jump.
//
//	+----------------------+--------------+-----------+
//	| directions, 2 bits   | captures     | square    |
//	| each, from bit 10 on | bits 6 to 9  | bits 0-5  |
//	+----------------------+--------------+-----------+
//
// No move captures more than nine pieces: a piece jumps over every other square of every
// other row at most.
type Move uint32

const (
	captureUnit    = 1 << 6
	directionStart = 10
	maxCaptures    = 9
)

// A direction is 0 or 1 forward, 2 or 3 backward; 0 and 2 are by stepLeft bits.
func stepOf(direction uint32) uint { return stepLeft + uint(direction&1) }

func (m Move) from() uint    { return uint(m & 63) }
func (m Move) captures() int { return int(m >> 6 & 15) }

// direction returns the direction of the step, or of a jump.
func (m Move) direction(jump int) uint32 { return uint32(m>>(directionStart+2*jump)) & 3 }

// appendRoute appends the squares on which the piece stands in the course of the move.
func (m Move) appendRoute(dst []board) []board {
	at := board(1) << m.from()
	dst = append(dst, at)
	if m.captures() == 0 {
		direction := m.direction(0)
		return append(dst, shifted(at, direction, stepOf(direction)))
	}
	for jump := range m.captures() {
		direction := m.direction(jump)
		at = shifted(at, direction, 2*stepOf(direction))
		dst = append(dst, at)
	}
	return dst
}

// shifted moves squares in a direction.
func shifted(b board, direction uint32, by uint) board {
	if direction < 2 {
		return b << (by & 63)
	}
	return b >> (by & 63)
}

// jumpers returns the mover's pieces that can capture.
func (g *geometry) jumpers(p *Position) board {
	empty := g.valid &^ (p.own | p.opposite)
	forward := p.own & (p.opposite>>4&(empty>>8) | p.opposite>>5&(empty>>10))
	kings := p.own & p.kings
	if kings == 0 {
		return forward
	}
	return forward | kings&(p.opposite<<4&(empty<<8)|p.opposite<<5&(empty<<10))
}

// steppers returns the mover's pieces that have an empty square to step to.
func (g *geometry) steppers(p *Position) board {
	empty := g.valid &^ (p.own | p.opposite)
	return p.own&(empty>>4|empty>>5) | p.own&p.kings&(empty<<4|empty<<5)
}

// appendSteps appends the moves that capture nothing.
func (g *geometry) appendSteps(dst []Move, p *Position) []Move {
	empty := g.valid &^ (p.own | p.opposite)
	kings := p.own & p.kings
	for direction, movers := range [...]board{p.own & (empty >> 4), p.own & (empty >> 5), kings & (empty << 4), kings & (empty << 5)} {
		for ; movers != 0; movers &= movers - 1 {
			dst = append(dst, Move(bits.TrailingZeros64(movers)|direction<<directionStart))
		}
	}
	return dst
}

// appendCaptures appends the captures of the pieces in jumpers, by every route.
func (g *geometry) appendCaptures(dst []Move, p *Position, jumpers board) []Move {
	for ; jumpers != 0; jumpers &= jumpers - 1 {
		from := jumpers & -jumpers
		c := capture{
			empty: g.valid&^(p.own|p.opposite) | from, last: g.last,
			king: p.kings&from != 0, moves: dst,
		}
		c.extend(from, p.opposite, Move(bits.TrailingZeros64(from)))
		dst = c.moves
	}
	return dst
}

// capture generates the captures of one piece, by every route.
type capture struct {
	empty board // squares to land on; captured pieces block theirs until the move ends
	last  board
	king  bool
	moves []Move
}

// extend appends the routes that continue begun, whose jumps have led to the square at;
// opposite has the pieces that the opponent has left. It reports whether there are any: a
// capture must be continued, but a man that is crowned stops.
func (c *capture) extend(at, opposite board, begun Move) bool {
	found := false
	directions := uint32(2)
	if c.king {
		directions = 4
	}
	for direction := range directions {
		by := stepOf(direction)
		over := shifted(at, direction, by) & opposite
		to := shifted(at, direction, 2*by) & c.empty
		if over == 0 || to == 0 {
			continue
		}
		found = true
		m := begun + captureUnit | Move(direction)<<(directionStart+2*begun.captures())
		if !c.king && to&c.last != 0 || !c.extend(to, opposite&^over, m) {
			c.moves = append(c.moves, m)
		}
	}
	return found
}

// play makes a move and returns the position as the side that moved sees it.
func (g *geometry) play(p Position, m Move) Position {
	from := board(1) << m.from()
	direction := m.direction(0)
	to := shifted(from, direction, stepOf(direction))
	if n := m.captures(); n > 0 {
		to = from
		for jump := range n {
			direction := m.direction(jump)
			by := stepOf(direction)
			over := shifted(to, direction, by)
			to = shifted(to, direction, 2*by)
			p.opposite &^= over
			p.kings &^= over
		}
	}
	p.own = p.own&^from | to
	if p.kings&from != 0 {
		p.kings = p.kings&^from | to
	} else {
		p.kings |= to & g.last
	}
	return p
}
