package variant

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// wordExpansion is what a position says of the positions after its moves.
type wordExpansion struct {
	block     *wordBlock
	begin     int    // of the successors of the position
	decided   bool   // positions after a move may be finished by what has not moved
	repliers  uint64 // pieces of the other side that can move after any move that does not capture them
	king      int    // the square of its king, or -1
	kingMoves uint64 // squares that its king can step to if nothing attacks them
	steps     uint64 // those that no other than the piece that moves may attack then
	ours      int    // the square of the other king, or -1, where moves must not give check
	shadow    uint64 // squares where that may get into lines that steps open
	silent    uint64 // squares where what moves does not open a line to the king, where it must not
	royal     int    // the square of the other royal piece, or -1
	counting  bool   // successors in the tier are left out where that can be
	counted   int    // those left out
	step      wordStep
	out       *games.Expansion
}

// expand adds the successors of a position, and returns its status. If it is counting, it leaves out some in the tier of the position,
// and returns how many.
func (w *wordBoard) expand(c *wordBlock, index uint64, counting bool, out *games.Expansion) (status games.Value, counted int) {
	if !w.decode(c, index) {
		return games.Hole, 0
	}
	t := w.t
	us := int(w.turn & 1)
	if v := w.ended(c, t.x.takeable && w.checked(1-us)); v != noResult {
		return v.value(), 0
	}
	w.lookAround(us)
	x := wordExpansion{block: c, begin: len(out.Successors), counting: counting, out: out}
	x.lookAt(w)
	before := out.Moves
	theirs := w.sides[1-us]
	switch {
	case !t.x.rules.mustCapture:
		x.pieces(w, ^uint64(0))
	default:
		if x.pieces(w, theirs); out.Moves == before {
			x.pieces(w, ^theirs)
		}
	}
	if t.x.held {
		x.drops(w)
	}
	if out.Moves == before {
		return w.stuck().value(), 0
	}
	return games.Unfinished, x.counted
}

// lookAt finds out what all moves of a position have in common.
func (x *wordExpansion) lookAt(w *wordBoard) {
	t := w.t
	them := 1 - int(w.turn&1)
	own := w.sides[them]
	occupied := w.occupied()
	x.decided = w.flagMen(0)&t.flags[0]|w.flagMen(1)&t.flags[1] != 0 || t.x.reachable && own&t.near[them] != 0
	if x.royal, x.king = w.royal(them), -1; t.x.king >= 0 {
		x.king = x.royal
	}
	if x.king >= 0 {
		if m := t.men[w.cells[x.king&63]&63]; m.same && !m.slides {
			x.kingMoves = m.capture.leaps[x.king&63] & m.any[x.king&63] &^ own
		}
		if t.noChecks {
			x.ours = w.royal(1 - them)
		}
		return
	}
	for men := own; men != 0; men &= men - 1 {
		from := bits.TrailingZeros64(men)
		m := t.men[w.cells[from&63]&63]
		to := m.capture.leaps[from&63] & m.quiet.leaps[from&63] & m.any[from&63]
		if m.same && m.slides && m.any[from&63] == t.x.board.low { // to the next square at least, or it captures there
			to |= m.capture.targets(from, occupied)
		}
		if to&^own != 0 {
			x.repliers |= men & -men
		}
	}
}

// pieces adds the positions after moves of pieces to some squares.
func (x *wordExpansion) pieces(w *wordBoard, where uint64) {
	t := w.t
	us := int(w.turn & 1)
	own, theirs := w.sides[us], w.sides[1-us]
	occupied := own | theirs
	for men := own; men != 0; men &= men - 1 {
		from := bits.TrailingZeros64(men)
		man := w.cells[from&63] & 63
		m := t.men[man]
		to := w.targets(m, from, occupied, theirs) & m.any[from&63] & where
		if to == 0 {
			continue
		}
		exposed := w.exposed(from, to)
		if !t.x.takeable {
			if to &^= exposed; to == 0 {
				continue
			}
		}
		if t.noChecks && x.king >= 0 {
			if x.silent = w.covering(x.king, us, from, occupied, own&^(men&-men)); to&x.silent == 0 {
				continue
			}
		}
		if x.kingMoves != 0 {
			x.findSteps(w, from)
		}
		x.land(w, newWordMove(from, 0, man, man, 0), to&m.plain[from&63], exposed)
		for i := range m.promotions {
			p := &m.promotions[i]
			x.land(w, newWordMove(from, 0, man, p.man, p.change), to&p.to[from&63], exposed)
		}
	}
}

