package shogi

// AppendEvasions appends the legal replies to a check: moves of the king,
// captures of the checking piece, and interpositions by moves and drops. The
// side to move must be in check.
func (b *Board) AppendEvasions(dst []Move) []Move {
	us := b.turn
	occupied := b.occupied()
	dst = b.appendKingMoves(dst, occupied)
	if !b.checkers.single() {
		return dst
	}
	// A pinned piece never helps: it stays on another line.
	empty := between(b.king[us&1], b.checkers.First())
	dst = b.appendPieceMoves(dst, empty.or(b.checkers), b.pinned(us, occupied))
	return b.appendDrops(dst, empty)
}

// Mated reports whether the side to move is in check and has no legal move.
func (b *Board) Mated() bool { return !b.checkers.Empty() && !b.canEvade() }

// hasMoves reports whether the side to move has a legal move.
func (b *Board) hasMoves() bool {
	if !b.checkers.Empty() {
		return b.canEvade()
	}
	var list [MaxMoves]Move
	return len(b.AppendMoves(list[:0])) > 0
}

// canEvade reports whether the side to move, which is in check, has a legal move.
func (b *Board) canEvade() bool {
	us := b.turn & 1
	occupied := b.occupied()
	if !b.flights(us, occupied).Empty() {
		return true
	}
	if !b.checkers.single() {
		return false
	}
	movable := b.pinned(us, occupied).or(squareBit[b.king[us]]).not()
	checker := b.checkers.First()
	if b.attackers(us, checker, occupied).meets(movable) {
		return true
	}
	empty := between(b.king[us], checker)
	if empty.Empty() {
		return false
	}
	if b.canDrop(us, empty) {
		return true
	}
	for x := empty; !x.Empty(); x = x.rest() {
		if b.attackers(us, x.First(), occupied).meets(movable) {
			return true
		}
	}
	return false
}

// canDrop reports whether us can drop a piece on one of the squares of empty.
func (b *Board) canDrop(us Color, empty Bitboard) bool {
	hand := b.hands[us&1]
	const anywhere = 7<<14 | 7<<18 | 3<<22 | 3<<25
	switch {
	case hand == 0:
		return false
	case hand&anywhere != 0,
		hand.Has(Lance) && !empty.without(farRank[us&1]).Empty(),
		hand.Has(Knight) && !empty.without(farRanks[us&1]).Empty():
		return true
	}
	return hand.Has(Pawn) && !b.pawnDrops(us, empty).Empty()
}
