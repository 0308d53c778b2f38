package variant

import (
	"math/bits"
)

// wordBoard is a board whose sets of squares are words, for games of [core.wordRules]. Moves are made on it and taken back.
type wordBoard struct {
	t       *wordTables
	block   *wordBlock // of the position that was decoded
	sets    [2 * maxWordMen]uint64
	sides   [2]uint64
	cells   [64]uint8 // men of a side; what an empty square has does not matter
	hands   [2][maxKinds]uint8
	turn    uint8
	pieces  []wordPiece       // of the position that was decoded
	sums    [maxPlaced]uint64 // its digits before each group
	ranks   [maxPlaced]uint64 // its digit of each group that was decoded
	anchors *pairEntry        // its anchors
	placed  bool              // all of them
	table   uint16            // of a block whose anchors stay, 0 for none
	pair    *pairEntry        // of these anchors
	memory  [maxPlaced]wordPiece
	danger  wordDanger
	landing landing
	// images are the sets of the position that was decoded after permutations of the squares, those that are known.
	images [16][2 * maxWordMen]uint64
	known  uint16
}

// wordDanger is what attacks the royal piece of a side.
type wordDanger struct {
	square    int // of the piece, -1 for none
	attackers uint64
}

// wordPiece is a man of a side on a square: the man from bit 8 on.
type wordPiece uint16

const noPiece wordPiece = 1<<16 - 1

func (p wordPiece) square() uint8 { return uint8(p) & 63 }
func (p wordPiece) man() uint8    { return uint8(p>>8) & 63 }

// wordMove is a move: where a man goes, what it is before and after that, and the number of its [wordChange] times the stride, to
// which a capture adds 1 plus the man that is captured. It comes from noSquare in a drop. It is a word, from the lowest byte on:
// from, to, man, now, change.
type wordMove uint64

func newWordMove(from, to int, man, now uint8, change uint16) wordMove {
	return wordMove(from) | wordMove(to)<<8 | wordMove(man)<<16 | wordMove(now)<<24 | wordMove(change)<<32
}

func (m wordMove) from() uint8    { return uint8(m) }
func (m wordMove) to() uint8      { return uint8(m>>8) & 63 }
func (m wordMove) man() uint8     { return uint8(m>>16) & 63 }
func (m wordMove) now() uint8     { return uint8(m>>24) & 63 }
func (m wordMove) change() uint16 { return uint16(m >> 32) }
func (m wordMove) drops() bool    { return uint8(m) == noSquare }

// kind returns the kind that a drop drops.
func (m wordMove) kind() int { return int(m.now() & (maxWordMen - 1)) }

// wordStep is what a move has done.
type wordStep struct {
	pieces   [3]wordPiece // that have come or gone
	n        int
	move     wordMove
	captured int // a man without its side, -1 for none
	before   uint8
}

func (w *wordBoard) toggle(p wordPiece) {
	bit := uint64(1) << p.square()
	w.sets[p.man()] ^= bit
	w.sides[p.man()>>5] ^= bit
}

// do makes a move.
func (w *wordBoard) do(m wordMove, s *wordStep) {
	us := w.turn & 1
	to := m.to()
	s.move, s.captured, s.n = m, -1, 0
	s.before = w.cells[to]
	if w.sides[1-us]>>to&1 != 0 {
		s.captured = int(s.before & (maxWordMen - 1))
		s.add(w, s.before, to)
		if w.t.x.held {
			w.hands[us][w.t.men[s.before&63].base]++
		}
	}
	if !m.drops() {
		s.add(w, m.man(), m.from())
	} else {
		w.hands[us][m.kind()]--
	}
	s.add(w, m.now(), to)
	w.cells[to] = m.now()
	w.turn ^= 1
}

func (s *wordStep) add(w *wordBoard, man, square uint8) {
	p := wordPiece(man)<<8 | wordPiece(square)
	s.pieces[s.n] = p
	s.n++
	w.toggle(p)
}

