package shogi

// Move is a move. Square numbers are 9 times rank plus column.
type Move struct {
	from, to uint8
	promotes bool
	drop     byte // the letter in upper case of what is dropped, 0 if nothing is
}

// play returns the position after a move.
func (p Position) play(m Move) Position {
	us := side(p.white)
	if m.drop != 0 {
		p.board[m.to] = owned(m.drop, p.white)
		p.hands[us][inHand(m.drop)]--
	} else {
		piece := p.board[m.from]
		if taken := p.board[m.to]; taken != 0 {
			if i := inHand(taken); i >= 0 {
				p.hands[us][i]++
			}
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

// canMove calls f with each move that the pieces can make, and each drop, whether
// or not it leaves the king in check, until f returns false.
func (p *Position) canMove(f func(m Move) bool) bool {
	for rank := range 9 {
		for column := range 9 {
			at := uint8(9*rank + column)
			piece := p.board[at]
			if piece == 0 {
				if !p.canDrop(rank, column, f) {
					return false
				}
				continue
			}
			if isWhite(piece) != p.white {
				continue
			}
			more := p.walk(rank, column, func(r, c int) bool {
				to := uint8(9*r + c)
				if !stuck(piece, r) && !f(Move{from: at, to: to}) {
					return false
				}
				switch bare(piece) {
				case 'P', 'L', 'N', 'S', 'B', 'R':
					if inZone(p.white, rank) || inZone(p.white, r) {
						return f(Move{from: at, to: to, promotes: true})
					}
				}
				return true
			})
			if !more {
				return false
			}
		}
	}
	return true
}

// canDrop calls f with the drops on an empty square, until it returns false.
func (p *Position) canDrop(rank, column int, f func(m Move) bool) bool {
	for i, n := range p.hands[side(p.white)] {
		letter := handLetters[i]
		if n == 0 || stuck(owned(letter, p.white), rank) || letter == 'P' && p.hasPawn(p.white, column) {
			continue
		}
		if !f(Move{to: uint8(9*rank + column), drop: letter}) {
			return false
		}
	}
	return true
}

// legal calls f with each legal move and the position after it, until f returns
// false.
func (p *Position) legal(f func(m Move, after Position) bool) {
	p.canMove(func(m Move) bool {
		after := p.play(m)
		if after.inCheck(p.white) || m.drop == 'P' && after.mated() {
			return true
		}
		return f(m, after)
	})
}

// mated reports whether the side to move, to which a pawn has just been dropped, is in
// check and has no move. The pawn checks from the next square, so no drop parries
// it, and whether drops are legal does not matter.
func (p *Position) mated() bool {
	if !p.inCheck(p.white) {
		return false
	}
	return p.canMove(func(m Move) bool {
		after := p.play(m)
		return after.inCheck(p.white)
	})
}
