package variant

// captures reports whether a move takes a piece.
func (b *board) captures(m Move) bool {
	switch m.kind {
	case enPassant:
		return true
	case castling, pass, drop:
		return false
	}
	return m.from != m.to && b.cells[m.to] >= firstMan
}

// apply makes a move.
func (b *board) apply(m Move) {
	g := b.game
	r := g.rules
	us := int(b.turn)
	them := 1 - us
	from, to := int(m.from), int(m.to)
	if m.kind == normal && g.simpleMoves && b.kings == [2]uint8{noSquare, noSquare} && !g.doubleStep[us].has(from) && !g.tripleStep[us].has(from) {
		b.applySimple(us, from, to)
		return
	}
	before := b.last
	b.last = other
	captured := b.captures(m)
	moved := int(m.piece)
	if m.kind != drop {
		moved = b.kind(from)
	}

	captureSquare := to
	if m.kind == enPassant {
		captureSquare = int(b.passed)
	}
	if captured {
		b.toHand(us, b.clear(captureSquare))
	}
	b.passing, b.passed = set{}, noSquare
	if m.kind != drop && m.kind != pass {
		b.loseCastling(us, m)
	}
	if r.flip != "none" && m.kind != pass {
		b.turnOver(m)
	}

	switch m.kind {
	case castling:
		kto, rto := g.castlingSquares(us, from, to)
		k, rk := b.clear(from), b.clear(to)
		b.put(kto, us, k)
		b.put(rto, us, rk)
	case drop:
		if !r.freeDrops {
			b.hands[us][m.hand]--
		}
		origin := int8(-1)
		if m.piece != m.hand {
			origin = int8(m.hand)
		}
		b.put(to, us, man{int8(m.piece), origin})
		if r.castlingDropped {
			b.castlingByDrop(us, int(m.piece), to)
		}
	case pass:
		switch {
		case r.wallOrMove:
		case before == aPass:
			b.last = twoPasses
		default:
			b.last = aPass
		}
	default:
		mn := b.clear(from)
		switch m.kind {
		case promotion:
			origin := g.kindOf[r.mainPawn[us]]
			mn = man{int8(m.piece), origin}
		case piecePromotion:
			mn = man{g.kinds[moved].promoted, int8(moved)}
		case demotion:
			mn = man{mn.origin, -1}
		}
		b.put(to, us, mn)
		if m.kind == normal {
			b.setPassing(us, moved, from, to, m)
		}
	}
	if m.kind == castling && g.winsByCastling(us, from, to) {
		b.last = winningCastling
	}
	b.setGate(us, m, from, to)
	if captured && (r.blast || g.petrify[moved]) {
		b.explode(us, moved, to)
	}
	if r.walling != "none" && (!r.wallOrMove || m.kind == pass) {
		if r.walling == "duck" {
			for w := b.walls; !w.empty(); {
				b.cells[w.pop()] = empty
			}
			b.walls = set{}
		}
		b.setWall(int(m.gate))
	}
	if r.checkCounting && b.checks[us] > 0 && b.checked(them) {
		b.checks[us]--
	}
	b.turn = uint8(them)
	b.forgetPassing()
}

// applySimple makes a move that does nothing but move a piece, and capture one.
func (b *board) applySimple(us, from, to int) {
	if b.cells[to] >= firstMan {
		b.toHand(us, b.clear(to))
	}
	b.put(to, us, b.clear(from))
	b.passing, b.passed, b.last = set{}, noSquare, other
	b.turn = uint8(1 - us)
}

// toHand puts a captured man into the hand of a side, if captures go there.
func (b *board) toHand(side int, m man) {
	r := b.game.rules
	if !r.capturesToHand || r.freeDrops {
		return
	}
	k := m.kind
	if m.origin >= 0 && !r.dropLoop {
		k = m.origin
	}
	b.hands[side][k]++
}

