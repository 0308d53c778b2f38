package retro

import (
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/games"
)

// errLost ends an engine whose solve continues without it, from the last epoch.
var errLost = errors.New("the nodes begin again from the last epoch")

// member connects a node's engine to those of the other nodes. All run the same phases,
// each on its own partitions, and share the same state after each phase: the tallies of all
// nodes, and the numbers of values. So each node can decide for itself what comes next.
//
// It is the transport of the node's workers. Owners with numbers after those of the workers
// are the other nodes.
type member struct {
	*local
	nodes, self int
	threads     int
	mesh        *cluster.Mesh
	e           *engine
	save, keep  func(epoch int) error // writes a checkpoint, removes all others
	blanks      sync.Pool             // batches

	sent atomic.Uint64 // batches to other nodes, in this phase
	busy atomic.Int64  // nanoseconds for packing, unpacking and answers

	// mu of local guards the rest.
	dead     bool
	running  uint64 // the phase, counted from 1
	quiet    bool   // nothing is sent in it
	arrived  uint64 // batches from other nodes in this phase
	wave     int    // for which the coordinator wants a report
	reported int    // the last wave reported
	pause    uint64 // the phase that is to end early
	end      *note  // of the last phase
	total    []tally
	commit   *note
	begun    *note // the note to go

	orders chan *note
	gone   chan struct{} // closed by kill
	once   sync.Once
}

// newMember returns a member that has yet to join a mesh and to get an engine.
func newMember(nodes, self, threads, tiers int) *member {
	t := &member{local: newLocal(threads, throttleAt), nodes: nodes, self: self, threads: threads, total: make([]tally, tiers), orders: make(chan *note, 64), gone: make(chan struct{})}
	t.blanks.New = func() any { return &batch{} }
	return t
}

// coordinator returns the coordinator's number in the mesh.
func (t *member) coordinator() int { return t.nodes }

// join makes e the engine.
func (t *member) join(e *engine) { t.e = e }

// elsewhere reports whether another node has a partition.
func (t *member) elsewhere(partition int) bool { return partition%t.nodes != t.self }

// owner returns the owner of a partition.
func (t *member) owner(partition int) int {
	node := partition % t.nodes
	if node != t.self {
		return t.threads + node
	}
	return partition / t.nodes % t.threads
}

// tell sends a note to the coordinator.
func (t *member) tell(n *note) {
	t.mesh.Send(t.coordinator(), n.record)
	t.mesh.Flush()
}

// kill ends all waiting: the solve goes on without this engine.
func (t *member) kill() {
	t.mu.Lock()
	t.dead = true
	t.mu.Unlock()
	if t.e != nil {
		t.e.mu.Lock()
		if t.e.err == nil {
			t.e.err = errLost
		}
		t.e.mu.Unlock()
		t.e.stop.Store(true)
	}
	t.wake.Broadcast()
	t.once.Do(func() { close(t.gone) })
}

// fail tells the coordinator of an error of this node.
func (t *member) fail(err error) { t.tell(&note{Kind: noteFailed, Error: err.Error()}) }

// send implements [transport].
func (t *member) send(owner int, b *batch) {
	if owner < t.threads {
		t.local.send(owner, b)
		return
	}
	t.sent.Add(1)
	t.mesh.Send(owner-t.threads, func(packet []byte) []byte {
		defer t.spent(time.Now())
		// Batches are sent during a phase only, so running does not change meanwhile.
		return appendBatch(packet, uint32(t.running), b)
	})
	t.blanks.Put(b)
}

// spent counts the time since begin as spent on messages.
func (t *member) spent(begin time.Time) { t.busy.Add(int64(time.Since(begin))) }

// wait implements [transport]. It returns false when the coordinator has ended the phase.
func (t *member) wait(owner int) bool {
	t.mesh.Flush()
	t.mu.Lock()
	defer t.mu.Unlock()
	phase := t.phase
	t.waiting++
	for {
		if t.phase != phase || t.dead {
			return false
		}
		if len(t.queues[owner]) > 0 {
			t.waiting--
			return true
		}
		if r := t.report(); r != nil {
			t.mu.Unlock()
			t.tell(r)
			t.mu.Lock()
			continue
		}
		t.wake.Wait()
	}
}

// throttle implements [transport].
func (t *member) throttle(owner int) {
	if !t.mesh.Congested() {
		t.local.throttle(owner)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for !t.dead && (t.congested(owner) || t.mesh.Congested()) && len(t.queues[owner]) == 0 {
		t.wake.Wait()
	}
}

// eased is called when the mesh is no longer congested.
func (t *member) eased() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wake.Broadcast()
}

