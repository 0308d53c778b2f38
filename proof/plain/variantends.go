package plain

import "slices"

// legal returns the legal moves of the side to move, by looking at the board after each.
func (b *vboard) legal() (moves []vmove) {
	g, us := b.game, b.turn
	for _, m := range b.candidates() {
		if b.allowed(m) {
			moves = append(moves, m)
		}
	}
	// Some moves come before others, if there are any.
	only := func(wanted func(m vmove) bool) {
		if slices.ContainsFunc(moves, wanted) {
			moves = slices.DeleteFunc(moves, func(m vmove) bool { return !wanted(m) })
		}
	}
	if g.is("mustCapture") {
		only(b.captures)
	}
	if g.is("mustDrop") {
		kind := g.rules["mustDropType"][0]
		only(func(m vmove) bool {
			return m.kind == vdrops && b.hands[us][m.hand] > 0 && (kind == '*' || m.hand == kind)
		})
	}
	if g.is(of("passOnStalemate", us)) && !b.checked(us) {
		only(func(m vmove) bool { return m.kind != vpasses })
	}
	return moves
}

// allowed returns whether a move is legal, but for others that come first.
func (b *vboard) allowed(m vmove) bool {
	g, us := b.game, b.turn
	them := 1 - us
	kind := m.piece
	if m.kind != vdrops {
		kind = b.squares[m.from].kind
	}
	if g.is("immobilityIllegal") && (m.kind == vdrops || m.kind == vsimple) {
		none := &vboard{game: g}
		if len(none.reach(toEmpty, kind, us, m.to, true))+len(none.reach(toCapture, kind, us, m.to, true)) == 0 {
			return false
		}
	}
	if b.captures(m) && m.kind != vinPassing && kind == b.squares[m.to].kind && g.among("mutuallyImmuneTypes", kind) {
		return false
	}
	after := *b
	after.make(m)
	if g.is("extinctionPseudoRoyal") && !b.keepsRoyals(m, &after) {
		return false
	}
	if m.kind == vcastles && b.royal(us) == m.from {
		kingTo, _ := g.castled(us, m.from, m.to)
		for s := min(m.from, kingTo); s <= max(m.from, kingTo); s++ {
			walks := *b
			walks.squares[m.from] = vman{}
			walks.squares[s] = b.squares[m.from]
			if s != m.from && (len(b.attackers(s, them)) > 0 || g.is("flyingGeneral") && walks.facing()) {
				return false
			}
		}
	}
	if g.is("makpongRule") && m.kind != vdrops && kind == g.king && b.checked(us) && !slices.Equal(b.attackers(m.from, them), []int{m.to}) {
		return false
	}
	if s := after.royal(us); s >= 0 && (len(after.attackers(s, them)) > 0 || g.is("flyingGeneral") && after.facing()) {
		return false
	}
	if s := after.royal(them); s >= 0 {
		if (!g.is("checking") || m.kind == vdrops && !g.is("dropChecks")) && after.checked(them) {
			return false
		}
		pawn := m.kind == vdrops && m.piece == g.shogiPawn && g.is("shogiPawnDropMateIllegal")
		if pawn && slices.Equal(after.attackers(s, us), []int{m.to}) && len(after.legal()) == 0 {
			return false
		}
	}
	return true
}

// royals returns the pieces of a side that are royal since few of their kind are left, and all of these kinds.
func (b *vboard) royals(side int) (royal, kinds []int) {
	for _, kind := range b.game.kinds {
		if b.game.among("extinctionPieceTypes", kind) {
			men := b.men(side, kind)
			if kinds = append(kinds, men...); len(men) <= b.game.count("extinctionPieceCount")+1 {
				royal = append(royal, men...)
			}
		}
	}
	return royal, kinds
}

// threatened returns whether a royal piece of a side could be captured: not if the blast would reach one of the other side.
func (b *vboard) threatened(s, side int, theirs []int) bool {
	if b.game.is("blastOnCapture") && slices.ContainsFunc(b.game.next(s, compass), func(at int) bool { return slices.Contains(theirs, at) }) {
		return false
	}
	return len(b.attackers(s, 1-side)) > 0
}

