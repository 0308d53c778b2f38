package variant

// moveKind is what a move does.
type moveKind uint8

const (
	normal moveKind = iota
	promotion
	piecePromotion
	demotion
	enPassant
	castling
	drop
	pass
)

// Move is a move of any variant. Its zero value is no move.
type Move struct {
	kind     moveKind
	from, to uint8 // to is the rook's square in a castling
	piece    uint8 // the kind that a pawn is promoted to or that is dropped
	hand     uint8 // the kind that is taken from the hand
	gate     uint8 // the square of a wall or of a piece that is brought in, noSquare for none
	gated    uint8 // the kind that is brought in, if gate is not the square of a wall
}

func newMove(kind moveKind, from, to int) Move {
	return Move{kind: kind, from: uint8(from), to: uint8(to), gate: noSquare}
}

// list is where moves are gathered.
type list struct {
	board *board
	moves []Move
}

// add adds a move, once for each wall or piece that it can set.
func (l *list) add(m Move) {
	b := l.board
	g := b.game
	us := int(b.turn)
	if g.rules.walling != "none" && !(g.rules.wallOrMove && m.from != m.to) {
		for walls := b.wallSquares(m); !walls.empty(); {
			m.gate = uint8(walls.pop())
			l.moves = append(l.moves, m)
		}
		return
	}
	l.moves = append(l.moves, m)
	if !g.rules.seirawan {
		return
	}
	for _, s := range []uint8{m.from, m.to} {
		if s == m.to && m.kind != castling || !b.gates[us].has(int(s)) {
			continue
		}
		for k := range g.kinds {
			if b.canDrop(us, k) && b.dropSquares(us, k).has(int(s)) {
				m.gate, m.gated = s, uint8(k)
				l.moves = append(l.moves, m)
			}
		}
	}
}

// wallSquares returns where a wall may stand after a move.
func (b *board) wallSquares(m Move) set {
	g := b.game
	us := int(b.turn)
	taken := b.pieces()
	taken.remove(int(m.from))
	taken.add(int(m.to))
	free := g.board.without(b.walls)
	switch m.kind {
	case castling:
		kto, rto := g.castlingSquares(us, int(m.from), int(m.to))
		taken.remove(int(m.to))
		taken.add(kto)
		taken.add(rto)
	case enPassant:
		taken.remove(int(b.passed))
	}
	free = free.without(taken).and(g.wallRegion[us])
	switch g.rules.walling {
	case "arrow":
		occupied := b.occupied()
		occupied.remove(int(m.from))
		free = free.and(b.motion(quiet, b.kind(int(m.from)), us, int(m.to), occupied))
	case "past":
		free = free.and(square(int(m.from)))
	case "edge":
		near := g.edge
		for w := b.walls; !w.empty(); {
			s := w.pop()
			for _, d := range allAround[:4] {
				if to := g.at(s, 0, d); to >= 0 {
					near.add(to)
				}
			}
		}
		free = free.and(near)
	}
	return free
}

// castlingSquares returns where king and rook go.
func (g *core) castlingSquares(side, king, rook int) (kto, rto int) {
	rank := g.rules.castlingRank
	if side == 1 {
		rank = g.ranks - 1 - rank
	}
	if rook > king {
		kto = rank*g.files + g.rules.castlingFiles[0]
		return kto, kto - 1
	}
	kto = rank*g.files + g.rules.castlingFiles[1]
	return kto, kto + 1
}

// canDrop reports whether a side has a piece of a kind to drop.
func (b *board) canDrop(side, kind int) bool {
	return b.game.rules.freeDrops || b.hands[side][kind] > 0
}

// limited reports whether a side has as many pieces of a kind as promotions may make.
func (b *board) limited(side, kind int) bool {
	limit := b.game.kinds[kind].limit
	return limit > 0 && b.count(side, kind) >= limit
}

// pseudoMoves appends the moves of the side to move, legal or not.
func (b *board) pseudoMoves(dst []Move) []Move {
	g := b.game
	l := list{b, dst}
	for k := range g.kinds {
		l.kindMoves(k)
	}
	l.otherMoves()
	return l.moves
}

// kindMoves adds the moves of the pieces of a kind.
func (l *list) kindMoves(kind int) {
	b := l.board
	if kind == b.game.pawnIx {
		l.pawnMoves()
		return
	}
	for men := b.of(int(b.turn), kind); !men.empty(); {
		l.pieceMoves(kind, men.pop())
	}
}

// otherMoves adds drops, castlings, passes, and walls that are set instead of a move.
func (l *list) otherMoves() {
	b := l.board
	g := b.game
	us := int(b.turn)
	if g.rules.drops {
		l.drops()
	}
	l.castlings()
	own := b.sides[us]
	if own.empty() {
		return
	}
	idle := own.first()
	if s := b.royal(us); s >= 0 {
		idle = s
	}
	if g.rules.pass[us] || g.rules.passOnStalemate[us] {
		l.moves = append(l.moves, newMove(pass, idle, idle))
	}
	if g.rules.wallOrMove {
		l.add(newMove(pass, own.first(), own.first()))
	}
}

