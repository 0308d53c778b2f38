package engine

import (
	"fmt"
	"sync"
)

// queues are the batches that wait for the workers of a process, and the barrier at the end of a
// phase: it ends when all workers of all processes wait and no batch is in flight. Within a
// process that is sent == received, under one lock. Peers compare the reports of all
// processes. The mutex of the engine guards the queues.
type queues struct {
	byWorker [][]*Batch
	wake     sync.Cond // something arrived, a queue was emptied, or a phase ended
	sent     uint64    // batches put into any queue, from peers too
	received uint64    // batches taken out
	waiting  int       // number of workers that wait
	limit    int       // length of a queue above which its senders wait

	running, ended     uint64 // the phase under way, counted from 1, and the last that has ended
	toPeers, fromPeers uint64 // batches in the phase
	wave, reported     int    // of the report that peers want, and of the last one
	pauseAt            uint64 // the phase that is to end early
	end                *End   // of the last phase
	dead               bool   // Kill was called
}

// send passes a batch to an owner, which is a worker of this process or a peer (see owner).
func (e *Engine) send(owner int, b *Batch) {
	if owner >= len(e.byWorker) {
		e.mu.Lock()
		e.toPeers++
		phase := e.running
		e.mu.Unlock()
		e.peers.Send(owner-len(e.byWorker), phase, b)
		return
	}
	e.mu.Lock()
	first := e.enqueue(owner, b)
	e.mu.Unlock()
	if first {
		e.wake.Broadcast()
	}
}

// enqueue puts a batch into the queue of a worker, and reports whether it is the first there.
func (e *Engine) enqueue(worker int, b *Batch) (first bool) {
	e.byWorker[worker] = append(e.byWorker[worker], b)
	e.sent++
	return len(e.byWorker[worker]) == 1
}

// receive appends to dst the batches that have arrived for a worker.
func (e *Engine) receive(worker int, dst []*Batch) []*Batch {
	e.mu.Lock()
	queue := e.byWorker[worker]
	dst = append(dst, queue...)
	e.received += uint64(len(queue))
	clear(queue)
	e.byWorker[worker] = queue[:0]
	e.mu.Unlock()
	if len(queue) > e.limit {
		e.wake.Broadcast()
	}
	if e.cfg.arrived != nil {
		e.cfg.arrived(dst)
	}
	return dst
}

// wait sleeps until something has arrived for a worker, and returns true, or until the phase
// has ended, and returns false. The last worker to wait reports to the peers. A process alone
// ends the phase with that; others go on waiting, and report again if they are probed.
func (e *Engine) wait(worker int) bool {
	e.peers.Flush()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.waiting++
	for {
		switch {
		case e.ended == e.running || e.dead:
			return false
		case len(e.byWorker[worker]) > 0:
			e.waiting--
			return true
		case e.waiting == len(e.byWorker) && e.sent == e.received && e.reported < e.wave:
			e.reported = e.wave
			r := e.report()
			e.mu.Unlock()
			e.peers.Idle(r)
			e.mu.Lock()
		default:
			e.wake.Wait()
		}
	}
}

// throttleWorker sleeps while the queue of another worker is too long, or too much waits to be sent
// to peers, unless something has arrived for the worker itself. So workers never wait for each
// other in a cycle.
func (e *Engine) throttleWorker(worker int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for !e.dead && len(e.byWorker[worker]) == 0 && (e.crowded(worker) || e.peers.Congested()) {
		e.wake.Wait()
	}
}

// crowded reports whether the queue of another worker is too long.
func (e *Engine) crowded(worker int) bool {
	for other, queue := range e.byWorker {
		if other != worker && len(queue) > e.limit {
			return true
		}
	}
	return false
}

// begin begins a phase.
func (e *Engine) begin() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.running++
	e.toPeers, e.fromPeers, e.waiting = 0, 0, 0
	e.wave, e.reported = 1, 0
	if e.pauseAt == e.running {
		e.pause.wanted.Store(true)
	}
	e.wake.Broadcast()
}

// report returns a report. All workers wait.
func (e *Engine) report() Report {
	r := Report{Phase: e.running, Wave: e.wave, Sent: e.toPeers, Received: e.fromPeers, Tier: e.tier}
	for _, w := range e.workers {
		for tier := range w.tally {
			if t := w.tally[tier].tally(tier); t != nil {
				r.Tallies = AddTallies(r.Tallies, []Tally{*t})
			}
		}
	}
	return r
}

// Deliver accepts a batch of a phase from a peer, as [Batch.Append] encodes it. It waits until
// the phase has begun here and there is room for the batch. An error says why no engine would
// send it.
func (e *Engine) Deliver(peer int, phase uint64, data []byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if phase > e.running+1 {
		return fmt.Errorf("a batch of phase %d in phase %d", phase, e.running)
	}
	for !e.dead && phase > e.running {
		e.wake.Wait()
	}
	if e.dead {
		return nil
	}
	if phase <= e.ended {
		return fmt.Errorf("a batch of phase %d, which has ended", phase)
	}
	e.mu.Unlock()
	b := batches.Get().(*Batch)
	most, err := b.decode(data)
	if err == nil {
		err = e.check(b, most)
	}
	e.mu.Lock()
	if err != nil {
		return err
	}
	b.peer = peer
	worker := int(b.to)
	if b.kind != kindReply {
		worker = e.owner(worker)
	}
	for !e.dead && len(e.byWorker[worker]) > e.limit {
		e.wake.Wait()
	}
	e.fromPeers++
	if e.enqueue(worker, b) {
		e.wake.Broadcast()
	}
	return nil
}

// Probe asks for another report of a phase.
func (e *Engine) Probe(phase uint64, wave int) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if phase != e.running || phase == e.ended || wave != e.wave+1 || e.reported < e.wave {
		return fmt.Errorf("a wrong time for report %d of phase %d, in phase %d with %d reports", wave, phase, e.running, e.reported)
	}
	e.wave = wave
	e.wake.Broadcast()
	return nil
}

// EndPhase ends the phase under way.
func (e *Engine) EndPhase(end *End) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if end.Phase != e.running || end.Phase == e.ended || e.reported == 0 {
		return fmt.Errorf("a wrong time to end phase %d, in phase %d", end.Phase, e.running)
	}
	for i := range end.Tallies {
		t := &end.Tallies[i]
		if t.Tier < 0 || t.Tier >= len(e.universe.Tiers) || len(t.Finished) > len(end.Outcomes)+1 || len(t.Settled) > e.codes() {
			return fmt.Errorf("the tally of tier %d has unknown values", t.Tier)
		}
	}
	e.end, e.ended, e.waiting = end, end.Phase, 0
	if e.pauseAt == end.Phase { // it may have come too late
		e.pause.wanted.Store(false)
	}
	e.wake.Broadcast()
	return nil
}

// Pause makes a phase end early.
func (e *Engine) Pause(phase uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.pauseAt = phase
	if phase == e.running && phase > e.ended {
		e.pause.wanted.Store(true)
	}
}

// Eased says that the peers are no longer congested.
func (e *Engine) Eased() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.wake.Broadcast()
}

// Kill ends the engine with an error: the solve goes on without it.
func (e *Engine) Kill(err error) {
	e.mu.Lock()
	e.dead = true
	if e.err == nil {
		e.err = err
	}
	e.mu.Unlock()
	e.pause.wanted.Store(true)
	e.wake.Broadcast()
}
