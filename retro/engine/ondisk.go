package engine

import (
	"fmt"
	"time"

	"github.com/yomikiri/yomikiri/db"
)

// A tier that does not fit in memory is solved on disk: its partitions are stored, and a
// worker has one of them in memory at a time. It does all it can with that partition: it
// applies the waiting messages, and expands or retracts the positions that they reach or
// settle. Then it continues with the partition that has the fullest inbox.

// usePartitions gives the workers the partitions that the stage works on: those of the current
// tier or, in the forward pass, all. It also moves them to disk or into memory, as the plan says.
func (e *Engine) usePartitions() error {
	e.forEachWorker(func(w *worker) {
		w.current = w.current[:0]
		for _, p := range w.own {
			if e.state.Stage == stageReach || p.tier == e.tier {
				w.move(p)
				w.current = append(w.current, p)
			}
		}
		w.close()
	})
	e.pause.cost.Store(int64(e.storedBytes() * uint64(time.Second) / checkpointSpeed))
	return e.Err()
}

// checkpointSpeed is the assumed speed of a checkpoint of partitions on disk, in bytes per
// second, until one has been timed.
const checkpointSpeed = 256 << 20

// storedBytes returns the approximate size of all partitions on disk.
func (e *Engine) storedBytes() uint64 {
	n := uint64(0)
	for _, p := range e.partitions {
		n += p.store.bytes(p)
	}
	return n
}

// storedPartitions returns the number of partitions of the tier that are on disk, or of
// all in the forward pass.
func (e *Engine) storedPartitions() int {
	n := 0
	for _, p := range e.partitions {
		if p.store.onDisk() && (e.state.Stage == stageReach || p.tier == e.tier) {
			n++
		}
	}
	return n
}

// move moves a partition to disk or into memory, if it belongs there and is elsewhere.
func (w *worker) move(p *partition) {
	switch onDisk := w.e.onDisk(p); {
	case onDisk && !p.store.onDisk():
		w.toDisk(p)
	case !onDisk && p.store.onDisk():
		p.store.toMemory(w, p)
	}
}

// onDisk reports whether a partition belongs on disk in the current stage.
func (e *Engine) onDisk(p *partition) bool {
	switch {
	case e.plan == nil:
		return false
	case e.state.Stage == stageReach:
		return e.plan.anyOnDisk()
	case p.tier > e.state.Tier:
		return p.open && e.cfg.Positions == Reachable && e.plan.anyOnDisk()
	}
	return p.open && e.plan.onDisk(p.tier)
}

// toDisk moves a partition to disk.
func (w *worker) toDisk(p *partition) {
	t := &w.scratch[p.tier]
	if t.file == nil {
		f, err := w.e.scratch(fmt.Sprintf("%d-%d", p.tier, w.id))
		if err != nil {
			w.e.fail(err)
			return
		}
		t.file = f
	}
	w.close()
	p.split()
	blocks := int(p.slots() / db.BlockSize)
	s := &stored{
		file: t.file, at: t.end, values: p.count != nil, reached: p.reached != nil, expanded: p.expanded != nil,
		counts: make([]bool, blocks), codes: make([]bool, blocks),
	}
	p.store = s
	t.end += p.storedSize()
	if w.e.byScore() {
		// Levels on disk have one frontier.
		p.next.won, p.next.lost = append(p.next.won, p.now.won...), append(p.next.lost, p.now.lost...)
		p.now = frontier{}
	}
	w.frame.p, w.frame.s, w.frame.bits = p, s, notRead
	if p.reached != nil {
		w.frame.bits = dirty
	}
	w.frame.setAll(blocks, dirty)
	w.close()
}

func (s *stored) bytes(p *partition) uint64 {
	if s.values {
		return 2 * p.slots()
	}
	return p.slots() / 4
}

func (s *stored) toMemory(w *worker, p *partition) {
	s.open(w, p)
	s.needBits(w, p)
	if s.values {
		s.needAll(w, p)
	}
	for _, f := range s.frontiers(p) {
		w.pullSlots(p, f)
	}
	p.store, w.frame = inMemory{}, frame{} // the partition keeps the arrays
}

// fullest returns the stored partition with the most waiting messages, or nil.
func (w *worker) fullest() *partition {
	var fullest *partition
	for _, p := range w.current {
		if p.waiting > 0 && (fullest == nil || p.waiting > fullest.waiting) {
			fullest = p
		}
	}
	return fullest
}

// A tier on disk where values are scores is settled a partition at a time: within a level the
// order makes no difference, of positions or of wins and losses.

// settleLevel applies the updates deferred to the level, and sends messages to the
// predecessors of positions settled at the level.
func (w *worker) settleLevel() bool {
	for ; w.cursor < len(w.current); w.cursor++ {
		p := w.current[w.cursor]
		if !p.open {
			continue
		}
		s := p.store.(*stored) // as are all of the tier
		w.applyDeferredTo(p)
		for {
			lost, won := storedSlots{&p.next.lost, &s.next.lost}, storedSlots{&p.next.won, &s.next.won}
			if w.retractStored(p, kindWin, lost) || w.retractStored(p, kindDecrement, won) {
				return true
			}
			if w.frame.p != p || p.waiting == 0 {
				break
			}
			s.apply(w, p)
			w.sorted = 0
		}
	}
	w.cursor, w.sorted = 0, 0
	return false
}

// retractStored sends messages of a kind to predecessors of positions in a list, and
// returns false if it is empty.
func (w *worker) retractStored(p *partition, kind messageKind, f storedSlots) bool {
	w.pullSlots(p, f)
	if len(*f.slots) == 0 {
		return false
	}
	if w.kind != kind {
		w.change(kind)
		w.sorted = 0
	}
	w.retractFrom(p, f.slots)
	return true
}
