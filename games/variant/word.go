package variant

import (
	"math/bits"
	"reflect"
	"slices"
	"sort"
)

// Retrograde analysis expands and retracts each position of a class. A board for that, with sets of squares that are words,
// is several times as fast as the board of all rules, where a game is simple enough: on at most 64 squares, with pieces that
// leap and slide, without captures in passing, and with no rule but those in [core.wordRules]. All other games, and classes
// with captures in passing, stay on the board of all rules. Tests compare both ways.

// maxWordMen is the number of men of a side; it is a power of two, so that the bit above the man is its side.
const (
	maxWordMen = 32
	maxPlaced  = 32 // men on the board and in hands; a power of two
	noMan      = 255
	allMen     = 254
	nobody     = 2*maxWordMen - 1
)

// wordTables are the rules of a game as a [wordBoard] knows them.
type wordTables struct {
	x          *Tables
	men        [2 * maxWordMen]*wordMan // by side*maxWordMen + man; nil for none
	count      int                      // of men
	ofKind     [maxKinds][]uint8        // the men of a kind
	reach      [2][64]uint64            // by side and square: from where men may capture there
	paths      [64]uint64               // see [core.paths]
	between    [64 * 64]uint64          // by two squares: those between them
	images     [16][64]uint8            // permutations of the squares
	turned     *[64]uint8               // the one that exchanges the sides, or that changes nothing
	swapped    uint8                    // 1 if the sides can be exchanged
	drops      [2][maxKinds]uint64      // where a kind may be dropped
	dropChange [maxKinds]uint16
	files      []uint64
	flags      [2]uint64
	near       [2]uint64 // where a man may have a move to them
	flagMan    [2]uint8  // that reaches them, or allMen
	royalMan   [2]uint8  // the king, or the last piece that must not be taken if that ends a game; or noMan
	slides     bool      // captures can be blocked
	noChecks   bool      // moves must not give check
	stride     int       // of changes; see wordMove
	changed    []wordChange
}

// wordChange is what a move does besides moving and capturing: it turns a man into another, or drops one.
type wordChange struct {
	from, to int // men; from is -1 for a drop
	kind     int // that is dropped
}

// wordMan is how a man of a side moves.
type wordMan struct {
	capture, quiet         wordMotion
	same                   bool            // captures are as other moves
	slides                 bool            // captures can be blocked
	captureTo              [64]uint64      // by square: where it may capture from there
	captureFrom, quietFrom [64]uint64      // by square: from where it may come there
	plain, plainFrom       [64]uint64      // by square: where it may go and stay what it is, and from where
	symmetric              bool            // it may come from where it may go
	any                    [64]uint64      // by square: where it may go
	promotions             []wordPromotion // what it can become
	origins                []wordPromotion // what it may have been before
	base                   int             // the kind of it in hand
	stands                 uint64          // where it can stand
}

// wordPromotion is a man that another can become.
type wordPromotion struct {
	man      uint8
	change   uint16
	to, from [64]uint64 // by square: where it may go for that, and from where
}

// wordMotion is a [motion] of leaps and slides.
type wordMotion struct {
	leaps [64]uint64
	rays  []wordRay
	mask  uint64 // where it may end
}

// wordRay is a direction of slides: by square, those within reach, and all that follow on the board.
type wordRay struct {
	within, beyond [64]uint64
	up             bool
}

// targets returns where a motion leads from a square past what is occupied.
func (m *wordMotion) targets(from int, occupied uint64) uint64 {
	t := m.leaps[from&63]
	for i := range m.rays {
		r := &m.rays[i]
		squares := r.within[from&63]
		if blockers := squares & occupied; blockers != 0 {
			nearest := bits.TrailingZeros64(blockers)
			if !r.up {
				nearest = 63 - bits.LeadingZeros64(blockers)
			}
			squares &^= r.beyond[nearest&63]
		}
		t |= squares & m.mask
	}
	return t
}

