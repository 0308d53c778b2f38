package retro

import (
	"fmt"

	"github.com/yomikiri/yomikiri/games"
)

// expandReached is the forward pass: it expands positions that are reached,
// tells the owners of their successors, and, where the game has one tier only,
// counts these at once.
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
		for i, slot := range w.slots {
			if status := w.expansion.Status[i]; status != games.Unfinished {
				w.e.fail(fmt.Errorf("retro: position %d (%v) is not finished in the eyes of a position before it; the game's Expander is wrong",
					w.indices[i], status))
			}
			w.tellReached(p, slot, i)
		}
		w.counters.positions.Add(uint64(len(w.slots)))
		w.counters.moves.Add(uint64(w.expansion.Moves))
		if w.e.single() {
			w.tally[p.tier].moves += uint64(w.expansion.Moves)
		}
		return true
	}
	// The sweep is over. The next one begins when all messages under way are
	// applied: sweeps are the better the more they find.
	w.cursor = 0
	return false
}

// tellReached tells the owners of a position's successors that they are reached,
// and counts these where the game has one tier only.
func (w *worker) tellReached(p *partition, slot uint32, i int) {
	n := noNews()
	r := p.region
	single := w.e.single()
	gains := w.expansion.GainsOf(i)
	for j, s := range w.expansion.Of(i) {
		v := s.Outcome()
		if single {
			n.add(v, w.gain(p, slot, gains, j, v))
		}
		class := uint32(0)
		if v != games.Unfinished {
			class = w.outcomeNumber(v)
		}
		r = w.e.layout.find(s.Index(), r)
		w.send(r, s.Index(), class)
	}
	if single {
		w.initialise(p, slot, &n)
	}
}

// expand expands the slots in w.slots.
func (w *worker) expand(p *partition) {
	w.indices = w.indices[:0]
	for _, slot := range w.slots {
		w.indices = append(w.indices, p.index(p.number, slot))
	}
	w.e.universe.Expander.Expand(w.indices, &w.expansion)
}

// initialiseTier goes over the slots of the tier being solved: all of them, or
// those that are reached.
func (w *worker) initialiseTier() bool {
	if !w.e.someOnDisk {
		return w.initialiseChunk()
	}
	for len(w.waiting) < roundSize && w.initialiseChunk() {
	}
	if len(w.waiting) == 0 {
		return false
	}
	if err := w.answerRequests(); err != nil {
		w.e.fail(err)
	}
	return true
}

// initialiseChunk expands some slots and, where all that can be known of them is
// in memory, initialises them.
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
		w.look(p)
		for i, slot := range w.slots {
			switch status := w.expansion.Status[i]; status {
			case games.Hole:
			case games.Unfinished:
				n := w.newsOf(p, slot, i)
				if w.e.someOnDisk {
					w.waiting = append(w.waiting, waiting{p, slot, n})
				} else {
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

// gain returns the gain of the j-th move of a position, which leads to one of
// value v.
func (w *worker) gain(p *partition, slot uint32, gains []int16, j int, v games.Value) int16 {
	if len(gains) == 0 {
		return 0
	}
	if v == games.Unfinished && gains[j] != 0 {
		w.e.fail(fmt.Errorf("retro: a move of position %d gains %d and stays in the tier; where values are scores it must lead to an earlier tier",
			p.index(p.number, slot), gains[j]))
	}
	return gains[j]
}

// initialise makes an unfinished position wait for what is not known of it.
func (w *worker) initialise(p *partition, slot uint32, n *news) {
	if n.unknown == 0 && n.best == games.Unfinished {
		w.e.fail(fmt.Errorf("retro: position %d is unfinished and has no move", p.index(p.number, slot)))
		return
	}
	count, hold := n.count()
	if count > 255 {
		w.e.fail(fmt.Errorf("retro: position %d has a count of %d, at most 255 can be kept", p.index(p.number, slot), count))
		return
	}
	p.count[slot] = uint8(count)
	p.setCode(slot, codeDraw)
	if hold {
		p.hold(n.best, slot)
	}
	w.tally[p.tier].open++
}

// retractLost tells the predecessors of positions lost at this level that they
// are won.
func (w *worker) retractLost() bool {
	return w.retract(func(p *partition) *[]uint32 { return &p.now.lost })
}

// retractWon tells the predecessors of positions won at this level that one move
// more is known to lose.
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
			// Neighbours have much in common, so ascending slots are quicker.
			w.sort(*slots)
			w.word = w.cursor + 1
		}
		w.indices = w.indices[:0]
		for _, slot := range (*slots)[rest:] {
			w.indices = append(w.indices, p.index(p.number, slot))
		}
		// What is left is what a checkpoint would have to keep.
		*slots = (*slots)[:rest]
		w.e.retractor.Retract(w.indices, &w.before)
		for _, index := range w.before.Indices {
			w.send(p.region, index, 0)
		}
		w.counters.positions.Add(uint64(len(w.indices)))
		w.counters.moves.Add(uint64(len(w.before.Indices)))
		return true
	}
	return false
}
