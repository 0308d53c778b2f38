package variant

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// expand adds the successors of a position, and returns its status.
func (w *wordBoard) expand(c *wordBlock, index uint64, out *games.Expansion) games.Value {
	if !w.decode(c, index) {
		return games.Hole
	}
	t := w.t
	us := int(w.turn & 1)
	if v := w.ended(true, t.x.takeable && w.checked(1-us)); v != noResult {
		return v.value()
	}
	w.lookAround(us)
	begin, before := len(out.Successors), out.Moves
	theirs := w.sides[1-us]
	w.moves = w.moves[:0]
	list := w.listMoves()
	mustCapture := t.x.rules.mustCapture
	for pass := range 2 {
		for i := range list {
			m := &list[i]
			if mustCapture && (theirs>>(m.to&63)&1 != 0) != (pass == 0) {
				continue
			}
			s := w.do(*m)
			exposes := w.exposes(m)
			if !exposes && (m.from != noSquare || !w.pawnDropMate(int(m.to), int(m.now&(maxWordMen-1)))) || t.x.takeable {
				out.Moves++
				w.successor(c, &s, exposes, begin, out)
			}
			w.undo(&s)
		}
		if !mustCapture || out.Moves > before {
			break
		}
	}
	if out.Moves == before {
		return w.stuck().value()
	}
	return games.Unfinished
}

// successor adds the position after a move.
func (w *wordBoard) successor(c *wordBlock, s *wordStep, takes bool, begin int, out *games.Expansion) {
	next := c.next[int(s.move.change)+s.captured+1]
	var index uint64
	ok := next != nil
	if ok {
		index, ok = w.index(next, s)
	}
	if !ok {
		panic(fmt.Sprintf("%s: a move from %d to %d leads to a position without an index", w.t.x.name, s.move.from, s.move.to))
	}
	outcome := games.Unfinished
	if v := w.ended(w.t.counted(&s.move, s.captured, s.before), takes); v != noResult {
		outcome = v.value()
	} else if !w.canMove() {
		outcome = w.stuck().value()
	}
	successor := games.NewSuccessor(index, outcome)
	if next.several {
		if slices.Contains(out.Successors[begin:], successor) {
			return
		}
	}
	out.Successors = append(out.Successors, successor)
}

// counted reports whether a game may be over by how many men there are after a move or before it.
func (t *wordTables) counted(m *wordMove, captured int, man uint8) bool {
	return captured >= 0 && t.counts[man&63] || m.change > 0 && (t.counts[m.man&63] || t.counts[m.now&63])
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
		w.unsteps(c, m, &m.plain, wordMove{0, uint8(to), man, man, 0}, out)
		if !t.x.held {
			continue
		}
		w.undrop(c, to, out)
		for i := range m.origins {
			p := &m.origins[i]
			w.unsteps(c, t.men[p.man&63], &p.to, wordMove{0, uint8(to), p.man, man, p.change}, out)
		}
	}
}

// unsteps adds the positions before moves of a man from all squares, with and without a capture.
func (w *wordBoard) unsteps(c *wordBlock, m *wordMan, allowed *[64]uint64, move wordMove, out *games.Predecessors) {
	t := w.t
	us := int(w.turn & 1)
	occupied := w.occupied()
	to := int(move.to & 63)
	quiet, capture := m.quietFrom[to], m.captureFrom[to]
	if !t.x.held {
		capture = 0
	}
	for squares := (quiet | capture) & m.stands &^ occupied; squares != 0; squares &= squares - 1 {
		from := bits.TrailingZeros64(squares)
		if allowed[from&63]>>to&1 == 0 {
			continue
		}
		clear := t.between[from<<6|to]&occupied == 0
		move.from = uint8(from)
		if quiet>>from&1 != 0 && (clear || m.quiet.leaps[from&63]>>to&1 != 0) && !w.couldTake(m, from, to, occupied&^(1<<to)) {
			w.unmove(c, move, -1, out)
		}
		if capture>>from&1 == 0 || !clear && m.capture.leaps[from&63]>>to&1 == 0 || w.couldTake(m, from, to, occupied) {
			continue
		}
		for k := range t.x.kinds {
			if w.hands[1-us][k] == 0 {
				continue
			}
			for _, captured := range t.x.shapes[k] {
				if t.men[us*maxWordMen+captured].stands>>to&1 != 0 {
					w.unmove(c, move, captured, out)
				}
			}
		}
	}
}

