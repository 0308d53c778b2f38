package retro

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/memory"
)

// forEachWorker runs do for every worker, in parallel.
func (e *engine) forEachWorker(do func(*worker)) {
	var group sync.WaitGroup
	for _, w := range e.workers {
		group.Go(func() { do(w) })
	}
	group.Wait()
}

// work does a phase, with a checkpoint whenever one is due. It returns errStopped
// if the context ends. A later call then does the rest of the phase.
func (e *engine) work(ctx context.Context, kind messageKind, produce func(*worker) bool) error {
	for {
		begin, before := time.Now(), e.counts()
		if e.member != nil {
			e.member.begin()
		}
		e.forEachWorker(func(w *worker) {
			w.kind = kind
			w.run(func() bool { return produce(w) })
		})
		if e.member != nil {
			e.member.agree()
		}
		e.collect(time.Since(begin), before)
		e.mu.Lock()
		err, pause, asked := e.err, e.pause, e.asked
		e.pause = false
		e.mu.Unlock()
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return errStopped
		case !e.stop.Load():
			return nil
		}
		e.stop.Store(false)
		if ctx.Err() != nil {
			return errStopped // Its stop may have been cleared above.
		}
		if pause {
			if err := e.save(); err != nil {
				return err
			}
			took := time.Since(asked) // including what the workers did before they stopped
			e.rest.Store(time.Now().Add(restAfter * took).UnixNano())
			if e.slow.Load() > 0 {
				e.slow.Store(int64(took))
			}
		}
	}
}

// collect adds the tallies of the workers to the state.
func (e *engine) collect(elapsed time.Duration, before Counts) {
	name := e.at.Load().pass
	passes := &e.state.Passes
	if n := len(*passes); n == 0 || (*passes)[n-1].Name != name || (*passes)[n-1].Tier != e.tier {
		*passes = append(*passes, Pass{Name: name, Tier: e.tier})
	}
	pass := &(*passes)[len(*passes)-1]
	pass.Time += elapsed
	pass.Counts.Add(e.counts().minus(before))
	pass.Partitions = e.storedPartitions()
	if name == "levels" && (pass.Levels == 0 || pass.level != e.state.Level) {
		pass.Levels++
		pass.level = e.state.Level
	}
	if pass.Memory == 0 || elapsed > time.Millisecond { // Reading it takes as long as a small level.
		pass.Memory = max(pass.Memory, memory.Resident())
	}
	for _, w := range e.workers {
		for i := range w.tally {
			if e.member == nil {
				e.count(i, &w.tally[i])
			}
			w.tally[i] = tally{}
		}
	}
	if e.member != nil {
		e.member.eachTally(e.count)
	}
}

// count adds a tally of a tier to the state.
func (e *engine) count(tier int, t *tally) {
	s := &e.state.Tiers[tier]
	s.Open += t.open
	s.Moves += t.moves
	for n, count := range t.finished {
		if count > 0 {
			s.Finished = grown(s.Finished, n)
			s.Finished[n] += count
		}
	}
	for kind, n := range [...]uint64{kindWin: t.won, kindDecrement: t.lost} {
		if n > 0 {
			code := e.nextCode[kind]
			s.Settled = grown(s.Settled, int(code))
			s.Settled[code] += n
		}
	}
	e.next.Won += t.won
	e.next.Lost += t.lost
}

// grown extends list to have an entry n.
func grown(list []uint64, n int) []uint64 {
	for len(list) <= n {
		list = append(list, 0)
	}
	return list
}

// reach does the forward pass: it finds the positions reachable from the start
// position.
func (e *engine) reach(ctx context.Context) error {
	e.enter("reach", 0, 0, e.passed("reach"))
	fresh := len(e.held) > 0 && e.held[0].reached == nil && e.held[0].stored == nil
	if err := e.place(); err != nil {
		return err
	}
	if fresh {
		for _, p := range e.held {
			p.allocateBits()
			if p.open && e.single() {
				p.allocateValues(false)
			}
		}
		e.reachStart()
	}
	if err := e.work(ctx, kindReach, (*worker).expandReached); err != nil {
		return err
	}
	for _, p := range e.held {
		p.freeBits(e.single() || !p.open)
	}
	e.state.Stage = stageInitialise
	if e.single() {
		e.beginLevels()
	}
	return nil
}

// beginLevels begins the levels of the tier.
func (e *engine) beginLevels() {
	e.state.Stage, e.state.Level = stageLevels, e.firstLevel()
}