// undo takes a move back.
func (w *wordBoard) undo(s *wordStep) {
	w.turn ^= 1
	for _, p := range s.pieces[:s.n] {
		w.toggle(p)
	}
	w.cells[s.move.to()] = s.before
	if s.captured >= 0 && w.t.x.held {
		w.hands[w.turn&1][w.t.men[s.before&63].base]--
	}
	if s.move.drops() {
		w.hands[w.turn&1][s.move.kind()]++
	}
}

func (w *wordBoard) occupied() uint64 { return w.sides[0] | w.sides[1] }

// attackers returns the men of a side, among some of them, that attack a square past what is occupied: all of them, or one.
func (w *wordBoard) attackers(s, side int, occupied, men uint64, all bool) (found uint64) {
	t := w.t
	for near := men & t.reach[side&1][s&63]; near != 0; near &= near - 1 {
		from := bits.TrailingZeros64(near)
		m := t.men[w.cells[from&63]&63]
		if m.captureFrom[s&63]>>from&1 != 0 && (!m.slides || m.capture.leaps[from&63]>>s&1 != 0 || t.between[from<<6|s]&occupied == 0) {
			if found |= 1 << from; !all {
				return found
			}
		}
	}
	return found
}

// attacked reports whether a side attacks a square.
func (w *wordBoard) attacked(s, side int) bool {
	return w.attackers(s, side, w.occupied(), w.sides[side&1], false) != 0
}

// royal returns the square of the royal piece of a side, or -1.
func (w *wordBoard) royal(side int) int {
	if m := w.t.royalMan[side&1]; m != noMan {
		if k := w.sets[m&63]; k != 0 {
			return bits.TrailingZeros64(k)
		}
	}
	return -1
}

// checked reports whether the royal piece of a side is attacked.
func (w *wordBoard) checked(side int) bool {
	s := w.royal(side)
	return s >= 0 && w.attacked(s, 1-side)
}

// lookAround finds out what attacks the royal piece of a side where it stands: nothing if moves must not give check.
func (w *wordBoard) lookAround(side int) {
	d := &w.danger
	if d.square, d.attackers = w.royal(side), 0; d.square >= 0 && !w.t.noChecks {
		d.attackers = w.attackers(d.square, 1-side, w.occupied(), w.sides[1-side&1], true)
	}
}

// reaches returns what men attack past what is occupied.
func (w *wordBoard) reaches(men, occupied uint64) (squares uint64) {
	for ; men != 0; men &= men - 1 {
		from := bits.TrailingZeros64(men)
		squares |= w.t.men[w.cells[from&63]&63].capture.targets(from, occupied)
	}
	return squares
}

// exposed returns the squares on which a move of the side that was looked at must not end if its royal piece is not to be attacked
// after it.
func (w *wordBoard) exposed(from int, targets uint64) (exposed uint64) {
	d, t := &w.danger, w.t
	them := 1 - int(w.turn&1)
	switch {
	case d.square < 0:
		return 0
	case from == d.square: // what it captures attacks no square that it can step to, and blocks the same lines
		return w.reaches(w.sides[them], w.occupied()&^(1<<from))
	case d.attackers == 0 && from != noSquare:
		return ^w.covering(d.square, them, from, w.occupied(), w.sides[them])
	case d.attackers == 0:
		return 0
	case t.slides:
		occupied := w.occupied()
		if from != noSquare {
			occupied &^= 1 << from
		}
		for ; targets != 0; targets &= targets - 1 {
			to := targets & -targets
			if w.attackers(d.square, them, occupied|to, w.sides[them]&^to, false) != 0 {
				exposed |= to
			}
		}
		return exposed
	case d.attackers&(d.attackers-1) == 0:
		return ^d.attackers
	}
	return ^uint64(0)
}

// covering returns the squares of each of some men of a side that would attack a king past what is occupied if a square were empty, and
// those between: what leaves that square must go to one of them if the king is not to be attacked. They are all squares if there is no
// such man.
func (w *wordBoard) covering(king, side, square int, occupied, men uint64) uint64 {
	t := w.t
	squares := ^uint64(0)
	if !t.slides || t.paths[king&63]>>(square&63)&1 == 0 {
		return squares
	}
	for near := men & t.reach[side&1][king&63]; near != 0; near &= near - 1 {
		from := bits.TrailingZeros64(near)
		m := t.men[w.cells[from&63]&63]
		if m.captureFrom[king&63]>>from&1 == 0 || m.capture.leaps[from&63]>>king&1 != 0 {
			continue
		}
		if between := t.between[from<<6|king&63]; between&occupied == 1<<square {
			squares &= between | near&-near
		}
	}
	return squares
}

