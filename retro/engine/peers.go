package engine

import (
	"fmt"
	"slices"
	"sync"

	"github.com/yomikiri/yomikiri/games"
)

// Peers are the other processes of a solve, as an engine sees them. Partition p belongs to
// process p modulo the number of processes. All run the same phases over their own partitions,
// and share the tallies of all at the end of each phase, so each knows for itself what
// comes next.
//
// The engine calls Peers once a phase, a batch or a new value, never once a position, and
// never while it holds a lock of its own. Several workers call them at once. What comes from
// the peers arrives by [Engine.Deliver], [Engine.Probe], [Engine.EndPhase], [Engine.Number],
// [Engine.Pause] and [Engine.Kill].
type Peers interface {
	// Seat returns the number of this process, from 0 on, and the number of all.
	Seat() (self, count int)
	// Send sends a batch to a peer. It does not keep the batch.
	Send(peer int, phase uint64, b *Batch)
	// Flush is called when a worker has nothing to do: what Send has held back should go.
	Flush()
	// Congested reports whether workers should pause before they send more, until
	// [Engine.Eased] is called.
	Congested() bool
	// Idle says that all workers of this process wait. The peers answer with
	// [Engine.Probe] if they want another report, and with [Engine.EndPhase] when all are
	// idle and no batch is on its way.
	Idle(r Report)
	// Ask asks for a number for a value. The answer is a call of [Engine.Number].
	Ask(list List, tier int, v games.Value)
	// Save keeps a snapshot of all processes. It returns [ErrStopped] if the solve ends there.
	Save() error
	// Fail says that this process cannot go on.
	Fail(err error)
	// AddCounts adds the cost of messages to peers.
	AddCounts(c *Counts)
}

// List is a list of values that all processes number in the same way.
type List int

const (
	Outcomes List = iota // of finished positions, from 1 on in messages
	Deferred             // of the tier
)

// Report says how far a process is in a phase.
type Report struct {
	Phase          uint64
	Wave           int    // reports of the phase, from 1 on
	Sent, Received uint64 // batches to and from peers, in the phase
	Tier           int
	Tallies        []Tally
}

// Tally counts the positions of a tier that were visited or settled in a phase.
type Tally struct {
	Tier     int
	Open     uint64   // unfinished positions
	Moves    uint64   // of unfinished positions
	Finished []uint64 // by the number of their outcome
	Settled  []uint64 // by code
}

// add adds another tally of the tier.
func (t *Tally) add(o *Tally) {
	t.Open += o.Open
	t.Moves += o.Moves
	for list, more := range map[*[]uint64][]uint64{&t.Finished: o.Finished, &t.Settled: o.Settled} {
		for i, n := range more {
			if n > 0 {
				*list = grown(*list, i)
				(*list)[i] += n
			}
		}
	}
}

// AddTallies adds tallies to a list that has at most one for each tier.
func AddTallies(list, more []Tally) []Tally {
	for i := range more {
		at := slices.IndexFunc(list, func(t Tally) bool { return t.Tier == more[i].Tier })
		if at < 0 {
			at = len(list)
			list = append(list, Tally{Tier: more[i].Tier})
		}
		list[at].add(&more[i])
	}
	return list
}

// End ends a phase. It is the same for all processes.
type End struct {
	Phase   uint64
	Paused  bool // for a snapshot; the phase then goes on
	Tallies []Tally
	// Outcomes and Deferred are the lists at the end of the phase.
	Outcomes, Deferred []games.Value
}

// alone is the [Peers] of a process that solves a game alone.
type alone struct{ e *Engine }

func (alone) Seat() (self, count int)               { return 0, 1 }
func (alone) Send(int, uint64, *Batch)              {}
func (alone) Flush()                                {}
func (alone) Congested() bool                       { return false }
func (alone) Fail(error)                            {}
func (alone) AddCounts(*Counts)                     {}
func (a alone) Ask(list List, _ int, v games.Value) { a.e.assign(list, v) }
func (a alone) Save() error {
	if a.e.cfg.Checkpoint == "" {
		return nil
	}
	return a.e.Save(SnapshotName, Seat{})
}

func (a alone) Idle(r Report) {
	e := a.e
	e.mu.Lock()
	end := End{r.Phase, e.stop.Load(), r.Tallies, e.state.Outcomes, e.state.Deferred}
	e.mu.Unlock()
	if err := e.EndPhase(&end); err != nil {
		e.fail(err)
	}
}