// loseCastling takes the rights to castle of pieces that move or are captured.
func (b *board) loseCastling(us int, m Move) {
	for _, s := range []uint8{m.from, m.to} {
		for i := range b.rooks {
			if b.rooks[i] == s || b.kings[i/2] == s {
				b.rooks[i] = noSquare
			}
		}
	}
	if m.kind == castling && b.game.rules.oppositeCastling {
		side := 0
		if m.to < m.from {
			side = 1
		}
		b.rooks[2*(1-us)+side] = noSquare
	}
	b.dropKings()
}

// dropKings forgets the square of a king without a rook to castle with.
func (b *board) dropKings() {
	for side := range 2 {
		if b.rooks[2*side] == noSquare && b.rooks[2*side+1] == noSquare {
			b.kings[side] = noSquare
		}
	}
}

// castlingByDrop gives the right to castle to kings and rooks that are dropped on their squares.
func (b *board) castlingByDrop(us, kind, to int) {
	g := b.game
	r := g.rules
	rank := r.castlingRank
	if us == 1 {
		rank = g.ranks - 1 - rank
	}
	home := rank*g.files + r.castlingKingFile
	kingKind := g.kindOf[r.castlingKing[us]]
	if to/g.files != rank || kingKind < 0 || !b.of(us, int(kingKind)).has(home) {
		return
	}
	for _, s := range []int{rank * g.files, rank*g.files + g.files - 1} {
		isRook := b.sides[us].has(s) && r.castlingRooks[us].has(g.kinds[b.kind(s)].slot)
		if isRook && (s == to || home == to) {
			b.setCastling(us, home, s)
		}
	}
}

func (b *board) setCastling(side, king, rook int) {
	b.kings[side] = uint8(king)
	if rook > king {
		b.rooks[2*side] = uint8(rook)
	} else {
		b.rooks[2*side+1] = uint8(rook)
	}
}

func (g *core) winsByCastling(us, from, to int) bool {
	if to > from {
		return g.rules.castlingWins[2*us]
	}
	return g.rules.castlingWins[2*us+1]
}

// turnOver turns over what a move encloses or touches.
func (b *board) turnOver(m Move) {
	g := b.game
	us := int(b.turn)
	to := int(m.to)
	var turned set
	switch g.rules.flip {
	case "reversi":
		turned = b.enclosed(us, to)
	case "quadwrangle":
		if m.kind == normal || g.neighbors[to].meets(b.sides[us]) {
			turned = g.neighbors[to].and(b.sides[1-us])
		}
	default:
		turned = g.neighbors[to].and(b.sides[1-us])
	}
	for !turned.empty() {
		s := turned.pop()
		b.put(s, us, b.clear(s))
	}
}

// setPassing marks the squares that a pawn has passed, and on which it can be captured.
func (b *board) setPassing(us, kind, from, to int, m Move) {
	g := b.game
	var passed set
	k := &g.kinds[kind]
	if kind == g.pawnIx {
		if from%g.files != to%g.files {
			return
		}
		for at := g.at(from, us, step{1, 0}); at != to && at >= 0; at = g.at(at, us, step{1, 0}) {
			passed.add(at)
		}
	} else {
		x := &k.motion[us][initial]
		if !g.doubleStep[us].has(from) || !g.farthest(x, from).has(to) || g.farthest(&k.motion[us][quiet], from).has(to) {
			return
		}
		for _, l := range x.lames {
			if int(l.to[from]) == to {
				passed = passed.or(l.path[from])
			}
		}
		for _, r := range x.slides {
			l := &g.lines[r.line]
			if l.rays[from].has(to) {
				passed = passed.or(l.rays[from].without(l.rays[to]))
				passed.remove(to)
			}
		}
	}
	passed = passed.and(g.enPassant[1-us])
	if m.gate != noSquare {
		passed.remove(int(m.gate))
	}
	if !passed.empty() {
		b.passing, b.passed = passed, uint8(to)
	}
}

