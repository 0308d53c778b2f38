package engine

import (
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// expandReached is the forward pass. It expands reached positions and sends a message
// for each successor. In a game of one tier it also counts the successors.
func (w *worker) expandReached() bool {
	for ; w.cursor < len(w.current); w.cursor, w.word = w.cursor+1, 0 {
		p := w.current[w.cursor]
		if p.unexpanded == 0 {
			continue
		}
		p.store.open(w, p)
		p.store.needBits(w, p)
		w.slots, w.word = p.unexpandedSlots(w.slots[:0], chunk, w.word)
		if len(w.slots) == 0 {
			continue
		}
		w.list(p)
		w.e.universe.Expander.Expand(w.indices, &w.expansion)
		if w.e.single() {
			w.checkGains(w.e.universe.Tiers[p.tier])
			p.store.needSlots(w, p, w.slots)
		}
		for i, slot := range w.slots {
			if status := w.expansion.Status[i]; status != games.Unfinished {
				w.e.fail(fmt.Errorf("bug in the Expander: %s is finished (%v), but the expansion of a predecessor reports it as unfinished",
					w.e.universe.PositionName(w.indices[i]), status))
			}
			if w.e.single() {
				w.countSuccessors(p, slot, i)
			}
		}
		w.sendSuccessors(p.region, w.expansion.Successors)
		w.counters.positions.Add(uint64(len(w.slots)))
		w.counters.moves.Add(uint64(w.expansion.Moves))
		if w.e.single() {
			w.tally[p.tier].moves += uint64(w.expansion.Moves)
		}
		return true
	}
	// The next sweep begins when all messages in flight have been applied: the more a sweep
	// finds, the cheaper it is per position.
	w.cursor = 0
	return false
}

// countSuccessors initialises a position of a game with one tier, where only the values of
// unfinished positions are unknown.
func (w *worker) countSuccessors(p *partition, slot uint32, i int) {
	n := newSummary()
	if gains := w.expansion.GainsOf(i); len(gains) > 0 {
		for j, s := range w.expansion.Of(i) {
			v := s.Outcome()
			if v != games.Unfinished {
				v = v.Backup(int(gains[j]))
			}
			n.add(v)
		}
	} else {
		// Without gains the best move leads to the position that is worst for its own side
		// to move. Finished and unfinished ones come in unpredictable order, so avoid a
		// branch: with 1 subtracted, Unfinished has the largest key.
		const none = ^uint16(0)
		worst := none
		for _, s := range w.expansion.Of(i) {
			v, unknown := s.Outcome(), 0
			if v == games.Unfinished {
				unknown = 1
			}
			n.unknown += unknown
			worst = min(worst, uint16(v-games.Unfinished)-1)
		}
		if worst != none {
			n.add((games.Value(worst+1) + games.Unfinished).Backup(0))
		}
	}
	w.initialise(p, slot, &n)
}

// list lists the indices of the slots in w.slots.
func (w *worker) list(p *partition) {
	w.indices = w.indices[:0]
	for _, slot := range w.slots {
		w.indices = append(w.indices, p.index(p.number, slot))
	}
}

// initialiseTier initialises positions of the tier being solved: all of them, or
// those that are reached.
func (w *worker) initialiseTier() bool {
	if w.e.someOnDisk && w.requested >= w.e.plan.requests {
		w.sumUp()
	}
	return w.asking.missing < mostAsked && w.initialiseChunk()
}

// initialiseChunk expands some slots, and initialises them or remembers their summaries.
func (w *worker) initialiseChunk() bool {
	for ; w.cursor < len(w.current); w.cursor++ {
		p := w.current[w.cursor]
		w.slots = w.slots[:0]
		p.store.open(w, p)
		if w.e.cfg.Positions == Reachable {
			p.store.needBits(w, p)
		}
		for n := p.slots(); p.initialised < n && len(w.slots) < chunk; p.initialised++ {
			slot := uint32(p.initialised)
			if w.e.selected(p, slot) {
				w.slots = append(w.slots, slot)
			}
		}
		if len(w.slots) == 0 {
			continue
		}
		p.store.needSlots(w, p, w.slots)
		w.list(p)
		games.Count(w.e.universe.Expander, w.indices, &w.expansion)
		w.lookUp(p)
		onDisk := p.store.onDisk()
		w.missing = w.missing[:0]
		for i, slot := range w.slots {
			switch status := w.expansion.Status[i]; status {
			case games.Hole:
			case games.Unfinished:
				n, missing := w.summaryOf(p, slot, i)
				if missing || onDisk && n != newSummary() {
					w.remember(p, slot, &n)
				} else {
					w.initialise(p, slot, &n)
				}
			default:
				if w.e.cfg.Positions == All {
					w.tally[p.tier].finished[w.outcomeNumber(status)]++
				}
			}
		}
		p.store.remember(p, w.missing)
		w.counters.positions.Add(uint64(len(w.slots)))
		w.counters.moves.Add(uint64(w.expansion.Moves))
		w.tally[p.tier].moves += uint64(w.expansion.Moves)
		return true
	}
	return false
}

// initialise sets the count of an unfinished position and defers its best known
// value.
func (w *worker) initialise(p *partition, slot uint32, n *summary) {
	if n.unknown == 0 && n.best == games.Unfinished {
		w.e.fail(fmt.Errorf("%s is unfinished and has no move", w.name(p, slot)))
		return
	}
	count, later := n.count()
	if !w.countFits(p, slot, count) {
		return
	}
	number := uint16(codeDraw)
	if later {
		number = w.number(n.best)
		p.deferUpdate(number)
		if n.best > games.Draw {
			count = endless
		}
	}
	p.unsettle(slot, count, number, w.e.codes())
	w.tally[p.tier].open++
}

// countFits reports whether a count fits in a byte. If not, the solve fails.
func (w *worker) countFits(p *partition, slot uint32, count int) bool {
	if count > mostCount {
		w.e.fail(fmt.Errorf("%s has a count of %d, the maximum is %d", w.name(p, slot), count, mostCount))
	}
	return count <= mostCount
}

// name names the position in a slot of a partition.
func (w *worker) name(p *partition, slot uint32) string {
	return w.e.universe.PositionName(p.index(p.number, slot))
}

// retractLost sends a win message to each predecessor of the positions lost at this
// level.
func (w *worker) retractLost() bool {
	return w.retract(kindWin)
}

// retractWon sends a decrement message to each predecessor of the positions won at
// this level.
func (w *worker) retractWon() bool {
	return w.retract(kindDecrement)
}

func (w *worker) retract(kind messageKind) bool {
	for ; w.cursor < len(w.current); w.cursor++ {
		p := w.current[w.cursor]
		now := p.frontierNow(kind)
		w.pullSlots(p, now)
		if len(*now.slots) > 0 {
			w.retractFrom(p, now.slots)
			return true
		}
	}
	return false
}

// retractFrom sends messages to the predecessors of some positions in a list.
func (w *worker) retractFrom(p *partition, slots *[]uint32) {
	if w.sorted <= w.cursor {
		// Neighbours have similar predecessors, so ascending order is faster.
		w.sort(*slots)
		w.sorted = w.cursor + 1
	}
	rest := max(len(*slots)-chunk, 0)
	w.indices = w.indices[:0]
	for _, slot := range (*slots)[rest:] {
		w.indices = append(w.indices, p.index(p.number, slot))
	}
	// A checkpoint saves the rest of the frontier.
	*slots = (*slots)[:rest]
	w.e.retractor.Retract(w.indices, &w.before)
	w.sendPredecessors(p.region, w.before.Indices)
	w.counters.positions.Add(uint64(len(w.indices)))
	w.counters.moves.Add(uint64(len(w.before.Indices)))
}

// applyDeferred applies the updates that are deferred to the level.
func (w *worker) applyDeferred() {
	for _, p := range w.current {
		w.applyDeferredTo(p)
	}
	w.close()
}

// applyDeferredTo applies the updates of a partition that are deferred to the level. The
// positions that they settle join the frontier of the level.
func (w *worker) applyDeferredTo(p *partition) {
	e := w.e
	for kind, code := range e.deferredCode {
		if code == 0 {
			continue
		}
		kind := messageKind(kind)
		number := slices.Index(e.state.Deferred, e.valueAt(kind, e.state.Level)) + firstCode
		if number < firstCode || number >= len(p.deferred) || p.deferred[number] == 0 {
			continue
		}
		p.store.open(w, p)
		p.store.needAll(w, p)
		p.deferred[number] = 0
		w.slots = p.deferredSlots(w.slots[:0], uint16(number))
		p.store.needSlots(w, p, w.slots)
		if !e.byScore() {
			p.now, p.next = p.next, p.now
		}
		if kind == kindWin {
			w.win(p, w.slots, code)
		} else {
			for _, slot := range w.slots {
				p.undefer(slot, e.codes())
			}
			w.decrement(p, w.slots, code)
		}
		if !e.byScore() {
			p.now, p.next = p.next, p.now
		}
	}
}

// retractBoth sends messages to the predecessors of the positions lost at this level, and then
// of those won.
func (w *worker) retractBoth() bool {
	if w.kind == kindWin {
		if w.retractLost() {
			return true
		}
		w.change(kindDecrement)
		w.cursor, w.sorted = 0, 0
	}
	return w.retractWon()
}

// retractAll does retractBoth, and repeats it with the positions settled meanwhile.
// Messages to peers wait until a batch is full, or there is nothing else to do.
func (w *worker) retractAll() bool {
	if w.retractBoth() || w.advance(chunk) && w.retractBoth() {
		return true
	}
	w.flushTo(func(partition int) bool { return !w.e.partitions[partition].remote })
	w.applyAll()
	return w.advance(1) && w.retractBoth()
}

// advance moves the largest frontiers forward, if any has at least the given number of
// positions. The others can wait: retracting only a few positions at a time costs more for
// each.
func (w *worker) advance(least int) bool {
	size := func(p *partition) int { return len(p.next.won) + len(p.next.lost) }
	most := 0
	for _, p := range w.current {
		most = max(most, size(p))
	}
	if most < least {
		return false
	}
	for _, p := range w.current {
		if size(p) >= max(most/4, 1) {
			p.advance()
		}
	}
	w.change(kindWin)
	w.cursor, w.sorted = 0, 0
	return true
}
