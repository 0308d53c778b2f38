package shogi

// checkSquares holds, by role, the squares from which a piece would check a king.
type checkSquares roleSet

func (x *checkSquares) find(us Color, king Square, occupied Bitboard) {
	copy(x[:steppers], steps[us&1^1][king][:])
	file := fileAttacks(king, occupied)
	x[roleLance] = file.and(ray[us&1^1][king])
	x[roleBishop] = bishopAttacks(king, occupied)
	x[roleRook] = file.or(rankAttacks(king, occupied))
}

// of returns the squares from which a piece of kind k would check.
func (x *checkSquares) of(k Kind) Bitboard {
	if k == King {
		return Bitboard{}
	}
	to := x[roleOf[k&15]]
	if k >= Horse {
		to = to.or(x[roleCrowned])
	}
	return to
}

// AppendChecks appends to dst the legal moves of the side to move that give check,
// in a fixed order. It appends none if the opponent has no king.
func (b *Board) AppendChecks(dst []Move) []Move {
	us := b.turn & 1
	king := b.king[us^1]
	if king == NoSquare {
		return dst
	}
	if !b.checkers.Empty() {
		return b.appendCheckingEvasions(dst)
	}
	occupied := b.occupied()
	var checks checkSquares
	checks.find(us, king, occupied)
	hiders := b.blockers(us, king, occupied).and(b.color[us])
	pinned := b.pinned(us, occupied)
	dst = b.appendDirectChecks(dst, &checks, hiders, pinned)
	for x := hiders; !x.Empty(); x = x.rest() {
		dst = b.appendDiscoveredChecks(dst, x.First(), &checks, pinned)
	}
	return b.appendCheckingDrops(dst, &checks, occupied.not())
}

func (b *Board) appendCheckingEvasions(dst []Move) []Move {
	first := len(dst)
	dst = b.AppendEvasions(dst)
	kept := dst[:first]
	for _, m := range dst[first:] {
		if b.GivesCheck(m) {
			kept = append(kept, m)
		}
	}
	return kept
}

// appendDirectChecks appends the moves that give check with the moving piece, except
// by pieces that hide a slider.
func (b *Board) appendDirectChecks(dst []Move, checks *checkSquares, hiders, pinned Bitboard) []Move {
	us := b.turn & 1
	occupied := b.occupied()
	set, from := &b.roles[us], &checkFrom[us][b.king[us^1]]
	var movers Bitboard
	for r := range roles {
		if r != roleCrowned { // horses and dragons slide too
			movers = movers.or(set[r].and(from[r]))
		}
	}
	for movers = movers.without(hiders); !movers.Empty(); movers = movers.rest() {
		from := movers.First()
		k, to := b.squares[from].Kind(), b.targets(from, pinned, occupied)
		dst = b.appendPieceTo(dst, from, to.and(checks.of(k)), to.and(checks.of(k+Promoted)))
	}
	return dst
}

// targets returns the squares to which a piece other than the king may go.
func (b *Board) targets(from Square, pinned, occupied Bitboard) Bitboard {
	us := b.turn & 1
	to := attacksOf(b.squares[from], from, occupied).without(b.color[us])
	if pinned.Has(from) {
		to = to.and(rayThrough(b.king[us], from))
	}
	return to
}

// deadFor returns the squares where a piece of kind k could never move.
func deadFor(us Color, k Kind) Bitboard {
	switch k {
	case Pawn, Lance:
		return farRank[us&1]
	case Knight:
		return farRanks[us&1]
	}
	return Bitboard{}
}

// appendDiscoveredChecks appends all checking moves of a piece that hides a slider:
// it leaves the line, or gives check itself.
func (b *Board) appendDiscoveredChecks(dst []Move, from Square, checks *checkSquares, pinned Bitboard) []Move {
	us := b.turn & 1
	occupied := b.occupied()
	k := b.squares[from].Kind()
	line := rayThrough(b.king[us^1], from)
	if k == King {
		return appendTo(dst, MoveOf(from, 0, false), b.flights(us, occupied).without(line))
	}
	to := b.targets(from, pinned, occupied)
	away := to.without(line)
	return b.appendPieceTo(dst, from, away.or(to.and(checks.of(k))), away.or(to.and(checks.of(k+Promoted))))
}

func (b *Board) appendCheckingDrops(dst []Move, checks *checkSquares, empty Bitboard) []Move {
	us := b.turn & 1
	hand := b.hands[us]
	if hand == 0 {
		return dst
	}
	if to := checks[rolePawn].and(empty); hand.Has(Pawn) && !to.Empty() {
		dst = appendTo(dst, DropOf(Pawn, 0), b.pawnDrops(us, to))
	}
	for _, k := range [...]Kind{Lance, Knight, Silver, Gold, Bishop, Rook} {
		if hand.Has(k) {
			dst = appendTo(dst, DropOf(k, 0), checks.of(k).and(empty))
		}
	}
	return dst
}

// GivesCheck reports whether the legal move m of the side to move gives check.
func (b *Board) GivesCheck(m Move) bool {
	us := b.turn & 1
	king := b.king[us^1]
	if king == NoSquare {
		return false
	}
	to := m.To()
	occupied := b.occupied().or(squareBit[to])
	piece := PieceOf(us, m.Dropped())
	if !m.IsDrop() {
		from := m.From()
		piece = b.squares[from]
		if m.Promotes() {
			piece += Piece(Promoted)
		}
		occupied = occupied.without(squareBit[from])
		if !b.discovered(us, from, king, occupied).Empty() {
			return true
		}
	}
	return hits(piece, to, king, occupied)
}