func (e *engine) reachStart() {
	var x games.Expansion
	e.universe.Expander.Expand([]uint64{e.universe.Start}, &x)
	r := e.layout.find(e.universe.Start, &e.layout.regions[0])
	number, slot := r.locate(e.universe.Start)
	owner := e.owner(number)
	if owner >= len(e.workers) {
		return
	}
	w, p := e.workers[owner], e.partitions[number]
	w.open(p)
	w.needBits(p)
	w.reach(p, []uint32{slot | w.outcomeNumber(x.Status[0])<<slotBits})
}

// initialise counts the successors of the positions of a tier.
func (e *engine) initialise(ctx context.Context) error {
	e.tier = e.state.Tier
	if err := e.makeRoom(); err != nil {
		return err
	}
	if err := e.place(); err != nil {
		return err
	}
	if e.someOnDisk {
		e.numberBuckets()
	}
	e.enter("initialise", 0, e.universe.Tiers[e.tier].Size, e.passed("initialise"))
	for _, p := range e.held {
		if p.tier == e.tier && p.open && p.count == nil {
			p.allocateValues(len(e.state.Codes)+codes > 256)
		}
	}
	if err := e.work(ctx, kindAsk, (*worker).initialiseTier); err != nil {
		return err
	}
	for _, p := range e.held {
		if p.tier == e.tier {
			p.freeBits(true)
		}
	}
	e.buckets = e.buckets[:0]
	for _, w := range e.workers {
		w.requests = nil
	}
	e.beginLevels()
	return nil
}

// Steps of a level.
const (
	stepAdvance = iota // apply deferred updates and move the frontier forward
	stepLost           // send messages to the predecessors of lost positions
	stepWon            // and of won positions
)

// Values are settled in levels, from the extremes inwards. Level n has the wins and
// losses of size n.
//
// By distance, the frontier of a level settles predecessors at the next level, and
// levels rise until nothing is left. By score, it settles them at the same level,
// which is repeated until nothing changes; then comes the next smaller score, down
// to 1.

func (e *engine) byScore() bool { return e.universe.Order == games.ByScore }

// firstLevel returns the first level of the tier.
func (e *engine) firstLevel() int {
	if !e.byScore() {
		return 0
	}
	largest := 0
	for _, v := range e.state.Deferred {
		largest = max(largest, v.Size())
	}
	return largest
}

// deferredValue returns the value that deferred updates of a level assign.
func (e *engine) deferredValue(kind messageKind, level int) games.Value {
	switch {
	case e.byScore() && kind == kindWin:
		return games.Score(level)
	case e.byScore():
		return games.Score(-level)
	case kind == kindWin:
		return games.Win(level)
	}
	return games.Loss(level)
}

// propagatedValue returns the value that the frontier of a level assigns to
// predecessors.
func (e *engine) propagatedValue(kind messageKind, level int) games.Value {
	if e.byScore() {
		return e.deferredValue(kind, level)
	}
	return e.deferredValue(kind, level+1)
}

// levels settles the positions of a tier, level by level.
func (e *engine) levels(ctx context.Context) error {
	e.tier = e.state.Tier
	if err := e.place(); err != nil {
		return err
	}
	s := &e.state
	tier := &s.Tiers[s.Tier]
	settled := e.passed("levels")
	e.enter("levels", s.Level, tier.Open, settled)
	if e.reverse != nil {
		if err := e.reverse.prepare(ctx, e.tier); err != nil {
			return err
		}
	}
	if e.byScore() && e.plan.onDisk(e.tier) {
		return e.levelsOnDisk(ctx, settled)
	}
	for {
		e.enter("levels", s.Level, tier.Open, settled)
		switch s.Step {
		case stepAdvance:
			active, later := e.advance()
			switch {
			case active:
				s.Step = stepLost
			case e.byScore() && s.Level > 1:
				s.Level--
				e.applied = false
			case !e.byScore() && later:
				s.Level++
				e.applied = false
			default:
				return e.endTier()
			}
		case stepLost:
			if e.member != nil {
				if err := e.settleBoth(ctx); err != nil {
					return err
				}
				s.Step = stepAdvance
				if !e.byScore() {
					s.Level++
					e.applied = false
				}
				continue
			}
			if err := e.settle(ctx, kindWin, (*worker).retractLost); err != nil {
				return err
			}
			s.Step = stepWon
		case stepWon:
			if err := e.settle(ctx, kindDecrement, (*worker).retractWon); err != nil {
				return err
			}
			s.Step = stepAdvance
			if !e.byScore() {
				s.Level++
				e.applied = false
			}
		}
	}
}

