package retro

import (
	"context"
	"sync"
	"time"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/memory"
)

// place is where an analysis has got to, for progress.
type place struct {
	pass   string
	tier   int
	level  int
	begin  time.Time
	before Counts // of all workers when the pass began
	total  uint64 // positions to go through or to settle, 0 if that is not known
	done   uint64 // of them before the pass began
}

// enter says that a pass begins, or goes on at another level.
func (e *engine) enter(pass string, level int, total, done uint64) {
	old := e.at.Load()
	if old != nil && old.pass == pass && old.tier == e.tier {
		next := *old
		next.level = level
		e.at.Store(&next)
		return
	}
	e.at.Store(&place{pass, e.tier, level, time.Now(), e.counts(), total, done})
}

// counts returns what all workers have done so far.
func (e *engine) counts() Counts {
	var c Counts
	for _, w := range e.workers {
		c.Positions += w.counters.positions.Load()
		c.Moves += w.counters.moves.Load()
		c.Messages += w.counters.messages.Load()
		c.Batches += w.counters.batches.Load()
		c.Bytes += w.counters.bytes.Load()
		c.Settled += w.counters.settled.Load()
	}
	return c
}

// together lets every worker do something to its own partitions.
func (e *engine) together(do func(*worker)) {
	var group sync.WaitGroup
	for _, w := range e.workers {
		group.Go(func() { do(w) })
	}
	group.Wait()
}

// work does a phase, with a checkpoint wherever one is due. It returns
// errStopped if the context ends; what is then left of the phase is for a later
// call.
func (e *engine) work(ctx context.Context, kind Kind, produce func(*worker) bool) error {
	for {
		begin, before := time.Now(), e.counts()
		e.together(func(w *worker) {
			w.kind = kind
			w.run(func() bool { return produce(w) })
		})
		e.collect(time.Since(begin), before)
		e.mu.Lock()
		err, pause := e.err, e.pause
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
			return errStopped // the context ended in between
		}
		if pause {
			if err := e.save(); err != nil {
				return err
			}
		}
	}
}

// collect adds up what the workers did.
func (e *engine) collect(elapsed time.Duration, before Counts) {
	name := e.at.Load().pass
	passes := &e.state.Passes
	if n := len(*passes); n == 0 || (*passes)[n-1].Name != name || (*passes)[n-1].Tier != e.tier {
		*passes = append(*passes, Pass{Name: name, Tier: e.tier})
	}
	pass := &(*passes)[len(*passes)-1]
	pass.Time += elapsed
	pass.Counts.add(e.counts().minus(before))
	pass.Memory = max(pass.Memory, memory.Resident())
	for _, w := range e.workers {
		for i := range w.tally {
			t, s := &w.tally[i], &e.state.Tiers[i]
			s.Open += t.open
			s.Moves += t.moves
			for n, count := range t.finished {
				if count > 0 {
					s.Finished = grown(s.Finished, n)
					s.Finished[n] += count
				}
			}
			if n := t.won + t.lost; n > 0 {
				s.Settled = grown(s.Settled, int(e.nextCode))
				s.Settled[e.nextCode] += n
			}
			*t = tally{}
		}
	}
}

// grown returns list with an entry n.
func grown(list []uint64, n int) []uint64 {
	for len(list) <= n {
		list = append(list, 0)
	}
	return list
}

// reach does the forward pass: it finds the positions that can be reached from
// the start position.
func (e *engine) reach(ctx context.Context) error {
	e.enter("reach", 0, 0, 0)
	if e.partitions[0].reached == nil {
		for _, p := range e.partitions {
			p.allocateBits()
			if p.open && e.single() {
				p.allocateValues(false)
			}
		}
		e.reachStart()
	}
	if err := e.work(ctx, Reach, (*worker).expandReached); err != nil {
		return err
	}
	for _, p := range e.partitions {
		p.expanded = nil
		if e.single() || !p.open {
			p.reached = nil
		}
	}
	e.state.Stage = stageInitialise
	if e.single() {
		e.beginLevels()
	}
	return nil
}

// beginLevels goes on to the levels of the tier.
func (e *engine) beginLevels() {
	e.state.Stage, e.state.Level = stageLevels, e.firstLevel()
}

func (e *engine) reachStart() {
	var x games.Expansion
	e.universe.Expander.Expand([]uint64{e.universe.Start}, &x)
	r := e.layout.find(e.universe.Start, &e.layout.regions[0])
	number, slot := r.locate(e.universe.Start)
	w := e.workers[e.owner(number)]
	w.reach(e.partitions[number], []uint32{slot | w.outcomeNumber(x.Status[0])<<slotBits})
}

// initialise counts the successors of the positions of a tier.
func (e *engine) initialise(ctx context.Context) error {
	e.tier = e.state.Tier
	if err := e.makeRoom(); err != nil {
		return err
	}
	e.enter("initialise", 0, e.universe.Tiers[e.tier].Size, 0)
	for _, p := range e.partitions {
		if p.tier == e.tier && p.open && p.count == nil {
			p.allocateValues(len(e.state.Codes)+codes > 256)
		}
	}
	if err := e.work(ctx, Reach, (*worker).initialiseTier); err != nil {
		return err
	}
	for _, p := range e.partitions {
		if p.tier == e.tier {
			p.reached = nil
		}
	}
	e.beginLevels()
	return nil
}

