package retro

import "sync"

// transport carries batches between owners, which are numbered from 0. An owner calls
// receive, wait and throttle with its own number only; send may be called by all
// concurrently.
//
// A transport also detects the end of a phase: all owners wait, and as many batches
// have been received as sent.
type transport interface {
	// send passes a batch to an owner, without waiting for it. The caller must
	// not use the batch afterwards.
	send(owner int, b *batch)

	// receive appends to dst the batches that have arrived for an owner.
	receive(owner int, dst []*batch) []*batch

	// wait sleeps until something has arrived for the owner, and returns true; or until all
	// owners wait and no batch is in flight, and returns false. Afterwards the transport is
	// ready for the next phase.
	wait(owner int) bool

	// throttle sleeps while the queue of another owner is too long and nothing has arrived
	// for the owner itself. So owners never wait for each other in a cycle.
	throttle(owner int)
}

// local is the transport within a process. It has a queue for each owner.
type local struct {
	mu       sync.Mutex
	wake     sync.Cond // something arrived, a queue was emptied, or a phase ended
	queues   [][]*batch
	sent     uint64
	received uint64
	waiting  int
	phase    uint64 // number of phases that have ended
	limit    int    // batches in a queue that throttle its senders
}

// newLocal returns a transport that throttles senders while a queue holds more
// than limit batches.
func newLocal(owners, limit int) *local {
	t := &local{queues: make([][]*batch, owners), limit: limit}
	t.wake.L = &t.mu
	return t
}

func (t *local) send(owner int, b *batch) {
	t.mu.Lock()
	t.queues[owner] = append(t.queues[owner], b)
	t.sent++
	first := len(t.queues[owner]) == 1
	t.mu.Unlock()
	if first {
		t.wake.Broadcast()
	}
}

func (t *local) receive(owner int, dst []*batch) []*batch {
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

func (t *local) wait(owner int) bool {
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

func (t *local) throttle(owner int) {
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