// findSteps finds the squares that the other king can step to after a piece has moved, unless that attacks them. Where moves must not
// give check, a step must not open a line to the own king; where that goes if it moves itself is not known yet.
func (x *wordExpansion) findSteps(w *wordBoard, from int) {
	stay := ^uint64(0)
	if from != noSquare {
		stay = ^(1 << from)
	}
	us := int(w.turn & 1)
	occupied := w.occupied() & stay
	x.steps = x.kingMoves &^ w.reaches(w.sides[us]&stay, occupied&^(1<<x.king))
	switch x.shadow = 0; {
	case !w.t.noChecks || x.ours < 0:
	case from == x.ours:
		x.shadow = w.shadow(x.king, 1-us)
	default:
		x.steps &= w.covering(x.ours, 1-us, x.king, occupied, w.sides[1-us])
	}
}

// drops adds the positions after drops.
func (x *wordExpansion) drops(w *wordBoard) {
	t := w.t
	us := int(w.turn & 1)
	found := false
	for k := range t.x.kinds {
		to := w.dropSquares(us, k)
		if to == 0 {
			continue
		}
		exposed := w.exposed(noSquare, to)
		if !t.x.takeable {
			to &^= exposed
		}
		if x.kingMoves != 0 && !found {
			found = true
			x.findSteps(w, noSquare)
		}
		man := uint8(us*maxWordMen + k)
		m := newWordMove(noSquare, 0, man, man, t.dropChange[k])
		if x.king >= 0 && t.x.rules.pawnDropMateIllegal && t.x.core.kinds[k].slot == shogiPawn {
			for checks := to & t.men[man].captureFrom[x.king&63]; checks != 0; checks &= checks - 1 {
				s := bits.TrailingZeros64(checks)
				w.do(m|wordMove(s)<<8, &x.step)
				if w.pawnDropMate(s, k) {
					to &^= 1 << s
				}
				w.undo(&x.step)
			}
		}
		x.land(w, m, to, exposed)
	}
}

// land adds the positions after a move to each of some squares.
func (x *wordExpansion) land(w *wordBoard, m wordMove, targets, exposed uint64) {
	if w.t.noChecks && x.king >= 0 {
		targets &= x.silent
		targets &^= w.checksFrom(w.t.men[m.now()], x.king, targets, w.occupied()&^(1<<m.from()))
	}
	if targets == 0 {
		return
	}
	x.out.Moves += bits.OnesCount64(targets)
	theirs := w.sides[1-w.turn&1]
	if quiets := targets &^ theirs; quiets != 0 {
		x.landOn(w, m, quiets, exposed, -1)
	}
	for captures := targets & theirs; captures != 0; captures &= captures - 1 {
		s := bits.TrailingZeros64(captures)
		x.landOn(w, m, captures&-captures, exposed, int(w.cells[s&63]&63))
	}
}