// wordRules reports whether boards of words know all rules of a game but those of captures in passing. A rule that is not named
// here must be that of chess, or that a game does not have it.
func (g *core) wordRules() bool {
	r, known := *g.rules, chess()
	// These are compiled into squares and motions.
	known.name, known.files, known.ranks, known.letters, known.betza, known.start = r.name, r.files, r.ranks, r.letters, r.betza, r.start
	known.mobility, known.soldierRank, known.chess960 = r.mobility, r.soldierRank, r.chess960
	known.mainPawn, known.promotionPawns, known.promotionPieces = r.mainPawn, r.promotionPawns, r.promotionPieces
	known.promotionRegion, known.promoted = r.promotionRegion, r.promoted
	known.mandatoryPawnPromotion, known.mandatoryPromotion = r.mandatoryPawnPromotion, r.mandatoryPromotion
	known.doubleStep, known.doubleStepRanks, known.doubleStepRegion = r.doubleStep, r.doubleStepRanks, r.doubleStepRegion
	known.tripleStepRegion = r.tripleStepRegion
	known.drops, known.capturesToHand, known.dropRegion = r.drops, r.capturesToHand, r.dropRegion
	known.firstRankPawnDrops, known.promotionZoneDrops = r.firstRankPawnDrops, r.promotionZoneDrops
	known.noDoubled, known.noDoubledCount, known.immobilityIllegal = r.noDoubled, r.noDoubledCount, r.immobilityIllegal
	// Tables have no castling, and classes with captures in passing stay on the other board.
	known.enPassantRegion, known.enPassantKinds = r.enPassantRegion, r.enPassantKinds
	known.castling, known.castlingFiles, known.castlingRank, known.castlingKingFile = r.castling, r.castlingFiles, r.castlingRank, r.castlingKingFile
	known.castlingKing, known.castlingRookFiles, known.castlingRooks = r.castlingKing, r.castlingRookFiles, r.castlingRooks
	known.oppositeCastling = r.oppositeCastling
	// These are in wordboard.go.
	known.mustCapture, known.pawnDropMateIllegal = r.mustCapture, r.pawnDropMateIllegal
	known.stalemate, known.stalemateByCount, known.checkmate = r.stalemate, r.stalemateByCount, r.checkmate
	known.extinction, known.extinctionClaim, known.extinctionKinds = r.extinction, r.extinctionClaim, r.extinctionKinds
	known.extinctionCount, known.extinctionOpponent = r.extinctionCount, r.extinctionOpponent
	known.flagKind, known.flagRegion, known.flagCount = r.flagKind, r.flagRegion, r.flagCount
	known.flagBlocked, known.flagSafe, known.flagMove = r.flagBlocked, r.flagSafe, r.flagMove
	known.checking = r.checking
	known.history = r.history
	return reflect.DeepEqual(&r, known)
}