// settle does the step of a level that sends messages of a kind.
func (e *engine) settle(ctx context.Context, kind messageKind, produce func(*worker) bool) error {
	if kind == kindWin && e.now.Lost == 0 || kind == kindDecrement && e.now.Won == 0 {
		return nil
	}
	e.setNext(kind, e.propagatedValue(kind, e.state.Level))
	if err := e.work(ctx, kind, produce); err != nil {
		return err
	}
	e.dropUnused()
	return nil
}

// setNext sets the value that messages of a kind settle.
func (e *engine) setNext(kind messageKind, v games.Value) {
	e.nextCode[kind] = e.code(v)
}

// dropUnused frees the last codes if no position has them, so that values which do not
// occur use up no codes.
func (e *engine) dropUnused() {
	for len(e.state.Codes) > 0 {
		last := len(e.state.Codes) - 1 + codes
		for _, s := range e.state.Tiers {
			if len(s.Settled) > last && s.Settled[last] > 0 {
				return
			}
		}
		e.state.Codes = e.state.Codes[:len(e.state.Codes)-1]
	}
}

// advance applies the deferred updates of the level and moves the frontier forward.
// It returns whether the frontier has any position, and whether later levels have
// deferred updates.
func (e *engine) advance() (active, later bool) {
	for _, v := range e.state.Deferred {
		later = later || v.Size() > e.state.Level
	}
	switch {
	case e.applied:
	case e.member != nil && e.byScore():
		// The settling step applies them, so that this needs no phase of its own.
		e.applied = true
		active = slices.ContainsFunc(e.state.Deferred, func(v games.Value) bool { return v.Size() == e.state.Level })
	default:
		e.applyDeferred(kindWin)
		e.applyDeferred(kindDecrement)
		e.applied = true
	}
	for _, p := range e.held {
		if p.tier != e.tier {
			continue
		}
		p.now, p.next = p.next, frontier{won: p.now.won[:0], lost: p.now.lost[:0]}
		if s := p.stored; s != nil {
			s.now, s.next = s.next, s.now
		}
	}
	e.now, e.next = e.next, frontierSize{}
	return active || e.now != frontierSize{}, later
}

// applyDeferred applies the updates that are deferred to the level, of one kind.
func (e *engine) applyDeferred(kind messageKind) {
	v := e.deferredValue(kind, e.state.Level)
	if !slices.Contains(e.state.Deferred, v) {
		return
	}
	e.setNext(kind, v)
	before := e.counts()
	begin := time.Now()
	e.forEachWorker(func(w *worker) {
		w.applyAllDeferred(kind)
		w.close()
	})
	if e.member != nil {
		e.member.reduce()
	}
	e.collect(time.Since(begin), before)
	e.dropUnused()
}

// applyAllDeferred applies the updates that are deferred to the level, of one kind.
func (w *worker) applyAllDeferred(kind messageKind) {
	for _, p := range w.current {
		w.applyDeferred(p, kind)
	}
}

// applyDeferred applies the updates of a partition that are deferred to the level, of
// one kind.
func (w *worker) applyDeferred(p *partition, kind messageKind) {
	number := slices.Index(w.e.state.Deferred, w.e.deferredValue(kind, w.e.state.Level)) + codes
	if number < codes || number >= len(p.deferred) || p.deferred[number] == 0 {
		return
	}
	w.open(p)
	w.needAll(p)
	p.deferred[number] = 0
	w.slots = p.deferredSlots(w.slots[:0], uint16(number))
	w.needSlots(p, w.slots)
	if kind == kindWin {
		w.win(p, w.slots)
		return
	}
	for _, slot := range w.slots {
		p.setCode(slot, codeDraw)
	}
	w.decrement(p, w.slots)
}

// endTier frees what only solving needs and begins the next tier.
func (e *engine) endTier() error {
	if err := e.failure(); err != nil {
		return err
	}
	if e.plan.onDisk(e.tier) {
		if err := e.evictTier(e.tier); err != nil {
			return err
		}
	}
	for _, p := range e.held {
		if p.tier == e.tier {
			p.count, p.deferred, p.now, p.next = nil, nil, frontier{}, frontier{}
		}
	}
	if e.reverse != nil {
		e.reverse.ends, e.reverse.from = nil, nil
	}
	for _, w := range e.workers {
		for _, v := range e.state.Deferred {
			w.deferred[uint16(v)] = 0
		}
		w.values = nil
	}
	e.state.Deferred = nil
	e.state.Step, e.applied = stepAdvance, false
	e.state.Tier++
	e.state.Stage = stageInitialise
	if e.state.Tier == len(e.universe.Tiers) {
		e.state.Stage = stageDone
	}
	return nil
}
