package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/memory"
)

// Engine solves a game, or the partitions of it that belong to this process.
type Engine struct {
	universe  *games.Universe
	retractor games.Retractor
	reverse   *reverse // the retractor, if the game has none
	cfg       Config
	plan      *Plan

	layout     *layout
	partitions []*partition // by number, of all processes
	held       []*partition // those of this process
	workers    []*worker
	peers      Peers
	self       int // number of this process, from 0 on
	processes  int
	state      State

	files      []*tierFile // of solved tiers that are not in memory, by tier
	resident   []bool      // solved tiers that are in memory
	damaged    error       // says what a damaged tier file is, and what to do
	pieceCache *lru.Cache[pieceNumber, []byte]
	someOnDisk bool     // some tier that the one being solved needs is on disk
	buckets    []int    // first bucket of each solved tier, for requests
	lost       lostBits // of the tier before, where the game has a Settler

	tier int         // the tier being solved
	kind messageKind // of the phase; that of the levels, kindWin, has decrements too
	// By kind: the code that messages of this level settle positions with, and the code of the
	// updates that are deferred to this level. 0 if there are none.
	nextCode, deferredCode [kindDecrement + 1]uint16

	pause pause

	mu  sync.Mutex // guards the next fields, state.Outcomes and state.Deferred
	err error
	queues

	at     atomic.Pointer[point]
	start  time.Time
	before time.Duration // time of earlier runs
	effort *Effort       // set when the solve is about to begin
}

// Stage is a part of an analysis.
type Stage string

const (
	stageReach      Stage = "reach"
	stageInitialise Stage = "initialise"
	stageLevels     Stage = "levels"
	stageDone       Stage = "done"
)

// State is the part of a snapshot besides the partitions. All processes of a solve have the same
// between phases, but for the fields from Passes on.
type State struct {
	Stage    Stage
	Tier     int
	Level    int
	Frontier Frontier      // of the level, when it begins
	Next     Frontier      // settled for the next level
	Codes    []games.Value // values by code, from the code 2 on
	Outcomes []games.Value // outcomes by number in messages, from 1 on
	Deferred []games.Value // values deferred in the tier, by number, from 2 on
	Tiers    []TierState   // by tier

	Passes  []Pass        // done or under way
	Elapsed time.Duration // until the snapshot
	Memory  uint64        // peak so far, in bytes
	Resumed int           // number of continuations
}

// TierState counts the positions of a tier.
type TierState struct {
	Unfinished uint64   `json:"Open"`
	Moves      uint64   // of unfinished positions
	Finished   []uint64 // positions by the number of their outcome
	Settled    []uint64 // positions by code
	Stored     bool     // has a file
}

// Frontier counts the positions of a frontier.
type Frontier struct{ Won, Lost uint64 }

// New returns an engine that is about to begin. If peers is nil, it solves the whole game.
func New(u *games.Universe, cfg Config, peers Peers) (*Engine, error) {
	l, err := newLayout(u, cfg.Partitions)
	if err != nil {
		return nil, err
	}
	e := &Engine{universe: u, retractor: u.Retractor, cfg: cfg, layout: l, peers: peers, start: time.Now()}
	if peers == nil {
		e.peers = alone{e}
	}
	e.self, e.processes = e.peers.Seat()
	if u.Retractor == nil {
		limit := cfg.reverseLimit
		if limit == 0 {
			limit = maxReverse
		}
		e.reverse = newReverse(u, limit)
		e.retractor = e.reverse
	}
	if e.pieceCache, err = lru.New[pieceNumber, []byte](cachedPieces * cfg.Threads); err != nil {
		return nil, err
	}
	e.plan, e.files, e.resident, e.damaged = cfg.Plan, make([]*tierFile, len(u.Tiers)), make([]bool, len(u.Tiers)), errDamaged
	if e.plan == nil && cfg.Memory > 0 {
		e.plan = PlanOf(u, cfg)
	}
	e.byWorker, e.wake.L, e.limit = make([][]*Batch, cfg.Threads), &e.mu, throttleAt
	if e.plan.anyOnDisk() {
		e.limit = throttleOnDisk
	}
	e.state = State{Stage: stageReach, Tiers: make([]TierState, len(u.Tiers))}
	if cfg.Positions == All {
		e.state.Stage = stageInitialise
	}
	for i := range l.regions {
		r := &l.regions[i]
		for n := range 1 << r.bits {
			p := &partition{region: r, number: r.first + n, store: inMemory{}}
			p.remote = p.number%e.processes != e.self
			e.partitions = append(e.partitions, p)
		}
	}
	for id := range cfg.Threads {
		w := &worker{e: e, id: id, batch: cfg.BatchSize, tally: make([]tally, len(u.Tiers)), scratch: make([]scratchTier, len(u.Tiers))}
		for v := range w.outcomes {
			w.outcomes[v] = noOutcome
		}
		unfinished := games.Unfinished
		w.outcomes[uint16(unfinished)] = 0
		boxes := l.partitions
		if u.Order != games.ByDistance {
			boxes += l.mostOpen()
		}
		w.all.boxes, w.all.fill = make([]uint32, boxes*cfg.BatchSize), make([]uint32, boxes)
		w.useOutboxes()
		w.lists.slab = cfg.slab
		e.workers = append(e.workers, w)
	}
	for _, p := range e.partitions {
		if !p.remote {
			w := e.workers[e.owner(p.number)]
			w.own = append(w.own, p)
			e.held = append(e.held, p)
		}
	}
	return e, nil
}

