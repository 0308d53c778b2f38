package checkers

// Move is the square that a piece leaves and those on which it lands. No move captures more
// than nine pieces: a piece jumps over every other square of every other row at most.
type Move struct {
	squares [10]uint8
	count   uint8
}

// and returns the move with one more square.
func (m Move) and(square uint8) Move {
	m.squares[m.count] = square
	m.count++
	return m
}

// landing returns the square behind over in a direction, if over has a piece of the side that
// is not to move and the square behind it is empty, and otherwise off.
func (g *Game) landing(p *Position, over uint8, direction int) uint8 {
	_, other := p.sides()
	if p.board[over]|crown == other {
		if to := g.next[over][direction]; to != off && p.board[to] == 0 {
			return to
		}
	}
	return off
}

// AppendMoves implements [games.Game]: steps, if there is no capture.
func (g *Game) AppendMoves(dst []Move, p Position) []Move {
	own, _ := p.sides()
	begin := len(dst)
	for square, piece := range p.board {
		if piece|crown == own {
			p.board[square] = 0 // so that a king may come back
			dst = g.appendCaptures(dst, &p, piece, Move{}.and(uint8(square)))
			p.board[square] = piece
		}
	}
	if len(dst) > begin {
		return dst
	}
	for square, piece := range p.board {
		if piece|crown != own {
			continue
		}
		for d, end := directionsOf(piece); d < end; d++ {
			if to := g.next[square][d]; to != off && p.board[to] == 0 {
				dst = append(dst, Move{}.and(uint8(square)).and(to))
			}
		}
	}
	return dst
}

// appendCaptures appends the captures by a piece that begin with m. If no further jump is
// possible, that is m itself. A man that is crowned stops.
func (g *Game) appendCaptures(dst []Move, p *Position, piece byte, m Move) []Move {
	begin := len(dst)
	at := m.squares[m.count-1]
	for d, end := directionsOf(piece); d < end && g.crowned(piece, at) == piece; d++ {
		over := g.next[at][d]
		if over == off {
			continue
		}
		if to := g.landing(p, over, d); to != off {
			taken := p.board[over]
			p.board[over] = jumped
			dst = g.appendCaptures(dst, p, piece, m.and(to))
			p.board[over] = taken
		}
	}
	if len(dst) == begin && m.count > 1 {
		dst = append(dst, m)
	}
	return dst
}

// between returns the square that a jump passes over, or off if the squares are those of a
// step.
func (g *Game) between(from, to uint8) uint8 {
	for d, over := range g.next[from] {
		if over != off && g.next[over][d] == to {
			return over
		}
	}
	return off
}

// Play implements [games.Game].
func (g *Game) Play(p Position, m Move) Position {
	at := m.squares[0]
	piece := p.board[at]
	p.board[at] = 0
	for _, to := range m.squares[1:m.count] {
		if over := g.between(at, to); over != off {
			p.board[over] = 0
		}
		at = to
	}
	p.board[at] = g.crowned(piece, at)
	p.white = !p.white
	return p
}
