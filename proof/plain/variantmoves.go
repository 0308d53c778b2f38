package plain

import (
	"slices"
	"strings"
)

// A vmove is a move of a variant, as it is made.
type vmove struct {
	kind     byte // one of those below
	from, to int  // to is the rook's square in a castling
	piece    byte // what a pawn becomes, or what is dropped
	hand     byte // what is taken from the hand
	wall     int  // where a wall is set, -1 for none
}

const (
	vsimple = iota
	vpromotes
	vrises // a piece is promoted
	vsinks // a piece is what it was before; what follows takes nothing where it ends
	vinPassing
	vcastles
	vdrops
	vpasses
)

// number returns a move as a number, and vmoveOf the move of a number.
func (m vmove) number() Move {
	n := Move(m.kind)
	for _, part := range []int{m.from, m.to, int(m.piece), int(m.hand), m.wall + 1} {
		n = n<<8 | Move(part)
	}
	return n
}

func vmoveOf(n Move) vmove {
	part := func(i int) int { return int(n >> (8 * i) & 255) }
	return vmove{byte(part(5)), part(4), part(3), byte(part(2)), byte(part(1)), part(0) - 1}
}

// captures returns whether a move takes a piece.
func (b *vboard) captures(m vmove) bool {
	return m.kind == vinPassing || m.kind < vinPassing && m.from != m.to && b.isPiece(m.to)
}

// castled returns where king and rook go.
func (g *variant) castled(side, king, rook int) (kingTo, rookTo int) {
	first := g.home(side) * g.files
	if rook > king {
		return first + g.file("castlingKingsideFile"), first + g.file("castlingKingsideFile") - 1
	}
	return first + g.file("castlingQueensideFile"), first + g.file("castlingQueensideFile") + 1
}

// candidates returns all moves of the pieces of the side to move, also those that are not legal.
func (b *vboard) candidates() (moves []vmove) {
	g, us := b.game, b.turn
	add := func(m vmove) {
		if m.wall = -1; g.rules["wallingRule"] == "none" || g.is("wallOrMove") && m.kind != vpasses {
			moves = append(moves, m)
			return
		}
		for _, s := range b.wallSquares(m) {
			m.wall = s
			moves = append(moves, m)
		}
	}
	for _, from := range b.men(us, 0) {
		if kind := b.squares[from].kind; kind == g.pawn {
			b.pawnMoves(from, add)
		} else {
			b.pieceMoves(kind, from, add, func(m vmove) { m.wall = -1; moves = append(moves, m) })
		}
	}
	if g.is("pieceDrops") {
		for _, kind := range g.kinds {
			if !g.is("freeDrops") && b.hands[us][kind] == 0 {
				continue
			}
			for to := range b.all() {
				if b.taken(to) || !b.droppable(us, kind, to) {
					continue
				}
				moves = append(moves, vmove{vdrops, 0, to, kind, kind, -1})
				if p := g.pieces[kind].promoted; p != 0 && g.is("dropPromoted") {
					moves = append(moves, vmove{vdrops, 0, to, p, kind, -1})
				}
			}
		}
	}
	b.castlings(add)
	if own := b.men(us, 0); len(own) > 0 {
		idle := own[0]
		if s := b.royal(us); s >= 0 {
			idle = s
		}
		if g.is(of("pass", us)) || g.is(of("passOnStalemate", us)) {
			moves = append(moves, vmove{kind: vpasses, from: idle, to: idle, wall: -1})
		}
		if g.is("wallOrMove") {
			add(vmove{kind: vpasses, from: own[0], to: own[0]})
		}
	}
	return moves
}

// promotions adds what a pawn can become.
func (b *vboard) promotions(from, to int, add func(vmove)) {
	for _, kind := range b.game.kinds {
		if b.game.among(of("promotionPieceTypes", b.turn), kind) && !b.limited(kind) {
			add(vmove{kind: vpromotes, from: from, to: to, piece: kind})
		}
	}
}

// limited returns whether the side to move has as many pieces of a kind as promotions may make.
func (b *vboard) limited(kind byte) bool {
	limit := b.game.pieces[kind].limit
	return limit > 0 && len(b.men(b.turn, kind)) >= limit
}

