package engine

import (
	"fmt"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/yomikiri/yomikiri/games"
)

const (
	// chunk is the number of positions expanded or retracted at a time.
	chunk = 256
	// applyAt is the largest number of messages to a partition at which its owner
	// applies them; see enough.
	applyAt = 1 << 15
	// throttleAt is the length of an owner's queue, in batches, above which the
	// others stop sending.
	throttleAt = 1 << 10
	// throttleOnDisk replaces throttleAt where a tier does not fit in memory.
	throttleOnDisk = 1 << 8
)

// worker is the owner of its partitions: it alone touches their arrays. In each phase every
// worker produces messages and applies those that arrive, without waiting for the others.
type worker struct {
	e       *Engine
	id      int
	own     []*partition
	current []*partition // those of own that the stage works on; see usePartitions
	kind    messageKind  // of the messages in the outboxes; see change
	batch   int          // messages in a batch
	outboxes
	other outboxes     // for the decrements, or for the wins, in the levels of scores
	all   outboxes     // of all partitions, and room for those of a tier again
	ready []*partition // those with enough messages to apply

	// cursor is where this phase continues in current; word is where the forward pass continues
	// in the bitmaps of that partition. The frontiers of the partitions before sorted are sorted.
	cursor, word, sorted int

	slots     []uint32
	missing   []uint32 // those of slots whose successors lack values
	indices   []uint64
	expansion games.Expansion
	worth     []games.Value // of the moves in the expansion
	located   []located
	asked     int    // cursor of ask in located
	requests  []list // for values on disk, by bucket
	requested uint64
	pieces    [][]byte // those of the current bucket that have been read
	packed    []byte
	values    []games.Value // by number: see numbered
	asking    asking
	before    games.Predecessors
	settled   games.Settled
	mail      []*Batch // that have just arrived
	free      []*Batch // for messages to come
	letter    Batch    // to a peer
	frame     frame    // for stored partitions, as are the next two fields
	lists     lists
	scratch   []scratchTier   // by tier
	outcomes  [1 << 16]uint16 // number of an outcome in messages, by value; noOutcome if unknown
	deferred  [1 << 16]uint16 // number of a deferred value of the tier; 0 if unknown
	bitmap    []uint64
	warmed    uint64  // of no use; see warm
	tally     []tally // by tier
	counters  counters
}

// outboxes are messages not yet sent to the partitions from first on, before end.
type outboxes struct {
	boxes      []uint32 // a batch for each partition from 0 on
	fill       []uint32 // number of messages for each partition
	first, end int
}

// useOutboxes prepares outboxes for all partitions.
func (w *worker) useOutboxes() {
	w.outboxes, w.other = w.all, outboxes{}
	w.first, w.end = 0, len(w.e.partitions)
}

// usePairs prepares two outboxes for each partition of a region: levels of scores alternate
// between wins and decrements, and their batches would be small if each change sent them. The
// second ones lie behind those of all partitions.
func (w *worker) usePairs(r *region) {
	w.useOutboxes()
	w.outboxes.first, w.outboxes.end = r.first, r.first+1<<r.bits
	behind := len(w.e.partitions) - r.first
	w.other = outboxes{w.all.boxes[behind*w.batch:], w.all.fill[behind:], w.first, w.end}
}

// tally counts the positions that a worker has visited in a tier, or settled, in a phase.
type tally struct {
	finished [256]uint64 // positions by the number of their outcome
	open     uint64      // unfinished positions
	moves    uint64      // of unfinished positions
	settled  [4]settled  // a level settles with at most two codes at once and two deferred ones
}

// settled counts the positions that a code was given to.
type settled struct {
	code      uint16
	positions uint64
}

// tally returns the tally of a tier in the form for peers, or nil if it is empty.
func (t *tally) tally(tier int) *Tally {
	if *t == (tally{}) {
		return nil
	}
	out := &Tally{Tier: tier, Unfinished: t.open, Moves: t.moves}
	for number, n := range t.finished {
		if n > 0 {
			out.Finished = grown(out.Finished, number)
			out.Finished[number] = n
		}
	}
	for _, s := range t.settled {
		if s.positions > 0 {
			out.Settled = grown(out.Settled, int(s.code))
			out.Settled[s.code] += s.positions
		}
	}
	return out
}