// forgetPassing forgets squares on which the side to move cannot capture in passing, so that positions with equal moves
// are equal.
func (b *board) forgetPassing() {
	if b.passing.empty() {
		return
	}
	g := b.game
	us := int(b.turn)
	var useful set
	for k := range g.kinds {
		if !g.kinds[k].enPassant[us] {
			continue
		}
		for men := b.of(us, k); !men.empty(); {
			from := men.pop()
			to := b.motion(capture, k, us, from, b.occupied())
			if k != g.pawnIx {
				to = to.without(b.motion(quiet, k, us, from, b.occupied()))
			}
			useful = useful.or(to)
		}
	}
	if b.passing = b.passing.and(useful).without(b.occupied()); b.passing.empty() || !b.sides[1-us].has(int(b.passed)) {
		b.passing, b.passed = set{}, noSquare
	}
}

// setGate brings in a piece with a first move, and takes the gates that a move uses up.
func (b *board) setGate(us int, m Move, from, to int) {
	r := b.game.rules
	if !r.gating {
		return
	}
	if m.gate != noSquare {
		b.hands[us][m.gated]--
		b.put(int(m.gate), us, man{int8(m.gated), -1})
		b.gates[us].remove(int(m.gate))
	}
	if m.kind != drop {
		b.gates[us].remove(from)
	}
	if m.kind == castling {
		b.gates[us].remove(to)
	}
	b.gates[1-us].remove(to)
	if r.seirawan && b.inHand(us, -1) == 0 && !r.capturesToHand {
		b.gates[us] = set{}
	}
}

// explode removes what a capture blows up, or turns the capturing piece to stone.
func (b *board) explode(us, moved, to int) {
	g := b.game
	r := g.rules
	blast := square(to)
	if r.blast {
		near := g.neighbors[to].and(b.pieces())
		if g.pawnIx >= 0 {
			near = near.without(b.kinds[g.pawnIx])
		}
		blast = blast.or(near)
		for k := range g.kinds {
			if g.blastImmune[k] {
				blast = blast.without(b.kinds[k])
			}
		}
	}
	for !blast.empty() {
		s := blast.pop()
		if b.cells[s] < firstMan {
			continue
		}
		side := int(b.cells[s]-firstMan) & 1
		m := b.clear(s)
		b.toHand(1-side, m)
		for i := range b.rooks {
			if int(b.rooks[i]) == s || int(b.kings[i/2]) == s {
				b.rooks[i] = noSquare
			}
		}
		b.gates[0].remove(s)
		b.gates[1].remove(s)
		if s == to && g.petrify[m.kind] || s != to && r.petrifyBlast {
			b.setWall(s)
		}
	}
	b.dropKings()
}

// legal reports whether a move of pseudoMoves is legal, apart from the rules by which other moves come first.
func (b *board) legal(m Move) bool {
	g := b.game
	r := g.rules
	us := int(b.turn)
	them := 1 - us
	from, to := int(m.from), int(m.to)

	if r.oppositeBishops && m.kind == drop && !b.bishopsFit(m) {
		return false
	}
	if r.immobilityIllegal && (m.kind == drop || m.kind == normal) {
		k := int(m.piece)
		if m.kind == normal {
			k = b.kind(from)
		}
		if !g.kinds[k].moves[us].has(to) {
			return false
		}
	}
	if b.captures(m) && m.kind != enPassant {
		if k := b.kind(from); g.mutuallyImmune[k] && k == b.kind(to) {
			return false
		}
	}
	if r.pseudoRoyal && !b.pseudoLegal(m) {
		return false
	}
	if m.kind == castling {
		if s := b.royal(us); s == from && !b.castlesSafely(from, to) {
			return false
		}
	}
	if r.makpong && m.kind != drop && b.kind(from) == g.king && b.checked(us) {
		if !b.attackers(from, them, b.occupied()).xor(square(to)).empty() {
			return false
		}
	}

	if g.plainMoves && m.kind != castling && m.kind != drop && m.kind != pass {
		return b.leavesKingSafe(m)
	}
	return b.legalAfter(m)
}