// checksFrom returns those of some squares from which a man would attack a king, past what is occupied.
func (w *wordBoard) checksFrom(m *wordMan, king int, squares, occupied uint64) (checks uint64) {
	if squares &= m.captureFrom[king&63]; squares == 0 || !m.slides {
		return squares
	}
	if m.symmetric {
		return squares & m.capture.targets(king, occupied)
	}
	for ; squares != 0; squares &= squares - 1 {
		if s := bits.TrailingZeros64(squares); m.capture.leaps[s&63]>>king&1 != 0 || w.t.between[s<<6|king&63]&occupied == 0 {
			checks |= squares & -squares
		}
	}
	return checks
}

// shadow returns the squares behind a king that men of its side would attack if it were not in the way.
func (w *wordBoard) shadow(king, side int) (squares uint64) {
	for men := w.sides[side&1]; men != 0; men &= men - 1 {
		from := bits.TrailingZeros64(men)
		m := &w.t.men[w.cells[from&63]&63].capture
		for i := range m.rays {
			if r := &m.rays[i]; r.within[from&63]>>king&1 != 0 {
				squares |= r.within[from&63] & r.beyond[king&63]
			}
		}
	}
	return squares
}

// of returns the pieces of a kind and a side.
func (w *wordBoard) of(side, kind int) (men uint64) {
	for _, m := range w.t.ofKind[kind] {
		men |= w.sets[side*maxWordMen+int(m)]
	}
	return men
}

// targets returns the squares to which a man of a side moves or on which it captures.
func (w *wordBoard) targets(m *wordMan, from int, occupied, theirs uint64) uint64 {
	to := m.capture.targets(from, occupied)
	if m.same {
		return to & (theirs | ^occupied)
	}
	return to&theirs | m.quiet.targets(from, occupied)&^occupied
}

// dropSquares returns where a side can drop a kind.
func (w *wordBoard) dropSquares(side, kind int) uint64 {
	if w.hands[side&1][kind&(maxKinds-1)] == 0 {
		return 0
	}
	return w.t.drops[side&1][kind&(maxKinds-1)] &^ w.occupied() &^ w.doubled(side, kind)
}

// doubled returns the files on which a side has as many pieces of a kind as drops may lead to.
func (w *wordBoard) doubled(side, kind int) (files uint64) {
	g := w.t.x.core
	if kind == g.noDoubled {
		men := w.of(side, kind)
		for _, f := range w.t.files {
			if bits.OnesCount64(men&f) >= g.rules.noDoubledCount {
				files |= f
			}
		}
	}
	return files
}

// legal reports whether a move that was made may lead to the board.
func (w *wordBoard) legal(m wordMove) bool {
	if w.t.x.king < 0 {
		return true
	}
	if w.checked(1-int(w.turn&1)) || w.t.noChecks && w.checked(int(w.turn&1)) {
		return false
	}
	return !m.drops() || !w.pawnDropMate(int(m.to()), m.kind())
}

// pawnDropMate reports whether a drop that was made is that of a pawn that mates, where that is illegal.
func (w *wordBoard) pawnDropMate(to, kind int) bool {
	g := w.t.x.core
	if !g.rules.pawnDropMateIllegal || g.kinds[kind].slot != shogiPawn {
		return false
	}
	us := int(w.turn & 1)
	king := w.royal(us)
	return king >= 0 && w.attackers(king, 1-us, w.occupied(), w.sides[1-us], true) == 1<<to && !w.canMove()
}