// counters count the work of a worker, for progress reports.
type counters struct {
	positions, moves, messages, batches, bytes, settled atomic.Uint64
	loads, read, written                                atomic.Uint64
	_                                                   [56]byte // not in a cache line with another worker's
}

// run does a phase. produce makes some messages and returns false when there is nothing to do for
// now. Messages that are applied can give it something to do, so it is called again after them.
func (w *worker) run(produce func() bool) {
	w.cursor, w.word, w.sorted = 0, 0, 0
	for {
		w.collect()
		switch {
		case len(w.ready) > 0:
			p := w.ready[len(w.ready)-1]
			w.ready = w.ready[:len(w.ready)-1]
			p.store.apply(w, p)
		case !w.e.pause.wanted.Load() && produce():
			w.e.throttleWorker(w.id)
		default:
			w.flush()
			if !w.applyAll() && !w.missed() && !w.sumUp() && !w.e.wait(w.id) {
				w.close()
				return
			}
		}
	}
}

// sendSuccessors puts a message into an outbox for each successor. The hint is a region
// that many of them lie in.
func (w *worker) sendSuccessors(hint *region, list []games.Successor) {
	// Whether a successor is finished, and which region it is in, is unpredictable: lookups
	// in a table and an array replace branches that would often be mispredicted.
	regions := [2]*region{hint, hint.other}
	boxes, fill, batch := w.boxes, w.fill, w.batch
	for _, s := range list {
		index := s.Index()
		class := uint32(w.outcomes[uint16(s.Outcome())])
		if class == noOutcome {
			class = w.newOutcome(s.Outcome())
		}
		outside := 0
		if index-hint.start >= hint.size {
			outside = 1
		}
		r := regions[outside]
		if index-r.start >= r.size {
			r = w.e.layout.findElsewhere(index, r)
		}
		partition, slot := r.locate(index)
		if put(boxes, fill, batch, partition, slot|class<<slotBits) {
			w.hand(partition)
		}
	}
}

// sendPredecessors puts a message into an outbox for each index of a region.
func (w *worker) sendPredecessors(r *region, list []uint64) {
	boxes, fill, batch := w.boxes, w.fill, w.batch
	for _, index := range list {
		if index-r.start >= r.size {
			w.e.fail(fmt.Errorf("bug in the Retractor: %s is not an unfinished position of the tier of its successor", w.e.universe.PositionName(index)))
			return
		}
		partition, slot := r.locate(index)
		if put(boxes, fill, batch, partition, slot) {
			w.hand(partition)
		}
	}
}

// put puts a message into the outbox of a partition, and reports whether the outbox is
// full. It is small enough to be inlined; the caller keeps the outboxes in registers.
func put(boxes, fill []uint32, batch, partition int, message uint32) (full bool) {
	n := fill[partition]
	boxes[partition*batch+int(n)] = message
	n++
	fill[partition] = n
	return int(n) == batch
}

// hand empties the outbox of a partition into a batch and sends that to the owner.
func (w *worker) hand(partition int) {
	box := w.boxes[partition*w.batch:][:w.fill[partition]]
	w.fill[partition] = 0
	w.counters.messages.Add(uint64(len(box)))
	w.counters.batches.Add(1)
	w.counters.bytes.Add(uint64(4 * len(box)))
	owner := w.e.owner(partition)
	if owner >= len(w.e.workers) { // Peers.Send copies it
		w.letter = Batch{kind: w.kind, to: uint32(partition), messages: box}
		if w.kind == kindAsk {
			w.asking.sign(&w.letter, w.id)
		}
		w.e.send(owner, &w.letter)
		return
	}
	var b *Batch
	if n := len(w.free); n > 0 {
		b = w.free[n-1]
		w.free = w.free[:n-1]
	} else {
		b = &Batch{messages: make([]uint32, 0, w.batch)}
	}
	b.kind, b.to, b.messages = w.kind, uint32(partition), append(b.messages[:0], box...)
	if owner != w.id {
		w.e.send(owner, b)
	} else {
		w.accept(b)
	}
}

