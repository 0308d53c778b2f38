package retro

import (
	"cmp"
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

// onDisk stands for the value of a successor on disk. No successor is a hole.
const onDisk = games.Hole

// lookUp finds the value of each successor in the expansion: Unfinished for those in
// the tier being solved, onDisk for those not in memory. It does nothing else, so
// that cache misses overlap.
func (w *worker) lookUp(p *partition) {
	w.values = w.values[:0]
	r := p.region
	for _, s := range w.expansion.Successors {
		v := s.Outcome()
		if v == games.Unfinished {
			if r = w.e.layout.find(s.Index(), r); r.tier != p.tier {
				if w.e.files[r.tier] != nil {
					v = onDisk
				} else {
					v = w.e.value(r, s.Index())
				}
			}
		}
		w.values = append(w.values, v)
	}
}

// summaryOf summarises the successors of the i-th position of the expansion, and
// requests the values on disk.
func (w *worker) summaryOf(p *partition, slot uint32, i int) summary {
	n := newSummary()
	end := w.expansion.End[i]
	begin := end - len(w.expansion.Of(i))
	gains := w.expansion.GainsOf(i)
	for j, v := range w.values[begin:end] {
		gain := w.gain(p, slot, gains, j, v)
		if v == onDisk {
			w.requests = append(w.requests, request{w.expansion.Successors[begin+j].Index(), uint32(len(w.pending)), gain})
		} else {
			n.add(v, gain)
		}
	}
	return n
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
		w.pending[q.pending].summary.add(e.valueOf(codeAt(piece, offset%pieceSize)), q.gain)
	}
	for i := range w.pending {
		x := &w.pending[i]
		w.initialise(x.p, x.slot, &x.summary)
	}
	w.requests, w.pending = w.requests[:0], w.pending[:0]
	return nil
}