// owner returns the worker that a partition belongs to. Numbers after those of the workers
// stand for peers.
func (e *Engine) owner(partition int) int {
	if peer := partition % e.processes; peer != e.self {
		return len(e.workers) + peer
	}
	return partition / e.processes % len(e.workers)
}

// single reports whether the forward pass also counts successors: in a game of one tier it
// has all the values that initialising a tier needs.
func (e *Engine) single() bool { return len(e.universe.Tiers) == 1 }

// fail ends the analysis with an error.
func (e *Engine) fail(err error) {
	e.mu.Lock()
	if e.err == nil {
		e.err = err
	}
	e.mu.Unlock()
	e.pause.wanted.Store(true)
	e.peers.Fail(err)
}

// Err returns the error that ended the analysis, or nil.
func (e *Engine) Err() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.err
}

// maxOutcomes is the number of outcomes that messages can distinguish.
const maxOutcomes = 255

// selected reports whether a slot is of the positions to solve and has to be initialised.
func (e *Engine) selected(p *partition, slot uint32) bool {
	if e.cfg.Positions == All {
		return p.index(p.number, slot) < p.start+p.size
	}
	return p.open && p.reached[slot/64]>>(slot%64)&1 != 0
}

// outcomeNumber returns the number of an outcome in messages.
func (e *Engine) outcomeNumber(v games.Value) uint8 {
	n := e.numberOf(Outcomes, v) + 1
	if n > maxOutcomes {
		e.fail(fmt.Errorf("finished positions have more than %d different values", maxOutcomes))
		return maxOutcomes
	}
	return uint8(n)
}

// deferredNumber returns the number of a value that is deferred. It differs from codeNone and
// codeDraw.
func (e *Engine) deferredNumber(v games.Value) uint16 {
	return uint16(e.numberOf(Deferred, v) + firstCode)
}

// code returns the code of a value, assigning one if necessary.
func (e *Engine) code(v games.Value) uint16 {
	if at := slices.Index(e.state.Codes, v); at >= 0 {
		return uint16(at + firstCode)
	}
	e.state.Codes = append(e.state.Codes, v)
	code := uint16(len(e.state.Codes) - 1 + firstCode)
	for _, p := range e.held {
		if p.joint != nil && int(code) >= p.joint.lowest {
			p.split()
		}
		if code == 256 {
			p.widen()
		}
	}
	return code
}

// codes returns the number of codes in use.
func (e *Engine) codes() int { return len(e.state.Codes) + firstCode }

// codeOf returns the code of a position of a solved tier of this process, in memory or on
// disk. An error also ends the solve.
func (e *Engine) codeOf(r *region, index uint64) (uint16, error) {
	f := e.files[r.tier]
	if f == nil {
		number, slot := r.locate(index)
		return e.partitions[number].code(slot), nil
	}
	offset := index - r.start
	piece, err := f.piece(offset / pieceSize)
	if err != nil {
		e.fail(err)
		return 0, err
	}
	return codeAt(piece, offset%pieceSize), nil
}

func (e *Engine) valueOf(code uint16) games.Value {
	if code == codeDraw {
		return games.Draw
	}
	return e.state.Codes[code-firstCode]
}

// ErrStopped is returned by [Engine.Run] when its context is done.
var ErrStopped = errors.New("stopped")

