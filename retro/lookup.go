package retro

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// roundSize is the number of positions initialised together where values on disk are
// needed. Each piece on disk is read at most once for them.
const roundSize = 1 << 20

// pending is a position whose successors' values still have to be read from disk.
type pending struct {
	p       *partition
	slot    uint32
	summary summary
}

// request asks for the value of a successor on disk.
type request struct {
	index   uint64
	pending uint32 // the position that needs it
	gain    int16
}

// onDisk stands for the worth of a move to a position whose value is on disk, or at another
// node.
const onDisk = games.Hole

// located is a successor that is finished, or lies in an earlier tier.
type located struct {
	move      uint32 // its number in the expansion
	slot      uint32
	partition *partition // nil if nothing is to be looked up
}

// lookUp finds what each move of the expansion is worth: Unfinished for those that stay
// in the tier being solved, onDisk for those to values not in memory.
func (w *worker) lookUp(p *partition) {
	successors := w.expansion.Successors
	w.worth = slices.Grow(w.worth[:0], len(successors))[:len(successors)]
	w.located = slices.Grow(w.located[:0], len(successors))[:len(successors)]
	worth, list := w.worth, w.located
	tier := w.e.universe.Tiers[p.tier]
	w.checkGains(tier)
	n := 0
	for i, s := range successors {
		worth[i], list[n].move = games.Unfinished, uint32(i)
		leaves := 0
		if uint64(s)-tier.Start >= tier.Open { // A finished one has an outcome above its index.
			leaves = 1
		}
		n += leaves
	}
	list = list[:n]
	// All are located before any is read, so that cache misses overlap.
	for i := range list {
		at := &list[i]
		at.partition = nil
		s := successors[at.move]
		if v := s.Outcome(); v != games.Unfinished {
			worth[at.move] = v.Backup(w.gain(at.move))
			continue
		}
		r := w.e.layout.find(s.Index(), p.region)
		if w.e.files[r.tier] != nil {
			worth[at.move] = onDisk
			continue
		}
		number, slot := r.locate(s.Index())
		if w.e.member != nil && w.e.member.elsewhere(number) {
			worth[at.move] = onDisk
			continue
		}
		at.partition, at.slot = w.e.partitions[number], slot
	}
	for i := range list {
		if at := &list[i]; at.partition != nil {
			worth[at.move] = w.e.valueOf(at.partition.code(at.slot)).Backup(w.gain(at.move))
		}
	}
}

// gain returns the gain of a move of the expansion.
func (w *worker) gain(move uint32) int {
	if len(w.expansion.Gains) == 0 {
		return 0
	}
	return int(w.expansion.Gains[move])
}

// summaryOf summarises the moves of the i-th position of the expansion, and requests the
// values on disk.
func (w *worker) summaryOf(i int) summary {
	n := newSummary()
	end := w.expansion.End[i]
	begin := end - len(w.expansion.Of(i))
	for j, v := range w.worth[begin:end] {
		if v == onDisk {
			move := begin + j
			if w.e.member != nil {
				w.ask(w.expansion.Successors[move].Index(), w.gain(uint32(move)))
				continue
			}
			w.requests = append(w.requests, request{w.expansion.Successors[move].Index(), uint32(len(w.pending)), int16(w.gain(uint32(move)))})
			continue
		}
		n.add(v)
	}
	return n
}

// checkGains checks that no move of the expansion has a gain and stays in the tier.
func (w *worker) checkGains(t games.Tier) {
	gained := func(move int) int16 {
		if uint64(w.expansion.Successors[move])-t.Start >= t.Open {
			return 0 // no branch, as above
		}
		return w.expansion.Gains[move]
	}
	all := int16(0)
	for move := range w.expansion.Gains {
		all |= gained(move)
	}
	if all == 0 {
		return
	}
	for i, move := 0, 0; ; move++ {
		for move == w.expansion.End[i] {
			i++
		}
		if gain := gained(move); gain != 0 {
			w.e.fail(fmt.Errorf("a move of %s gains %d and stays in the tier; a move with a gain must lead to an earlier tier",
				w.e.universe.PositionName(w.indices[i]), gain))
			return
		}
	}
}

// answerRequests reads the requested values in the order in which they lie on disk,
// and initialises the pending positions.
func (w *worker) answerRequests() error {
	slices.SortFunc(w.requests, func(a, b request) int { return cmp.Compare(a.index, b.index) })
	e := w.e
	r := &e.layout.regions[0]
	tier, at := -1, uint64(0)
	var piece, packed []byte
	for _, q := range w.requests {
		r = e.layout.find(q.index, r)
		offset := q.index - e.universe.Tiers[r.tier].Start
		if n := offset / pieceSize; r.tier != tier || n != at {
			var err error
			if piece, packed, err = e.files[r.tier].readPiece(n, piece, packed); err != nil {
				return err
			}
			tier, at = r.tier, n
		}
		w.pending[q.pending].summary.add(e.valueOf(codeAt(piece, offset%pieceSize)).Backup(int(q.gain)))
	}
	for i := range w.pending {
		x := &w.pending[i]
		w.initialise(x.p, x.slot, &x.summary)
	}
	w.requests, w.pending = w.requests[:0], w.pending[:0]
	return nil
}