// report returns a report if the workers are idle and one is wanted, and otherwise nil.
func (t *member) report() *note {
	if t.dead || t.reported >= t.wave || !t.quiet && (t.waiting < len(t.queues) || t.local.sent != t.received) {
		return nil
	}
	t.reported = t.wave
	clear(t.total)
	for _, w := range t.e.workers {
		for i := range w.tally {
			t.total[i].join(&w.tally[i])
		}
	}
	return &note{Kind: noteReport, Tier: t.e.tier, Phase: t.running, Wave: t.wave, Quiet: t.quiet, Sent: t.sent.Load(), Received: t.arrived, Tallies: nodeTallies(t.total)}
}

// join adds another tally.
func (t *tally) join(o *tally) {
	if *o == (tally{}) {
		return
	}
	t.open += o.open
	t.moves += o.moves
	t.won += o.won
	t.lost += o.lost
	for i, n := range o.finished {
		t.finished[i] += n
	}
}

// begin begins a phase.
func (t *member) begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.start(false)
	t.wake.Broadcast()
}

func (t *member) start(quiet bool) {
	t.running++
	t.quiet = quiet
	t.sent.Store(0)
	t.arrived = 0
	t.wave, t.reported = 1, 0
	if t.pause == t.running && !quiet {
		t.e.stop.Store(true)
	}
}

// agree adopts the state that all nodes share at the end of a phase.
func (t *member) agree() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dead {
		return
	}
	t.e.mu.Lock()
	defer t.e.mu.Unlock()
	t.e.state.Outcomes, t.e.state.Deferred = t.end.Outcomes, t.end.Deferred
	t.e.pause = t.end.Paused
	t.e.stop.Store(t.end.Paused || t.e.err != nil)
}

// reduce runs a phase in which no batches are sent: it adds up the tallies of all nodes
// after their workers have done something.
func (t *member) reduce() {
	t.mu.Lock()
	t.start(true)
	phase := t.phase
	r := t.report()
	t.mu.Unlock()
	if r != nil {
		t.tell(r)
	}
	t.mu.Lock()
	for t.phase == phase && !t.dead {
		t.wake.Wait()
	}
	t.mu.Unlock()
	t.agree()
}

// eachTally calls do with the tally of all nodes in the last phase, for each tier.
func (t *member) eachTally(do func(tier int, sum *tally)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dead {
		return
	}
	for i := range t.end.Tallies {
		var sum tally
		sum.add(&t.end.Tallies[i])
		do(t.end.Tallies[i].Tier, &sum)
	}
}

// numberOf returns the number of a value in a list, from 1 on. The coordinator assigns it.
func (t *member) numberOf(list numberedList, v games.Value) int {
	asked := false
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		t.e.mu.Lock()
		at := slices.Index(*t.numbered(list), v)
		t.e.mu.Unlock()
		switch {
		case at >= 0:
			return at + 1
		case t.dead:
			return 1
		case !asked:
			asked = true
			t.mu.Unlock()
			t.tell(&note{Kind: noteNumber, List: list, Value: v, Tier: t.e.tier})
			t.mu.Lock()
		default:
			t.wake.Wait()
		}
	}
}

func (t *member) numbered(list numberedList) *[]games.Value {
	if list == numberOutcome {
		return &t.e.state.Outcomes
	}
	return &t.e.state.Deferred
}

