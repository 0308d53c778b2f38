package retro

import "sync"

// Transport carries batches between owners. Owners are numbered from 0; each
// calls Receive and Wait for itself only. Send may be called by all at once.
//
// A transport also finds out when a phase of work is over: when all owners wait
// and as many batches were received as sent.
type Transport interface {
	// Send hands a batch to an owner and gives up the batch. It does not wait
	// for the receiver.
	Send(owner int, b *Batch)

	// Receive appends to dst the batches that have arrived for an owner.
	Receive(owner int, dst []*Batch) []*Batch

	// Wait sleeps until something has arrived for the owner and returns true,
	// or until all owners wait and nothing is on the way and returns false.
	// Afterwards the transport is ready for the next phase.
	Wait(owner int) bool

	// Throttle sleeps while more is on the way to other owners than the
	// transport likes to hold, but not while something has arrived for the
	// owner itself; so owners that throttle never wait for each other.
	Throttle(owner int)
}

// local is the transport within a process: a queue for each owner.
type local struct {
	mu       sync.Mutex
	wake     sync.Cond // something arrived, a queue was emptied, or a phase ended
	queues   [][]*Batch
	sent     uint64
	received uint64
	waiting  int
	phase    uint64 // how many phases have ended
	limit    int    // batches in a queue that throttle its senders
}

// newLocal returns a transport for some owners that throttles senders while a
// queue holds more than limit batches.
func newLocal(owners, limit int) *local {
	t := &local{queues: make([][]*Batch, owners), limit: limit}
	t.wake.L = &t.mu
	return t
}

func (t *local) Send(owner int, b *Batch) {
	t.mu.Lock()
	t.queues[owner] = append(t.queues[owner], b)
	t.sent++
	first := len(t.queues[owner]) == 1
	t.mu.Unlock()
	if first {
		t.wake.Broadcast()
	}
}

func (t *local) Receive(owner int, dst []*Batch) []*Batch {
	t.mu.Lock()
	queue := t.queues[owner]
	dst = append(dst, queue...)
	t.received += uint64(len(queue))
	clear(queue)
	t.queues[owner] = queue[:0]
	t.mu.Unlock()
	if len(queue) > t.limit {
		t.wake.Broadcast()
	}
	return dst
}

func (t *local) Wait(owner int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	phase := t.phase
	t.waiting++
	if t.waiting == len(t.queues) && t.sent == t.received {
		t.waiting = 0
		t.phase++
		t.wake.Broadcast()
		return false
	}
	for {
		if t.phase != phase {
			return false
		}
		if len(t.queues[owner]) > 0 {
			t.waiting--
			return true
		}
		t.wake.Wait()
	}
}

func (t *local) Throttle(owner int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.congested(owner) && len(t.queues[owner]) == 0 {
		t.wake.Wait()
	}
}

func (t *local) congested(owner int) bool {
	for other, queue := range t.queues {
		if other != owner && len(queue) > t.limit {
			return true
		}
	}
	return false
}
