package shogi

// sight is what is seen along the lines from a king. With it, a move need not be made to find
// out whether it opens a line.
type sight struct {
	king    int      // its square, -1 if there is none
	checks  int      // how many pieces give check
	parries [81]bool // the squares where a checking piece can be captured or blocked
	// shields are pieces that are the first on their line and without which the next piece on
	// it would give check.
	shields [81]bool
}

// sight returns the sight of a side's king.
func (p *Position) sight(white bool) (s sight) {
	if s.king = p.king(white); s.king < 0 {
		return s
	}
	for direction, line := range &lines[s.king] {
		first := -1 // the square of the first piece
		how := uint8(byStep)
		for i, at := range line {
			if piece := p.board[at]; piece != 0 {
				check := isWhite(piece) != white && reach[piece][opposite(direction)]&how != 0
				if first >= 0 {
					s.shields[first] = check
					break
				}
				if check {
					s.checks++
					for _, to := range line[:i+1] {
						s.parries[to] = true
					}
				}
				first = int(at)
			}
			how = bySlide
		}
	}
	return s
}

// opens reports whether a move takes a shield off its line.
func (s *sight) opens(m Move) bool {
	return m.drop == 0 && s.shields[m.from] && toward[s.king][m.from] != toward[s.king][m.to]
}

// parried reports whether a piece other than the king that arrives on the square to parries
// all checks.
func (s *sight) parried(to uint8) bool { return s.checks == 0 || s.checks == 1 && s.parries[to] }

// safe reports whether the king of the side to move, whose sight is own, is not in check
// after the move m of a piece on the board.
func (p *Position) safe(own *sight, m Move) bool {
	if own.king == int(m.from) {
		return !p.attacked(int(m.to), !p.white, own.king)
	}
	return own.parried(m.to) && !own.opens(m)
}

// givesCheck reports whether a move gives check to the king whose sight is other, which is
// not in check before.
func (p *Position) givesCheck(other *sight, m Move) bool {
	switch {
	case other.king < 0:
		return false
	case other.opens(m):
		return true
	case toward[other.king][m.to] == 0:
		return false
	}
	piece, lifted := owned(m.drop, p.white), -1
	if m.drop == 0 {
		piece, lifted = p.board[m.from], int(m.from)
	}
	if m.promotes {
		piece |= promoted
	}
	// Nothing may stand between the king and the piece.
	direction := int(toward[other.king][m.to]) - 1
	how := uint8(byStep)
	for _, at := range lines[other.king][direction] {
		if at == m.to {
			return reach[piece][opposite(direction)]&how != 0
		}
		if p.board[at] != 0 && int(at) != lifted {
			break
		}
		how = bySlide
	}
	return false
}
