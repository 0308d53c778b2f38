package engine

import (
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
	// Idle says that all workers of this process wait. The peers reply with
	// [Engine.Probe] if they want another report, and with [Engine.EndPhase] when all are
	// idle and no batch is on its way.
	Idle(r Report)
	// Ask asks for a number for a value. The reply is a call of [Engine.Number].
	Ask(list List, tier int, v games.Value)
	// Save keeps a snapshot of all processes. It returns [ErrStopped] if the solve ends there.
	Save() error
	// Fail says that this process cannot go on.
	Fail(err error)
	// AddCounts adds the cost of messages to peers.
	AddCounts(c *Counts)
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
	end := End{r.Phase, e.pause.wanted.Load(), r.Tallies, e.state.Outcomes, e.state.Deferred}
	e.mu.Unlock()
	if err := e.EndPhase(&end); err != nil {
		e.fail(err)
	}
}