// change changes the kind of the messages sent from now on. An outbox has messages of one kind,
// so those there must go first, or the kinds have an outbox each.
func (w *worker) change(kind messageKind) {
	switch {
	case w.other.fill == nil:
		w.flush()
	case (kind == kindDecrement) != (w.kind == kindDecrement):
		w.outboxes, w.other = w.other, w.outboxes
	}
	w.kind = kind
}

// flush sends all outboxes.
func (w *worker) flush() {
	w.flushTo(func(int) bool { return true })
}

// flushTo sends the outboxes of the wanted partitions.
func (w *worker) flushTo(wanted func(partition int) bool) {
	for range 2 {
		for partition := w.first; partition < w.end; partition++ {
			if w.fill[partition] > 0 && wanted(partition) {
				w.hand(partition)
			}
		}
		switch {
		case w.other.fill == nil:
			return
		case w.kind == kindDecrement:
			w.change(kindWin)
		case w.kind == kindWin:
			w.change(kindDecrement)
		default:
			return
		}
	}
}

// collect accepts the batches that have arrived. They are applied later.
func (w *worker) collect() {
	w.mail = w.e.receive(w.id, w.mail[:0])
	for _, b := range w.mail {
		w.accept(b)
	}
}

// accept puts a batch into the inbox of its partition, or handles a question or a reply at once.
func (w *worker) accept(b *Batch) {
	switch b.kind {
	case kindAsk:
		w.reply(b)
		return
	case kindReply:
		w.learn(b)
		return
	}
	p := w.e.partitions[b.to]
	p.waiting += len(b.messages)
	p.store.accept(w, p, b)
}

// applyAll applies all accepted messages, and reports whether there were any.
func (w *worker) applyAll() bool {
	if w.e.pause.abandoned.Load() {
		return false
	}
	if p := w.fullest(); p != nil && p.store.onDisk() {
		p.store.apply(w, p)
		return true
	}
	any := false
	for _, p := range w.current {
		if p.waiting > 0 {
			p.store.apply(w, p)
			any = true
		}
	}
	w.ready = w.ready[:0]
	return any
}

// missed reports whether positions were reached behind the sweep of the forward pass, by messages that were applied
// before its end, so that there is another sweep even if no message waits.
func (w *worker) missed() bool {
	return w.kind == kindReach && !w.e.pause.wanted.Load() && slices.ContainsFunc(w.current, func(p *partition) bool { return p.unexpanded > 0 })
}

// deliver applies messages to a partition.
func (w *worker) deliver(p *partition, kind messageKind, messages []uint32) {
	switch kind {
	case kindReach:
		w.reach(p, messages)
	case kindWin:
		w.win(p, messages, w.e.nextCode[kindWin])
	case kindDecrement:
		w.decrement(p, messages, w.e.nextCode[kindDecrement])
	}
}

// recycle keeps a batch for later messages.
func (w *worker) recycle(b *Batch) {
	if len(w.free) < w.e.limit {
		w.free = append(w.free, b)
	} else { // it receives more than it sends, at least from peers
		batches.Put(b)
	}
}

// reach marks positions as reached. Half of the messages are about positions that are
// already marked, unpredictably, so branches would cost more than the work they save.
func (w *worker) reach(p *partition, messages []uint32) {
	finished := &w.tally[p.tier].finished
	reached := p.reached
	if !p.open {
		for _, m := range messages {
			word, bit := m&(1<<slotBits-1)/64, m%64
			old := reached[word]
			reached[word] = old | 1<<bit
			finished[m>>slotBits] += ^old >> bit & 1
		}
		return
	}
	// A finished position is marked as expanded only: one bit is less work than two. Neighbouring messages are
	// often about the same word, and each has to wait for the one before: so both halves are done at once.
	marks := [2][]uint64{reached, p.expanded[:len(reached)]}
	unfinished := finished[0]
	half := len(messages) / 2
	first, second := messages[:half], messages[half:]
	for i, m := range first {
		finished[m>>slotBits] += mark(marks[isFinished(m)], m)
		m = second[i]
		finished[m>>slotBits] += mark(marks[isFinished(m)], m)
	}
	if half < len(second) {
		m := second[half]
		finished[m>>slotBits] += mark(marks[isFinished(m)], m)
	}
	p.unexpanded += int(finished[0] - unfinished)
	finished[0] = unfinished
}