// newWords compiles the rules for boards of words, or returns nil for a game that they do not know.
func (x *Tables) newWords() *wordTables {
	g := x.core
	t := &wordTables{x: x, count: len(g.kinds), noChecks: !g.rules.checking && g.king >= 0}
	if x.held {
		t.count = len(g.men)
	}
	if g.squares > 64 || t.count >= maxWordMen || !g.wordRules() || x.held && (g.rules.mustCapture || t.noChecks) {
		return nil
	}
	for i := range g.kinds {
		k := &g.kinds[i]
		if !k.straight || !k.quietStraight {
			return nil
		}
		for side := range 2 {
			if m := &k.motion[side][initial]; i != g.pawnIx && (m.leaps != nil || len(m.slides)+len(m.hops)+len(m.lames) > 0) {
				return nil
			}
		}
	}
	for side := range 2 {
		if !g.tripleStep[side].without(g.doubleStep[side]).empty() {
			return nil
		}
		t.flags[side] = g.flagRegion[side].low
		for k := range g.kinds {
			empty := &board{game: g, Position: nowhere()}
			to := empty.dropSquares(side, k)
			if g.rules.immobilityIllegal {
				to = to.and(g.kinds[k].moves[side])
			}
			t.drops[side][k] = to.low
		}
	}
	for from := range g.squares {
		for to := range g.squares {
			t.between[from<<6|to] = g.between[from*g.squares+to].low
		}
		t.paths[from] = g.paths[from].low
	}
	for _, f := range g.fileSets {
		t.files = append(t.files, f.low)
	}
	for m := range t.count {
		t.ofKind[g.men[m].kind] = append(t.ofKind[g.men[m].kind], uint8(m))
	}
	if !t.findSpecial() {
		return nil
	}
	t.changed = []wordChange{{}}
	t.stride = t.count + 1
	for k := range g.kinds {
		t.dropChange[k] = uint16(len(t.changed) * t.stride)
		t.changed = append(t.changed, wordChange{-1, k, k})
	}
	for side := range 2 {
		for m := range t.count {
			w := t.newMan(side, m)
			t.slides = t.slides || w.slides
			t.men[side*maxWordMen+m] = w
			for s := range g.squares {
				t.reach[side][s] |= w.captureFrom[s]
			}
		}
	}
	for side := range 2 {
		for m := range t.count {
			if !t.addPromotions(side, m) {
				return nil
			}
			for s := range g.squares {
				if (t.men[side*maxWordMen+m].captureTo[s]|t.men[side*maxWordMen+m].quiet.targets(s, 0))&t.flags[side] != 0 {
					t.near[side] |= 1 << s
				}
			}
		}
	}
	t.addImages()
	type anchors struct {
		table *pairEntry
		men   [2]uint8
	}
	tables := map[anchors]uint16{}
	for _, b := range x.blocks {
		if m := &b.key.material; b.key.step < 0 && !t.passes(*m) && m.count()+m.held() <= maxPlaced && (!g.takeable || m.men[0][t.royalMan[0]] == 1 && m.men[1][t.royalMan[0]] == 1) {
			b.word = t.newBlock(b)
			b.word.over = t.over(&b.key)
			if len(b.pairOf) > 0 {
				key := anchors{&b.pairOf[0], b.word.anchorMen}
				if tables[key] == 0 {
					tables[key] = uint16(len(tables) + 1)
				}
				b.word.table = tables[key]
			}
		}
	}
	for _, b := range x.blocks {
		if b.word != nil {
			b.word.link(t)
		}
	}
	return t
}

// findSpecial finds the men that a game may be over by. It reports false if several men are royal.
func (t *wordTables) findSpecial() bool {
	g := t.x.core
	royal := g.king
	if g.takeable {
		if g.king >= 0 || len(g.extinctionKinds) != 1 {
			return false
		}
		royal = g.extinctionKinds[0]
	}
	for side := range 2 {
		t.royalMan[side], t.flagMan[side] = noMan, allMen
		if royal >= 0 {
			if len(t.ofKind[royal]) != 1 {
				return false
			}
			t.royalMan[side] = uint8(side*maxWordMen + royal)
		}
		if k := g.flagKind[side]; k >= 0 && len(t.ofKind[k]) == 1 {
			t.flagMan[side] = uint8(side*maxWordMen + k)
		}
	}
	return true
}

// passes reports whether pieces of a class can be captured in passing.
func (t *wordTables) passes(m material) bool {
	for side := range 2 {
		if slices.ContainsFunc(t.x.steps[side], func(s doubleStep) bool { return m.men[side][s.kind] > 0 }) && t.x.capturesInPassing(m, 1-side) {
			return true
		}
	}
	return false
}