// Run does all remaining stages. If the context ends it returns [ErrStopped], and what has
// been done can be saved.
func (e *Engine) Run(ctx context.Context) error {
	e.effort = NewEffort(e, time.Now())
	if stage := string(e.state.Stage); e.state.Stage != stageDone {
		e.effort.before = e.effort.Done(stage, e.state.Tier, e.passed(stage), e.state.Tiers[e.state.Tier].Unfinished)
	}
	if e.reverse != nil {
		for tier := range e.universe.Tiers {
			if err := e.reverse.check(ctx, tier); err != nil {
				return err
			}
		}
	}
	if err := e.runUntil(ctx, len(e.universe.Tiers)); err != nil {
		return err
	}
	if e.cfg.Memory > 0 {
		return e.Err()
	}
	e.tier = len(e.universe.Tiers)
	for tier, resident := range e.resident {
		if !resident {
			if err := e.loadTier(tier); err != nil {
				return err
			}
		}
	}
	return nil
}

// runUntil does the stages before those of a tier.
func (e *Engine) runUntil(ctx context.Context, tier int) error {
	ended := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() { e.watch(ctx, ended) })
	defer func() {
		close(ended)
		watch.Wait()
	}()
	for e.state.Tier < tier {
		var err error
		switch e.state.Stage {
		case stageReach:
			err = e.reach(ctx)
		case stageInitialise:
			if e.settles() {
				err = e.settle(ctx)
			} else {
				err = e.initialise(ctx)
			}
		case stageLevels:
			err = e.levels(ctx)
		}
		if err != nil {
			return err
		}
	}
	return e.Err()
}

// watch stops the workers when the context is done or a snapshot is due, until the stages have ended.
func (e *Engine) watch(ctx context.Context, ended <-chan struct{}) {
	var due, report <-chan time.Time
	if e.cfg.Checkpoint != "" {
		due = time.Tick(e.cfg.CheckpointEvery)
	}
	if e.cfg.Progress != nil {
		report = time.Tick(e.cfg.ProgressEvery)
	}
	for {
		select {
		case <-ctx.Done():
			e.pause.interrupt(e.cfg.CheckpointEvery > 0)
			return
		case <-ended:
			return
		case now := <-due:
			e.pause.due(now)
		case <-report:
			e.cfg.Progress(e.Progress())
		}
	}
}

// forEachWorker runs do for every worker, in parallel.
func (e *Engine) forEachWorker(do func(*worker)) {
	var group sync.WaitGroup
	for _, w := range e.workers {
		group.Go(func() { do(w) })
	}
	group.Wait()
}

// phase does a phase, with a snapshot whenever one is due. Each worker calls first before it
// handles any message. phase returns ErrStopped if the context ends. A later call then does
// the rest of the phase.
func (e *Engine) phase(ctx context.Context, kind messageKind, first func(*worker), produce func(*worker) bool) error {
	for {
		begin, before := time.Now(), e.counts()
		e.kind = kind
		e.begin()
		e.forEachWorker(func(w *worker) {
			w.kind = kind
			first(w)
			w.run(func() bool { return produce(w) })
		})
		e.mu.Lock()
		err, end := e.err, e.end
		if err == nil {
			e.state.Outcomes, e.state.Deferred = end.Outcomes, end.Deferred
		}
		e.mu.Unlock()
		if err != nil {
			return err
		}
		e.collect(end, time.Since(begin), before)
		switch {
		case ctx.Err() != nil:
			return ErrStopped
		case !end.Paused:
			return nil
		}
		e.pause.wanted.Store(false)
		if ctx.Err() != nil {
			return ErrStopped // Its stop may have been cleared above.
		}
		if err := e.peers.Save(); err != nil {
			return err
		}
		e.pause.saved()
	}
}

// collect adds the tallies of a phase to the state.
func (e *Engine) collect(end *End, elapsed time.Duration, before Counts) {
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
			w.tally[i] = tally{}
		}
	}
	for i := range end.Tallies {
		t := &end.Tallies[i]
		s := &e.state.Tiers[t.Tier]
		all := Tally{Unfinished: s.Unfinished, Moves: s.Moves, Finished: s.Finished, Settled: s.Settled}
		all.add(t)
		s.Unfinished, s.Moves, s.Finished, s.Settled = all.Unfinished, all.Moves, all.Finished, all.Settled
		if name == "levels" && !e.byScore() {
			// The next frontier is what messages have settled. Deferred updates have other codes,
			// and belong to the level that ends.
			settled := func(kind messageKind) uint64 {
				if code := e.nextCode[kind]; code > 0 && int(code) < len(t.Settled) {
					return t.Settled[code]
				}
				return 0
			}
			e.state.Next.Won += settled(kindWin)
			e.state.Next.Lost += settled(kindDecrement)
		}
	}
}