// pawnMoves adds the moves of a pawn.
func (b *vboard) pawnMoves(from int, add func(vmove)) {
	g, us := b.game, b.turn
	k := g.pieces[g.pawn]
	var targets []int
	double, steps := g.on(of("doubleStepRegion", us), from), 1
	if double {
		steps = 2
	}
	if g.on(of("tripleStepRegion", us), from) {
		steps = 3
	}
	for n, at := 1, g.step(from, us, 1, 0); n <= steps && at >= 0 && !b.taken(at) && k.mobility[us][at]; n++ {
		if n != 2 || double {
			targets = append(targets, at)
		}
		at = g.step(at, us, 1, 0)
	}
	for _, to := range b.reach(toCapture, g.pawn, us, from, false) {
		switch {
		case b.owns(1-us, to):
			targets = append(targets, to)
		case b.passing[to] && !b.taken(to) && g.among(of("enPassantTypes", us), g.pawn):
			add(vmove{kind: vinPassing, from: from, to: to})
		}
	}
	for _, to := range targets {
		zone := g.on(of("promotionRegion", us), to)
		if zone {
			b.promotions(from, to, add)
			if k.promoted != 0 && (!g.is("piecePromotionOnCapture") || b.taken(to)) {
				add(vmove{kind: vrises, from: from, to: to})
			}
		}
		if !zone || !g.is("mandatoryPawnPromotion") {
			add(vmove{kind: vsimple, from: from, to: to})
		}
	}
}

// pieceMoves adds the moves of a piece that is no pawn. With bare no wall is set.
func (b *vboard) pieceMoves(kind byte, from int, add, bare func(vmove)) {
	g, us := b.game, b.turn
	k := g.pieces[kind]
	captures, quiet := b.reach(toCapture, kind, us, from, false), b.reach(toEmpty, kind, us, from, false)
	if g.on(of("doubleStepRegion", us), from) {
		quiet = append(quiet, b.reach(fromStart, kind, us, from, false)...)
	}
	rises := k.promoted != 0 && !b.limited(k.promoted)
	sinks := g.is("pieceDemotion") && b.squares[from].origin != 0
	inZone := func(s int) bool { return g.on(of("promotionRegion", us), s) }
	for to := range b.all() {
		taken := b.owns(1-us, to)
		if !taken && b.passing[to] && !b.taken(to) && slices.Contains(captures, to) && !slices.Contains(quiet, to) && g.among(of("enPassantTypes", us), kind) {
			add(vmove{kind: vinPassing, from: from, to: to})
		}
		if !(taken && slices.Contains(captures, to)) && !(!b.taken(to) && slices.Contains(quiet, to)) {
			continue
		}
		changes := (inZone(from) || inZone(to)) && (taken || !g.is("piecePromotionOnCapture"))
		pawn := g.among(of("promotionPawnTypes", us), kind) && inZone(to)
		stays := !(pawn && g.is("mandatoryPawnPromotion")) && !((rises || sinks) && changes && g.is("mandatoryPiecePromotion"))
		if stays {
			add(vmove{kind: vsimple, from: from, to: to})
		}
		if rises && changes {
			bare(vmove{kind: vrises, from: from, to: to})
		}
		if sinks && changes {
			bare(vmove{kind: vsinks, from: from, to: to})
		}
		if pawn {
			b.promotions(from, to, add)
		}
	}
}

// wallSquares returns where a move can set a wall.
func (b *vboard) wallSquares(m vmove) (squares []int) {
	g, us := b.game, b.turn
	after := *b // with the walls that were there
	after.make(m)
	var shots []int
	if g.rules["wallingRule"] == "arrow" {
		shots = after.reach(toEmpty, b.squares[m.from].kind, us, m.to, false)
	}
	for s := range b.all() {
		ok := !after.taken(s) && g.on(of("wallingRegion", us), s)
		switch g.rules["wallingRule"] {
		case "arrow":
			ok = ok && slices.Contains(shots, s)
		case "past":
			ok = ok && s == m.from
		case "edge":
			beside := g.next(s, compass[:4])
			ok = ok && (len(beside) < 4 || slices.ContainsFunc(beside, func(at int) bool { return b.squares[at].kind == vwall }))
		}
		if ok {
			squares = append(squares, s)
		}
	}
	return squares
}

