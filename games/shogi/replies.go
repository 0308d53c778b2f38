package shogi

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

// droppable returns the squares of empty on which us can drop something.
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