// newMan compiles how a man of a side moves.
func (t *wordTables) newMan(side, m int) *wordMan {
	g := t.x.core
	i := int(g.men[m].kind)
	k := &g.kinds[i]
	w := &wordMan{base: g.base(m), stands: t.x.stands[side][i].low}
	w.capture, w.quiet = g.words(&k.motion[side][capture], k.mobility[side]), g.words(&k.motion[side][quiet], k.mobility[side])
	if i == g.pawnIx {
		w.capture.rays = nil
		w.quiet = wordMotion{rays: []wordRay{t.steps(side)}, mask: ^uint64(0)}
	}
	w.same, w.slides = reflect.DeepEqual(w.capture, w.quiet), len(w.capture.rays) > 0
	zone := g.promotionZone[side].low
	var quietTo [64]uint64
	for from := range g.squares {
		w.captureTo[from] = w.capture.targets(from, 0)
		quietTo[from] = w.quiet.targets(from, 0)
		plain := g.board.low
		if (i == g.pawnIx || k.pawn[side]) && g.rules.mandatoryPawnPromotion {
			plain &^= zone
		}
		if i != g.pawnIx && k.promoted >= 0 && g.rules.mandatoryPromotion {
			if plain &^= zone; zone>>from&1 != 0 {
				plain = 0
			}
		}
		if g.rules.immobilityIllegal {
			plain &= k.moves[side].low
		}
		w.plain[from], w.any[from] = plain, plain
	}
	w.captureFrom, w.quietFrom, w.plainFrom = turnedAround(&w.captureTo), turnedAround(&quietTo), turnedAround(&w.plain)
	w.symmetric = w.captureFrom == w.captureTo && w.quietFrom == quietTo
	return w
}

// turnedAround returns, by square, from where squares lead there.
func turnedAround(to *[64]uint64) (from [64]uint64) {
	for s, squares := range to {
		for ; squares != 0; squares &= squares - 1 {
			from[bits.TrailingZeros64(squares)] |= 1 << s
		}
	}
	return from
}

// words returns a motion on sets that are words.
func (g *core) words(m *motion, mobility set) wordMotion {
	w := wordMotion{mask: mobility.low}
	for from := range g.squares {
		if m.leaps != nil {
			w.leaps[from] = m.leaps[from].and(mobility).low
		}
	}
	for i := range m.slides {
		r := wordRay{up: g.lines[m.slides[i].line].up}
		for from := range g.squares {
			r.within[from], r.beyond[from] = g.reached(&m.slides[i], from).low, g.lines[m.slides[i].line].rays[from].low
		}
		w.rays = append(w.rays, r)
	}
	return w
}

// steps returns the steps of pawns as slides.
func (t *wordTables) steps(side int) wordRay {
	g := t.x.core
	forward := step{1, 0}
	if side == 1 {
		forward = step{-1, 0}
	}
	line := &g.lines[g.line(forward)]
	r := wordRay{up: line.up}
	for from := range g.squares {
		r.beyond[from] = line.rays[from].low
		most := 1
		if g.doubleStep[side].has(from) {
			most = 2
		}
		if g.tripleStep[side].has(from) {
			most = 3
		}
		at := from
		for range most {
			if at = g.at(at, side, step{1, 0}); at < 0 || !g.kinds[g.pawnIx].mobility[side].has(at) {
				break
			}
			r.within[from] |= 1 << at
		}
	}
	return r
}

// addPromotions adds what a man can become. It reports false if one move may make a man in two ways, or if a man in hand was
// promoted from kinds that it does not tell apart.
func (t *wordTables) addPromotions(side, m int) bool {
	g := t.x.core
	i := int(g.men[m].kind)
	if t.x.held && g.men[m].origin >= 0 {
		return g.kinds[i].promoted < 0 && i != g.pawnIx && !g.kinds[i].pawn[side]
	}
	k := &g.kinds[i]
	w := t.men[side*maxWordMen+m]
	zone := g.promotionZone[side].low
	add := func(kind int, origin int8, to [64]uint64) bool {
		now := kind
		if t.x.held {
			now = int(g.codes[kind][origin+1]-firstMan) >> 1
		}
		if slices.ContainsFunc(w.promotions, func(p wordPromotion) bool { return int(p.man) == now }) {
			return false
		}
		c := slices.Index(t.changed, wordChange{m, now, -1})
		if c < 0 {
			c = len(t.changed)
			t.changed = append(t.changed, wordChange{m, now, -1})
		}
		change := uint16(c * t.stride)
		from := turnedAround(&to)
		w.promotions = append(w.promotions, wordPromotion{uint8(side*maxWordMen + now), change, to, from})
		o := t.men[side*maxWordMen+now]
		o.origins = append(o.origins, wordPromotion{uint8(side*maxWordMen + m), change, to, from})
		for from := range g.squares {
			w.any[from] |= to[from]
		}
		return true
	}
	var pieces, pawns [64]uint64
	for from := range g.squares {
		pawns[from], pieces[from] = zone, zone
		if i != g.pawnIx && zone>>from&1 != 0 {
			pieces[from] = g.board.low
		}
	}
	if k.promoted >= 0 && !add(int(k.promoted), int8(i), pieces) {
		return false
	}
	if i != g.pawnIx && !k.pawn[side] {
		return true
	}
	origin := g.kindOf[g.rules.mainPawn[side]]
	if t.x.held && int(origin) != i {
		return false
	}
	for p := range g.kinds {
		if g.kinds[p].promotion[side] && !add(p, origin, pawns) {
			return false
		}
	}
	return true
}

