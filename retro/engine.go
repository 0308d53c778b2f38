package retro

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
)

// engine is the state of an analysis.
type engine struct {
	universe   *games.Universe
	retractor  games.Retractor
	reverse    *reverse // the retractor, if the game has none
	cfg        Config
	layout     *layout
	partitions []*partition
	held       []*partition // the partitions of this process
	workers    []*worker
	transport  transport
	throttle   int     // length of a queue, in batches, above which senders wait
	member     *member // of a solve by several nodes; otherwise nil
	state      state
	plan       *Plan
	files      []*tierFile // of finished tiers that are not in memory
	pieceCache *lru.Cache[pieceNumber, []byte]
	someOnDisk bool  // some tier before the one being solved is on disk
	buckets    []int // first bucket of each finished tier, for requests

	tier      int                       // the tier being solved
	nextCode  [kindDecrement + 1]uint16 // of the positions that messages of a given kind settle
	now, next frontierSize              // of all frontiers
	applied   bool                      // the deferred updates of the level have been applied

	stop  atomic.Bool  // workers produce no more messages
	rest  atomic.Int64 // no checkpoint is due before this time, in Unix nanoseconds
	quit  atomic.Bool  // stop without a checkpoint
	slow  atomic.Int64 // nanoseconds that a checkpoint is likely to take; 0 in memory
	mu    sync.Mutex   // guards err, pause, asked, state.Outcomes and state.Deferred
	err   error
	pause bool      // the stop is for a checkpoint
	asked time.Time // when the last stop for a checkpoint was requested
	at    atomic.Pointer[place]
	begin time.Time

	before time.Duration // time of earlier runs
	effort *effort       // set when the solve is about to begin
}

// stage is a part of an analysis.
type stage string

const (
	stageReach      stage = "reach"
	stageInitialise stage = "initialise"
	stageLevels     stage = "levels"
	stageDone       stage = "done"
)

// state is the part of a checkpoint besides the partitions. Format 2 calls a tier a
// slice.
type state struct {
	Stage    stage
	Tier     int `json:"Slice"`
	Level    int
	Step     int           // of the level
	Codes    []games.Value // values by code, from the code 2 on
	Outcomes []games.Value // outcomes by number in messages, from 1 on
	Deferred []games.Value // values deferred in the tier, by number, from codes on
	Tiers    []tierState   `json:"Slices"` // by tier
	Passes   []Pass        // done or under way
	Elapsed  time.Duration // until the checkpoint
	Memory   uint64        // peak so far, in bytes
	Resumed  int           // number of continuations
}

type tierState struct {
	Open     uint64
	Moves    uint64
	Finished []uint64 // positions by the number of their outcome
	Settled  []uint64 // positions by code
	Stored   bool     // has a file
}

func newEngine(u *games.Universe, cfg Config) (*engine, error) {
	l, err := newLayout(u, cfg.Partitions)
	if err != nil {
		return nil, err
	}
	e := &engine{universe: u, retractor: u.Retractor, cfg: cfg, layout: l, begin: time.Now()}
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
	e.plan, e.files = cfg.Plan, make([]*tierFile, len(u.Tiers))
	if e.plan == nil && cfg.Memory > 0 {
		e.plan = PlanOf(u, cfg)
	}
	e.throttle = throttleAt
	if e.plan.anyOnDisk() {
		e.throttle = throttleOnDisk
	}
	e.state = state{Stage: stageReach, Tiers: make([]tierState, len(u.Tiers))}
	if cfg.Positions == All {
		e.state.Stage = stageInitialise
	}
	for i := range l.regions {
		r := &l.regions[i]
		for n := range 1 << r.bits {
			e.partitions = append(e.partitions, &partition{region: r, number: r.first + n})
		}
	}
	switch {
	case cfg.member != nil:
		e.member, e.transport = cfg.member, cfg.member
		e.member.join(e)
	case cfg.transport != nil:
		e.transport = cfg.transport
	default:
		e.transport = newLocal(cfg.Threads, e.throttle)
	}
	for id := range cfg.Threads {
		w := &worker{e: e, id: id, batch: cfg.BatchSize, tally: make([]tally, len(u.Tiers)), scratch: make([]scratchTier, len(u.Tiers))}
		for v := range w.outcomes {
			w.outcomes[v] = noOutcome
		}
		unfinished := games.Unfinished
		w.outcomes[uint16(unfinished)] = 0
		w.outboxes = newOutboxes(l.partitions, cfg.BatchSize)
		if cfg.member != nil && u.Order == games.ByScore {
			w.other = newOutboxes(l.partitions, cfg.BatchSize)
		}
		w.lists.slab = cfg.slab
		e.workers = append(e.workers, w)
	}
	for _, p := range e.partitions {
		if owner := e.owner(p.number); owner < len(e.workers) {
			e.held = append(e.held, p)
			e.workers[owner].own = append(e.workers[owner].own, p)
		}
	}
	return e, nil
}

