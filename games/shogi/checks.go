package shogi

// checkSquares returns for each kind the squares from which a piece of us of
// that kind would check the opponent's king, which stands on the given square.
type checkSquares [kinds]Bitboard

func (b *Board) checkSquares(us Color, king Square, occupied Bitboard) (x checkSquares) {
	step := &steps[us&1^1][king]
	diagonal := bishopAttacks(king, occupied)
	file := fileAttacks(king, occupied)
	straight := file.Or(rankAttacks(king, occupied))
	gold := step[roleGold]
	x = checkSquares{
		Pawn:           step[rolePawn],
		Lance:          file.And(ray[us&1^1][king]),
		Knight:         step[roleKnight],
		Silver:         step[roleSilver],
		Bishop:         diagonal,
		Rook:           straight,
		Gold:           gold,
		PromotedPawn:   gold,
		PromotedLance:  gold,
		PromotedKnight: gold,
		PromotedSilver: gold,
		Horse:          diagonal.Or(step[roleCrowned]),
		Dragon:         straight.Or(step[roleCrowned]),
	}
	return x
}

// AppendChecks appends to dst the legal moves of the side to move that give
// check, in a fixed order: direct and discovered ones, promotions and
// non-promotions, and drops, but no drop of a pawn that mates. It appends none
// if the opponent has no king.
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
	checks := b.checkSquares(us, king, occupied)
	hiders := b.blockers(us, king, occupied).And(b.color[us])
	pinned := b.pinned(us, occupied)
	dst = b.appendDirectChecks(dst, &checks, hiders, pinned)
	for x := hiders; !x.Empty(); x = x.Rest() {
		dst = b.appendDiscoveredChecks(dst, x.First(), &checks, pinned)
	}
	return b.appendCheckingDrops(dst, &checks, occupied.not())
}

// appendCheckingEvasions appends the moves that parry a check and give one.
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

// pieceTargets returns the squares that the piece on a square attacks.
func (b *Board) pieceTargets(s Square, occupied Bitboard) Bitboard {
	piece := b.squares[s]
	c := piece.Color()
	switch k := piece.Kind(); k {
	case Lance:
		return lanceAttacks(c, s, occupied)
	case Bishop:
		return bishopAttacks(s, occupied)
	case Rook:
		return rookAttacks(s, occupied)
	case Horse:
		return bishopAttacks(s, occupied).Or(steps[c][s][roleCrowned])
	case Dragon:
		return rookAttacks(s, occupied).Or(steps[c][s][roleCrowned])
	default:
		return steps[c][s][roleOf[k]]
	}
}

// appendDirectChecks appends the moves that give check with the moving piece,
// of all pieces but those that hide a slider.
func (b *Board) appendDirectChecks(dst []Move, checks *checkSquares, hiders, pinned Bitboard) []Move {
	us := b.turn & 1
	occupied := b.occupied()
	movers := b.color[us].Without(hiders)
	if b.king[us] != NoSquare {
		movers = movers.Without(squareBit[b.king[us]])
	}
	for ; !movers.Empty(); movers = movers.Rest() {
		from := movers.First()
		to := b.pieceTargets(from, occupied).Without(b.color[us])
		k := b.squares[from].Kind()
		if pinned.Has(from) {
			to = to.And(rayThrough(b.king[us], from))
		}
		dst = appendTo(dst, MoveOf(from, 0, false), to.And(checks[k]).Without(deadFor(us, k)))
		if k.CanPromote() {
			dst = appendTo(dst, MoveOf(from, 0, true), promotions(us, from, to).And(checks[k+Promoted]))
		}
	}
	return dst
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

// promotions returns those destinations of a move with which it may promote.
func promotions(us Color, from Square, to Bitboard) Bitboard {
	if zone[us&1].Has(from) {
		return to
	}
	return to.And(zone[us&1])
}

// appendDiscoveredChecks appends all checking moves of a piece that hides a
// slider: those that leave the line, and those that check themselves.
func (b *Board) appendDiscoveredChecks(dst []Move, from Square, checks *checkSquares, pinned Bitboard) []Move {
	us := b.turn & 1
	occupied := b.occupied()
	k := b.squares[from].Kind()
	line := rayThrough(b.king[us^1], from)
	if k == King {
		return appendTo(dst, MoveOf(from, 0, false), b.flights(us, occupied).Without(line))
	}
	to := b.pieceTargets(from, occupied).Without(b.color[us])
	if pinned.Has(from) {
		to = to.And(rayThrough(b.king[us], from))
	}
	away := to.Without(line)
	dst = appendTo(dst, MoveOf(from, 0, false), away.Or(to.And(checks[k])).Without(deadFor(us, k)))
	if k.CanPromote() {
		dst = appendTo(dst, MoveOf(from, 0, true), promotions(us, from, away.Or(to.And(checks[k+Promoted]))))
	}
	return dst
}

func (b *Board) appendCheckingDrops(dst []Move, checks *checkSquares, empty Bitboard) []Move {
	us := b.turn & 1
	hand := b.hands[us]
	if hand == 0 {
		return dst
	}
	if to := checks[Pawn].And(empty); hand.Has(Pawn) && !to.Empty() {
		dst = appendTo(dst, DropOf(Pawn, 0), b.pawnDrops(us, to))
	}
	for _, k := range [...]Kind{Lance, Knight, Silver, Gold, Bishop, Rook} {
		if hand.Has(k) {
			dst = appendTo(dst, DropOf(k, 0), checks[k].And(empty))
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
	occupied := b.occupied().Or(squareBit[to])
	piece := PieceOf(us, m.Dropped())
	if !m.IsDrop() {
		from := m.From()
		piece = b.squares[from]
		if m.Promotes() {
			piece += Piece(Promoted)
		}
		occupied = occupied.Without(squareBit[from])
		if d := direction(relation[king][from] & 15); d < directions && !ray[d][king].Has(to) {
			if seen := ray[d][king].And(occupied); !seen.Empty() {
				hidden := b.squares[nearest(d, seen)]
				if hidden.Color() == us && reach[hidden&31]>>(far+d^1)&1 != 0 {
					return true
				}
			}
		}
	}
	r := relation[to][king]
	return reach[piece&31]>>(r&31)&1 != 0 && (r < far || !between(to, king).meets(occupied))
}
