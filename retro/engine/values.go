package engine

import (
	"fmt"
	"slices"
	"sort"

	"github.com/yomikiri/yomikiri/games"
)

// To initialise a position, a worker needs the values of its successors in solved tiers. It finds
// them in one of three places:
//
//	in memory      lookUp reads them
//	on disk        request puts a request into a list, and sumUp replies to all of them later
//	with a peer    ask sends a question (kindAsk), and learn handles the reply (kindReply)
//
// A solve needs only one of the last two, since with peers all solved tiers are in memory. In
// both cases the worker does not wait: it remembers a summary of the position, which improves with
// each value that comes. The summary is where the count and the code will be: as count it has the
// number of unknown successors in the tier, and as code the number of the best known value.
//
// A worker replies to many requests in one pass over the solved tiers. There is a list of requests
// for each bucket, a range of a tier whose values fit in memory. A request has three words:
//
//	+-----------------------------+------------------------------+--------------------+
//	| offset in bucket, 32 bit    | partition, low 8 bit         | partition, 16 bit  |
//	|                             | slot, 24 bit                 | gain, 16 bit       |
//	+-----------------------------+------------------------------+--------------------+
const requestWords = 3

// elsewhere marks a move to a position whose value is on disk, or with a peer.
const elsewhere = games.Hole

// located is a successor that is finished, or lies in an earlier tier.
type located struct {
	move      uint32 // its number in the expansion
	slot      uint32
	partition *partition // nil if there is nothing to look up
}

// lookUp finds the value of each move of the expansion: Unfinished for moves that stay in
// the tier being solved, elsewhere for moves whose value is not in memory.
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
		if uint64(s)-tier.Start >= tier.Open { // An outcome is in the bits above the index.
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
		number, slot := r.locate(s.Index())
		at.partition, at.slot = w.e.partitions[number], slot
	}
	w.asked = 0
	for i := range list {
		at := &list[i]
		switch {
		case at.partition == nil:
		case at.partition.hasCodes():
			worth[at.move] = w.e.valueOf(at.partition.code(at.slot)).Backup(w.gain(at.move))
		case !at.partition.remote && w.e.files[at.partition.tier] == nil:
			w.missingTier(p, at)
		default:
			worth[at.move] = elsewhere
		}
	}
}

// missingTier ends the solve: a move leads to a tier whose values are not there.
func (w *worker) missingTier(p *partition, at *located) {
	u := w.e.universe
	from := sort.SearchInts(w.expansion.End, int(at.move)+1)
	w.e.fail(fmt.Errorf("bug in the tiers of %s: %s of tier %s leads to %s of tier %s, which is none of its children", u.Name,
		u.PositionName(w.indices[from]), u.Tiers[p.tier].Name,
		u.PositionName(w.expansion.Successors[at.move].Index()), u.Tiers[at.partition.tier].Name))
	w.worth[at.move] = games.Draw // of no use
}

// gain returns the gain of a move of the expansion.
func (w *worker) gain(move uint32) int {
	if len(w.expansion.Gains) == 0 {
		return 0
	}
	return int(w.expansion.Gains[move])
}

