package engine

import (
	"context"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// Where a game has a Settler, a tier is solved in one pass without messages: the results of its positions depend only on
// those of the tier before, of which a bit each is in memory. Each worker settles blocks of its partitions, and writes their
// codes and bits. No two blocks share a word of bits.

// lostBits has a bit for each index of a tier, set if the side to move has lost there or is going to.
type lostBits struct {
	tier int // -1 for none
	bits []uint64
}

// settles reports whether a solve without peers uses the game's Settler.
func settles(u *games.Universe, cfg Config) bool {
	return u.Settler != nil && u.Order == games.ByResult && cfg.Positions == All
}

func (e *Engine) settles() bool {
	_, single := e.peers.(alone)
	return single && settles(e.universe, e.cfg)
}

// settle solves a tier by the game's Settler.
func (e *Engine) settle(ctx context.Context) error {
	e.tier = e.state.Tier
	if err := e.makeRoom(); err != nil {
		return err
	}
	if err := e.usePartitions(); err != nil {
		return err
	}
	if e.tier > 0 && (e.lost.bits == nil || e.lost.tier != e.tier-1) {
		if err := e.readLost(ctx, e.tier-1, &e.lost); err != nil {
			return err
		}
	}
	// A tier that was interrupted has codes for some blocks already.
	var own lostBits
	if err := e.readLost(ctx, e.tier, &own); err != nil {
		return err
	}
	for _, p := range e.held {
		if p.tier == e.tier && p.open && !p.hasCodes() {
			p.allocateCodes(false)
		}
	}
	var codes [games.Verdicts]uint16
	codes[games.ToLose], codes[games.ToWin] = e.code(games.Lost.Value()), e.code(games.Won.Value())
	e.enter("initialise", 0, e.universe.Tiers[e.tier].Size, e.passed("initialise"))
	for _, w := range e.workers {
		w.useOutboxes()
	}
	// There are no messages.
	if err := e.phase(ctx, kindAsk, nothing, func(w *worker) bool { return w.settleBlock(own.bits, &codes) }); err != nil {
		return err
	}
	e.lost = own
	e.dropUnused()
	return e.endTier()
}

// settleBlock settles a block of db.BlockSize positions, and returns false if there is none left.
func (w *worker) settleBlock(own []uint64, codes *[games.Verdicts]uint16) bool {
	for ; w.cursor < len(w.current); w.cursor++ {
		p := w.current[w.cursor]
		for p.open && p.initialised < p.slots() {
			slot := uint32(p.initialised)
			p.initialised += db.BlockSize
			first := p.index(p.number, slot)
			if first < p.start+p.size {
				n := int(min(db.BlockSize, p.start+p.size-first))
				w.e.universe.Settler.Settle(first, n, w.e.lost.bits, &w.settled)
				w.keepSettled(p, slot, own[(first-p.start)/64:], codes)
				return true
			}
		}
	}
	return false
}

// keepSettled stores what a Settler has said of a block, which begins at a slot and has bits.
func (w *worker) keepSettled(p *partition, slot uint32, bits []uint64, codes *[games.Verdicts]uint16) {
	var count [games.Verdicts]uint64
	for i, v := range w.settled.Verdicts {
		count[v]++
		p.narrow[int(slot)+i] = uint8(codes[v])
		lost := uint64(0)
		if v == games.ToLose || v == games.OverLost {
			lost = 1
		}
		bits[i/64] |= lost << (i % 64)
	}
	t := &w.tally[p.tier]
	for v, outcome := range map[games.Verdict]games.Result{games.OverLost: games.Lost, games.OverWon: games.Won} {
		if count[v] > 0 {
			t.finished[w.outcomeNumber(outcome.Value())] += count[v]
		}
	}
	for _, v := range []games.Verdict{games.ToLose, games.ToWin} {
		if count[v] > 0 {
			w.tallySettled(p.tier, codes[v], count[v])
		}
	}
	t.open += count[games.ToLose] + count[games.ToWin]
	t.moves += w.settled.Moves
	w.counters.positions.Add(uint64(len(w.settled.Verdicts)))
	w.counters.moves.Add(w.settled.Moves)
}

// readLost finds the bits of a tier from its codes, as far as it has any: those of positions without a code by the rules.
func (e *Engine) readLost(ctx context.Context, tier int, lost *lostBits) error {
	t := e.universe.Tiers[tier]
	*lost = lostBits{tier, make([]uint64, (t.Open+63)/64)}
	r := e.layout.openOf(tier)
	if r == nil {
		return nil
	}
	const isLost = 1
	table := e.codeTable([]games.Value{games.Lost.Value(), games.Won.Value()})
	codes := make([]byte, db.BlockSize)
	var over []uint64
	var x games.Expansion
	for at := uint64(0); at < t.Open; at += db.BlockSize {
		if ctx.Err() != nil {
			return ErrStopped
		}
		number, slot := r.locate(t.Start + at)
		codes = codes[:min(db.BlockSize, t.Open-at)]
		if f := e.files[tier]; f != nil {
			if err := f.block(at/db.BlockSize, table, 1, codes); err != nil {
				return err
			}
		} else if p := e.partitions[number]; p.hasCodes() && (tier < e.tier || uint64(slot) < p.initialised) {
			p.block(slot, table, 1, codes)
		} else {
			continue
		}
		over = over[:0]
		for i, c := range codes {
			switch c {
			case isLost:
				lost.bits[(at+uint64(i))/64] |= 1 << (i % 64)
			case codeNone:
				over = append(over, t.Start+at+uint64(i))
			}
		}
		e.universe.Expander.Expand(over, &x)
		for i, index := range over {
			if v := x.Status[i]; v != games.Hole && v.Result() == games.Lost {
				lost.bits[(index-t.Start)/64] |= 1 << ((index - t.Start) % 64)
			}
		}
	}
	return nil
}