// landOn adds the positions after a move to each of some squares, on which there is a man, or nothing if that is negative.
func (x *wordExpansion) landOn(w *wordBoard, m wordMove, targets, exposed uint64, man int) {
	change := int(m.change())
	if man >= 0 {
		change += 1 + man&(maxWordMen-1)
	}
	next := x.block.next[change]
	if next == nil {
		w.noIndex(m)
	}
	captured := noPiece
	if man >= 0 {
		captured = wordPiece(man)<<8 | wordPiece(bits.TrailingZeros64(targets))
	}
	over, taken := x.mayEnd(w, next, m, targets, exposed)
	several := next.repeats(x.royal)
	if x.counting && next.tier == x.block.tier && !several {
		x.counted += bits.OnesCount64(targets &^ (over | taken))
		if targets &= over | taken; targets == 0 {
			return
		}
	}
	l := &w.landing
	l.set(w, next, m, captured)
	for ; targets != 0; targets &= targets - 1 {
		to, bit := bits.TrailingZeros64(targets)&63, targets&-targets
		index, ok := l.index(w, to)
		if !ok {
			w.noIndex(m)
		}
		outcome := games.Unfinished
		switch {
		case over&bit != 0:
			outcome = x.outcome(w, next, m|wordMove(to)<<8, exposed&bit != 0)
		case taken&bit != 0:
			outcome = games.Win(1)
		}
		successor := games.NewSuccessor(index, outcome)
		if several && slices.Contains(x.out.Successors[x.begin:], successor) {
			continue
		}
		x.out.Successors = append(x.out.Successors, successor)
	}
}

// mayEnd returns those of the squares of a move after which the game may be over, which takes a closer look, and those of the others
// after which the royal piece is taken.
func (x *wordExpansion) mayEnd(w *wordBoard, next *wordBlock, m wordMove, targets, exposed uint64) (over, taken uint64) {
	t := w.t
	if x.decided || next.over != noResult {
		return targets, 0
	}
	if f := t.flagMan[w.turn&1]; f == m.now() || f == allMen {
		over = targets & t.flags[w.turn&1]
	}
	taken = targets & exposed &^ over
	reach := &t.men[m.now()].captureTo
	for rest := targets &^ (over | taken); rest != 0; rest &= rest - 1 {
		to, bit := bits.TrailingZeros64(rest)&63, rest&-rest
		if (x.repliers|x.steps&^reach[to])&^bit == 0 || x.shadow>>to&1 != 0 {
			over |= bit
		}
	}
	return over, taken
}

// outcome returns the outcome of the position after a move, in a block.
func (x *wordExpansion) outcome(w *wordBoard, next *wordBlock, m wordMove, takes bool) games.Value {
	w.do(m, &x.step)
	v := w.ended(next, takes)
	if v == noResult && !w.canMove() {
		v = w.stuck()
	}
	w.undo(&x.step)
	if v == noResult {
		return games.Unfinished
	}
	return v.value()
}

// noIndex panics: all that moves lead to has an index.
func (w *wordBoard) noIndex(m wordMove) {
	panic(fmt.Sprintf("%s: a move from square %d to %d leads to a position without an index", w.t.x.name, m.from(), m.to()))
}

// landing finds the indices after a move that may end on several squares, or before one that may have come from them: all other men
// stay where they are.
type landing struct {
	block    *wordBlock
	move     wordMove
	captured wordPiece
	swap     uint8
	lands    int           // the anchor that lands, -1 for none
	square   uint8         // of the other one, after the sides are exchanged
	pair     *pairEntry    // of the anchors if none lands
	known    uint32        // sums that are known
	sums     [8]landingSum // by symmetry
}

// landingSum is an index without the man that lands, and without the pair of anchors, after a permutation of the squares.
type landingSum struct {
	image uint8  // its number
	n     int    // of steps
	base  uint64 // the index, as if the man came after all others
	unit  uint64 // what a unit of the man's group is worth
	free  uint64 // where it may land
	like  uint64 // men of its group
	steps [maxPlaced]landingStep
}

// landingStep is how an index changes, modulo 2^64, where the man lands before another.
type landingStep struct {
	before uint64 // squares
	less   uint64
}

