package shogi

// countMoves returns the number of legal moves of the side to move, faster than
// listing them.
func (b *Board) countMoves() int {
	us := b.turn & 1
	occupied := b.occupied()
	n := 0
	targets, empty := b.color[us].not(), occupied.not()
	if b.king[us] != NoSquare {
		n = b.flights(us, occupied).Len()
		if !b.checkers.Empty() {
			if !b.checkers.single() {
				return n
			}
			empty = between(b.king[us], b.checkers.First())
			targets = empty.Or(b.checkers)
		}
	}
	return n + b.countPieceMoves(targets, b.pinned(us, occupied)) + b.countDrops(empty)
}

func (b *Board) countPieceMoves(targets, pinned Bitboard) int {
	us := b.turn & 1
	king := b.king[us]
	occupied := b.occupied()
	set := &b.roles[us]
	z := zone[us]
	var n int

	to := set[rolePawn].Without(pinned).forward(us).And(targets)
	n += to.Without(farRank[us]).Len() + to.And(z).Len()
	for x := set[rolePawn].And(pinned); !x.Empty(); x = x.Rest() {
		from := x.First()
		to := steps[us][from][rolePawn].And(targets).And(rayThrough(king, from))
		n += to.Without(farRank[us]).Len() + to.And(z).Len()
	}
	for x := set[roleLance]; !x.Empty(); x = x.Rest() {
		from := x.First()
		to := lanceAttacks(us, from, occupied).And(targets)
		if pinned.Has(from) {
			to = to.And(rayThrough(king, from))
		}
		n += to.Without(farRank[us]).Len() + to.And(z).Len()
	}
	for x := set[roleKnight].Without(pinned); !x.Empty(); x = x.Rest() {
		to := steps[us][x.First()][roleKnight].And(targets)
		n += to.Without(farRanks[us]).Len() + to.And(z).Len()
	}
	for x := set[roleSilver]; !x.Empty(); x = x.Rest() {
		from := x.First()
		to := steps[us][from][roleSilver].And(targets)
		if pinned.Has(from) {
			to = to.And(rayThrough(king, from))
		}
		n += countPromoting(to, z, from)
	}
	for x := set[roleGold]; !x.Empty(); x = x.Rest() {
		from := x.First()
		to := steps[us][from][roleGold].And(targets)
		if pinned.Has(from) {
			to = to.And(rayThrough(king, from))
		}
		n += to.Len()
	}
	for x := set[roleBishop]; !x.Empty(); x = x.Rest() {
		from := x.First()
		n += b.countSliding(from, bishopAttacks(from, occupied), targets, pinned)
	}
	for x := set[roleRook]; !x.Empty(); x = x.Rest() {
		from := x.First()
		n += b.countSliding(from, rookAttacks(from, occupied), targets, pinned)
	}
	return n
}

// countPromoting counts the moves of a piece that may promote but need not.
func countPromoting(to, zone Bitboard, from Square) int {
	n := to.Len()
	if zone.Has(from) {
		return 2 * n
	}
	return n + to.And(zone).Len()
}

// countSliding counts what appendSliding appends.
func (b *Board) countSliding(from Square, slides, targets, pinned Bitboard) int {
	to, promoted := b.slidingTargets(from, slides, targets, pinned)
	if promoted {
		return to.Len()
	}
	return countPromoting(to, zone[b.turn&1], from)
}

func (b *Board) countDrops(empty Bitboard) int {
	us := b.turn & 1
	hand := b.hands[us]
	if hand == 0 || empty.Empty() {
		return 0
	}
	n := 0
	if hand.Has(Pawn) {
		n = b.pawnDrops(us, empty).Len()
	}
	if hand.Has(Lance) {
		n += empty.Without(farRank[us]).Len()
	}
	if hand.Has(Knight) {
		n += empty.Without(farRanks[us]).Len()
	}
	anywhere := 0
	for _, k := range [...]Kind{Silver, Gold, Bishop, Rook} {
		if hand.Has(k) {
			anywhere++
		}
	}
	return n + anywhere*empty.Len()
}