// couldTake reports whether the side that has moved could have taken the royal piece of the other instead, with its man on the
// square where it came from and others on those that are occupied. The piece was attacked as it is now but by the man that has
// moved, unless that stands or stood between it and others.
func (w *wordBoard) couldTake(m *wordMan, from, to int, occupied uint64) bool {
	d, t := &w.danger, w.t
	if d.square < 0 {
		return false
	}
	if m.captureFrom[d.square&63]>>from&1 != 0 && (!m.slides || m.capture.leaps[from&63]>>d.square&1 != 0 || t.between[from<<6|d.square]&occupied == 0) {
		return true
	}
	if t.slides && (d.attackers != 0 || t.paths[d.square&63]>>to&1 != 0) {
		side := 1 - int(w.turn&1)
		return w.attackers(d.square, side, occupied|1<<from, w.sides[side]&^(1<<to), false) != 0
	}
	return false
}

// undrop adds the position before a man was dropped on a square.
func (w *wordBoard) undrop(c *wordBlock, to int, out *games.Predecessors) {
	t := w.t
	man := w.cells[to&63]
	k := int(man & (maxWordMen - 1))
	if k >= len(t.x.kinds) || !t.x.rules.drops || t.drops[1-w.turn&1][k]>>to&1 == 0 || w.pawnDropMate(to, k) {
		return
	}
	if d := &w.danger; d.square >= 0 && t.slides && w.attackers(d.square, 1-int(w.turn), w.occupied()&^(1<<to), w.sides[1-w.turn&1]&^(1<<to), false) != 0 {
		return
	}
	w.unmove(c, wordMove{noSquare, uint8(to), man, man, t.dropChange[k]}, -1, out)
}

// unmove adds the position before a move that captured a man, or nothing if that is negative, if it can be and is not finished.
func (w *wordBoard) unmove(c *wordBlock, m wordMove, captured int, out *games.Predecessors) {
	before := c.prev[int(m.change)+captured+1]
	if before == nil {
		return
	}
	us := w.turn & 1
	side := 1 - us
	to := m.to & 63
	s := wordStep{move: m, captured: captured, before: w.cells[to]}
	s.add(w, m.now, to)
	kind := int(m.now & (maxWordMen - 1))
	if m.from != noSquare {
		s.add(w, m.man, m.from)
		w.cells[m.from&63] = m.man
	} else {
		w.hands[side][kind]++
	}
	base, man := 0, uint8(0)
	if captured >= 0 {
		man = us*maxWordMen + uint8(captured)
		s.add(w, man, to)
		w.cells[to] = man
		base = w.t.men[man&63].base
		w.hands[side][base]--
	}
	w.turn = side
	if w.ended(w.t.counted(&m, captured, man), false) == noResult && w.has(&m, captured >= 0) {
		if index, ok := w.index(before, &s); ok {
			out.Indices = append(out.Indices, index)
		}
	}
	w.turn = us
	for _, p := range s.pieces[:s.n] {
		w.toggle(p)
	}
	w.cells[to] = s.before
	if captured >= 0 {
		w.hands[side][base]++
	}
	if m.from == noSquare {
		w.hands[side][kind]--
	}
}

// has reports whether a move may be made on the board before it, as far as that does not depend on what is attacked.
func (w *wordBoard) has(m *wordMove, captures bool) bool {
	if m.from == noSquare {
		side, kind := int(w.turn&1), int(m.now&(maxWordMen-1))
		return kind != w.t.x.noDoubled || w.doubled(side, kind)>>m.to&1 == 0
	}
	return captures || !w.t.x.rules.mustCapture || !w.someCapture()
}

// someCapture reports whether the side to move has a legal capture.
func (w *wordBoard) someCapture() bool {
	begin, some := len(w.moves), false
	theirs := w.sides[1-w.turn&1]
	for _, m := range w.listMoves() {
		if theirs>>(m.to&63)&1 == 0 {
			continue
		}
		s := w.do(m)
		some = w.legal(&m)
		w.undo(&s)
		if some {
			break
		}
	}
	w.moves = w.moves[:begin]
	return some
}