// canMove reports whether the side to move has a legal move.
func (w *wordBoard) canMove() bool {
	t := w.t
	if t.noChecks {
		return w.someLegal()
	}
	us := int(w.turn & 1)
	own, theirs := w.sides[us], w.sides[1-us]
	occupied := own | theirs
	king := -1
	if t.x.king >= 0 {
		king = w.royal(us)
	}
	safe := own
	if king >= 0 {
		m := t.men[t.royalMan[us]&63]
		alone := occupied &^ (1 << king)
		for to := w.targets(m, king, occupied, theirs) & m.any[king]; to != 0; to &= to - 1 {
			bit := to & -to
			if w.attackers(bits.TrailingZeros64(to), 1-us, alone|bit, theirs&^bit, false) == 0 {
				return true
			}
		}
		if safe = own &^ t.paths[king] &^ (1 << king); safe != 0 && w.checked(us) {
			safe = 0
		}
	}
	for ; safe != 0; safe &= safe - 1 {
		from := bits.TrailingZeros64(safe)
		m := t.men[w.cells[from&63]&63]
		if w.targets(m, from, occupied, theirs)&m.any[from&63] != 0 {
			return true
		}
	}
	return (king >= 0 || t.x.held) && w.someLegal()
}

// someLegal reports whether one of all moves is legal.
func (w *wordBoard) someLegal() bool {
	t := w.t
	us := int(w.turn & 1)
	own, theirs := w.sides[us], w.sides[1-us]
	occupied := own | theirs
	for men := own; men != 0; men &= men - 1 {
		from := bits.TrailingZeros64(men)
		man := w.cells[from&63]
		m := t.men[man&63]
		to := w.targets(m, from, occupied, theirs)
		if w.someLegalTo(newWordMove(from, 0, man, man, 0), to&m.plain[from&63]) {
			return true
		}
		for i := range m.promotions {
			p := &m.promotions[i]
			if w.someLegalTo(newWordMove(from, 0, man, p.man, p.change), to&p.to[from&63]) {
				return true
			}
		}
	}
	if t.x.held {
		for k := range t.x.kinds {
			man := uint8(us*maxWordMen + k)
			if w.someLegalTo(newWordMove(noSquare, 0, man, man, t.dropChange[k]), w.dropSquares(us, k)) {
				return true
			}
		}
	}
	return false
}

// someLegalTo reports whether a move to one of some squares is legal.
func (w *wordBoard) someLegalTo(m wordMove, targets uint64) bool {
	var s wordStep
	for ; targets != 0; targets &= targets - 1 {
		to := m | wordMove(bits.TrailingZeros64(targets))<<8
		w.do(to, &s)
		legal := w.legal(to)
		w.undo(&s)
		if legal {
			return true
		}
	}
	return false
}

// ended returns the result for the side to move of a block if the game is over whether or not it has moves. Takes says that it can
// take a royal piece.
func (w *wordBoard) ended(c *wordBlock, takes bool) result {
	if c.over != noResult {
		return c.over
	}
	if w.flagMen(0)&w.t.flags[0]|w.flagMen(1)&w.t.flags[1] != 0 {
		if v := w.flagged(); v != noResult {
			return v
		}
	}
	if takes && w.t.x.takeable || w.t.x.reachable && w.reachesNext() {
		return winNext
	}
	return noResult
}

// reachesNext is [board.reachesNext].
func (w *wordBoard) reachesNext() bool {
	t := w.t
	us := int(w.turn & 1)
	theirs, occupied := w.sides[1-us], w.occupied()
	for men := w.sides[us] & t.near[us]; men != 0; men &= men - 1 {
		from := bits.TrailingZeros64(men)
		man := w.cells[from&63]
		m := t.men[man&63]
		goal := w.targets(m, from, occupied, theirs) & t.flags[us]
		if goal == 0 {
			continue
		}
		if f := t.flagMan[us]; f == allMen || f == man {
			if goal&m.plain[from&63] != 0 {
				return true
			}
		}
		for i := range m.promotions {
			if p := &m.promotions[i]; (t.flagMan[us] == allMen || t.flagMan[us] == p.man) && goal&p.to[from&63] != 0 {
				return true
			}
		}
	}
	return false
}

// flagMen returns the pieces of a side that may win by reaching squares.
func (w *wordBoard) flagMen(side int) uint64 {
	if m := w.t.flagMan[side]; m != allMen {
		return w.sets[m&63]
	}
	if k := w.t.x.flagKind[side]; k >= 0 {
		return w.of(side, k)
	}
	return w.sides[side]
}