// pawnMoves adds the moves of pawns: steps, captures, en passant, and what they are promoted to.
func (l *list) pawnMoves() {
	b := l.board
	g := b.game
	us := int(b.turn)
	k := &g.kinds[g.pawnIx]
	taken := b.occupied()
	zone := g.promotionZone[us]
	if g.rules.sittuyinPromotion {
		zone = set{}
	}
	for men := b.of(us, g.pawnIx); !men.empty(); {
		from := men.pop()
		var to set
		steps := 1
		if g.tripleStep[us].has(from) {
			steps = 3
		}
		if g.doubleStep[us].has(from) {
			steps = max(steps, 2)
		}
		at := from
		for n := 1; n <= steps; n++ {
			at = g.at(at, us, step{1, 0})
			if at < 0 || taken.has(at) || !k.mobility[us].has(at) {
				break
			}
			if n != 2 || g.doubleStep[us].has(from) {
				to.add(at)
			}
		}
		attacks := k.motion[us][capture].leaps[from].and(k.mobility[us])
		to = to.or(attacks.and(b.sides[1-us]))
		for promoting := to.and(zone); !promoting.empty(); {
			s := promoting.pop()
			l.promotions(from, s)
			if k.promoted >= 0 && !(g.rules.promotionOnCapture && b.cells[s] == empty) {
				l.add(newMove(piecePromotion, from, s))
			}
		}
		if g.rules.mandatoryPawnPromotion {
			to = to.without(zone)
		}
		for !to.empty() {
			l.add(newMove(normal, from, to.pop()))
		}
		if k.enPassant[us] {
			for passing := attacks.and(b.passing).without(taken); !passing.empty(); {
				l.add(newMove(enPassant, from, passing.pop()))
			}
		}
	}
	if g.rules.sittuyinPromotion {
		l.sittuyinPromotions()
	}
}

// promotions adds the promotions of a pawn to other kinds.
func (l *list) promotions(from, to int) {
	b := l.board
	us := int(b.turn)
	for k := range b.game.kinds {
		if b.game.kinds[k].promotion[us] && !b.limited(us, k) {
			m := newMove(promotion, from, to)
			m.piece = uint8(k)
			l.add(m)
		}
	}
}

// sittuyinPromotions adds the promotions of sittuyin: a pawn in the zone, or the last one anywhere, becomes a piece where
// it stands or where such a piece could go without attacking anything.
func (l *list) sittuyinPromotions() {
	b := l.board
	g := b.game
	us := int(b.turn)
	men := b.of(us, g.pawnIx)
	if men.count() > 1 {
		men = men.and(g.promotionZone[us])
	}
	for !men.empty() {
		from := men.pop()
		for k := range g.kinds {
			if !g.kinds[k].promotion[us] || b.limited(us, k) {
				continue
			}
			to := b.motion(capture, k, us, from, b.occupied()).without(b.occupied())
			to.add(from)
			occupied := b.occupied()
			occupied.remove(from)
			for !to.empty() {
				s := to.pop()
				if !b.motion(capture, k, us, s, occupied).meets(b.sides[1-us]) {
					m := newMove(promotion, from, s)
					m.piece = uint8(k)
					l.moves = append(l.moves, m)
				}
			}
		}
	}
}

// pieceMoves adds the moves of a piece that is not a pawn.
func (l *list) pieceMoves(kind, from int) {
	b := l.board
	g := b.game
	r := g.rules
	us := int(b.turn)
	k := &g.kinds[kind]
	taken := b.occupied()
	attacks := b.motion(capture, kind, us, from, taken)
	quiets := b.motion(quiet, kind, us, from, taken)
	if g.doubleStep[us].has(from) {
		quiets = quiets.or(b.motion(initial, kind, us, from, taken))
	}
	all := attacks.and(b.sides[1-us]).or(quiets.without(taken))
	plain := all
	zone := g.promotionZone[us]

	var promoting, demoting, pawns set
	if k.promoted >= 0 && !b.limited(us, int(k.promoted)) {
		promoting = all
	}
	if r.demotion && b.man(from).origin >= 0 {
		demoting = all
	}
	if k.pawn[us] {
		pawns = all.and(zone)
		if r.mandatoryPawnPromotion {
			plain = plain.without(pawns)
		}
	}
	if !promoting.or(demoting).empty() {
		if r.mandatoryPromotion {
			stay := g.board.without(zone)
			if zone.has(from) {
				stay = set{}
			}
			if r.promotionOnCapture {
				stay = stay.or(g.board.without(taken))
			}
			plain = plain.and(stay)
		}
		if r.promotionOnCapture {
			promoting, demoting = promoting.and(taken), demoting.and(taken)
		}
		if !zone.has(from) {
			promoting, demoting = promoting.and(zone), demoting.and(zone)
		}
	}
	for !plain.empty() {
		l.add(newMove(normal, from, plain.pop()))
	}
	for !promoting.empty() {
		l.moves = append(l.moves, newMove(piecePromotion, from, promoting.pop()))
	}
	for !demoting.empty() {
		l.moves = append(l.moves, newMove(demotion, from, demoting.pop()))
	}
	for !pawns.empty() {
		l.promotions(from, pawns.pop())
	}
	if k.enPassant[us] {
		for passing := attacks.without(quiets).and(b.passing).without(taken); !passing.empty(); {
			l.add(newMove(enPassant, from, passing.pop()))
		}
	}
}