// set prepares the indices in a block after a move. What leaves its square is taken away, and so is what is captured, or it is put
// back before a move. Nothing lands if the man afterwards is nobody.
func (l *landing) set(w *wordBoard, next *wordBlock, m wordMove, captured wordPiece) {
	l.block, l.move, l.captured, l.lands, l.square, l.known = next, m, captured, -1, noSquare, 0
	l.swap = ^w.turn & w.t.swapped & 1
	flip := l.swap * maxWordMen
	if next.anchors == 0 {
		l.pair = &next.nowhere
		return
	}
	first, second := (next.anchorMen[0]^flip)&63, (next.anchorMen[1]^flip)&63
	if next.anchors < 2 {
		second = first
	}
	now, man, taken := m.now(), m.man(), captured.man()
	stay := first != man && second != man && first != taken && second != taken
	switch {
	case first == now:
		l.lands = 0
		if next.anchors > 1 {
			l.square = l.anchor(w, second)
		}
	case second == now:
		l.lands, l.square = 1, l.anchor(w, first)
	case stay && next.table == w.table:
		l.pair = w.pair
	default:
		at := int(l.anchor(w, first)) * w.t.x.squares
		if next.anchors > 1 {
			at += int(l.anchor(w, second))
		}
		l.pair = &next.at[at]
		if stay {
			w.table, w.pair = next.table, l.pair
		}
	}
}

// anchor returns the square of an anchor that does not land, after the sides are exchanged.
func (l *landing) anchor(w *wordBoard, man uint8) uint8 {
	set := w.sets[man&63]
	if man == l.move.man() && !l.move.drops() {
		set &^= 1 << l.move.from()
	}
	if man == l.captured.man() {
		set ^= 1 << l.captured.square()
	}
	s := uint8(bits.TrailingZeros64(set)) & 63
	if l.swap == 1 {
		s = w.t.turned[s]
	}
	return s
}

// index returns the index after the man has landed on a square.
func (l *landing) index(w *wordBoard, to int) (best uint64, found bool) {
	c, e := l.block, l.pair
	if l.lands >= 0 {
		at, other := to, int(l.square)
		if l.swap == 1 {
			at = int(w.t.turned[to&63])
		}
		if l.lands == 1 {
			at, other = other, at
		}
		if at *= w.t.x.squares; c.anchors > 1 {
			at += other
		}
		e = &c.at[at]
	}
	if e.pair < 0 {
		return 0, false
	}
	best = ^uint64(0)
	for ops := uint32(e.ops); ops != 0; ops &= ops - 1 {
		p := l.sum(w, bits.TrailingZeros32(ops))
		s := w.t.images[p.image&15][to&63] & 63
		if p.free>>s&1 == 0 {
			continue
		}
		best, found = min(best, p.index(s)), true
	}
	return c.first + uint64(e.pair)*c.unit + best, found
}

// appendIndices appends the indices after the man has landed on each of some squares, where there is one.
func (l *landing) appendIndices(w *wordBoard, squares uint64, dst []uint64) []uint64 {
	e := l.pair
	if l.lands >= 0 || e.pair < 0 || e.ops&(e.ops-1) != 0 {
		for ; squares != 0; squares &= squares - 1 {
			if index, ok := l.index(w, bits.TrailingZeros64(squares)); ok {
				dst = append(dst, index)
			}
		}
		return dst
	}
	// Most positions have one symmetry, the same for all squares.
	p := l.sum(w, bits.TrailingZeros16(e.ops))
	image := &w.t.images[p.image&15]
	first := l.block.first + uint64(e.pair)*l.block.unit
	for ; squares != 0; squares &= squares - 1 {
		if s := image[bits.TrailingZeros64(squares)&63] & 63; p.free>>s&1 != 0 {
			dst = append(dst, first+p.index(s))
		}
	}
	return dst
}

// index returns the index, without the pair of anchors, after the man has landed on a square.
func (p *landingSum) index(s uint8) uint64 {
	below := uint64(1)<<(s&63) - 1
	rank := uint64(bits.OnesCount64(p.free & below))
	if p.like != 0 {
		rank = binomial[rank][1+bits.OnesCount64(p.like&below)]
	}
	n := p.base + rank*p.unit
	for _, step := range p.steps[:p.n&(maxPlaced-1)] {
		n -= step.less & -(step.before >> (s & 63) & 1)
	}
	return n
}