// loose returns the pieces of the side to move of which a simple move leaves the king safe wherever it ends; see
// [core.findPaths]. If others hop over pieces, the move must not end on the second set.
func (b *board) loose() (from, not set) {
	g := b.game
	us := int(b.turn)
	if !g.looseMoves {
		return set{}, set{}
	}
	king := b.royal(us)
	switch {
	case king < 0:
		return b.sides[us], set{}
	case b.checked(us) || g.rules.flyingGeneral && b.facing(us):
		return set{}, set{}
	}
	from = b.sides[us].without(g.paths[king])
	from.remove(king)
	if g.screens {
		not = g.paths[king]
	}
	return from, not
}

// someMove reports whether one of some pieces, pawns apart, has a square to go to.
func (b *board) someMove(some set) bool {
	us := int(b.turn)
	occupied := b.occupied()
	for k := range b.game.kinds {
		if k == b.game.pawnIx || b.game.kinds[k].pawn[us] {
			continue
		}
		for men := b.of(us, k).and(some); !men.empty(); {
			from := men.pop()
			if !b.motion(quiet, k, us, from, occupied).without(occupied).empty() || b.motion(capture, k, us, from, occupied).meets(b.sides[1-us]) {
				return true
			}
		}
	}
	return false
}

// someCapture reports whether one of some pieces can capture.
func (b *board) someCapture(some set) bool {
	us := int(b.turn)
	theirs, occupied := b.sides[1-us].or(b.passing), b.occupied()
	for k := range b.game.kinds {
		for men := b.of(us, k).and(some); !men.empty(); {
			if from := men.pop(); b.motion(capture, k, us, from, occupied).meets(theirs) {
				return true
			}
		}
	}
	return false
}

// simple reports whether a move does nothing but move a piece, perhaps promote it, and capture on the square where it ends.
func (m Move) simple() bool { return m.kind <= demotion }

// kingMoves reports whether a king can step to a safe square, for rules under which that is legal.
func (b *board) kingMoves() bool {
	g := b.game
	us := int(b.turn)
	king := b.royal(us)
	if king < 0 || !g.looseMoves || g.rules.makpong {
		return false
	}
	occupied := b.occupied()
	to := b.motion(quiet, g.king, us, king, occupied).without(occupied).or(b.motion(capture, g.king, us, king, occupied).and(b.sides[1-us]))
	if g.rules.flyingGeneral {
		for !to.empty() {
			if b.leavesKingSafe(newMove(normal, king, to.pop())) {
				return true
			}
		}
		return false
	}
	occupied.remove(king)
	for !to.empty() {
		s := to.pop()
		after := occupied
		after.add(s)
		if !b.attacked(s, 1-us, after, b.sides[1-us].without(square(s))) {
			return true
		}
	}
	return false
}

// legalAfter makes a move and reports whether the board after it is one that the move may lead to.
func (b *board) legalAfter(m Move) bool {
	g := b.game
	if g.king < 0 {
		return true
	}
	r := g.rules
	us := int(b.turn)
	them := 1 - us
	to := int(m.to)
	next := *b
	next.apply(m)
	if king := next.royal(us); king >= 0 {
		occupied := next.occupied()
		if m.gate != noSquare && r.walling == "none" && m.kind != castling {
			occupied.remove(int(m.gate)) // the piece that is brought in does not parry a check
		}
		if !next.attackers(king, them, occupied).empty() || r.flyingGeneral && next.facing(us) {
			return false
		}
	}
	if king := next.royal(them); king >= 0 {
		forbidden := !r.checking || r.sittuyinPromotion && m.kind == promotion || !r.dropChecks && m.kind == drop
		if forbidden && next.checked(them) {
			return false
		}
		if r.pawnDropMateIllegal && m.kind == drop && g.kinds[m.piece].slot == shogiPawn && next.attackers(king, us, next.occupied()) == square(to) {
			if !next.canMove(&[]Move{}) {
				return false
			}
		}
	}
	return true
}

