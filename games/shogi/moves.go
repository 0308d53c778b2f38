package shogi

import "math/bits"

// AppendMoves appends the legal moves of the side to move to dst, each once and in a
// fixed order. Dropping a pawn that mates is illegal.
func (b *Board) AppendMoves(dst []Move) []Move {
	if !b.checkers.Empty() {
		return b.AppendEvasions(dst)
	}
	us := b.turn
	occupied := b.occupied()
	dst = b.appendPieceMoves(dst, b.color[us].not(), b.pinned(us, occupied))
	dst = b.appendKingMoves(dst, occupied)
	return b.appendDrops(dst, occupied.not())
}

func appendTo(dst []Move, move Move, to Bitboard) []Move {
	for x := to.lo; x != 0; x &= x - 1 {
		dst = append(dst, move|Move(bits.TrailingZeros64(x)))
	}
	for x := to.hi; x != 0; x &= x - 1 {
		dst = append(dst, move|Move(loWidth+bits.TrailingZeros64(x)))
	}
	return dst
}

// appendPieceMoves appends the legal moves to the squares of targets by all
// pieces but the king.
func (b *Board) appendPieceMoves(dst []Move, targets, pinned Bitboard) []Move {
	us := b.turn & 1
	king := b.king[us]
	occupied := b.occupied()
	set := &b.roles[us]

	// All pawns move at once, except the pinned ones.
	pawns := set[rolePawn].without(pinned)
	dst = appendPawnMoves(dst, us, pawns.forward(us).and(targets))
	for x := set[rolePawn].and(pinned); !x.Empty(); x = x.rest() {
		from := x.First()
		dst = appendPawnMoves(dst, us, steps[us][from][rolePawn].and(targets).and(rayThrough(king, from)))
	}
	for x := set[roleLance]; !x.Empty(); x = x.rest() {
		from := x.First()
		dst = b.appendTargets(dst, from, lanceAttacks(us, from, occupied).and(targets), pinned)
	}
	for r := roleKnight; r <= roleGold; r++ {
		for x := set[r]; !x.Empty(); x = x.rest() {
			from := x.First()
			dst = b.appendTargets(dst, from, steps[us][from][r].and(targets), pinned)
		}
	}
	for r := roleBishop; r <= roleRook; r++ {
		for x := set[r]; !x.Empty(); x = x.rest() {
			from := x.First()
			dst = b.appendTargets(dst, from, attacksOf(b.squares[from], from, occupied).and(targets), pinned)
		}
	}
	return dst
}

func appendPawnMoves(dst []Move, us Color, to Bitboard) []Move {
	origin := Square(1)
	if us == White {
		origin = ^Square(0)
	}
	for x := to.without(farRank[us]); !x.Empty(); x = x.rest() {
		s := x.First()
		dst = append(dst, MoveOf(s+origin, s, false))
	}
	for x := to.and(zone[us]); !x.Empty(); x = x.rest() {
		s := x.First()
		dst = append(dst, MoveOf(s+origin, s, true))
	}
	return dst
}

// appendTargets appends the moves of a piece other than the king to the squares of targets.
// If the piece is pinned, it keeps to the line of the pin.
func (b *Board) appendTargets(dst []Move, from Square, targets, pinned Bitboard) []Move {
	if targets.Empty() {
		return dst
	}
	if pinned.Has(from) {
		targets = targets.and(rayThrough(b.king[b.turn&1], from))
	}
	return b.appendPieceTo(dst, from, targets, targets)
}

// appendPieceTo appends the moves of a piece other than the king: without promotion to the
// squares of to, and with promotion to those squares of promoting where it may promote.
func (b *Board) appendPieceTo(dst []Move, from Square, to, promoting Bitboard) []Move {
	us, k := b.turn&1, b.squares[from].Kind()
	dst = appendTo(dst, MoveOf(from, 0, false), to.without(deadFor(us, k)))
	if !k.CanPromote() {
		return dst
	}
	if !zone[us].Has(from) {
		promoting = promoting.and(zone[us])
	}
	return appendTo(dst, MoveOf(from, 0, true), promoting)
}

