package retro

import (
	"fmt"

	"github.com/yomikiri/yomikiri/games"
)

// expandReached is the forward pass. It expands reached positions and sends a message
// for each successor. In a game of one tier it also counts the successors.
func (w *worker) expandReached() bool {
	for ; w.cursor < len(w.own); w.cursor, w.word = w.cursor+1, 0 {
		p := w.own[w.cursor]
		if p.unexpanded == 0 {
			continue
		}
		w.slots, w.word = p.unexpandedSlots(w.slots[:0], chunk, w.word)
		if len(w.slots) == 0 {
			continue
		}
		w.expand(p)
		if w.e.single() {
			w.checkGains(w.e.universe.Tiers[p.tier])
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
	// The next sweep begins when all messages on the way are applied: the more a
	// sweep finds, the cheaper it is per position.
	w.cursor = 0
	return false
}

// countSuccessors initialises a position of a game of one tier, where all values are
// known but those of unfinished positions.
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
		// Without gains the best move leads to the worst position. Finished ones come
		// in no order, so there is no branch: less 1, Unfinished is the largest key.
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

// expand expands the slots in w.slots.
func (w *worker) expand(p *partition) {
	w.indices = w.indices[:0]
	for _, slot := range w.slots {
		w.indices = append(w.indices, p.index(p.number, slot))
	}
	w.e.universe.Expander.Expand(w.indices, &w.expansion)
}

// initialiseTier initialises positions of the tier being solved: all of them, or
// those that are reached.
func (w *worker) initialiseTier() bool {
	if !w.e.someOnDisk {
		return w.inquiry.room() && w.initialiseChunk()
	}
	for len(w.pending) < roundSize && w.initialiseChunk() {
	}
	if len(w.pending) == 0 {
		return false
	}
	if err := w.answerRequests(); err != nil {
		w.e.fail(err)
	}
	return true
}

// initialiseChunk expands some slots. It initialises them, or appends them to pending
// where values on disk are needed.
func (w *worker) initialiseChunk() bool {
	for ; w.cursor < len(w.own); w.cursor++ {
		p := w.own[w.cursor]
		if p.tier != w.e.tier {
			continue
		}
		w.slots = w.slots[:0]
		for n := p.slots(); p.initialised < n && len(w.slots) < chunk; p.initialised++ {
			slot := uint32(p.initialised)
			if w.e.known(p, slot) {
				w.slots = append(w.slots, slot)
			}
		}
		if len(w.slots) == 0 {
			continue
		}
		w.expand(p)
		w.lookUp(p)
		for i, slot := range w.slots {
			switch status := w.expansion.Status[i]; status {
			case games.Hole:
			case games.Unfinished:
				n := w.summaryOf(i)
				switch {
				case w.e.someOnDisk:
					w.pending = append(w.pending, pending{p, slot, n})
				case w.inquiry.asked > 0:
					w.putAside(pending{p, slot, n})
				default:
					w.initialise(p, slot, &n)
				}
			default:
				if w.e.cfg.Positions == All {
					w.tally[p.tier].finished[w.outcomeNumber(status)]++
				}
			}
		}
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
	if count > 255 {
		w.e.fail(fmt.Errorf("%s has a count of %d, the maximum is 255", w.name(p, slot), count))
		return
	}
	p.count[slot] = uint8(count)
	if !later {
		p.setCode(slot, codeDraw)
	} else if number := w.deferred[uint16(n.best)]; number != 0 {
		p.deferUpdate(number, slot)
	} else {
		number = w.e.deferredNumber(n.best)
		w.deferred[uint16(n.best)] = number
		p.deferUpdate(number, slot)
	}
	w.tally[p.tier].open++
}

// name names the position in a slot of a partition.
func (w *worker) name(p *partition, slot uint32) string {
	return w.e.universe.PositionName(p.index(p.number, slot))
}

// retractLost sends a win message to each predecessor of the positions lost at this
// level.
func (w *worker) retractLost() bool {
	return w.retract(func(p *partition) *[]uint32 { return &p.now.lost })
}

// retractWon sends a decrement message to each predecessor of the positions won at
// this level.
func (w *worker) retractWon() bool {
	return w.retract(func(p *partition) *[]uint32 { return &p.now.won })
}

func (w *worker) retract(list func(*partition) *[]uint32) bool {
	for ; w.cursor < len(w.own); w.cursor++ {
		p := w.own[w.cursor]
		slots := list(p)
		rest := max(len(*slots)-chunk, 0)
		if len(*slots) == 0 {
			continue
		}
		if w.word <= w.cursor {
			// Neighbours have similar predecessors, so ascending order is faster.
			w.sort(*slots)
			w.word = w.cursor + 1
		}
		w.indices = w.indices[:0]
		for _, slot := range (*slots)[rest:] {
			w.indices = append(w.indices, p.index(p.number, slot))
		}
		// A checkpoint keeps what is left in the frontier.
		*slots = (*slots)[:rest]
		w.e.retractor.Retract(w.indices, &w.before)
		w.sendPredecessors(p.region, w.before.Indices)
		w.counters.positions.Add(uint64(len(w.indices)))
		w.counters.moves.Add(uint64(len(w.before.Indices)))
		return true
	}
	return false
}