// handle takes a record from another member. It blocks until there is room for it.
func (t *member) handle(from int, record []byte) {
	if record[0] != noteRecord {
		t.take(record)
		return
	}
	n, err := readNote(record)
	if err != nil {
		t.fail(err)
		return
	}
	switch n.Kind {
	case noteQuery, noteSave, noteFinish:
		select {
		case t.orders <- n:
		case <-t.gone:
		}
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch n.Kind {
	case noteGo:
		t.begun = n
	case noteProbe:
		if n.Phase == t.running {
			t.wave = n.Wave
			if r := t.report(); r != nil {
				t.mu.Unlock()
				t.tell(r)
				t.mu.Lock()
			}
		}
	case notePause:
		t.pause = n.Phase
		if t.pause == t.running && !t.quiet && (t.end == nil || t.end.Phase < t.running) {
			t.e.stop.Store(true)
		}
	case noteEnd:
		t.end = n
		t.waiting = 0
		t.phase++
	case noteNumbers:
		t.e.mu.Lock()
		if list := t.numbered(n.List); n.List == numberOutcome || n.Tier == t.e.tier {
			*list = n.Outcomes
		}
		t.e.mu.Unlock()
	case noteCommitted:
		t.commit = n
	}
	t.wake.Broadcast()
}

// take passes a batch from another node to its owner, once the phase in which it was sent
// has begun here.
func (t *member) take(record []byte) {
	begin := time.Now()
	b := t.blanks.Get().(*batch)
	phase := uint64(readBatch(record, b))
	t.spent(begin)
	owner := int(b.to)
	if b.kind != kindAnswer {
		owner = t.owner(owner)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for !t.dead && (t.running < phase || len(t.queues[owner]) > t.limit) {
		t.wake.Wait()
	}
	if t.dead {
		return
	}
	t.arrived++
	t.queues[owner] = append(t.queues[owner], b)
	t.local.sent++
	if len(t.queues[owner]) == 1 {
		t.wake.Broadcast()
	}
}

// common returns a hash of the part of the state that all nodes have in common.
func (s *state) common() uint64 {
	c := *s
	c.Passes, c.Elapsed, c.Memory, c.Resumed = nil, 0, 0, 0
	text, err := json.Marshal(&c)
	if err != nil {
		panic(err)
	}
	h := fnv.New64a()
	h.Write(text)
	return h.Sum64()
}

// checkpoint writes a checkpoint of the epoch that the coordinator has begun, and waits
// until it is committed.
func (t *member) checkpoint() error {
	t.mu.Lock()
	epoch := t.end.Epoch
	t.mu.Unlock()
	if err := t.save(epoch); err != nil {
		return err
	}
	return t.committed(epoch)
}

// committed waits until an epoch is committed. It returns errStopped if the solve is to stop
// there.
func (t *member) committed(epoch int) error {
	t.tell(&note{Kind: noteSaved, Epoch: epoch, Seen: t.e.state.common()})
	t.mu.Lock()
	for !t.dead && (t.commit == nil || t.commit.Epoch < epoch) {
		t.wake.Wait()
	}
	dead, commit := t.dead, t.commit
	t.mu.Unlock()
	if dead {
		return errLost
	}
	if err := t.keep(epoch); err != nil {
		return err
	}
	if commit.Leave {
		return errStopped
	}
	return nil
}

// settleBoth runs both message-sending steps of a level as one phase: the fewer phases, the
// less the nodes wait for each other. Whatever the order, a position with a move to a lost
// one is never settled as lost, since no decrement is sent for that move.
//
// By score, the phase does all steps of the level. The order does not matter: the positions
// settled are the smallest set closed under these steps.
func (e *engine) settleBoth(ctx context.Context) error {
	produce := (*worker).retractBoth
	if e.byScore() {
		produce = (*worker).retractAll
	}
	if e.now.Lost > 0 || e.byScore() {
		e.setNext(kindWin, e.propagatedValue(kindWin, e.state.Level))
	}
	if e.now.Won > 0 || e.byScore() {
		e.setNext(kindDecrement, e.propagatedValue(kindDecrement, e.state.Level))
	}
	if e.byScore() {
		e.forEachWorker(func(w *worker) {
			w.applyAllDeferred(kindWin)
			w.applyAllDeferred(kindDecrement)
		})
	}
	if err := e.work(ctx, kindWin, produce); err != nil {
		return err
	}
	if e.byScore() {
		e.now, e.next = frontierSize{}, frontierSize{} // all have sent their messages
	}
	e.dropUnused()
	return nil
}

// retractBoth does retractLost and then retractWon.
func (w *worker) retractBoth() bool {
	if w.kind == kindWin {
		if w.retractLost() {
			return true
		}
		w.change(kindDecrement)
		w.cursor, w.word = 0, 0
	}
	return w.retractWon()
}

// retractAll does retractBoth, and repeats it with the positions settled meanwhile.
// Messages to other nodes wait until a batch is full, or there is nothing else to do.
func (w *worker) retractAll() bool {
	if w.retractBoth() || w.advance(chunk) && w.retractBoth() {
		return true
	}
	w.flushTo(func(partition int) bool { return !w.e.member.elsewhere(partition) })
	w.applyAll()
	return w.advance(1) && w.retractBoth()
}

// advance moves the largest frontiers forward, if any has at least the given number of
// positions. The others can wait: retracting only a few positions at a time costs more for
// each.
func (w *worker) advance(least int) bool {
	size := func(p *partition) int { return len(p.next.won) + len(p.next.lost) }
	most := 0
	for _, p := range w.current {
		most = max(most, size(p))
	}
	if most < least {
		return false
	}
	for _, p := range w.current {
		if size(p) >= max(most/4, 1) {
			p.now, p.next = p.next, frontier{won: p.now.won[:0], lost: p.now.lost[:0]}
		}
	}
	w.change(kindWin)
	w.cursor, w.word = 0, 0
	return true
}