// flagged is [board.flagged].
func (w *wordBoard) flagged() result {
	g, r := w.t.x.core, w.t.x.rules
	us := int(w.turn & 1)
	kingFlag := func(side int) bool { return g.king >= 0 && g.flagKind[side] == g.king }
	if (r.flagMove || r.flagSafe) && w.reached(us) {
		if (r.flagMove && us == 0 && kingFlag(1) || r.flagSafe && !r.flagMove) && w.reached(1-us) {
			return draw
		}
		return win
	}
	if r.flagMove && !r.flagSafe && !kingFlag(us) || !w.reached(1-us) {
		return noResult
	}
	if r.flagMove && us == 1 && kingFlag(us) && w.kingReaches(us) {
		return noResult
	}
	return loss
}

// kingReaches reports whether the king of the side to move may step to where it has reached its goal.
func (w *wordBoard) kingReaches(us int) bool {
	t := w.t
	king := w.royal(us)
	if king < 0 || w.checked(us) {
		return false
	}
	man := t.royalMan[us]
	m := t.men[man&63]
	var s wordStep
	for to := w.targets(m, king, w.occupied(), w.sides[1-us]) & m.plain[king&63] & t.flags[us]; to != 0; to &= to - 1 {
		move := newWordMove(king, bits.TrailingZeros64(to), man, man, 0)
		w.do(move, &s)
		legal := w.legal(move)
		w.undo(&s)
		if legal {
			return true
		}
	}
	return false
}

// reached is [board.reached].
func (w *wordBoard) reached(side int) bool {
	r := w.t.x.rules
	men := w.flagMen(side) & w.t.flags[side]
	n := bits.OnesCount64(men)
	if n == 0 || n < r.flagCount && !(r.flagBlocked && w.t.flags[side]&^w.occupied() == 0) {
		return false
	}
	if r.flagSafe && (!r.flagMove || side != int(w.turn&1)) && n == r.flagCount {
		for ; men != 0; men &= men - 1 {
			if w.attacked(bits.TrailingZeros64(men), 1-side) {
				return false
			}
		}
	}
	return true
}

// stuck is [board.stuck].
func (w *wordBoard) stuck() result {
	r := w.t.x.rules
	us := int(w.turn & 1)
	if w.t.x.king >= 0 && w.checked(us) {
		return r.checkmate
	}
	v := r.stalemate
	if r.stalemateByCount {
		switch n := bits.OnesCount64(w.sides[us]) - bits.OnesCount64(w.sides[1-us]); {
		case n == 0:
			v = draw
		case n > 0:
			v = v.reversed()
		}
	}
	return v
}

// lowest reports whether no symmetric board has a lower index than the one that was decoded.
func (w *wordBoard) lowest(index uint64) bool {
	c, e := w.block, w.anchors
	taken := c.anchorSquares(e)
	for ops := uint32(e.ops); ops != 0; ops &= ops - 1 {
		sets := w.imageOf(c.imagesOf[0][bits.TrailingZeros32(ops)&7])
		if n, _, ok := digits(c.wordGroups, sets, 0, uint64(e.pair), taken); ok && c.first+n < index {
			return false
		}
	}
	return true
}

// imageOf returns the sets of the position that was decoded after a permutation.
func (w *wordBoard) imageOf(i uint8) *[2 * maxWordMen]uint64 {
	sets := &w.images[i&15]
	if w.known>>i&1 == 0 {
		w.known |= 1 << i
		for _, m := range w.block.men {
			sets[m&63] = 0
		}
		image := &w.t.images[i]
		for _, p := range w.pieces {
			sets[p.man()] |= 1 << image[p.square()]
		}
	}
	return sets
}