// leavesKingSafe reports whether the king of the side to move is not attacked after a move that does nothing but move a
// piece and capture one.
func (b *board) leavesKingSafe(m Move) bool {
	g := b.game
	us := int(b.turn)
	king := b.royal(us)
	if king < 0 {
		return true
	}
	from, to := int(m.from), int(m.to)
	occupied := b.occupied()
	occupied.remove(from)
	gone := square(to)
	if m.kind == enPassant {
		occupied.remove(int(b.passed))
	}
	occupied.add(to)
	if from == king {
		king = to
	}
	// A piece on the square of the move was captured.
	if b.attacked(king, 1-us, occupied, b.sides[1-us].and(occupied).without(gone)) {
		return false
	}
	if !g.rules.flyingGeneral {
		return true
	}
	other := b.royal(1 - us)
	return other < 0 || other == to || !g.sees(king, other, occupied)
}

// castlesSafely reports whether no square that a royal king passes in a castling is attacked.
func (b *board) castlesSafely(from, rook int) bool {
	g := b.game
	us := int(b.turn)
	kto, _ := g.castlingSquares(us, from, rook)
	path := g.rankBetween(from, kto)
	path.remove(from)
	for !path.empty() {
		s := path.pop()
		if !b.attackers(s, 1-us, b.occupied()).empty() {
			return false
		}
		if g.rules.flyingGeneral {
			next := *b
			next.put(s, us, next.clear(from))
			if next.facing(us) {
				return false
			}
		}
	}
	return true
}

// bishopsFit reports whether bishops can still be dropped on squares of both colours after a drop.
func (b *board) bishopsFit(m Move) bool {
	g := b.game
	us := int(b.turn)
	if g.bishop < 0 {
		return true
	}
	own := b.of(us, g.bishop)
	total := own.count() + b.inHand(us, g.bishop)
	light := g.board.without(g.dark)
	if int(m.piece) == g.bishop {
		color := light
		if g.dark.has(int(m.to)) {
			color = g.dark
		}
		return own.and(color).count()+1 <= (total+1)/2
	}
	room := b.dropSquares(us, g.bishop).without(b.occupied())
	room.remove(int(m.to))
	room = room.or(own)
	return room.and(g.dark).count() >= total/2 && room.and(light).count() >= total/2
}

