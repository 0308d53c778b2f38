package engine

import (
	"sync/atomic"
	"time"

	"github.com/yomikiri/yomikiri/internal/memory"
)

// Progress reports how far a solve has got.
type Progress struct {
	Pass    string        // "reach", "initialise", "levels", "write", or "wait" for tiers of other processes
	Tier    string        // name of the tier, if the game has several
	Level   int           // plies or score, in the pass "levels"
	Counts  Counts        // of this pass
	Done    uint64        // positions visited or settled in this pass
	Total   uint64        // upper bound of Done; 0 if unknown
	Time    time.Duration // since the solve began, including earlier runs
	Left    time.Duration // estimate until the database is written; 0 if unknown
	Memory  uint64        // resident, in bytes
	Elapsed time.Duration // since the pass began

	Nodes []NodeProgress // of a solve by nodes; the fields above are about all together

	Finished, Tiers int // tiers that are finished, and all, where processes share them; 0 otherwise
}

// NodeProgress is the progress of a node.
type NodeProgress struct {
	Done   uint64 // positions visited or settled in this pass
	Counts Counts // of this pass
	Memory uint64 // resident, in bytes
}

// Elapsed returns the time since the solve began, including earlier runs.
func (e *Engine) Elapsed() time.Duration { return e.before + time.Since(e.start) }

// Progress returns how far the engine has got in its pass.
func (e *Engine) Progress() Progress {
	p := Progress{Time: e.Elapsed(), Memory: memory.Resident()}
	at := e.at.Load()
	if at == nil {
		return p
	}
	p.Pass, p.Level, p.Total = at.pass, at.level, at.total
	p.Tier = e.universe.Tiers[at.tier].Name
	p.Counts = e.counts().minus(at.before)
	p.Elapsed = time.Since(at.begin)
	p.Done = at.done + p.Counts.Positions
	if at.pass == "levels" {
		p.Done = at.done + p.Counts.Settled
	}
	p.Left = e.effort.Left(e.effort.Done(at.pass, at.tier, p.Done, p.Total))
	return p
}

// writing is the work of writing a position to the database, in the unit of a [tierPlan].
const writing = 0.25

// Effort estimates how much of a solve is done.
type Effort struct {
	reach  float64 // work of the forward pass
	tiers  []tierPlan
	single bool    // initialising a tier is part of the forward pass
	all    float64 // work of the whole solve

	begin  time.Time // of this run
	before float64   // the work that earlier runs have done

	// finished are the tiers that some process has solved, if processes share them. Otherwise tiers
	// are solved one after another.
	finished atomic.Pointer[[]bool]
}

// NewEffort returns the effort of a run that begins now.
func NewEffort(e *Engine, begin time.Time) *Effort {
	f := &Effort{begin: begin, single: e.single() && e.cfg.Positions == Reachable}
	for i, t := range e.universe.Tiers {
		tier := tierPlan{Positions: t.Open, unfinished: float64(t.Open), forward: float64(t.Open), levels: float64(t.Open)}
		if e.plan != nil {
			tier = e.plan.Tiers[i]
		}
		if e.cfg.Positions == Reachable {
			f.reach += tier.forward
		}
		if f.single {
			tier.forward = 0
		}
		f.tiers = append(f.tiers, tier)
		f.all += tier.forward + tier.levels + writing*float64(tier.Positions)
	}
	f.all += f.reach
	return f
}

// Finish says which tiers some process has solved. The first call has those of earlier runs.
func (f *Effort) Finish(tiers []bool) {
	if f.finished.Swap(&tiers) == nil {
		f.before = f.Done("wait", len(tiers), 0, 0)
	}
}

// Done returns the work done when a pass has done the given number of positions out of
// total, which is 0 if it is not known.
func (f *Effort) Done(pass string, tier int, positions, total uint64) float64 {
	work, unfinished := 0.0, 0.0
	finished := f.finished.Load()
	for i, t := range f.tiers {
		if finished == nil && i < tier || finished != nil && (*finished)[i] {
			work += t.forward + t.levels
		}
		unfinished += t.unfinished
	}
	if pass == "reach" {
		total = uint64(unfinished)
	}
	share := float64(positions) / float64(max(total, positions, 1))
	switch pass {
	case "reach":
		return f.reach * share
	case "initialise":
		return f.reach + work + f.tiers[tier].forward*share
	case "levels":
		return f.reach + work + f.tiers[tier].forward + f.tiers[tier].levels*share
	}
	return f.reach + work + writing*float64(positions)
}

// Left estimates the time for the rest, and returns 0 if it is too early to tell.
func (f *Effort) Left(done float64) time.Duration {
	if done-f.before < f.all/200 {
		return 0
	}
	return time.Duration(float64(time.Since(f.begin)) * (f.all - done) / (done - f.before))
}

// Effort returns the estimate of the run, once it has begun.
func (e *Engine) Effort() *Effort { return e.effort }

// point is the current pass of an analysis, for progress reports.
type point struct {
	pass   string
	tier   int
	level  int
	begin  time.Time
	before Counts // of all workers when the pass began
	total  uint64 // positions to visit or to settle, 0 if unknown
	done   uint64 // of them in earlier runs
}

// enter records that a pass begins, or continues at another level.
func (e *Engine) enter(pass string, level int, total, done uint64) {
	old := e.at.Load()
	if old != nil && old.pass == pass && old.tier == e.tier {
		next := *old
		next.level = level
		e.at.Store(&next)
		return
	}
	e.at.Store(&point{pass, e.tier, level, time.Now(), e.counts(), total, done})
}

// passed returns how many positions of the tier a pass has done in earlier runs.
func (e *Engine) passed(pass string) uint64 {
	n := uint64(0)
	if pass == "levels" {
		for _, settled := range e.state.Tiers[e.state.Tier].Settled {
			n += settled
		}
		return n
	}
	for _, p := range e.state.Passes {
		if p.Name == pass && p.Tier == e.tier {
			n += p.Counts.Positions
		}
	}
	return n
}

// PeakMemory returns the peak memory of all runs.
func (e *Engine) PeakMemory() uint64 { return max(e.state.Memory, memory.Peak()) }

// counts returns the work of all workers so far.
func (e *Engine) counts() Counts {
	var c Counts
	for _, w := range e.workers {
		c.Positions += w.counters.positions.Load()
		c.Moves += w.counters.moves.Load()
		c.Messages += w.counters.messages.Load()
		c.Batches += w.counters.batches.Load()
		c.Bytes += w.counters.bytes.Load()
		c.Settled += w.counters.settled.Load()
		c.Loads += w.counters.loads.Load()
		c.Read += w.counters.read.Load()
		c.Written += w.counters.written.Load()
	}
	e.peers.AddCounts(&c)
	return c
}

// DoneBefore returns the positions that earlier runs have done in the pass.
func (e *Engine) DoneBefore() uint64 {
	if at := e.at.Load(); at != nil {
		return at.done
	}
	return 0
}