// sum returns the sum after a symmetry.
func (l *landing) sum(w *wordBoard, op int) *landingSum {
	p := &l.sums[op&7]
	if l.known>>(op&7)&1 == 0 {
		l.known |= 1 << (op & 7)
		l.find(w, op, p)
	}
	return p
}

// find finds a sum.
func (l *landing) find(w *wordBoard, op int, p *landingSum) {
	c := l.block
	p.image = c.imagesOf[l.swap&1][op&7] & 15
	sets, image := w.imageOf(p.image), &w.t.images[p.image]
	flip := l.swap * maxWordMen
	taken := uint64(0)
	switch {
	case l.lands < 0:
		taken = c.anchorSquares(l.pair)
	case l.square != noSquare:
		taken = 1 << w.t.images[c.imagesOf[0][op&7]&15][l.square&63]
	}
	l.toggle(sets, image)
	p.set(c.wordGroups, sets, flip, l.move.now(), l.lands >= 0, taken)
	l.toggle(sets, image)
}

// toggle takes away what moves and what is captured, or puts it back.
func (l *landing) toggle(sets *[2 * maxWordMen]uint64, image *[64]uint8) {
	if !l.move.drops() && l.lands < 0 || l.move.man() != l.move.now() { // what lands as an anchor is in no group
		sets[l.move.man()] ^= 1 << image[l.move.from()&63]
	}
	if l.captured != noPiece {
		sets[l.captured.man()] ^= 1 << image[l.captured.square()]
	}
}

// set finds the digits of groups. The man that lands may be in one of them, or has landed before them. It may land nowhere if others
// do not fit.
func (p *landingSum) set(groups []wordGroup, sets *[2 * maxWordMen]uint64, flip, man uint8, landed bool, taken uint64) {
	p.n, p.base, p.unit, p.free, p.like = 0, 0, 0, ^uint64(0), 0
	for i := range groups {
		g := &groups[i]
		men, free := sets[(g.man^flip)&63], g.on&^taken
		if men&^free != 0 {
			p.free = 0
			return
		}
		taken |= men
		lands := g.man^flip == man
		if lands {
			p.unit, p.free, p.like = g.unit, free, men
		}
		for k := 1; men != 0; men, k = men&(men-1), k+1 {
			below := men&-men - 1
			n := bits.OnesCount64(free & below)
			worth := binomial[n][k]
			p.base += worth * g.unit
			switch {
			case lands: // this man is one more of its group
				p.add(below, (worth-binomial[n][k+1])*g.unit)
			case landed && n > 0: // one square less is free
				p.add(free&below, binomial[n-1][k-1]*g.unit)
			}
		}
		landed = landed || lands
	}
}

// add adds how much less the index is if the man lands on some squares.
func (p *landingSum) add(before, less uint64) {
	p.steps[p.n&(maxPlaced-1)] = landingStep{before, less}
	p.n++
}

// retract adds the predecessors of a position.
func (w *wordBoard) retract(c *wordBlock, index uint64, out *games.Predecessors) {
	if !w.decode(c, index) {
		return
	}
	t := w.t
	us := int(w.turn)
	side := 1 - us
	w.lookAround(us)
	for men := w.sides[side]; men != 0; men &= men - 1 {
		to := bits.TrailingZeros64(men)
		man := w.cells[to&63]
		m := t.men[man&63]
		if d := &w.danger; d.square >= 0 && !t.slides && d.attackers&^(men&-men) != 0 {
			continue // the side that has moved would rather have taken the royal piece, or checked it out of turn
		}
		w.unsteps(c, m, m.plainFrom[to&63], newWordMove(0, to, man, man, 0), out)
		if !t.x.held {
			continue
		}
		w.undrop(c, to, out)
		for i := range m.origins {
			p := &m.origins[i]
			w.unsteps(c, t.men[p.man&63], p.from[to&63], newWordMove(0, to, p.man, man, p.change), out)
		}
	}
}