// pseudoLegal reports whether a move leaves no pseudo-royal piece of the side to move attacked.
func (b *board) pseudoLegal(m Move) bool {
	g := b.game
	r := g.rules
	us := int(b.turn)
	them := 1 - us
	from, to := int(m.from), int(m.to)
	royal, candidates := b.pseudoRoyals(us)
	theirs, _ := b.pseudoRoyals(them)
	captured := b.captures(m)
	moved := int(m.piece)
	if m.kind != drop {
		moved = b.kind(from)
	}

	occupied := b.occupied()
	if m.kind != drop {
		occupied.remove(from)
	}
	if r.walling == "duck" {
		occupied = occupied.without(b.walls)
	}
	if m.gate != noSquare {
		occupied.add(int(m.gate))
	}
	kto := to
	if m.kind == castling {
		var rto int
		kto, rto = g.castlingSquares(us, from, to)
		if royal.has(from) {
			path := g.rankBetween(from, kto)
			if from != kto {
				path.remove(kto)
			}
			for !path.empty() {
				if s := path.pop(); !b.immune(s, theirs) && !b.attackers(s, them, occupied).empty() {
					return false
				}
			}
		}
		occupied.remove(to)
		occupied.add(rto)
	}
	occupied.add(kto)
	if m.kind == enPassant {
		occupied.remove(int(b.passed))
	}
	if captured && r.blast {
		near := g.neighbors[kto].and(b.pieces())
		if g.pawnIx >= 0 {
			near = near.without(b.kinds[g.pawnIx])
		}
		occupied = occupied.without(near)
		occupied.remove(kto)
	}
	if captured && g.petrify[moved] && royal.has(from) {
		return false
	}
	if m.kind == drop && g.kinds[moved].extinction {
		royal.add(to)
	}
	if m.kind != drop && royal.has(from) {
		royal.remove(from)
		royal.add(kto)
	}
	if m.kind == promotion && g.kinds[m.piece].extinction {
		if b.count(us, int(m.piece)) > r.extinctionCount {
			royal = royal.without(b.of(us, int(m.piece)))
		} else {
			royal.add(kto)
		}
	}
	if !royal.without(occupied).empty() {
		return false
	}
	attacking := occupied
	attacking.remove(kto)
	for k := range g.kinds {
		if g.petrify[k] && g.kinds[k].extinction {
			attacking = attacking.without(b.of(them, k))
		}
	}
	attacked := func(s int) bool {
		return !b.immune(s, theirs) && b.attackers(s, them, occupied).meets(attacking)
	}
	if theirs.without(occupied).empty() {
		for !royal.empty() {
			if attacked(royal.pop()) {
				return false
			}
		}
	}
	if !r.dupleCheck {
		return true
	}
	if m.kind != drop && candidates.has(from) {
		candidates.remove(from)
		candidates.add(kto)
	}
	if m.kind == promotion && g.kinds[m.piece].extinction {
		candidates.add(kto)
	}
	for all := candidates; !all.empty(); {
		if !attacked(all.pop()) {
			return true
		}
	}
	return candidates.empty()
}

// legalMoves appends the legal moves of an unfinished position.
func (b *board) legalMoves(dst []Move) []Move {
	begin := len(dst)
	dst = b.pseudoMoves(dst)
	keep := dst[:begin]
	loose, not := b.loose()
	for _, m := range dst[begin:] {
		if m.simple() && loose.has(int(m.from)) && !not.has(int(m.to)) || b.legal(m) {
			keep = append(keep, m)
		}
	}
	r := b.game.rules
	us := int(b.turn)
	only := func(wanted func(Move) bool) {
		some := false
		for _, m := range keep[begin:] {
			some = some || wanted(m)
		}
		if !some {
			return
		}
		list := keep[:begin]
		for _, m := range keep[begin:] {
			if wanted(m) {
				list = append(list, m)
			}
		}
		keep = list
	}
	if r.mustCapture {
		only(b.captures)
	}
	if r.mustDrop && b.inHand(us, b.game.mustDrop) > 0 {
		only(func(m Move) bool {
			return m.kind == drop && (b.game.mustDrop < 0 || int(m.hand) == b.game.mustDrop)
		})
	}
	if r.passOnStalemate[us] && !b.checked(us) {
		only(func(m Move) bool { return m.kind != pass })
	}
	return keep
}

// canMove reports whether the side to move has a legal move. It uses buffer.
func (b *board) canMove(buffer *[]Move) bool {
	if b.kingMoves() {
		return true
	}
	loose, not := b.loose()
	if not.empty() && b.someMove(loose) {
		return true
	}
	l := list{b, *buffer}
	for k := 0; k <= len(b.game.kinds); k++ {
		l.moves = l.moves[:0]
		if k < len(b.game.kinds) {
			l.kindMoves(k)
		} else {
			l.otherMoves()
		}
		for _, m := range l.moves {
			if m.simple() && loose.has(int(m.from)) && !not.has(int(m.to)) || b.legal(m) {
				*buffer = l.moves
				return true
			}
		}
	}
	*buffer = l.moves
	return false
}
