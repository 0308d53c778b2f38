package retro

// asideMost is the number of positions that a worker puts aside, to wait for values that
// other nodes have, before it waits with them.
const asideMost = 1 << 17

// inquiry is what a worker wants to know from other nodes while it initialises a tier: the
// values of successors in earlier tiers. Nobody waits for a single one: a position whose
// values are not all known is put aside, and is initialised when the last of them arrives.
//
// A batch of kindAsk has slots of a partition, followed by three words: the worker that
// asks, a ticket, and its node. The answer has the codes in the same order, followed by the
// ticket.
type inquiry struct {
	asked   int       // values asked for the position that is being summarised
	aside   []aside   // positions put aside
	free    []uint32  // places in aside that are not used
	asking  [][]asker // by partition: who asked for each message in its outbox
	tickets [][]asker // who asked for each message of a batch on the way
	unused  []uint32  // tickets
	hint    *region
}

// aside is a position that is put aside.
type aside struct {
	p       *partition
	slot    uint32
	summary summary
	left    int // values to arrive
}

// asker is a move to a position whose value was asked for.
type asker struct {
	aside uint32
	gain  int16
}

// room tells whether more positions may be put aside.
func (q *inquiry) room() bool { return len(q.aside)-len(q.free) < asideMost }

// place returns where the next position will be put aside.
func (q *inquiry) place() uint32 {
	if n := len(q.free); n > 0 {
		return q.free[n-1]
	}
	return uint32(len(q.aside))
}

// ask asks for the value of a successor of the position that is being summarised.
func (w *worker) ask(index uint64, gain int) {
	q := &w.inquiry
	if q.asking == nil {
		q.asking = make([][]asker, len(w.e.partitions))
		q.hint = &w.e.layout.regions[0]
	}
	q.hint = w.e.layout.find(index, q.hint)
	partition, slot := q.hint.locate(index)
	q.asking[partition] = append(q.asking[partition], asker{q.place(), int16(gain)})
	q.asked++
	if w.put(partition, slot) {
		w.hand(partition)
	}
}

// putAside puts a position aside until what was asked for it arrives.
func (w *worker) putAside(p *partition, slot uint32, n summary) {
	q := &w.inquiry
	x := aside{p, slot, n, q.asked}
	q.asked = 0
	if n := len(q.free); n > 0 {
		q.aside[q.free[n-1]] = x
		q.free = q.free[:n-1]
	} else {
		q.aside = append(q.aside, x)
	}
}

// sign adds to a batch of questions where the answer is to go.
func (w *worker) sign(b *batch) {
	q := &w.inquiry
	var ticket uint32
	if n := len(q.unused); n > 0 {
		ticket, q.unused = q.unused[n-1], q.unused[:n-1]
	} else {
		ticket = uint32(len(q.tickets))
		q.tickets = append(q.tickets, nil)
	}
	q.tickets[ticket], q.asking[b.to] = q.asking[b.to], q.tickets[ticket][:0]
	b.messages = append(b.messages, uint32(w.id), ticket, uint32(w.e.member.self))
}

// converse answers questions, or takes answers.
func (w *worker) converse(b *batch) {
	if b.kind == kindAsk {
		n := len(b.messages) - 3
		asker, ticket, node := b.messages[n], b.messages[n+1], b.messages[n+2]
		p := w.e.partitions[b.to]
		for i, slot := range b.messages[:n] {
			b.messages[i] = uint32(p.code(slot))
		}
		b.kind, b.to = kindAnswer, asker
		b.messages = append(b.messages[:n], ticket)
		w.counters.messages.Add(uint64(n))
		w.counters.batches.Add(1)
		w.e.transport.send(len(w.e.workers)+int(node), b)
		return
	}
	q := &w.inquiry
	n := len(b.messages) - 1
	ticket := b.messages[n]
	for i, a := range q.tickets[ticket] {
		x := &q.aside[a.aside]
		x.summary.add(w.e.valueOf(uint16(b.messages[i])).Backup(int(a.gain)))
		if x.left--; x.left == 0 {
			w.initialise(x.p, x.slot, &x.summary)
			x.p = nil
			q.free = append(q.free, a.aside)
		}
	}
	q.tickets[ticket] = q.tickets[ticket][:0]
	q.unused = append(q.unused, ticket)
	w.recycle(b)
}
