package retro

import "time"

// mostAsked is the number of outstanding values at which a worker stops asking and waits
// for answers.
const mostAsked = 1 << 18

// inquiry holds a worker's questions to other nodes while it initialises a tier: the values
// of successors in earlier tiers. A worker does not wait for single answers: it remembers a
// summary of each position, and initialises the positions when all answers have arrived.
//
// A batch of kindAsk has slots of a partition, followed by three words: the asking worker,
// a ticket, and the worker's node. The answer has the codes in the same order, followed by
// the ticket.
type inquiry struct {
	open    int       // values that were asked for and have not arrived
	asking  [][]asker // by partition: who asked for each message in its outbox
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
	q := &w.inquiry
	if q.asking == nil {
		q.asking = make([][]asker, len(w.e.partitions))
	}
	for w.located[w.asked].move != move {
		w.asked++
	}
	at := &w.located[w.asked]
	to := at.partition.number
	q.asking[to] = append(q.asking[to], asker(p.number)<<40|asker(slot)<<16|asker(uint16(w.gain(move))))
	q.open++
	if w.put(to, at.slot) {
		w.hand(to)
	}
}

// sign adds the return address to a batch of questions.
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

// converse answers a batch of questions, or processes a batch of answers.
func (w *worker) converse(b *batch) {
	begin := time.Now()
	if b.kind == kindAsk {
		n := len(b.messages) - 3
		asker, ticket, node := b.messages[n], b.messages[n+1], b.messages[n+2]
		w.e.partitions[b.to].replaceByCodes(b.messages[:n])
		b.kind, b.to = kindAnswer, asker
		b.messages = append(b.messages[:n], ticket)
		w.counters.messages.Add(uint64(n))
		w.counters.batches.Add(1)
		w.e.member.spent(begin)
		w.e.transport.send(len(w.e.workers)+int(node), b)
		return
	}
	q := &w.inquiry
	n := len(b.messages) - 1
	ticket := b.messages[n]
	for i, a := range q.tickets[ticket] {
		v := w.e.valueOf(uint16(b.messages[i])).Backup(int(int16(a)))
		w.improve(w.e.partitions[a>>40], uint32(a>>16)&(1<<slotBits-1), v)
	}
	q.open -= n
	q.tickets[ticket] = q.tickets[ticket][:0]
	q.unused = append(q.unused, ticket)
	w.recycle(b)
	w.e.member.spent(begin)
}