// owner returns the worker that a partition belongs to. Numbers after those of the workers
// stand for other nodes.
func (e *engine) owner(partition int) int {
	if e.member != nil {
		return e.member.owner(partition)
	}
	return partition % len(e.workers)
}

// single reports whether the forward pass also counts successors: in a game of one tier it
// has all the values that initialising a tier needs.
func (e *engine) single() bool { return len(e.universe.Tiers) == 1 }

// fail ends the analysis with an error.
func (e *engine) fail(err error) {
	e.mu.Lock()
	if e.err == nil {
		e.err = err
	}
	e.mu.Unlock()
	e.stop.Store(true)
	if e.member != nil {
		e.member.fail(err)
	}
}

// failure returns the error that ended the analysis, or nil.
func (e *engine) failure() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.err
}

// maxOutcomes is the number of outcomes that messages can distinguish.
const maxOutcomes = 255

var errTooManyOutcomes = fmt.Errorf("finished positions have more than %d different values", maxOutcomes)

// known reports whether a slot has to be initialised.
func (e *engine) known(p *partition, slot uint32) bool {
	if e.cfg.Positions == All {
		return p.index(p.number, slot) < p.start+p.size
	}
	return p.open && p.reached[slot/64]>>(slot%64)&1 != 0
}

// outcomeNumber returns the number of an outcome in messages, assigning one if
// necessary.
func (e *engine) outcomeNumber(v games.Value) uint8 {
	if e.member != nil {
		return uint8(e.member.numberOf(numberOutcome, v))
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, known := range e.state.Outcomes {
		if known == v {
			return uint8(i + 1)
		}
	}
	if len(e.state.Outcomes) == maxOutcomes {
		if e.err == nil {
			e.err = errTooManyOutcomes
		}
		e.stop.Store(true)
		return maxOutcomes
	}
	e.state.Outcomes = append(e.state.Outcomes, v)
	return uint8(len(e.state.Outcomes))
}

// deferredNumber returns the number of a value that is deferred, assigning one if
// necessary. It differs from codeNone and codeDraw.
func (e *engine) deferredNumber(v games.Value) uint16 {
	if e.member != nil {
		return uint16(e.member.numberOf(numberDeferred, v) - 1 + codes)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	at := slices.Index(e.state.Deferred, v)
	if at < 0 {
		at = len(e.state.Deferred)
		e.state.Deferred = append(e.state.Deferred, v)
	}
	return uint16(at + codes)
}

// code returns the code of a value, assigning one if necessary.
func (e *engine) code(v games.Value) uint16 {
	for i, known := range e.state.Codes {
		if known == v {
			return uint16(i + codes)
		}
	}
	e.state.Codes = append(e.state.Codes, v)
	code := uint16(len(e.state.Codes) - 1 + codes)
	if code == 256 {
		for _, p := range e.held {
			p.widen()
		}
	}
	return code
}

// codeOf returns the code of a position of a finished tier in memory or on disk. An
// error also ends the solve.
func (e *engine) codeOf(r *region, index uint64) (uint16, error) {
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

func (e *engine) valueOf(code uint16) games.Value {
	if code == codeDraw {
		return games.Draw
	}
	return e.state.Codes[code-codes]
}

// errStopped is returned by a phase whose context is done.
var errStopped = errors.New("stopped")

// run does all remaining stages.
func (e *engine) run(ctx context.Context) error {
	e.effort = newEffort(e, time.Now())
	if stage := string(e.state.Stage); e.state.Stage != stageDone {
		e.effort.before = e.effort.done(stage, e.state.Tier, e.passed(stage), e.state.Tiers[e.state.Tier].Open)
	}
	watched, done := context.WithCancel(ctx)
	var watch sync.WaitGroup
	watch.Go(func() { e.watch(watched) })
	defer func() {
		done()
		watch.Wait()
	}()
	if e.reverse != nil {
		if err := e.reverse.check(ctx); err != nil {
			return err
		}
	}
	for {
		var err error
		switch e.state.Stage {
		case stageReach:
			err = e.reach(ctx)
		case stageInitialise:
			err = e.initialise(ctx)
		case stageLevels:
			err = e.levels(ctx)
		case stageDone:
			if e.cfg.Memory == 0 {
				e.tier = len(e.universe.Tiers)
				return e.setResident(0)
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// watch stops the workers when the context is done or a checkpoint is due.
func (e *engine) watch(ctx context.Context) {
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
			e.quit.Store(e.cfg.CheckpointEvery > 0 && e.slow.Load() > int64(time.Second))
			e.stop.Store(true)
			return
		case now := <-due:
			if now.UnixNano() < e.rest.Load() {
				continue
			}
			e.mu.Lock()
			e.pause, e.asked = true, now
			e.mu.Unlock()
			e.stop.Store(true)
		case <-report:
			e.cfg.Progress(e.progress())
		}
	}
}