// drops adds the drops from the hand.
func (l *list) drops() {
	b := l.board
	g := b.game
	us := int(b.turn)
	free := g.board.without(b.occupied())
	for k := range g.kinds {
		if !b.canDrop(us, k) {
			continue
		}
		squares := free.and(b.dropSquares(us, k))
		m := newMove(drop, noSquare, noSquare)
		m.hand = uint8(k)
		for to := squares; !to.empty(); {
			m.to, m.piece = uint8(to.pop()), uint8(k)
			l.moves = append(l.moves, m)
			if p := g.kinds[k].promoted; g.rules.dropPromoted && p >= 0 {
				m.piece = uint8(p)
				l.moves = append(l.moves, m)
			}
		}
	}
}

// dropSquares returns where a side may drop a kind, occupied or not.
func (b *board) dropSquares(side, kind int) set {
	g := b.game
	r := g.rules
	to := g.dropRegion[side].and(g.kinds[kind].mobility[side]).without(b.walls)
	if kind == g.pawnIx {
		if !r.promotionZoneDrops {
			to = to.without(g.promotionZone[side])
		}
		if !r.firstRankPawnDrops {
			to = to.without(g.backRank[side])
		}
	}
	if kind == g.noDoubled {
		for _, file := range g.fileSets {
			if b.of(side, kind).and(file).count() >= r.noDoubledCount {
				to = to.without(file)
			}
		}
	}
	if r.sittuyinRookDrop && kind == g.rook {
		to = to.and(g.backRank[side])
	}
	if r.enclosingDrop == "none" {
		return to
	}
	if start := g.enclosingStart.without(b.occupied()); !start.empty() {
		return to.and(g.enclosingStart)
	}
	var enclosing set
	for candidates := to.without(b.occupied()); !candidates.empty(); {
		if s := candidates.pop(); b.encloses(side, s) {
			enclosing.add(s)
		}
	}
	return enclosing
}

// encloses reports whether a drop on an empty square does what enclosingDrop asks for.
func (b *board) encloses(side, s int) bool {
	g := b.game
	switch g.rules.enclosingDrop {
	case "reversi":
		return !b.enclosed(side, s).empty()
	case "ataxx":
		return g.neighbors[s].meets(b.sides[side])
	case "snort":
		for _, d := range allAround[:4] {
			if to := g.at(s, 0, d); to >= 0 && b.sides[1-side].has(to) {
				return false
			}
		}
		return true
	case "top":
		below := g.at(s, 0, step{-1, 0})
		return below < 0 || b.occupied().has(below)
	case "anyside":
		// It is pushed in from an edge and slides on to the first piece or to the other edge.
		for i := range 4 {
			ahead, behind := &g.lines[i], &g.lines[i^1]
			if next := g.at(s, 0, ahead.step); next >= 0 && !b.occupied().has(next) {
				continue
			}
			if !behind.rays[s].meets(b.occupied()) {
				return true
			}
		}
	}
	return false
}

// enclosed returns the pieces of the opponent in rows between a square and pieces of a side.
func (b *board) enclosed(side, s int) (all set) {
	g := b.game
	for i := range allAround {
		l := &g.lines[i]
		if ends := l.rays[s].without(b.sides[1-side]); !ends.empty() {
			if end := l.nearest(ends); b.sides[side].has(end) {
				all = all.or(l.rays[s].without(l.rays[end]).and(b.sides[1-side]))
			}
		}
	}
	return all
}

// castlings adds the castlings of the side to move.
func (l *list) castlings() {
	b := l.board
	g := b.game
	us := int(b.turn)
	if b.kings[us] == noSquare {
		return
	}
	from := int(b.kings[us])
	if s := b.royal(us); s >= 0 {
		if s != from || b.checked(us) {
			return
		}
	}
	for _, rook := range b.rooks[2*us : 2*us+2] {
		if rook == noSquare {
			continue
		}
		kto, rto := g.castlingSquares(us, from, int(rook))
		path := g.rankBetween(from, kto).or(g.rankBetween(int(rook), rto))
		path.remove(from)
		path.remove(int(rook))
		if !path.meets(b.occupied()) {
			l.add(newMove(castling, from, int(rook)))
		}
	}
}

// rankBetween returns the squares of a rank from one to another, both included.
func (g *core) rankBetween(a, b int) (s set) {
	for i := min(a, b); i <= max(a, b); i++ {
		s.add(i)
	}
	return s
}
