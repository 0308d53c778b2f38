package retro

import (
	"cmp"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// roundSize is how many positions are initialised together where values have to
// be looked up on disk: every piece of the tiers there is read at most once for
// them.
const roundSize = 1 << 20

// waiting is a position of which not all is known until the values on disk are
// looked up.
type waiting struct {
	p    *partition
	slot uint32
	news news
}

// request asks for the value of a position on disk.
type request struct {
	index   uint64
	waiting uint32 // who asks
	gain    int16
}

// onDisk is the value of a successor that has to be looked up on disk. It is no
// value that a successor can have.
const onDisk = games.Hole

// look finds the value of each successor in the expansion, Unfinished for those in
// the tier that is being solved, and onDisk for those not in memory. It does
// nothing else, so that the processor can have many reads from memory under way at
// the same time.
func (w *worker) look(p *partition) {
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

// newsOf adds up what is known of the i-th position of the expansion, and asks for
// what is on disk.
func (w *worker) newsOf(p *partition, slot uint32, i int) news {
	n := noNews()
	end := w.expansion.End[i]
	begin := end - len(w.expansion.Of(i))
	gains := w.expansion.GainsOf(i)
	for j, v := range w.values[begin:end] {
		gain := w.gain(p, slot, gains, j, v)
		if v == onDisk {
			w.requests = append(w.requests, request{w.expansion.Successors[begin+j].Index(), uint32(len(w.waiting)), gain})
		} else {
			n.add(v, gain)
		}
	}
	return n
}

// answerRequests looks up what was asked for, in the order in which it lies on
// disk, and initialises the positions that wait.
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
		w.waiting[q.waiting].news.add(e.valueOf(codeAt(piece, offset%pieceSize)), q.gain)
	}
	for i := range w.waiting {
		x := &w.waiting[i]
		w.initialise(x.p, x.slot, &x.news)
	}
	w.requests, w.waiting = w.requests[:0], w.waiting[:0]
	return nil
}