// droppable returns whether a side may drop a kind on an empty square.
func (b *vboard) droppable(side int, kind byte, to int) bool {
	g := b.game
	if !g.on(of("dropRegion", side), to) || !g.pieces[kind].mobility[side][to] {
		return false
	}
	if kind == g.pawn {
		last := g.step(to, side, -1, 0) < 0
		if last && !g.is("firstRankPawnDrops") || g.on(of("promotionRegion", side), to) && !g.is("promotionZonePawnDrops") {
			return false
		}
	}
	onFile := slices.DeleteFunc(b.men(side, kind), func(s int) bool { return s%g.files != to%g.files })
	if g.rules["dropNoDoubled"][0] == kind && len(onFile) >= g.count("dropNoDoubledCount") {
		return false
	}
	for s := range b.all() {
		if g.rules["enclosingDrop"] != "none" && g.on("enclosingDropStart", s) && !b.taken(s) {
			return g.on("enclosingDropStart", to)
		}
	}
	switch g.rules["enclosingDrop"] {
	case "reversi":
		return len(b.enclosed(side, to)) > 0
	case "ataxx":
		return slices.ContainsFunc(g.next(to, compass), func(s int) bool { return b.owns(side, s) })
	case "snort":
		return !slices.ContainsFunc(g.next(to, compass[:4]), func(s int) bool { return b.owns(1-side, s) })
	case "top":
		below := g.step(to, 0, -1, 0)
		return below < 0 || b.taken(below)
	}
	return true
}

// enclosed returns the pieces of the other side in rows between a square and pieces of a side.
func (b *vboard) enclosed(side, s int) (all []int) {
	for _, d := range compass {
		var row []int
		at := b.game.step(s, 0, d[0], d[1])
		for at >= 0 && b.owns(1-side, at) {
			row = append(row, at)
			at = b.game.step(at, 0, d[0], d[1])
		}
		if at >= 0 && b.owns(side, at) {
			all = append(all, row...)
		}
	}
	return all
}

// castlings adds the castlings of the side to move.
func (b *vboard) castlings(add func(vmove)) {
	g, us := b.game, b.turn
	king := b.kings[us]
	if s := b.royal(us); king < 0 || s >= 0 && (s != king || b.checked(us)) {
		return
	}
	for _, rook := range b.rooks[us] {
		if rook < 0 {
			continue
		}
		kingTo, rookTo := g.castled(us, king, rook)
		free := true
		for s := min(king, kingTo, rook, rookTo); s <= max(king, kingTo, rook, rookTo); s++ {
			passed := s >= min(king, kingTo) && s <= max(king, kingTo) || s >= min(rook, rookTo) && s <= max(rook, rookTo)
			free = free && (!passed || s == king || s == rook || !b.taken(s))
		}
		if free {
			add(vmove{kind: vcastles, from: king, to: rook})
		}
	}
}

// make makes a move.
func (b *vboard) make(m vmove) {
	g, us := b.game, b.turn
	them, captured, kind := 1-us, b.captures(m), m.piece
	if m.kind != vdrops {
		kind = b.squares[m.from].kind
	}
	if captured {
		at := m.to
		if m.kind == vinPassing {
			at = b.passed
		}
		b.take(at)
	}
	passes := b.passes
	b.passing, b.passed, b.passes = [120]bool{}, -1, 0
	if m.kind != vdrops && m.kind != vpasses {
		b.forgetRights(m.from)
		b.forgetRights(m.to)
	}
	if m.kind != vpasses {
		b.turnOver(m)
	}
	switch m.kind {
	case vcastles:
		kingTo, rookTo := g.castled(us, m.from, m.to)
		king, rook := b.squares[m.from], b.squares[m.to]
		b.squares[m.from], b.squares[m.to] = vman{}, vman{}
		b.squares[kingTo], b.squares[rookTo] = king, rook
	case vdrops:
		if !g.is("freeDrops") {
			b.hands[us][m.hand]--
		}
		origin := m.hand
		if m.piece == m.hand {
			origin = 0
		}
		b.put(m.to, us, m.piece, origin)
	case vpasses:
		if !g.is("wallOrMove") {
			b.passes = passes + 1
		}
	default:
		man := b.squares[m.from]
		b.squares[m.from] = vman{}
		switch m.kind {
		case vpromotes:
			b.put(m.to, us, m.piece, g.mainPawn(us))
		case vrises:
			b.put(m.to, us, g.pieces[kind].promoted, kind)
		case vsinks:
			b.put(m.to, us, man.origin, 0)
		default:
			b.squares[m.to] = man
		}
		if m.kind == vsimple {
			b.markPassed(kind, m)
		}
	}
	if captured && (g.is("blastOnCapture") || g.among("petrifyOnCaptureTypes", kind)) {
		b.explode(m.to)
	}
	if m.wall >= 0 {
		for s, duck := 0, g.rules["wallingRule"] == "duck"; duck && s < b.all(); s++ {
			if b.squares[s].kind == vwall {
				b.squares[s] = vman{}
			}
		}
		b.squares[m.wall] = vman{kind: vwall}
	}
	if g.is("checkCounting") && b.checks[us] > 0 && b.checked(them) {
		b.checks[us]--
	}
	b.turn = them
	b.forgetPassing()
}