// grown extends list to have an entry n.
func grown(list []uint64, n int) []uint64 {
	for len(list) <= n {
		list = append(list, 0)
	}
	return list
}

// nothing is the first of a phase that needs none.
func nothing(*worker) {}

// reach does the forward pass: it finds the positions reachable from the start
// position.
func (e *Engine) reach(ctx context.Context) error {
	e.enter("reach", 0, 0, e.passed("reach"))
	fresh := len(e.held) > 0 && e.held[0].reached == nil && !e.held[0].store.onDisk()
	if err := e.usePartitions(); err != nil {
		return err
	}
	if fresh {
		for _, p := range e.held {
			p.store.allocateBits(p)
			if p.open && e.single() {
				p.store.allocateJointly(p)
			}
		}
		e.reachStart()
	}
	if err := e.phase(ctx, kindReach, nothing, (*worker).expandReached); err != nil {
		return err
	}
	for _, p := range e.held {
		p.store.freeBits(p, e.single() || !p.open)
	}
	e.state.Stage = stageInitialise
	if e.single() {
		e.beginLevels()
	}
	return nil
}

// beginLevels begins the levels of the tier.
func (e *Engine) beginLevels() {
	e.state.Stage, e.state.Level = stageLevels, 0
	if e.byScore() {
		for _, v := range e.state.Deferred {
			e.state.Level = max(e.state.Level, v.Size())
		}
	}
}

func (e *Engine) reachStart() {
	var x games.Expansion
	e.universe.Expander.Expand([]uint64{e.universe.Start}, &x)
	r := e.layout.find(e.universe.Start, &e.layout.regions[0])
	number, slot := r.locate(e.universe.Start)
	if p := e.partitions[number]; !p.remote {
		w := e.workers[e.owner(number)]
		p.store.open(w, p)
		p.store.needBits(w, p)
		w.reach(p, []uint32{slot | w.outcomeNumber(x.Status[0])<<slotBits})
	}
}

// initialise counts the successors of the positions of a tier.
func (e *Engine) initialise(ctx context.Context) error {
	e.tier = e.state.Tier
	if err := e.makeRoom(); err != nil {
		return err
	}
	if err := e.usePartitions(); err != nil {
		return err
	}
	if e.someOnDisk {
		e.numberBuckets()
	}
	e.enter("initialise", 0, e.universe.Tiers[e.tier].Size, e.passed("initialise"))
	for _, w := range e.workers {
		w.useOutboxes()
	}
	for _, p := range e.held {
		if p.tier == e.tier && p.open && p.count == nil {
			p.store.allocateValues(p, e.codes() > 256)
		}
	}
	// Only questions to peers, if any: values of this tier have no effect on others yet.
	if err := e.phase(ctx, kindAsk, nothing, (*worker).initialiseTier); err != nil {
		return err
	}
	for _, p := range e.held {
		if p.tier == e.tier {
			p.store.freeBits(p, true)
		}
	}
	e.buckets = e.buckets[:0]
	for _, w := range e.workers {
		w.requests = nil
	}
	e.beginLevels()
	return nil
}

// Values are settled in levels, from the extremes inwards. Level n has the wins and losses of
// size n. Each level is one phase.
//
// By distance, each worker first applies the updates that are deferred to the level. Then the
// frontier of the level settles predecessors at the next level. Whatever the order, a position
// with a move to a lost one is never settled as lost, since no decrement is sent for that move.
//
// By score, predecessors are settled at the same level, and workers go on with what they have
// settled until nothing changes; then comes the next smaller score, down to 1. The order does
// not matter: the positions settled are the smallest set closed under these steps. Results
// without distance are settled like the scores +1 and -1, in one level.

// byScore reports whether predecessors are settled at the same level.
func (e *Engine) byScore() bool { return e.universe.Order != games.ByDistance }