// digits is [block.digits] for sets of men, those of the other side if flip is not 0. It also returns the squares that are taken.
func digits(groups []wordGroup, sets *[2 * maxWordMen]uint64, flip uint8, n, taken uint64) (uint64, uint64, bool) {
	for i := range groups {
		g := &groups[i]
		men := sets[(g.man^flip)&63]
		free := g.on &^ taken
		if men&^free != 0 {
			return 0, 0, false
		}
		taken |= men
		rank := uint64(bits.OnesCount64(free & (men&-men - 1)))
		if men &= men - 1; men != 0 {
			for k := 2; men != 0; k++ {
				rank += binomial[bits.OnesCount64(free&(men&-men-1))][k]
				men &= men - 1
			}
		}
		n = n*g.size + rank
	}
	return n, taken, true
}

// decode sets the board to the position with an index of a block, and reports whether there is one. Neighbours differ in few pieces,
// so those of the last position that have the same squares stay.
func (w *wordBoard) decode(c *wordBlock, index uint64) bool {
	same := c == w.block && w.placed
	if c != w.block {
		w.block, w.images, w.sets = c, [16][2 * maxWordMen]uint64{}, [2 * maxWordMen]uint64{}
		w.hands, w.turn = c.key.material.hand, c.key.turn
	}
	n := index - c.first
	begin := len(c.wordGroups) - 1
	for ; begin >= 0; begin-- {
		size := c.wordGroups[begin].size
		q := n / size
		w.ranks[begin&(maxPlaced-1)], n = n-q*size, q
		if same && q == w.sums[begin&(maxPlaced-1)] {
			break
		}
		w.sums[begin&(maxPlaced-1)] = q
	}
	w.known, w.table, w.placed = 0, 0, false
	if begin >= 0 {
		keep := int(c.wordGroups[begin].before)
		for _, p := range w.pieces[keep:] {
			w.toggle(p)
		}
		w.pieces = w.pieces[:keep]
	} else {
		w.pieces, w.sides = w.memory[:0], [2]uint64{}
		for _, m := range c.men {
			w.sets[m&63] = 0
		}
		if w.anchors, begin = &c.nowhere, 0; c.anchors > 0 {
			pair := c.pairs[n]
			w.put(c.anchorMen[0], int(pair.a))
			second := 0
			if c.anchors > 1 {
				second = int(pair.b)
				w.put(c.anchorMen[1], second)
			}
			w.anchors = &c.at[int(pair.a)*w.t.x.squares+second]
		}
	}
	if !w.place(c.wordGroups[begin:], w.ranks[begin:]) {
		return false
	}
	w.placed = true
	if w.t.x.king >= 0 && (w.checked(1-int(w.turn)) || w.t.noChecks && w.checked(int(w.turn))) {
		return false
	}
	return w.anchors.ops&(w.anchors.ops-1) == 0 || w.lowest(index)
}

// place places the men of groups by their digits, and reports whether they fit.
func (w *wordBoard) place(groups []wordGroup, ranks []uint64) bool {
	for i := range groups {
		g := &groups[i]
		free := g.on &^ w.occupied()
		rank := ranks[i]
		at := bits.OnesCount64(free)
		for k := int(g.count); k > 0; k-- {
			if at = largest(rank, k, at); at < 0 {
				return false
			}
			rank -= binomial[at][k]
			w.put(g.man, nth(free, at))
		}
		if rank > 0 {
			return false
		}
	}
	return true
}

// largest returns the largest number below n whose binomial coefficient over k is at most rank, or -1 if n is 0.
func largest(rank uint64, k, n int) (at int) {
	if k == 1 {
		return min(int(rank), n-1)
	}
	for step := 32; step > 0; step /= 2 {
		if next := at + step; next < n && binomial[next][k] <= rank {
			at = next
		}
	}
	return min(at, n-1)
}

// nth returns a square of a set by how many are before it.
func nth(set uint64, rank int) int {
	s := 0
	for half := 32; half > 4; half /= 2 {
		if n := bits.OnesCount64(set & (1<<half - 1)); n <= rank {
			set, rank, s = set>>half, rank-n, s+half
		}
	}
	for ; rank > 0; rank-- {
		set &= set - 1
	}
	return s + bits.TrailingZeros64(set)
}

func (w *wordBoard) put(man uint8, s int) {
	p := wordPiece(man)<<8 | wordPiece(s)
	w.toggle(p)
	w.cells[s&63] = man
	w.pieces = append(w.pieces, p)
}
