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
	if v := w.ended(true); v != noResult {
		return v.value()
	}
	begin, before := len(out.Successors), out.Moves
	theirs := w.sides[1-w.turn&1]
	w.moves = w.moves[:0]
	list := w.listMoves()
	mustCapture := w.t.x.rules.mustCapture
	for pass := range 2 {
		for i := range list {
			m := &list[i]
			if mustCapture && (theirs>>(m.to&63)&1 != 0) != (pass == 0) {
				continue
			}
			s := w.do(*m)
			if w.legal(m) {
				out.Moves++
				w.successor(c, &s, begin, out)
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
func (w *wordBoard) successor(c *wordBlock, s *wordStep, begin int, out *games.Expansion) {
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
	if v := w.ended(s.captured >= 0 || s.move.change > 0); v != noResult {
		outcome = v.value()
	} else if !w.canMove() {
		outcome = w.stuck().value()
	}
	successor := games.NewSuccessor(index, outcome)
	if len(c.ops) > 1 || len(next.ops) > 1 {
		if slices.Contains(out.Successors[begin:], successor) {
			return
		}
	}
	out.Successors = append(out.Successors, successor)
}

// retract adds the predecessors of a position.
func (w *wordBoard) retract(c *wordBlock, index uint64, out *games.Predecessors) {
	if !w.decode(c, index) {
		return
	}
	t := w.t
	us := int(w.turn)
	side := 1 - us
	occupied := w.occupied()
	for men := w.sides[side]; men != 0; men &= men - 1 {
		to := bits.TrailingZeros64(men)
		man := w.cells[to&63]
		m := t.men[man&63]
		for from := m.cameFrom(to) &^ occupied; from != 0; from &= from - 1 {
			s := bits.TrailingZeros64(from)
			w.unmoves(c, m, s, to, m.plain[s&63]>>to&1 != 0, wordMove{uint8(s), uint8(to), man, man, 0}, out)
		}
		if !t.x.held {
			continue
		}
		w.undrop(c, to, out)
		for i := range m.origins {
			p := &m.origins[i]
			was := t.men[p.man&63]
			for from := was.cameFrom(to) &^ occupied; from != 0; from &= from - 1 {
				s := bits.TrailingZeros64(from)
				w.unmoves(c, was, s, to, p.to[s&63]>>to&1 != 0, wordMove{uint8(s), uint8(to), p.man, man, p.change}, out)
			}
		}
	}
}

// cameFrom returns the squares from which a man may have come to a square, whatever stands between.
func (m *wordMan) cameFrom(to int) uint64 {
	return (m.captureFrom[to&63] | m.quietFrom[to&63]) & m.stands
}

// unmoves adds the positions before a move, with and without a capture.
func (w *wordBoard) unmoves(c *wordBlock, m *wordMan, from, to int, allowed bool, move wordMove, out *games.Predecessors) {
	t := w.t
	if !allowed {
		return
	}
	clear := t.between[from<<6|to]&w.occupied() == 0
	if m.quietFrom[to&63]>>from&1 != 0 && (clear || m.quiet.leaps[from&63]>>to&1 != 0) {
		w.unmove(c, move, -1, out)
	}
	if !t.x.held || m.captureFrom[to&63]>>from&1 == 0 || !clear && m.capture.leaps[from&63]>>to&1 == 0 {
		return
	}
	us := int(w.turn)
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

// undrop adds the position before a man was dropped on a square.
func (w *wordBoard) undrop(c *wordBlock, to int, out *games.Predecessors) {
	t := w.t
	man := w.cells[to&63]
	k := int(man & (maxWordMen - 1))
	if k >= len(t.x.kinds) || !t.x.rules.drops || t.drops[1-w.turn][k]>>to&1 == 0 {
		return
	}
	if w.pawnDropMate(to, k) {
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
	s := wordStep{move: m, captured: captured, before: w.cells[m.to&63]}
	s.add(w, m.now, m.to)
	kind := int(m.now & (maxWordMen - 1))
	if m.from != noSquare {
		s.add(w, m.man, m.from)
		w.cells[m.from&63] = m.man
	} else {
		w.hands[side][kind]++
	}
	base := 0
	if captured >= 0 {
		man := us*maxWordMen + uint8(captured)
		s.add(w, man, m.to)
		w.cells[m.to&63] = man
		base = w.t.men[man&63].base
		w.hands[side][base]--
	}
	w.turn = side
	if w.unfinished(&m, captured >= 0) {
		if index, ok := w.index(before, &s); ok {
			out.Indices = append(out.Indices, index)
		}
	}
	w.turn = us
	for _, p := range s.pieces[:s.n] {
		w.toggle(p)
	}
	w.cells[m.to&63] = s.before
	if captured >= 0 {
		w.hands[side][base]++
	}
	if m.from == noSquare {
		w.hands[side][kind]--
	}
}

// unfinished reports whether the board before a move can be, is not finished, and has the move.
func (w *wordBoard) unfinished(m *wordMove, captures bool) bool {
	side := int(w.turn & 1)
	if w.checked(1-side) || w.ended(true) != noResult {
		return false
	}
	if m.from == noSquare && w.doubled(side, int(m.now&(maxWordMen-1)))>>m.to&1 != 0 {
		return false
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