// Steps of a level.
const (
	stepAdvance = iota // take what was settled, and news held for this level
	stepLost           // tell predecessors of lost positions
	stepWon            // tell predecessors of won positions
)

// Values are settled from the extremes inwards, in levels: level n has the values
// of size n, whose signs say who wins.
//
// By distance, what is settled at a level settles its predecessors at the next
// one, and levels rise until there is nothing left to tell. By score, it settles
// them at the same level; when nothing moves there, the next smaller score has
// its turn, down to 1.

func (e *engine) byScore() bool { return e.universe.Order == games.ByScore }

// firstLevel returns the level at which the tier begins.
func (e *engine) firstLevel() int {
	if !e.byScore() {
		return 0
	}
	largest := 0
	for _, p := range e.partitions {
		if p.tier == e.tier {
			largest = max(largest, len(p.held)-1)
		}
	}
	return largest
}

// valueHeld returns the value of the positions that news held for a level settles.
func (e *engine) valueHeld(kind Kind, level int) games.Value {
	switch {
	case e.byScore() && kind == Win:
		return games.Score(level)
	case e.byScore():
		return games.Score(-level)
	case kind == Win:
		return games.Win(level)
	}
	return games.Loss(level)
}

// valueTold returns the value of the positions that are settled by what is settled
// at a level.
func (e *engine) valueTold(kind Kind, level int) games.Value {
	if e.byScore() {
		return e.valueHeld(kind, level)
	}
	return e.valueHeld(kind, level+1)
}

// levels settles the positions of a tier, level by level.
func (e *engine) levels(ctx context.Context) error {
	e.tier = e.state.Tier
	s := &e.state
	tier := &s.Tiers[s.Tier]
	settled := uint64(0)
	for _, n := range tier.Settled {
		settled += n
	}
	e.enter("levels", s.Level, tier.Open, settled)
	if e.reverse != nil {
		if err := e.reverse.prepare(ctx, e.tier); err != nil {
			return err
		}
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
			case !e.byScore() && later:
				s.Level++
			default:
				e.endTier()
				return nil
			}
		case stepLost:
			if err := e.settle(ctx, Win, (*worker).retractLost); err != nil {
				return err
			}
			s.Step = stepWon
		case stepWon:
			if err := e.settle(ctx, Decrement, (*worker).retractWon); err != nil {
				return err
			}
			s.Step = stepAdvance
			if !e.byScore() {
				s.Level++
			}
		}
	}
}

// settle does a step of a level that settles positions with a value.
func (e *engine) settle(ctx context.Context, kind Kind, produce func(*worker) bool) error {
	idle := true
	for _, p := range e.partitions {
		if kind == Win && len(p.now.lost) > 0 || kind == Decrement && len(p.now.won) > 0 {
			idle = false
			break
		}
	}
	if idle {
		return nil
	}
	e.nextCode = e.code(e.valueTold(kind, e.state.Level))
	if err := e.work(ctx, kind, produce); err != nil {
		return err
	}
	e.dropUnused()
	return nil
}

// dropUnused takes back the last code if nothing has it, so that codes do not run
// out on values that no position has.
func (e *engine) dropUnused() {
	last := len(e.state.Codes) - 1 + codes
	for _, s := range e.state.Tiers {
		if len(s.Settled) > last && s.Settled[last] > 0 {
			return
		}
	}
	e.state.Codes = e.state.Codes[:len(e.state.Codes)-1]
}

// advance takes what was settled for the level, and settles what was held for it.
// It returns whether there is anything at this level, and at later ones by what is
// held.
func (e *engine) advance() (active, later bool) {
	level := e.state.Level
	var win, loss bool
	for _, p := range e.partitions {
		if p.tier == e.tier && level < len(p.held) {
			win = win || len(p.held[level].win) > 0
			loss = loss || len(p.held[level].decrement) > 0
			later = later || level+1 < len(p.held)
		}
	}
	if win {
		e.applyHeld(Win, func(w *worker, p *partition) { w.win(p, p.held[level].win) })
	}
	if loss {
		e.applyHeld(Decrement, func(w *worker, p *partition) { w.decrement(p, p.held[level].decrement) })
	}
	for _, p := range e.partitions {
		if p.tier != e.tier {
			continue
		}
		if level < len(p.held) {
			p.held[level] = held{}
		}
		p.now, p.next = p.next, lists{won: p.now.won[:0], lost: p.now.lost[:0]}
		active = active || len(p.now.won)+len(p.now.lost) > 0
	}
	return active, later
}

func (e *engine) applyHeld(kind Kind, apply func(*worker, *partition)) {
	e.nextCode = e.code(e.valueHeld(kind, e.state.Level))
	before := e.counts()
	begin := time.Now()
	e.together(func(w *worker) {
		for _, p := range w.own {
			if p.tier == e.tier && e.state.Level < len(p.held) {
				apply(w, p)
			}
		}
	})
	e.collect(time.Since(begin), before)
	e.dropUnused()
}

// endTier frees what only solving needed and goes on to the next tier.
func (e *engine) endTier() {
	for _, p := range e.partitions {
		if p.tier == e.tier {
			p.count, p.held, p.now, p.next = nil, nil, lists{}, lists{}
		}
	}
	if e.reverse != nil {
		e.reverse.ends, e.reverse.from = nil, nil
	}
	e.state.Step = stepAdvance
	e.state.Tier++
	e.state.Stage = stageInitialise
	if e.state.Tier == len(e.universe.Tiers) {
		e.state.Stage = stageDone
	}
}