// appendKingMoves appends the moves of the king to squares that are not attacked.
func (b *Board) appendKingMoves(dst []Move, occupied Bitboard) []Move {
	us := b.turn & 1
	king := b.king[us]
	if king == NoSquare {
		return dst
	}
	return appendTo(dst, MoveOf(king, 0, false), b.flights(us, occupied))
}

// flights returns the squares to which the king of us, which must be on the
// board, can move.
func (b *Board) flights(us Color, occupied Bitboard) Bitboard {
	king := b.king[us&1]
	flights := steps[us&1][king][roleCrowned].without(b.color[us&1])
	if flights.Empty() {
		return flights
	}
	return flights.without(b.ringAttacks(us^1, king, occupied.without(squareBit[king])))
}

// ringAttacks returns squares that c attacks, including all those around a king.
func (b *Board) ringAttacks(c Color, king Square, occupied Bitboard) Bitboard {
	set, from := &b.roles[c&1], &ringFrom[c&1][king]
	var x Bitboard
	for r := rolePawn; r < steppers; r++ {
		for y := set[r].and(from[r]); !y.Empty(); y = y.rest() {
			x = x.or(steps[c&1][y.First()][r])
		}
	}
	return x.or(slides(c, set[roleLance].and(from[roleLance]), set[roleBishop].and(from[roleBishop]), set[roleRook].and(from[roleRook]), occupied))
}

func (b *Board) appendDrops(dst []Move, empty Bitboard) []Move {
	us := b.turn & 1
	hand := b.hands[us]
	if hand == 0 || empty.Empty() {
		return dst
	}
	if hand.Has(Pawn) {
		dst = appendTo(dst, DropOf(Pawn, 0), b.pawnDrops(us, empty))
	}
	if hand.Has(Lance) {
		dst = appendTo(dst, DropOf(Lance, 0), empty.without(farRank[us]))
	}
	if hand.Has(Knight) {
		dst = appendTo(dst, DropOf(Knight, 0), empty.without(farRanks[us]))
	}
	for _, k := range [...]Kind{Silver, Gold, Bishop, Rook} {
		if hand.Has(k) {
			dst = appendTo(dst, DropOf(k, 0), empty)
		}
	}
	return dst
}

func (b *Board) pawnDrops(us Color, empty Bitboard) Bitboard {
	to := empty.without(farRank[us&1])
	to = to.without(filesOf(b.roles[us&1][rolePawn]))
	if king := b.king[us&1^1]; king != NoSquare {
		front := steps[us&1^1][king][rolePawn]
		if to.meets(front) && b.pawnDropMates(us, front.First()) {
			to = to.without(front)
		}
	}
	return to
}

// filesOf returns the files of the squares of a set that has at most one square on
// each file.
func filesOf(b Bitboard) Bitboard {
	// Subtracting a file's square from the bit of its last rank clears that
	// bit, unless the file is empty or that rank is the square.
	const last, lastHi = everyFile << 8, uint64(1<<8 | 1<<17)
	lo := (last-b.lo&^last)&last&^b.lo ^ last
	hi := (lastHi-b.hi&^lastHi)&lastHi&^b.hi ^ lastHi
	return Bitboard{lo<<1 - lo>>8, hi<<1 - hi>>8}
}

// pawnDropMates reports whether a pawn that us drops in front of the opponent's
// king mates it. Otherwise the drop must be legal.
func (b *Board) pawnDropMates(us Color, to Square) bool {
	them := us ^ 1
	bit := squareBit[to]
	occupied := b.occupied().or(bit)
	king := squareBit[b.king[them&1]]
	captures := b.attackers(them, to, occupied).without(king)
	if !captures.Empty() && !captures.without(b.pinned(them, occupied)).Empty() {
		return false
	}
	return b.flights(them, occupied).Empty()
}
