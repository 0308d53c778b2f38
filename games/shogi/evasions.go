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
	// A pinned piece never helps: it cannot leave the line of its pin.
	empty := between(b.king[us&1], b.checkers.First())
	dst = b.appendPieceMoves(dst, empty.or(b.checkers), b.pinned(us, occupied))
	return b.appendDrops(dst, empty)
}

// Mated reports whether the side to move is in check and has no legal move.
func (b *Board) Mated() bool { return !b.checkers.Empty() && !b.canEvade() }

func (b *Board) hasMoves() bool {
	if !b.checkers.Empty() {
		return b.canEvade()
	}
	// A pawn that is not on a line with its king cannot be pinned.
	us := b.turn & 1
	pawns := b.roles[us][rolePawn]
	if king := b.king[us]; king != NoSquare {
		pawns = pawns.without(bishopLines[king]).without(rookLines[king])
	}
	if !pawns.forward(us).without(b.color[us]).Empty() {
		return true
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
	if !b.droppable(us, empty).Empty() {
		return true
	}
	for x := empty; !x.Empty(); x = x.rest() {
		if b.attackers(us, x.First(), occupied).meets(movable) {
			return true
		}
	}
	return false
}

// Replies counts the replies of the side to move, which is in check, without
// listing them. moves is the number of squares the king can go to, plus the pieces
// that can capture the checking piece, plus the pieces that can move to each square
// between the two; drops is the number of squares between where something can be
// dropped. Both are 0 if and only if the side is mated.
func (b *Board) Replies() (moves, drops int) {
	us := b.turn & 1
	occupied := b.occupied()
	moves = b.flights(us, occupied).Len()
	if !b.checkers.single() {
		return moves, 0
	}
	movable := b.pinned(us, occupied).or(squareBit[b.king[us]]).not()
	checker := b.checkers.First()
	moves += b.attackers(us, checker, occupied).and(movable).Len()
	empty := between(b.king[us], checker)
	if empty.Empty() {
		return moves, 0
	}
	for x := empty; !x.Empty(); x = x.rest() {
		moves += b.attackers(us, x.First(), occupied).and(movable).Len()
	}
	return moves, b.droppable(us, empty).Len()
}

func (b *Board) droppable(us Color, empty Bitboard) Bitboard {
	hand := b.hands[us&1]
	const anywhere = 7<<14 | 7<<18 | 3<<22 | 3<<25
	switch {
	case hand == 0:
		return Bitboard{}
	case hand&anywhere != 0:
		return empty
	}
	var x Bitboard
	if hand.Has(Lance) {
		x = empty.without(farRank[us&1])
	}
	if hand.Has(Knight) {
		x = x.or(empty.without(farRanks[us&1]))
	}
	if hand.Has(Pawn) {
		x = x.or(b.pawnDrops(us, empty))
	}
	return x
}