// keepsRoyals returns whether a move leaves no royal piece of the side to move attacked.
func (b *vboard) keepsRoyals(m vmove, after *vboard) bool {
	g, us := b.game, b.turn
	royal, kinds := b.royals(us)
	theirs, _ := b.royals(1 - us)
	to := m.to
	if m.kind == vcastles {
		to, _ = g.castled(us, m.from, m.to)
		for s := min(m.from, to); s <= max(m.from, to) && slices.Contains(royal, m.from); s++ {
			walks := *b
			walks.squares[m.from] = vman{}
			if (s != to || s == m.from) && walks.threatened(s, us, theirs) {
				return false
			}
		}
	}
	moved := func(list []int) []int {
		i := slices.Index(list, m.from)
		if m.kind == vdrops || i < 0 {
			return slices.Clone(list)
		}
		return append(slices.Delete(slices.Clone(list), i, i+1), to)
	}
	if m.kind != vdrops && slices.Contains(royal, m.from) && b.captures(m) && g.among("petrifyOnCaptureTypes", b.squares[m.from].kind) {
		return false
	}
	royal, kinds = moved(royal), moved(kinds)
	if (m.kind == vdrops || m.kind == vpromotes) && g.among("extinctionPieceTypes", m.piece) {
		if m.kind == vpromotes {
			kinds = append(kinds, to)
		}
		if m.kind == vpromotes && len(b.men(us, m.piece)) > g.count("extinctionPieceCount") {
			royal = slices.DeleteFunc(royal, func(s int) bool { return b.squares[s].kind == m.piece && s != to })
		} else {
			royal = append(royal, to)
		}
	}
	for _, s := range royal {
		if !after.owns(us, s) {
			return false
		}
	}
	alone := *after
	for s := range b.all() { // a piece that would turn to stone attacks nothing royal
		if man := after.squares[s]; man.kind != vwall && man.kind != 0 && man.side != us && g.among("petrifyOnCaptureTypes", man.kind) && g.among("extinctionPieceTypes", man.kind) {
			alone.squares[s] = vman{kind: vwall}
		}
	}
	taken := slices.ContainsFunc(theirs, func(s int) bool { return !after.taken(s) })
	if !taken && slices.ContainsFunc(royal, func(s int) bool { return alone.threatened(s, us, theirs) }) {
		return false
	}
	return !g.is("dupleCheck") || len(kinds) == 0 || slices.ContainsFunc(kinds, func(s int) bool { return !alone.threatened(s, us, theirs) })
}

// signs are the results that rules name, for the side that they speak of.
var signs = map[string]int{"win": 1, "draw": 0, "loss": -1}

// result returns whether the game is over, and the result for the side to move.
func (b *vboard) result() (result int, over bool) {
	g, us := b.game, b.turn
	them := 1 - us
	if value, ends := signs[g.rules["extinctionValue"]]; ends && (!g.is("extinctionPseudoRoyal") || g.is("blastOnCapture")) {
		for _, side := range []int{them, us} {
			if b.extinct(side) {
				return value * (1 - 2*(side^us)), true
			}
		}
	}
	if result, over = b.flags(); over {
		return result, true
	}
	if g.is("checkCounting") && b.checks[them] == 0 {
		return -1, true
	}
	if value, ends := signs[g.rules["connectValue"]]; ends && b.connected(them) {
		return -value, true
	}
	full := g.is("adjudicateFullBoard")
	for s := range b.all() {
		full = full && b.taken(s)
	}
	if full || b.passes == 2 {
		return b.byMaterial(), true
	}
	if len(b.legal()) > 0 {
		return 0, false
	}
	return b.stuck()
}

// stuck returns the result of a side to move without a move. Where a rule gives none, the game is not over.
func (b *vboard) stuck() (result int, over bool) {
	g, us := b.game, b.turn
	royal, kinds := b.royals(us)
	theirs, _ := b.royals(1 - us)
	threatened := func(s int) bool { return b.threatened(s, us, theirs) }
	attacked := b.checked(us)
	if g.is("extinctionPseudoRoyal") {
		all := len(kinds) > 0 && !slices.ContainsFunc(kinds, func(s int) bool { return !threatened(s) })
		attacked = attacked || slices.ContainsFunc(royal, threatened) || g.is("dupleCheck") && all
	}
	if attacked {
		result, _ = signs[g.rules["checkmateValue"]]
		return result, true
	}
	result = signs[g.rules["stalemateValue"]]
	if g.is("stalematePieceCount") {
		result *= -b.more(us)
	}
	if result == 0 && g.rules["materialCounting"] != "none" {
		return b.byMaterial(), true
	}
	return result, true
}

// extinct returns whether a side has too few pieces of some kind.
func (b *vboard) extinct(side int) bool {
	g := b.game
	opposed := g.count("extinctionOpponentPieceCount")
	if g.is("extinctionClaim") && side == b.turn {
		opposed++
	}
	few := func(kind byte) bool {
		own, others := len(b.men(side, kind)), len(b.men(1-side, kind))
		for _, k := range g.kinds {
			if kind == 0 || k == kind {
				own, others = own+b.hands[side][k], others+b.hands[1-side][k]
			}
		}
		return own <= g.count("extinctionPieceCount") && others >= opposed
	}
	if g.rules["extinctionPieceTypes"][0] == '*' && few(0) {
		return true
	}
	return slices.ContainsFunc(g.kinds, func(kind byte) bool { return g.among("extinctionPieceTypes", kind) && few(kind) })
}

