package shogi

// AppendCaptures appends the legal moves that change the material on the board, except drops:
// captures, and promotions of pawns, bishops and rooks. Those three kinds always promote if
// they may. The order is that of [Board.AppendMoves].
func (b *Board) AppendCaptures(dst []Move) []Move {
	if !b.checkers.Empty() {
		return b.appendCapturingEvasions(dst)
	}
	us := b.turn & 1
	king := b.king[us]
	occupied := b.occupied()
	own, theirs := b.color[us], b.color[us^1]
	pinned := b.pinned(us, occupied)
	set := &b.roles[us]

	ahead := set[rolePawn].without(pinned).forward(us)
	dst = appendPawnCaptures(dst, us, ahead, own, theirs)
	for x := set[rolePawn].and(pinned); !x.Empty(); x = x.rest() {
		from := x.First()
		dst = appendPawnCaptures(dst, us, steps[us][from][rolePawn].and(rayThrough(king, from)), own, theirs)
	}
	for x := set[roleLance]; !x.Empty(); x = x.rest() {
		from := x.First()
		if ray[us][from].meets(theirs) {
			dst = b.appendTargets(dst, from, lanceAttacks(us, from, occupied).and(theirs), pinned)
		}
	}
	for r := roleKnight; r <= roleGold; r++ {
		for x := set[r]; !x.Empty(); x = x.rest() {
			from := x.First()
			dst = b.appendTargets(dst, from, steps[us][from][r].and(theirs), pinned)
		}
	}
	for r := roleBishop; r <= roleRook; r++ {
		for x := set[r]; !x.Empty(); x = x.rest() {
			from := x.First()
			to := attacksOf(b.squares[from], from, occupied).without(own)
			if pinned.Has(from) {
				to = to.and(rayThrough(king, from))
			}
			if b.squares[from].Kind().isPromoted() {
				dst = appendTo(dst, MoveOf(from, 0, false), to.and(theirs))
				continue
			}
			promoting := to
			if !zone[us].Has(from) {
				promoting = to.and(zone[us])
			}
			dst = appendTo(dst, MoveOf(from, 0, false), to.and(theirs).without(promoting))
			dst = appendTo(dst, MoveOf(from, 0, true), promoting)
		}
	}
	if king == NoSquare || !steps[us][king][roleCrowned].meets(theirs) {
		return dst
	}
	return appendTo(dst, MoveOf(king, 0, false), b.flights(us, occupied).and(theirs))
}

// appendPawnCaptures appends the captures and promotions of pawns to the given squares in front
// of them.
func appendPawnCaptures(dst []Move, us Color, to, own, theirs Bitboard) []Move {
	origin := Square(1)
	if us == White {
		origin = ^Square(0)
	}
	for x := to.and(theirs).without(zone[us]); !x.Empty(); x = x.rest() {
		s := x.First()
		dst = append(dst, MoveOf(s+origin, s, false))
	}
	for x := to.and(zone[us]).without(own); !x.Empty(); x = x.rest() {
		s := x.First()
		dst = append(dst, MoveOf(s+origin, s, true))
	}
	return dst
}

func (b *Board) appendCapturingEvasions(dst []Move) []Move {
	first := len(dst)
	dst = b.AppendEvasions(dst)
	kept := dst[:first]
	for _, m := range dst[first:] {
		if b.changesMaterial(m) {
			kept = append(kept, m)
		}
	}
	return kept
}

// changesMaterial reports whether a legal move is one that [Board.AppendCaptures] appends.
func (b *Board) changesMaterial(m Move) bool {
	if m.IsDrop() {
		return false
	}
	switch b.squares[m.From()].Kind() {
	case Pawn, Bishop, Rook:
		us := b.turn & 1
		if zone[us].Has(m.From()) || zone[us].Has(m.To()) {
			return m.Promotes()
		}
	}
	return b.squares[m.To()] != NoPiece
}