// mark marks the position of a message, and returns 1 if it had no mark.
func mark(marks []uint64, m uint32) uint64 {
	word, bit := m&(1<<slotBits-1)/64, m%64
	old := marks[word]
	marks[word] = old | 1<<bit
	return ^old >> bit & 1
}

// isFinished returns 0 for a message about an unfinished position, and otherwise 1.
func isFinished(m uint32) uint32 { return (m>>slotBits + 255) >> 8 & 1 }

// win settles positions as won, with a code.
func (w *worker) win(p *partition, messages []uint32, code uint16) {
	settled, list := room(p.next.won, len(messages))
	if p.joint != nil {
		n := p.joint.win(p.narrow, messages, uint8(code), list)
		p.next.won = settled[:len(settled)+n]
		w.settle(p, list[:n], code)
		return
	}
	count := p.count
	n := 0
	for _, slot := range messages {
		unsettled := 0
		if count[slot] != 0 {
			unsettled = 1 // no branch: the order is unpredictable
		}
		count[slot] = 0
		list[n] = slot
		n += unsettled
	}
	p.next.won = settled[:len(settled)+n]
	w.settle(p, list[:n], code)
}

// decrement lowers the counts of positions, and settles those at 0 as lost, with a code.
func (w *worker) decrement(p *partition, messages []uint32, code uint16) {
	settled, list := room(p.next.lost, len(messages))
	if p.joint != nil {
		n := p.joint.decrement(p.narrow, messages, list)
		p.next.lost = settled[:len(settled)+n]
		w.settle(p, list[:n], code)
		return
	}
	count := p.count
	n := 0
	for _, slot := range messages {
		left := count[slot]
		one, last := uint8(0), 0
		if left != 0 {
			one = 1
		}
		if left == 1 {
			last = 1
		}
		count[slot] = left - one
		list[n] = slot
		n += last
	}
	p.next.lost = settled[:len(settled)+n]
	w.settle(p, list[:n], code)
}

// room returns a list with room for n more slots, and that room.
func room(list []uint32, n int) (grown, free []uint32) {
	grown = slices.Grow(list, n)
	return grown, grown[len(list) : len(list)+n]
}

// settle gives slots a code.
func (w *worker) settle(p *partition, slots []uint32, code uint16) {
	p.store.needCodes(w, p, slots)
	for _, slot := range slots {
		p.setCode(slot, code)
	}
	w.tallySettled(p.tier, code, uint64(len(slots)))
}

// tallySettled counts positions that a code was given to.
func (w *worker) tallySettled(tier int, code uint16, positions uint64) {
	for i := range w.tally[tier].settled {
		if s := &w.tally[tier].settled[i]; s.code == code || s.positions == 0 {
			s.code = code
			s.positions += positions
			break
		}
	}
	w.counters.settled.Add(positions)
}

// noOutcome marks a value that has no number yet.
const noOutcome = 1 << 8

// outcomeNumber returns the number of an outcome in messages.
func (w *worker) outcomeNumber(v games.Value) uint32 {
	if n := w.outcomes[uint16(v)]; n != noOutcome {
		return uint32(n)
	}
	return w.newOutcome(v)
}

func (w *worker) newOutcome(v games.Value) uint32 {
	n := w.e.outcomeNumber(v)
	w.outcomes[uint16(v)] = uint16(n)
	return uint32(n)
}

// sort sorts the slots of a partition, which are distinct.
func (w *worker) sort(slots []uint32) {
	const few = 1 << 8
	if len(slots) < few {
		slices.Sort(slots)
		return
	}
	words := int(slices.Max(slots)/64) + 1
	if len(w.bitmap) < words {
		w.bitmap = make([]uint64, words)
	}
	for _, slot := range slots {
		w.bitmap[slot/64] |= 1 << (slot % 64)
	}
	n := 0
	for i, set := range w.bitmap[:words] {
		for ; set != 0; set &= set - 1 {
			slots[n] = uint32(i*64 + bits.TrailingZeros64(set))
			n++
		}
		w.bitmap[i] = 0
	}
}
