package shogi

// Move is a move. Square numbers are 9 times rank plus column.
type Move struct {
	from, to uint8
	promotes bool
	drop     byte // the upper-case letter of the piece that is dropped, 0 if none is
}

// play returns the position after a move.
func (p Position) play(m Move) Position {
	us := side(p.white)
	if m.drop != 0 {
		p.board[m.to] = owned(m.drop, p.white)
		p.hands[us][inHand(m.drop)]--
	} else {
		piece := p.board[m.from]
		if i := inHand(p.board[m.to]); i >= 0 {
			p.hands[us][i]++
		}
		if m.promotes {
			piece |= promoted
		}
		p.board[m.from] = 0
		p.board[m.to] = piece
	}
	p.white = !p.white
	return p
}

// canMove calls f with each move that does not leave the king of the side to move in check,
// until f returns false. own is the sight of that king. The moves may include a pawn drop
// that gives mate.
func (p *Position) canMove(own *sight, f func(m Move) bool) {
	pawns := p.pawns(p.white)
	for square, piece := range &p.board {
		switch {
		case piece == 0:
			if own.parried(uint8(square)) && !p.canDrop(square, &pawns, f) {
				return
			}
		case isWhite(piece) == p.white:
			if !p.canMoveFrom(square, own, f) {
				return
			}
		}
	}
}

// canMoveFrom calls f with the moves of canMove by the piece on a square, until f returns
// false.
func (p *Position) canMoveFrom(square int, own *sight, f func(m Move) bool) bool {
	piece := p.board[square]
	for direction, how := range reach[piece] {
		if how == 0 {
			continue
		}
		for _, to := range lines[square][direction] {
			there := p.board[to]
			if there != 0 && isWhite(there) == p.white {
				break
			}
			m := Move{from: uint8(square), to: to}
			if p.safe(own, m) {
				if !stuck(piece, int(to)/9) && !f(m) {
					return false
				}
				m.promotes = canPromote(piece) && (inZone(p.white, square/9) || inZone(p.white, int(to)/9))
				if m.promotes && !f(m) {
					return false
				}
			}
			if there != 0 || how == byStep {
				break
			}
		}
	}
	return true
}

// canDrop calls f with the drops on an empty square, until f returns false. pawns has the
// files with an unpromoted pawn of the side to move.
func (p *Position) canDrop(square int, pawns *[9]bool, f func(m Move) bool) bool {
	for i, n := range p.hands[side(p.white)] {
		letter := handLetters[i]
		if n == 0 || letter == 'P' && pawns[square%9] || stuck(owned(letter, p.white), square/9) {
			continue
		}
		if !f(Move{to: uint8(square), drop: letter}) {
			return false
		}
	}
	return true
}

// legal calls f with each legal move or, if checking is set, with each legal move that gives
// check, until f returns false.
func (p *Position) legal(checking bool, f func(m Move) bool) {
	own, other := p.sight(p.white), p.sight(!p.white)
	p.canMove(&own, func(m Move) bool {
		if checking || m.drop == 'P' {
			switch check := p.givesCheck(&other, m); {
			case !check && checking, check && m.drop == 'P' && p.play(m).mated():
				return true
			}
		}
		return f(m)
	})
}

// mated reports whether the side to move, to which a pawn has just been dropped, has no
// move. The pawn gives check from an adjacent square, so no drop can parry it, and it does
// not matter whether a drop would give mate.
func (p Position) mated() bool {
	mated := true
	own := p.sight(p.white)
	p.canMove(&own, func(Move) bool {
		mated = false
		return false
	})
	return mated
}
