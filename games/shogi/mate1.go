package shogi

// MateInOne returns a move of the side to move that mates, and false if there is none. It
// considers every check.
//
// Most checks can be rejected without making the move: the king can go to a square that was
// not attacked before and that the checking piece does not attack either.
func (b *Board) MateInOne() (Move, bool) {
	us := b.turn & 1
	king := b.king[us^1]
	if king == NoSquare {
		return NoMove, false
	}
	var list [MaxMoves]Move
	checks := b.AppendChecks(list[:0])
	if len(checks) == 0 {
		return NoMove, false
	}
	occupied := b.occupied()
	through := occupied.without(squareBit[king])
	flights := steps[us][king][roleCrowned].without(b.color[us^1]).without(b.ringAttacks(us, king, through))
	lines, known := Bitboard{}, false
	for _, m := range checks {
		piece := PieceOf(us, m.Dropped())
		if !m.IsDrop() {
			piece = b.squares[m.From()]
			if m.Promotes() {
				piece += Piece(Promoted)
			}
			if !known {
				lines, known = b.lines(us, through), true
			}
		}
		// A piece that leaves a line of its own side opens it.
		if m.IsDrop() || !lines.Has(m.From()) {
			if !flights.without(attacksOf(piece, m.To(), through)).Empty() {
				continue
			}
		}
		b.Do(m)
		mated := !b.canEvade()
		b.Undo()
		if mated {
			return m, true
		}
	}
	return NoMove, false
}

// lines returns all squares that sliders of c attack.
func (b *Board) lines(c Color, occupied Bitboard) Bitboard {
	set := &b.roles[c&1]
	return slides(c, set[roleLance], set[roleBishop], set[roleRook], occupied)
}

// slides returns the squares that sliders of c on the given squares attack.
func slides(c Color, lances, bishops, rooks, occupied Bitboard) (x Bitboard) {
	for ; !lances.Empty(); lances = lances.rest() {
		x = x.or(lanceAttacks(c, lances.First(), occupied))
	}
	for ; !bishops.Empty(); bishops = bishops.rest() {
		x = x.or(bishopAttacks(bishops.First(), occupied))
	}
	for ; !rooks.Empty(); rooks = rooks.rest() {
		x = x.or(rookAttacks(rooks.First(), occupied))
	}
	return x
}