// unsteps adds the positions before moves of a man from all squares that are allowed, with and without a capture.
func (w *wordBoard) unsteps(c *wordBlock, m *wordMan, allowed uint64, move wordMove, out *games.Predecessors) {
	t := w.t
	us := int(w.turn & 1)
	to := int(move.to())
	if allowed &= m.stands &^ w.occupied(); allowed == 0 {
		return
	}
	w.unmove(c, move, w.cameFrom(m, &m.quiet, allowed&m.quietFrom[to], to, w.occupied()&^(1<<to)), noPiece, out)
	if !t.x.held {
		return
	}
	captures := w.cameFrom(m, &m.capture, allowed&m.captureFrom[to], to, w.occupied())
	if captures == 0 {
		return
	}
	for k := range t.x.kinds {
		if w.hands[1-us][k] == 0 {
			continue
		}
		for _, captured := range t.x.shapes[k] {
			man := us*maxWordMen + captured
			if t.men[man&63].stands>>to&1 != 0 {
				w.unmove(c, move, captures, wordPiece(man)<<8|wordPiece(to), out)
			}
		}
	}
}

// cameFrom returns those of some empty squares from which a man may have moved, past what is occupied before the move, where its side
// could not have taken the royal piece of the other instead. That was attacked as it is now but by the man that has moved, unless
// that stands or stood between it and others.
func (w *wordBoard) cameFrom(m *wordMan, motion *wordMotion, squares uint64, to int, occupied uint64) uint64 {
	t, d := w.t, &w.danger
	switch {
	case squares == 0:
		return 0
	case m.symmetric:
		if squares &= motion.targets(to, occupied); d.square >= 0 {
			squares &^= m.capture.targets(d.square, occupied)
		}
	default:
		for all := squares; all != 0; all &= all - 1 {
			from := bits.TrailingZeros64(all)
			if motion.leaps[from&63]>>to&1 == 0 && t.between[from<<6|to]&occupied != 0 || d.square >= 0 && m.captureFrom[d.square&63]>>from&1 != 0 &&
				(!m.slides || m.capture.leaps[from&63]>>d.square&1 != 0 || t.between[from<<6|d.square]&occupied == 0) {
				squares &^= all & -all
			}
		}
	}
	side := 1 - int(w.turn&1)
	switch {
	case d.square < 0 || !t.slides:
		return squares
	case d.attackers == 0 && occupied>>to&1 == 0:
		return squares & w.covering(d.square, side, to, w.occupied(), w.sides[side])
	case d.attackers == 0:
		return squares
	}
	for all := squares; all != 0; all &= all - 1 {
		if bit := all & -all; w.attackers(d.square, side, occupied|bit, w.sides[side]&^(1<<to), false) != 0 {
			squares &^= bit
		}
	}
	return squares
}

// undrop adds the position before a man was dropped on a square.
func (w *wordBoard) undrop(c *wordBlock, to int, out *games.Predecessors) {
	t := w.t
	man := w.cells[to&63]
	k := int(man & (maxWordMen - 1))
	if k >= len(t.x.kinds) || !t.x.rules.drops || t.drops[1-w.turn&1][k]>>to&1 == 0 {
		return
	}
	if d := &w.danger; d.square >= 0 && t.slides && w.attackers(d.square, 1-int(w.turn), w.occupied()&^(1<<to), w.sides[1-w.turn&1]&^(1<<to), false) != 0 {
		return
	}
	w.unmove(c, newWordMove(noSquare, to, man, man, t.dropChange[k]), 1<<to, noPiece, out)
}