// arrived returns whether a side has its flag pieces where they are wanted.
func (b *vboard) arrived(side int) bool {
	g := b.game
	kind := g.rules[of("flagPiece", side)][0]
	var there []int
	blocked := true
	for s := range b.all() {
		if !g.on(of("flagRegion", side), s) {
			continue
		}
		blocked = blocked && b.taken(s)
		if b.owns(side, s) && (kind == '*' || b.squares[s].kind == kind) {
			there = append(there, s)
		}
	}
	enough := len(there) >= g.count("flagPieceCount") || g.is("flagPieceBlockedWin") && blocked
	if len(there) == 0 || !enough {
		return false
	}
	if g.is("flagPieceSafe") && (!g.is("flagMove") || side != b.turn) && len(there) == g.count("flagPieceCount") {
		return !slices.ContainsFunc(there, func(s int) bool { return len(b.attackers(s, 1-side)) > 0 })
	}
	return true
}

// flags returns the result of flag pieces that have arrived.
func (b *vboard) flags() (result int, over bool) {
	g, us := b.game, b.turn
	them := 1 - us
	isKing := func(side int) bool { return g.king != '-' && g.rules[of("flagPiece", side)][0] == g.king }
	move, safe := g.is("flagMove"), g.is("flagPieceSafe")
	if (move || safe) && b.arrived(us) {
		if (move && us == 0 && isKing(them) || safe && !move) && b.arrived(them) {
			return 0, true
		}
		return 1, true
	}
	if move && !safe && !isKing(us) || !b.arrived(them) {
		return 0, false
	}
	// Black's king may follow white's, and draw.
	if king := b.royal(us); move && isKing(us) && us == 1 && king >= 0 && !b.checked(us) {
		for _, m := range b.candidates() {
			if m.kind == vsimple && m.from == king && g.on(of("flagRegion", us), m.to) && b.allowed(m) {
				return 0, false
			}
		}
	}
	return -1, true
}

// connected returns whether a side has a row or a connection that ends the game.
func (b *vboard) connected(side int) bool {
	g := b.game
	has := func(s int) bool { return s >= 0 && b.owns(side, s) && g.among("connectPieceTypes", b.squares[s].kind) }
	var used [][2]int
	for i, d := range compass {
		if g.is([4]string{"connectVertical", "connectHorizontal", "connectDiagonal", "connectDiagonal"}[i/2]) {
			used = append(used, d)
		}
	}
	row := g.count("connectN")
	var joined []int
	for s := range b.all() {
		if !has(s) {
			continue
		}
		if g.on(of("connectRegion1", side), s) {
			joined = append(joined, s)
		}
		for _, d := range used {
			inRow := 1
			for at := g.step(s, 0, d[0], d[1]); has(at); at = g.step(at, 0, d[0], d[1]) {
				inRow++
			}
			if row > 0 && inRow >= row {
				return true
			}
		}
	}
	for i := 0; i < len(joined); i++ {
		if g.on(of("connectRegion2", side), joined[i]) {
			return true
		}
		for _, at := range g.next(joined[i], used) {
			if has(at) && !slices.Contains(joined, at) {
				joined = append(joined, at)
			}
		}
	}
	return false
}

// byMaterial returns the result of a count of all pieces.
func (b *vboard) byMaterial() int {
	white := map[string]int{"unweighted": b.more(0), "whitedrawodds": 1, "blackdrawodds": -1}
	return white[b.game.rules["materialCounting"]] * (1 - 2*b.turn)
}

// more returns 1 if a side has more pieces than the other, -1 if it has fewer.
func (b *vboard) more(side int) int {
	return min(max(len(b.men(side, 0))-len(b.men(1-side, 0)), -1), 1)
}

func (g *variant) parse(text string) Position {
	b := g.board(text)
	must(max(len(b.men(0, g.king)), len(b.men(1, g.king))) <= 1, "%.1000q: a side has two kings", text)
	must(!b.checked(1-b.turn), "%.1000q: the side that is not to move is in check", text)
	return b.position()
}

func (b *vboard) position() Position { return Position{board: b.text(), mover: "wb"[b.turn]} }

func (g *variant) Format(p Position) string { return p.board }

func (g *variant) Result(p Position) (result int, over bool) { return g.board(p.board).result() }

func (g *variant) Moves(p Position) (moves []Move) {
	for _, m := range g.board(p.board).legal() {
		moves = append(moves, m.number())
	}
	return moves
}

func (g *variant) Text(p Position, m Move) string { return g.board(p.board).name(vmoveOf(m)) }

func (g *variant) Play(p Position, m Move) Position {
	b := g.board(p.board)
	b.make(vmoveOf(m))
	return b.position()
}

func (g *variant) Canonical(p Position) Position { return p }