// addImages lists the symmetries of the board, and those that exchange the sides.
func (t *wordTables) addImages() {
	list := t.x.allPermutations()
	for i, p := range list {
		copy(t.images[i][:], p)
		if t.x.turned != nil {
			copy(t.images[8+i][:], t.x.turned.then(p))
		}
	}
	t.turned = &t.images[0] // the first one changes nothing
	if t.x.turned != nil {
		t.swapped, t.turned = 1, &t.images[8]
	}
}

// wordGroup is a [group] of like men, which are no anchors.
type wordGroup struct {
	man    uint8 // of a side
	count  uint8
	before uint8 // pieces before them
	on     uint64
	size   uint64
	unit   uint64 // the product of the sizes of the groups after it
}

// wordBlock is a [block] for boards of words.
type wordBlock struct {
	*block
	first      uint64      // its start
	unit       uint64      // what a pair of anchors is worth
	at         []pairEntry // its pairOf
	wordGroups []wordGroup
	men        []uint8 // of either side
	anchors    int
	anchorMen  [2]uint8
	over       result    // by how many pieces there are, for the side to move
	table      uint16    // blocks with the same anchors and the same table of them share a number
	nowhere    pairEntry // of no anchors
	tier       int
	fixed      uint64       // squares of the royal piece of the side to move that a symmetry leaves where they are; all without such a piece
	imagesOf   [2][8]uint8  // by whether the sides are exchanged: the numbers of the symmetries
	next, prev []*wordBlock // by change: after and before a move
}

// anchorSquares returns the squares of the anchors of a pair.
func (b *wordBlock) anchorSquares(e *pairEntry) uint64 {
	switch b.anchors {
	case 0:
		return 0
	case 1:
		return 1 << (e.at.a & 63)
	}
	return 1<<(e.at.a&63) | 1<<(e.at.b&63)
}

func (t *wordTables) newBlock(b *block) *wordBlock {
	w := &wordBlock{block: b, first: b.start, at: b.pairOf, unit: 1, nowhere: pairEntry{ops: 1<<len(b.ops) - 1}}
	w.tier = sort.Search(len(t.x.tiers), func(i int) bool { return t.x.tiers[i].Start > b.start }) - 1
	before := 0
	for _, a := range b.anchor {
		if a >= 0 {
			before++
		}
	}
	for i := range b.groups {
		g := &b.groups[i]
		man := uint8(g.side*maxWordMen + g.man)
		w.men = append(w.men, man)
		if !b.anchored(i) {
			w.wordGroups = append(w.wordGroups, wordGroup{man, uint8(g.count), uint8(before), g.on.low, g.size, 1})
			before += g.count
		}
	}
	for i := range slices.Backward(w.wordGroups) {
		g := &w.wordGroups[i]
		g.unit, w.unit = w.unit, w.unit*g.size
	}
	w.anchorMen = [2]uint8{nobody, nobody}
	for i, a := range b.anchor {
		if a >= 0 {
			w.anchorMen[i] = uint8(b.groups[a].side*maxWordMen + b.groups[a].man)
			w.anchors++
		}
	}
	for i := range b.ops {
		image := uint8(slices.IndexFunc(t.x.allPermutations(), func(p permutation) bool { return slices.Equal(p, b.ops[i]) }))
		w.imagesOf[0][i], w.imagesOf[1][i] = image, image+8*t.swapped
		if i == 0 { // it changes nothing
			continue
		}
		for s := range b.ops[i] {
			if b.ops[i].fixes(s) {
				w.fixed |= 1 << s
			}
		}
		if t.royalMan[0] == noMan || b.key.material.men[b.key.turn][t.royalMan[0]] != 1 {
			w.fixed = ^uint64(0)
		}
	}
	return w
}

