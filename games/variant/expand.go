package variant

import (
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

var (
	_ games.Expander  = (*Tables)(nil)
	_ games.Counter   = (*Tables)(nil)
	_ games.Retractor = (*Tables)(nil)
)

// expanding is the memory of an Expand.
type expanding struct {
	block          *block
	board, next    board
	moves, replies []Move
	words          wordBoard
}

// Expand implements [games.Expander].
func (x *Tables) Expand(indices []uint64, out *games.Expansion) { x.expandAll(indices, false, out) }

// Count implements [games.Counter].
func (x *Tables) Count(indices []uint64, out *games.Expansion) { x.expandAll(indices, true, out) }

// expandAll expands positions; if it is counting, it leaves out some of their successors.
func (x *Tables) expandAll(indices []uint64, counting bool, out *games.Expansion) {
	out.Reset()
	w, _ := x.expandings.Get().(*expanding)
	if w == nil {
		w = &expanding{words: wordBoard{t: x.words()}}
	}
	for _, index := range indices {
		var status games.Value
		counted := 0
		if w.block = x.blockOf(index, w.block); w.block != nil && w.block.word != nil {
			status, counted = w.words.expand(w.block.word, index, counting, out)
		} else {
			status = x.expand(w, index, out)
		}
		if counting {
			out.Counted = append(out.Counted, counted)
		}
		out.Status = append(out.Status, status)
		out.End = append(out.End, len(out.Successors))
	}
	x.expandings.Put(w)
}

// expand adds the successors of a position in a block, and returns its status.
func (x *Tables) expand(w *expanding, index uint64, out *games.Expansion) (status games.Value) {
	if !w.block.decode(x, index, &w.board) {
		return games.Hole
	}
	if status, w.moves = w.board.outcome(w.moves[:0]); status != games.Unfinished {
		return status
	}
	out.Moves += len(w.moves)
	begin := len(out.Successors)
	for _, m := range w.moves {
		w.next.set(&w.board)
		w.next.apply(m)
		x.successor(w, m, begin, out)
	}
	return status
}

// outcome returns the value of a board that is finished, or [games.Unfinished] and its legal moves.
func (b *board) outcome(dst []Move) (games.Value, []Move) {
	if v := b.ended(); v != noResult {
		return v.value(), dst
	}
	if dst = b.legalMoves(dst); len(dst) == 0 {
		return b.stuck().value(), dst
	}
	return games.Unfinished, dst
}

// successor adds the position after a move to those of a position.
func (x *Tables) successor(w *expanding, m Move, begin int, out *games.Expansion) {
	b, next := &w.board, &w.next
	var index uint64
	var err error
	if m.kind == normal && !b.captures(m) && next.passing.empty() && x.plainMoves {
		index, err = x.indexOf(w.block.after, next, x.swap(next))
	} else {
		index, err = x.index(next)
	}
	if err != nil {
		panic(fmt.Sprintf("%s: move %s in %s leads to a position without an index: %v",
			x.name, x.AppendMove(nil, b.Position, m), x.AppendPosition(nil, b.Position), err))
	}
	outcome := games.Unfinished
	if v := next.ended(); v != noResult {
		outcome = v.value()
	} else if !next.canMove(&w.replies) {
		outcome = next.stuck().value()
	}
	if s := games.NewSuccessor(index, outcome); !slices.Contains(out.Successors[begin:], s) {
		out.Successors = append(out.Successors, s)
	}
}

// retracting is the memory of a Retract.
type retracting struct {
	block         *block
	board, before board
	king          int  // the square of the king of the side to move, -1 for none
	checked       bool // it is attacked
	moves         []Move
	words         wordBoard
}

// Retract implements [games.Retractor]. Captures and promotions come from other tiers, so unmoves are the quiet moves
// backwards: those of the side that has just moved. A position before is kept if the move is legal there, which is all
// that remains to be asked where a side may not leave its king in check.
func (x *Tables) Retract(indices []uint64, out *games.Predecessors) {
	out.Reset()
	w, _ := x.retractings.Get().(*retracting)
	if w == nil {
		w = &retracting{words: wordBoard{t: x.words()}}
	}
	for _, index := range indices {
		begin := len(out.Indices)
		if w.block = x.blockOf(index, w.block); w.block != nil && w.block.word != nil {
			if w.words.retract(w.block.word, index, out); !x.held && !w.block.word.repeats(w.words.royal(int(w.words.turn))) {
				continue
			}
		} else {
			x.retractOne(w, index, out)
		}
		// Moves that differ may come from one position, or from positions that are symmetric.
		slices.Sort(out.Indices[begin:])
		out.Indices = out.Indices[:begin+len(slices.Compact(out.Indices[begin:]))]
	}
	x.retractings.Put(w)
}

// retractOne adds the predecessors of a position of a block.
func (x *Tables) retractOne(w *retracting, index uint64, out *games.Predecessors) {
	if !w.block.decode(x, index, &w.board) {
		return
	}
	w.king = w.board.royal(int(w.board.turn))
	w.checked = w.king >= 0 && w.board.checked(int(w.board.turn))
	if x.held {
		x.retractHeld(w, out)
	} else {
		x.retract(w, out) // those of the board with sides exchanged have the same indices
	}
}

func (x *Tables) retract(w *retracting, out *games.Predecessors) {
	g := x.core
	b := &w.board
	them := 1 - int(b.turn) // the side that has moved
	occupied := b.occupied()
	if !b.passing.empty() {
		for _, s := range x.steps[them] {
			if s.to == int(b.passed) && b.passing.without(s.passed).empty() {
				x.unmove(w, s.kind, s.to, s.from, out)
			}
		}
		return
	}
	for k := range g.kinds {
		for men := b.of(them, k); !men.empty(); {
			to := men.pop()
			empties := x.cameFrom(k, them, to, occupied)
			for !empties.empty() {
				x.unmove(w, k, to, empties.pop(), out)
			}
		}
	}
}

// cameFrom returns the empty squares from which a piece may have moved quietly to a square.
func (x *Tables) cameFrom(k, side, to int, occupied set) (from set) {
	g := x.core
	kk := &g.kinds[k]
	candidates := x.stands[side][k].without(occupied).and(x.quiets[side][k][to])
	occupied.remove(to)
	initial := kk.motion[side][initial].leaps != nil || len(kk.motion[side][initial].slides)+len(kk.motion[side][initial].lames) > 0
	if kk.quietLeaps && k != g.pawnIx && !initial {
		return candidates
	}
	for !candidates.empty() {
		if s := candidates.pop(); x.movesQuietly(k, side, s, to, occupied, initial) {
			from.add(s)
		}
	}
	return from
}

// movesQuietly reports whether a piece moves to an empty square that its kind may reach, past what is occupied.
func (x *Tables) movesQuietly(k, side, from, to int, occupied set, first bool) bool {
	g := x.core
	kk := &g.kinds[k]
	m := &kk.motion[side][quiet]
	switch {
	case k == g.pawnIx:
		return x.pawnStep(side, from, to, occupied)
	case kk.quietStraight && !first:
		return m.leaps != nil && m.leaps[from].has(to) || !g.between[from*g.squares+to].meets(occupied)
	}
	t := g.targets(m, from, occupied)
	if g.doubleStep[side].has(from) {
		t = t.or(g.targets(&kk.motion[side][initial], from, occupied))
	}
	return t.and(kk.mobility[side]).has(to)
}

// pawnStep reports whether a pawn steps from a square to another over empty squares.
func (x *Tables) pawnStep(side, from, to int, occupied set) bool {
	g := x.core
	at := from
	for n := 1; n <= 3; n++ {
		if at = g.at(at, side, step{1, 0}); at < 0 || occupied.has(at) {
			return false
		}
		if at == to {
			return n == 1 || n == 2 && g.doubleStep[side].has(from) || n == 3 && g.tripleStep[side].has(from)
		}
	}
	return false
}

// unmove adds the positions from which a quiet move leads to the board: with and without a capture in passing that the side
// did not make.
func (x *Tables) unmove(w *retracting, k, to, from int, out *games.Predecessors) {
	b, before := &w.board, &w.before
	side := 1 - int(b.turn)
	before.set(b)
	before.turn = uint8(side)
	before.passing, before.passed = set{}, noSquare
	before.put(from, side, before.clear(to))
	if x.attacksBefore(w, k, to, from) {
		return
	}
	m := newMove(normal, from, to)
	if x.rules.mandatoryPromotion && x.core.kinds[k].promoted >= 0 { // may it stay what it is?
		l := list{before, w.moves[:0]}
		l.pieceMoves(k, from)
		if w.moves = l.moves; !slices.Contains(l.moves, m) {
			return
		}
	}
	x.keepUnmove(w, m, out)
	for _, s := range x.steps[1-side] {
		if !before.of(1-side, s.kind).has(s.to) || before.occupied().has(s.from) || before.occupied().meets(s.passed) {
			continue
		}
		before.passing, before.passed = s.passed, uint8(s.to)
		if before.forgetPassing(); !before.passing.empty() {
			x.keepUnmove(w, m, out)
		}
	}
}

// attacksBefore reports whether the side that has moved could have captured a king instead. The king is attacked as it is now
// but by the piece that has moved, unless that stands or stood where others attack or hop over it.
func (x *Tables) attacksBefore(w *retracting, k, to, from int) bool {
	g, b := x.core, &w.before
	side := int(b.turn)
	switch {
	case w.king < 0:
		return false
	case w.checked || !g.looseMoves || g.paths[w.king].has(to) || g.screens && g.paths[w.king].has(from):
		return b.checked(1 - side)
	}
	return g.kinds[k].reach[side][w.king].has(from) && b.reaches(k, side, from, w.king, b.occupied())
}

// keepUnmove adds the position before if it is not finished, and the move is legal in it and leads to the board.
func (x *Tables) keepUnmove(w *retracting, m Move, out *games.Predecessors) {
	before := &w.before
	if before.ended() != noResult || (x.rules.pseudoRoyal || !x.rules.checking) && before.exposed() {
		return
	}
	switch {
	case x.rules.mustCapture && x.looseMoves && x.king < 0 && before.passing.empty():
		if before.someCapture(before.sides[before.turn]) {
			return
		}
	case x.rules.mustCapture:
		if w.moves = before.legalMoves(w.moves[:0]); !slices.Contains(w.moves, m) {
			return
		}
	case x.looseMoves && !x.rules.makpong && !x.rules.flyingGeneral: // the king of the side that moves is safe on the board
	case !before.legal(m):
		return
	}
	if x.allowsCapture(before, &w.board, m) {
		return
	}
	var index uint64
	var err error
	if before.passing.empty() && w.board.passing.empty() {
		index, err = x.indexOf(w.block.after, before, x.swap(before))
	} else {
		index, err = x.index(before)
	}
	if err == nil {
		out.Indices = append(out.Indices, index)
	}
}

// allowsCapture reports whether a move leads to a capture in passing that the board after it does not have, or the other
// way round.
func (x *Tables) allowsCapture(before, after *board, m Move) bool {
	if m.kind == drop {
		return !after.passing.empty()
	}
	from, k := int(m.from), before.kind(int(m.from))
	side := int(before.turn)
	if !x.doubleStep[side].has(from) && !x.tripleStep[side].has(from) || k != x.pawnIx && len(x.steps[side]) == 0 {
		return !after.passing.empty()
	}
	next := *before
	next.apply(m)
	return next.passing != after.passing
}

// retractHeld is retract for games in which captures fill the hands: moves of all kinds stay in the tier. Each man of the side
// that has moved was dropped where it stands, or came from elsewhere, where it may have been promoted, and may have captured
// what is in the hand now. The moves of the piece before tell which of these are moves.
func (x *Tables) retractHeld(w *retracting, out *games.Predecessors) {
	g, b := x.core, &w.board
	us := int(b.turn)
	side := 1 - us
	occupied := b.occupied()
	for men := b.sides[side]; !men.empty(); {
		to := men.pop()
		now := g.men[int(b.cells[to]-firstMan)>>1]
		x.undrop(w, now, to, out)
		for _, was := range []man{now, {now.origin, -1}} {
			if was.kind < 0 {
				continue
			}
			for from := x.comes[side][was.kind][to].without(occupied); !from.empty(); {
				m := newMove(normal, from.pop(), to)
				if was != now {
					if m.kind = piecePromotion; g.kinds[was.kind].promoted != now.kind {
						m.kind, m.piece = promotion, uint8(now.kind)
					}
				}
				x.unmoveHeld(w, was, m, -1, -1, out)
				for k, n := range b.hands[side][:len(g.kinds)] {
					if n == 0 {
						continue
					}
					for _, captured := range x.shapes[k] {
						x.unmoveHeld(w, was, m, k, captured, out)
					}
				}
			}
		}
	}
}

// undrop adds the position before a man was dropped, if it can have been.
func (x *Tables) undrop(w *retracting, now man, to int, out *games.Predecessors) {
	g := x.core
	side := 1 - int(w.board.turn)
	k := now.kind
	if now.origin >= 0 {
		if k = now.origin; !g.rules.dropPromoted || g.kinds[k].promoted != now.kind {
			return
		}
	}
	if !g.rules.drops {
		return
	}
	before := &w.before
	before.set(&w.board)
	before.turn = uint8(side)
	before.clear(to)
	before.hands[side][k]++
	m := newMove(drop, noSquare, to)
	m.hand, m.piece = uint8(k), uint8(now.kind)
	if before.dropSquares(side, int(k)).has(to) {
		x.keepHeld(w, m, out)
	}
}

// unmoveHeld adds the position before a move of a man that captured a man of a kind, or nothing if that is negative.
func (x *Tables) unmoveHeld(w *retracting, was man, m Move, k, captured int, out *games.Predecessors) {
	g := x.core
	us := int(w.board.turn)
	side := 1 - us
	before := &w.before
	from, to := int(m.from), int(m.to)
	if captured >= 0 && !x.stands[us][g.men[captured].kind].has(to) {
		return
	}
	before.set(&w.board)
	before.turn = uint8(side)
	before.passing, before.passed = set{}, noSquare
	before.clear(to)
	before.put(from, side, was)
	if captured >= 0 {
		before.hands[side][k]--
		before.put(to, us, g.men[captured])
	}
	l := list{before, w.moves[:0]}
	if int(was.kind) == g.pawnIx {
		l.pawnMoves()
	} else {
		l.pieceMoves(int(was.kind), from)
	}
	w.moves = l.moves
	if slices.Contains(l.moves, m) {
		x.keepHeld(w, m, out)
	}
}

// keepHeld adds the position before if it can be, is not finished, and the move is legal in it and leads to the board.
func (x *Tables) keepHeld(w *retracting, m Move, out *games.Predecessors) {
	before := &w.before
	if before.exposed() || before.ended() != noResult || !before.legal(m) || x.allowsCapture(before, &w.board, m) {
		return
	}
	if x.rules.mustCapture || x.rules.mustDrop || x.rules.makpong {
		if w.moves = before.legalMoves(w.moves[:0]); !slices.Contains(w.moves, m) {
			return
		}
	}
	if index, err := x.index(before); err == nil {
		out.Indices = append(out.Indices, index)
	}
}