// summaryOf summarises the moves of the i-th position of the expansion. It requests values
// that are not in memory, and reports whether there are any.
func (w *worker) summaryOf(p *partition, slot uint32, i int) (n summary, missing bool) {
	n = newSummary()
	n.unknown = w.expansion.CountedOf(i)
	end := w.expansion.End[i]
	begin := end - len(w.expansion.Of(i))
	for j, v := range w.worth[begin:end] {
		if v == elsewhere {
			missing = true
			move := uint32(begin + j)
			if w.e.someOnDisk {
				w.request(p, slot, w.expansion.Successors[move].Index(), w.gain(move))
			} else {
				w.ask(p, slot, move)
			}
			continue
		}
		n.add(v)
	}
	return n, missing
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

// bucketOf returns the bucket that an index on disk belongs to, and its offset there.
func (e *Engine) bucketOf(index uint64) (bucket int, offset uint64) {
	r := e.layout.find(index, &e.layout.regions[0])
	at := index - r.start
	return e.buckets[r.tier] + int(at/e.plan.bucket), at % e.plan.bucket
}

// numberBuckets numbers the buckets of the solved tiers.
func (e *Engine) numberBuckets() {
	n := 0
	for _, t := range e.universe.Tiers[:e.tier] {
		e.buckets = append(e.buckets, n)
		n += int((t.Open + e.plan.bucket - 1) / e.plan.bucket)
	}
	for _, w := range e.workers {
		w.requests = make([]list, n)
	}
}

// request asks for the value of a successor on disk.
func (w *worker) request(p *partition, slot uint32, index uint64, gain int) {
	bucket, offset := w.e.bucketOf(index)
	number := uint32(p.number)
	w.push(&w.requests[bucket], uint32(offset), number<<slotBits|slot, number>>8<<16|uint32(uint16(gain)))
	w.requested++
}

// remember stores the summary of a position until all its values are known.
func (w *worker) remember(p *partition, slot uint32, n *summary) {
	if !w.countFits(p, slot, n.unknown) {
		return
	}
	w.missing = append(w.missing, slot)
	p.count[slot] = uint8(n.unknown)
	p.setNumber(slot, w.number(n.best))
}

// number returns the number of the best known value of a position, which stands in place of its
// code. It is the same for all processes and workers; each worker keeps those that it has met.
func (w *worker) number(v games.Value) uint16 {
	switch v {
	case games.Unfinished:
		return codeNone
	case games.Draw:
		return codeDraw
	}
	n := w.deferred[uint16(v)]
	if n == 0 {
		n = w.e.deferredNumber(v)
		w.deferred[uint16(v)] = n
	}
	return n
}

// numbered is the inverse of number. It is small enough to be inlined.
func (w *worker) numbered(number uint16) games.Value {
	if int(number) >= len(w.values) {
		w.listValues()
	}
	return w.values[number]
}

func (w *worker) listValues() {
	w.e.mu.Lock()
	defer w.e.mu.Unlock()
	w.values = append([]games.Value{codeNone: games.Unfinished, codeDraw: games.Draw}, w.e.state.Deferred...)
}

// sumUp replies to all requests, bucket by bucket, and initialises the positions that were
// waiting for them. It returns false if there are none, or if replies of peers are
// still to come.
func (w *worker) sumUp() bool {
	e := w.e
	ends := func() bool { return e.pause.abandoned.Load() || e.Err() != nil }
	if w.kind != kindAsk || w.asking.missing > 0 || ends() {
		return false
	}
	for tier, first := range e.buckets {
		end := len(w.requests)
		if tier+1 < len(e.buckets) {
			end = e.buckets[tier+1]
		}
		for bucket := first; bucket < end && !ends(); bucket++ {
			begin := uint64(bucket-first) * e.plan.bucket / pieceSize
			for i := range w.pieces {
				w.pieces[i] = w.pieces[i][:0]
			}
			w.pull(&w.requests[bucket], func(words []uint32) { w.lookUpAll(tier, begin, words) })
		}
	}
	w.requested = 0
	any := false
	for _, p := range w.current {
		if p.store.pending(p) && !ends() {
			p.store.eachRemembered(w, p, func(slot uint32) { w.initialiseRemembered(p, slot) })
			any = true
		}
	}
	return any
}

// lookUpAll replies to requests for values in one bucket of a tier. begin is the first piece of
// the bucket.
func (w *worker) lookUpAll(tier int, begin uint64, words []uint32) {
	f := w.e.files[tier]
	for ; len(words) > 0; words = words[requestWords:] {
		offset := uint64(words[0])
		n := int(offset / pieceSize)
		for len(w.pieces) <= n {
			w.pieces = append(w.pieces, nil)
		}
		if len(w.pieces[n]) == 0 {
			var err error
			if w.pieces[n], w.packed, err = f.readPiece(begin+uint64(n), w.pieces[n], w.packed); err != nil {
				w.e.fail(err)
				return
			}
			w.counters.read.Add(uint64(len(w.packed)))
		}
		p := w.e.partitions[words[1]>>slotBits|words[2]>>16<<8]
		slot, gain := words[1]&(1<<slotBits-1), int(int16(words[2]))
		v := w.e.valueOf(codeAt(w.pieces[n], offset%pieceSize)).Backup(gain)
		p.store.reply(w, p, slot, v)
	}
}

// improve makes v the best known value of a position, if it is better.
func (w *worker) improve(p *partition, slot uint32, v games.Value) {
	if v > w.numbered(p.code(slot)) {
		p.setNumber(slot, w.number(v))
	}
}

// initialiseRemembered initialises a position whose successors' values are all known now.
func (w *worker) initialiseRemembered(p *partition, slot uint32) {
	n := summary{unknown: int(p.count[slot]), best: w.numbered(p.code(slot))}
	if n != newSummary() { // otherwise there is no position here
		w.initialise(p, slot, &n)
	}
}

// mostAsked is the number of outstanding values at which a worker stops asking and waits
// for replies.
const mostAsked = 1 << 18

// asking holds a worker's questions to peers while it initialises a tier: the values of
// successors in earlier tiers. A worker does not wait for single replies: it remembers a
// summary of each position, and initialises the positions when all replies have arrived.
//
// A batch of questions has slots of a partition, the asking worker, and a ticket. The reply has
// the codes in the same order and the ticket.
type asking struct {
	missing int       // values that were asked for and have not arrived
	moves   [][]asker // by partition: who asked for each message in its outbox
	tickets [][]asker // who asked for each message of a batch on the way
	unused  []uint32  // tickets
}

// asker is a move to a position whose value was asked for, given by where it starts and by
// its gain:
//
//	+-------------------+--------------+--------------+
//	| partition, 24 bit | slot, 24 bit | gain, 16 bit |
//	+-------------------+--------------+--------------+
type asker uint64

// ask asks for the value of the successor that a move of a position leads to.
func (w *worker) ask(p *partition, slot uint32, move uint32) {
	q := &w.asking
	if q.moves == nil {
		q.moves = make([][]asker, len(w.e.partitions))
	}
	for w.located[w.asked].move != move {
		w.asked++
	}
	at := &w.located[w.asked]
	to := at.partition.number
	q.moves[to] = append(q.moves[to], asker(p.number)<<40|asker(slot)<<16|asker(uint16(w.gain(move))))
	q.missing++
	if put(w.boxes, w.fill, w.batch, to, at.slot) {
		w.hand(to)
	}
}

// sign gives a batch of questions a ticket.
func (q *asking) sign(b *Batch, worker int) {
	if n := len(q.unused); n > 0 {
		b.ticket, q.unused = q.unused[n-1], q.unused[:n-1]
	} else {
		b.ticket = uint32(len(q.tickets))
		q.tickets = append(q.tickets, nil)
	}
	q.tickets[b.ticket], q.moves[b.to] = q.moves[b.to], q.tickets[b.ticket][:0]
	b.worker = uint32(worker)
}

// reply replies to a batch of questions.
func (w *worker) reply(b *Batch) {
	w.e.partitions[b.to].replaceByCodes(b.messages)
	b.kind, b.to = kindReply, b.worker
	w.counters.messages.Add(uint64(len(b.messages)))
	w.counters.batches.Add(1)
	w.e.send(len(w.e.workers)+b.peer, b)
	batches.Put(b)
}

// learn processes a reply.
func (w *worker) learn(b *Batch) {
	q := &w.asking
	fail := func() {
		w.e.fail(fmt.Errorf("a reply of peer %d to question %d has %d codes, or unknown ones", b.peer+1, b.ticket, len(b.messages)))
	}
	if int(b.ticket) >= len(q.tickets) || len(b.messages) == 0 || len(b.messages) != len(q.tickets[b.ticket]) {
		fail()
		return
	}
	for i, a := range q.tickets[b.ticket] {
		code := b.messages[i]
		if code == codeNone || code >= uint32(w.e.codes()) {
			fail()
			return
		}
		w.improve(w.e.partitions[a>>40], uint32(a>>16)&(1<<slotBits-1), w.e.valueOf(uint16(code)).Backup(int(int16(a))))
	}
	q.missing -= len(b.messages)
	q.tickets[b.ticket] = q.tickets[b.ticket][:0]
	q.unused = append(q.unused, b.ticket)
	w.recycle(b)
}