// take takes a piece off the board. The other side gets it in hand if captures go there.
func (b *vboard) take(s int) {
	g, man := b.game, b.squares[s]
	if g.is("capturesToHand") && !g.is("freeDrops") {
		kind := man.kind
		if man.origin != 0 && !g.is("dropLoop") {
			kind = man.origin
		}
		b.hands[1-man.side][kind]++
	}
	b.squares[s] = vman{}
}

// forgetRights takes the right to castle from what stands on a square.
func (b *vboard) forgetRights(s int) {
	for side := range 2 {
		for left := range 2 {
			if b.rooks[side][left] == s || b.kings[side] == s {
				b.rooks[side][left] = -1
			}
		}
		if b.rooks[side] == [2]int{-1, -1} {
			b.kings[side] = -1
		}
	}
}

// turnOver turns over what a move encloses or touches.
func (b *vboard) turnOver(m vmove) {
	g, us := b.game, b.turn
	var turned []int
	switch near := g.next(m.to, compass); g.rules["flipEnclosedPieces"] {
	case "none":
	case "reversi":
		turned = b.enclosed(us, m.to)
	case "quadwrangle":
		if m.kind == vsimple || slices.ContainsFunc(near, func(s int) bool { return b.owns(us, s) }) {
			turned = near
		}
	default:
		turned = near
	}
	for _, s := range turned {
		if b.owns(1-us, s) {
			b.squares[s].side = us
		}
	}
}

// markPassed notes the squares that a double step has passed. A piece has moved already.
func (b *vboard) markPassed(kind byte, m vmove) {
	g, us := b.game, b.turn
	var passed []int
	paths := []vpath{{1, 0, 'r', 0}} // of a pawn
	if kind != g.pawn {
		none := &vboard{game: g}
		if !g.on(of("doubleStepRegion", us), m.from) || !slices.Contains(none.reach(fromStart, kind, us, m.from, true), m.to) ||
			slices.Contains(none.reach(toEmpty, kind, us, m.from, true), m.to) {
			return
		}
		paths = g.pieces[kind].paths[fromStart]
	}
	for _, p := range paths {
		if p.manner == 'n' && g.step(m.from, us, p.forward, p.right) == m.to {
			passed = append(passed, g.between(m.from, us, p)...)
		}
		var way []int
		at := g.step(m.from, us, p.forward, p.right)
		for p.manner == 'r' && at >= 0 && at != m.to {
			way = append(way, at)
			at = g.step(at, us, p.forward, p.right)
		}
		if p.manner == 'r' && at == m.to {
			passed = append(passed, way...)
		}
	}
	for _, s := range passed {
		if g.on(of("enPassantRegion", 1-us), s) && s != m.wall {
			b.passing[s], b.passed = true, m.to
		}
	}
}

// explode removes what a capture on a square blows up, or turns the piece that captured to stone.
func (b *vboard) explode(to int) {
	g := b.game
	blast := []int{to}
	if g.is("blastOnCapture") {
		for _, s := range g.next(to, compass) {
			if b.isPiece(s) && b.squares[s].kind != g.pawn {
				blast = append(blast, s)
			}
		}
	}
	for _, s := range blast {
		kind := b.squares[s].kind
		if !b.isPiece(s) || g.is("blastOnCapture") && g.among("blastImmuneTypes", kind) {
			continue
		}
		b.take(s)
		b.forgetRights(s)
		if s == to && g.among("petrifyOnCaptureTypes", kind) || s != to && g.is("petrifyBlastPieces") {
			b.squares[s] = vman{kind: vwall}
		}
	}
}

// name returns the text of a move.
func (b *vboard) name(m vmove) string {
	g := b.game
	from, to := m.from, m.to
	if m.kind == vdrops {
		plus := ""
		if m.piece != m.hand {
			plus = "+"
		}
		return plus + strings.ToUpper(string(m.hand)) + "@" + g.squareName(to)
	}
	switch {
	case m.kind == vcastles && m.wall == to: // a wall where the rook was
		from, to = to, from
	case m.kind == vcastles && !g.is("chess960"):
		// Where the king could also walk there, castling is written as its move to the rook.
		kingTo, _ := g.castled(b.turn, from, to)
		if !slices.Contains(b.reach(toEmpty, b.squares[from].kind, b.turn, from, false), kingTo) {
			to = kingTo
		}
	}
	text := g.squareName(from) + g.squareName(to)
	switch m.kind {
	case vpromotes:
		text += string(m.piece)
	case vrises:
		text += "+"
	case vsinks:
		text += "-"
	}
	if m.wall >= 0 {
		text += "/" + g.squareName(m.wall)
	}
	return text
}