// unmove adds the positions before a move from some squares that captured a man, or noPiece, if they are not finished and
// have the move. Of a drop the squares are that of the drop.
func (w *wordBoard) unmove(c *wordBlock, m wordMove, squares uint64, captured wordPiece, out *games.Predecessors) {
	if squares == 0 {
		return
	}
	t := w.t
	change := int(m.change())
	if captured != noPiece {
		change += 1 + int(captured.man()&(maxWordMen-1))
	}
	before := c.prev[change]
	if before == nil || before.over != noResult {
		return
	}
	side := 1 - w.turn&1
	if t.noChecks {
		squares = w.unchecked(int(side), int(m.to()), squares)
	}
	looked := w.flagMen(0)&t.flags[0] | w.flagMen(1)&t.flags[1]
	switch f := t.flagMan[side]; {
	case t.x.reachable && w.sides[side]&^(1<<m.to())&t.near[side] == 0:
		looked = squares & t.near[side]
	case t.x.reachable:
		looked = squares
	case looked != 0 || t.x.rules.mustCapture || m.drops() && m.kind() == t.x.noDoubled:
		looked = squares
	case captured != noPiece && t.flags[w.turn&1]>>m.to()&1 != 0: // a piece that may have won there before it was captured
		looked = squares
	case f == m.man() || f == allMen:
		looked = squares & t.flags[side]
	}
	for ; looked != 0; looked &= looked - 1 {
		if from := bits.TrailingZeros64(looked); !w.unfinished(before, m|wordMove(from), captured) {
			squares &^= looked & -looked
		}
	}
	if squares == 0 {
		return
	}
	l := &w.landing
	lands := m.man()
	if m.drops() {
		lands = nobody
	}
	l.set(w, before, newWordMove(int(m.to()), 0, m.now(), lands, 0), captured)
	out.Indices = l.appendIndices(w, squares, out.Indices)
}

// unchecked returns those of some squares from which a man of a side may have moved to another without its own king having been in
// check before.
func (w *wordBoard) unchecked(side, to int, squares uint64) uint64 {
	king := w.royal(side)
	switch {
	case king < 0:
		return squares
	case king != to:
		return squares & w.covering(king, 1-side, to, w.occupied(), w.sides[1-side&1])
	}
	return squares &^ w.reaches(w.sides[1-side&1], w.occupied()&^(1<<king))
}

// unfinished reports whether the position before a move, in a block, is not finished and has the move.
func (w *wordBoard) unfinished(before *wordBlock, m wordMove, captured wordPiece) bool {
	us := w.turn & 1
	side := 1 - us
	to := m.to()
	s := wordStep{before: w.cells[to]}
	s.add(w, m.now(), to)
	if !m.drops() {
		s.add(w, m.man(), m.from()&63)
		w.cells[m.from()&63] = m.man()
	} else {
		w.hands[side][m.kind()]++
	}
	base := 0
	if captured != noPiece {
		s.add(w, captured.man(), to)
		w.cells[to] = captured.man()
		base = w.t.men[captured.man()].base
		w.hands[side][base]--
	}
	w.turn = side
	unfinished := w.ended(before, false) == noResult && w.has(m)
	w.turn = us
	for _, p := range s.pieces[:s.n] {
		w.toggle(p)
	}
	w.cells[to] = s.before
	if captured != noPiece {
		w.hands[side][base]++
	}
	if m.drops() {
		w.hands[side][m.kind()]--
	}
	return unfinished
}

// has reports whether a move may be made on the board before it, as far as that does not depend on what is attacked. Where captures
// come first, the move is none: they lead to other classes.
func (w *wordBoard) has(m wordMove) bool {
	if m.drops() {
		return m.kind() != w.t.x.noDoubled || w.doubled(int(w.turn&1), m.kind())>>m.to()&1 == 0
	}
	return !w.t.x.rules.mustCapture || !w.someCapture()
}

// someCapture reports whether the side to move has a legal capture.
func (w *wordBoard) someCapture() bool {
	us := int(w.turn & 1)
	theirs, occupied := w.sides[1-us], w.occupied()
	for men := w.sides[us]; men != 0; men &= men - 1 {
		from := bits.TrailingZeros64(men)
		man := w.cells[from&63]
		m := w.t.men[man&63]
		for to := m.capture.targets(from, occupied) & theirs & m.any[from&63]; to != 0; to &= to - 1 {
			if w.t.x.king < 0 {
				return true
			}
			var s wordStep
			w.do(newWordMove(from, bits.TrailingZeros64(to), man, man, 0), &s)
			legal := w.legal(s.move)
			w.undo(&s)
			if legal {
				return true
			}
		}
	}
	return false
}