// queues are the batches that wait for the workers of a process, and the state of a phase.
// A phase ends when all workers of all processes wait and no batch is in flight. The mutex
// of the engine guards them.
type queues struct {
	lists    [][]*Batch // by worker
	wake     sync.Cond  // something arrived, a queue was emptied, or a phase ended
	sent     uint64     // batches put into a queue
	received uint64     // and taken out of it
	waiting  int        // workers
	limit    int        // batches in a queue that make its senders wait

	running, ended uint64 // the phase under way, counted from 1, and the last that has ended
	out, in        uint64 // batches to and from peers in the phase
	wave, reported int    // of the report that peers want, and of the last one
	pauseAt        uint64 // the phase that is to end early
	end            *End   // of the last phase
	dead           bool   // Kill was called
}

// send passes a batch to the worker of this process, or to the peer, that an owner is.
func (e *Engine) send(owner int, b *Batch) {
	if owner >= len(e.lists) {
		e.mu.Lock()
		e.out++
		phase := e.running
		e.mu.Unlock()
		e.peers.Send(owner-len(e.lists), phase, b)
		return
	}
	e.mu.Lock()
	first := e.enqueue(owner, b)
	e.mu.Unlock()
	if first {
		e.wake.Broadcast()
	}
}

func (e *Engine) enqueue(worker int, b *Batch) (first bool) {
	e.lists[worker] = append(e.lists[worker], b)
	e.sent++
	return len(e.lists[worker]) == 1
}

// receive appends to dst the batches that have arrived for a worker.
func (e *Engine) receive(worker int, dst []*Batch) []*Batch {
	e.mu.Lock()
	queue := e.lists[worker]
	dst = append(dst, queue...)
	e.received += uint64(len(queue))
	clear(queue)
	e.lists[worker] = queue[:0]
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
// has ended, and returns false.
func (e *Engine) wait(worker int) bool {
	e.peers.Flush()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.waiting++
	for {
		switch {
		case e.ended == e.running || e.dead:
			return false
		case len(e.lists[worker]) > 0:
			e.waiting--
			return true
		case e.waiting == len(e.lists) && e.sent == e.received && e.reported < e.wave:
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

// throttle sleeps while the queue of another worker is too long, or too much waits to be sent
// to peers, unless something has arrived for the worker itself. So workers never wait for each
// other in a cycle.
func (e *Engine) throttleWorker(worker int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for !e.dead && len(e.lists[worker]) == 0 && (e.crowded(worker) || e.peers.Congested()) {
		e.wake.Wait()
	}
}

// crowded reports whether the queue of another worker is too long.
func (e *Engine) crowded(worker int) bool {
	for other, queue := range e.lists {
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
	e.out, e.in, e.waiting = 0, 0, 0
	e.wave, e.reported = 1, 0
	if e.pauseAt == e.running {
		e.stop.Store(true)
	}
	e.wake.Broadcast()
}

// report returns a report. All workers wait.
func (e *Engine) report() Report {
	r := Report{Phase: e.running, Wave: e.wave, Sent: e.out, Received: e.in, Tier: e.tier}
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
	err := b.decode(data)
	if err == nil {
		err = e.check(b)
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
	for !e.dead && len(e.lists[worker]) > e.limit {
		e.wake.Wait()
	}
	e.in++
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
		if t.Tier < 0 || t.Tier >= len(e.universe.Tiers) || len(t.Finished) > len(end.Outcomes)+1 || len(t.Settled) > len(e.state.Codes)+codes {
			return fmt.Errorf("the tally of tier %d has unknown values", t.Tier)
		}
	}
	e.end, e.ended, e.waiting = end, end.Phase, 0
	if e.pauseAt == end.Phase { // it may have come too late
		e.stop.Store(false)
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
		e.stop.Store(true)
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
	e.stop.Store(true)
	e.wake.Broadcast()
}

// list returns a numbered list.
func (e *Engine) list(l List) *[]games.Value {
	if l == Outcomes {
		return &e.state.Outcomes
	}
	return &e.state.Deferred
}

// assign gives a value a number in a list.
func (e *Engine) assign(l List, v games.Value) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if list := e.list(l); !slices.Contains(*list, v) {
		*list = append(*list, v)
	}
}

// Number says which values a list of a tier has now. Lists only grow.
func (e *Engine) Number(l List, tier int, values []games.Value) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if l == Outcomes || tier == e.tier {
		*e.list(l) = values
	}
	e.wake.Broadcast()
}

// numberOf returns the number of a value in a list, from 0 on.
func (e *Engine) numberOf(l List, v games.Value) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	for asked := false; ; {
		at := slices.Index(*e.list(l), v)
		switch {
		case at >= 0:
			return at
		case e.dead:
			return 0
		case !asked:
			asked = true
			e.mu.Unlock()
			e.peers.Ask(l, e.tier, v)
			e.mu.Lock()
		default:
			e.wake.Wait()
		}
	}
}