// valueAt returns the value of positions that a message of a kind settles at a level.
func (e *Engine) valueAt(kind messageKind, level int) games.Value {
	switch {
	case e.universe.Order == games.ByResult && kind == kindWin:
		return games.Won.Value()
	case e.universe.Order == games.ByResult:
		return games.Lost.Value()
	case e.byScore() && kind == kindWin:
		return games.Score(level)
	case e.byScore():
		return games.Score(-level)
	case kind == kindWin:
		return games.Win(level)
	}
	return games.Loss(level)
}

// levels settles the positions of a tier, level by level.
func (e *Engine) levels(ctx context.Context) error {
	e.tier = e.state.Tier
	if err := e.usePartitions(); err != nil {
		return err
	}
	s := &e.state
	total, settled := s.Tiers[s.Tier].Unfinished, e.passed("levels")
	e.enter("levels", s.Level, total, settled)
	if e.reverse != nil {
		if err := e.reverse.prepare(ctx, e.tier); err != nil {
			return err
		}
	}
	if r := e.layout.openOf(e.tier); r != nil && e.byScore() {
		for _, w := range e.workers {
			w.usePairs(r)
		}
	}
	produce, first := (*worker).retractBoth, (*worker).applyDeferred
	switch {
	case e.byScore() && e.plan.onDisk(e.tier):
		produce, first = (*worker).settleLevel, nothing // a partition at a time
	case e.byScore():
		produce = (*worker).retractAll
	}
	for {
		e.enter("levels", s.Level, total, settled)
		if e.beginLevel() {
			if err := e.phase(ctx, kindWin, first, produce); err != nil {
				return err
			}
			e.dropUnused()
			e.nextCode, e.deferredCode = [3]uint16{}, [3]uint16{}
		}
		s.Frontier, s.Next = s.Next, Frontier{} // counted by collect; by score, nobody counts them
		if e.byScore() {
			if s.Level--; s.Level < 1 {
				return e.endTier()
			}
			continue
		}
		for _, p := range e.held {
			if p.tier == e.tier {
				p.advance()
			}
		}
		if s.Level++; s.Frontier == (Frontier{}) && !slices.ContainsFunc(s.Deferred, func(v games.Value) bool { return v.Size() >= s.Level }) {
			return e.endTier()
		}
	}
}

// beginLevel assigns the codes that the level needs, and returns false if it has no positions.
// All processes decide by the state, so they assign the same codes.
func (e *Engine) beginLevel() (active bool) {
	s := &e.state
	// The level has positions won or lost that messages have settled before, or that deferred
	// updates are about to settle.
	won, lost := s.Frontier.Won > 0, s.Frontier.Lost > 0
	for kind, any := range map[messageKind]*bool{kindWin: &won, kindDecrement: &lost} {
		*any = *any || slices.Contains(s.Deferred, e.valueAt(kind, s.Level))
	}
	next := s.Level + 1
	if e.byScore() {
		// Predecessors have the same level, so one side's positions bring up the other's.
		next = s.Level
		won, lost = won || lost, won || lost
	}
	for _, kind := range []messageKind{kindWin, kindDecrement} {
		if v := e.valueAt(kind, s.Level); slices.Contains(s.Deferred, v) {
			e.deferredCode[kind] = e.code(v)
		}
	}
	// A position is won by a move to a lost one, and lost if all moves lead to won ones.
	if lost {
		e.nextCode[kindWin] = e.code(e.valueAt(kindWin, next))
	}
	if won {
		e.nextCode[kindDecrement] = e.code(e.valueAt(kindDecrement, next))
	}
	return won || lost
}

// dropUnused frees the last codes if no position has them, so that values which do not
// occur use up no codes.
func (e *Engine) dropUnused() {
	for len(e.state.Codes) > 0 {
		last := len(e.state.Codes) - 1 + firstCode
		for _, s := range e.state.Tiers {
			if len(s.Settled) > last && s.Settled[last] > 0 {
				return
			}
		}
		e.state.Codes = e.state.Codes[:len(e.state.Codes)-1]
	}
}

// endTier frees what only solving needs and begins the next tier.
func (e *Engine) endTier() error {
	if err := e.Err(); err != nil {
		return err
	}
	e.resident[e.tier] = true
	for _, p := range e.held {
		p.dropCounts()
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
	e.state.Deferred, e.state.Frontier, e.state.Next, e.state.Level = nil, Frontier{}, Frontier{}, 0
	e.state.Tier++
	e.state.Stage = stageInitialise
	if e.state.Tier == len(e.universe.Tiers) {
		e.state.Stage = stageDone
	}
	return nil
}