// repeats reports whether positions of the block after two moves may be symmetric, or those before them, with the royal piece of the
// side to move on a square: it has not moved, so a symmetry leaves it there. It does not matter whether the sides are exchanged on the
// board of the square: the symmetries are the same.
func (b *wordBlock) repeats(royal int) bool { return b.fixed>>(royal&63)&1 != 0 }

// over returns the result of positions of a class by how many pieces there are: see [board.extinct].
func (t *wordTables) over(key *classKey) result {
	g, r := t.x.core, t.x.rules
	m := &key.material
	count := func(side, kind int) (n int) {
		for man, c := range m.men[side] {
			if c > 0 && (kind < 0 || int(g.men[man].kind) == kind) {
				n += int(c)
			}
		}
		for k, c := range m.hand[side] {
			if kind < 0 || k == kind {
				n += int(c)
			}
		}
		return n
	}
	few := func(side, kind int) bool {
		opponent := r.extinctionOpponent
		if r.extinctionClaim && side == int(key.turn) {
			opponent++
		}
		return count(side, kind) <= r.extinctionCount && count(1-side, kind) >= opponent
	}
	if r.extinction == noResult {
		return noResult
	}
	for _, side := range [2]int{1 - int(key.turn), int(key.turn)} {
		if g.extinctionAll && few(side, -1) || slices.ContainsFunc(g.extinctionKinds, func(k int) bool { return few(side, k) }) {
			if side == int(key.turn) {
				return r.extinction
			}
			return r.extinction.reversed()
		}
	}
	return noResult
}

// link finds the blocks after and before moves.
func (b *wordBlock) link(t *wordTables) {
	n := len(t.changed) * t.stride
	b.next, b.prev = make([]*wordBlock, n), make([]*wordBlock, n)
	us := int(b.key.turn)
	for c, change := range t.changed {
		for captured := -1; captured < t.count; captured++ {
			i := c*t.stride + captured + 1
			b.next[i] = t.linked(b, us, change, captured, 1)
			b.prev[i] = t.linked(b, 1-us, change, captured, ^uint8(0))
		}
	}
}

// linked returns the block after a move of a side, or before it if the sign is minus one.
func (t *wordTables) linked(b *wordBlock, side int, change wordChange, captured int, sign uint8) *wordBlock {
	m := b.key.material
	add := func(n *uint8, by uint8) bool {
		*n += by
		return *n < 128
	}
	them := 1 - side
	ok := true
	switch {
	case change == wordChange{}:
	case change.from < 0:
		ok = captured < 0 && t.x.held && add(&m.hand[side][change.kind], -sign) && add(&m.men[side][change.to], sign)
	default:
		ok = add(&m.men[side][change.from], -sign) && add(&m.men[side][change.to], sign)
	}
	if ok && captured >= 0 {
		if ok = add(&m.men[them][captured], -sign); ok && t.x.held {
			ok = add(&m.hand[side][t.x.base(captured)], sign)
		}
	}
	if !ok {
		return nil
	}
	key := classKey{m, 1 - b.key.turn, -1}
	if t.swapped == 1 {
		key = classKey{m.turned(), 0, -1}
	}
	if found := t.x.of[t.x.hashOf(&key)]; found != nil {
		return found.word
	}
	return nil
}
