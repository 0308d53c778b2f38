package dfpn

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Config says how far to search.
type Config struct {
	// Threads is the number of goroutines; 0 is one.
	Threads int
	// Nodes is after how many nodes a search gives up; 0 is never. Several
	// goroutines may overshoot it by some hundreds each.
	Nodes uint64
	// Limit is the length of win, in plies, up to which it is searched: a
	// longer one counts as none. 0 is [Unlimited].
	Limit uint16
	// Depth is the depth beyond which nothing is searched; 0 is 4000. A
	// search that cannot do without is left unknown.
	Depth int
	// Progress, if it is not nil, is called about once a second by one of the
	// goroutines with the number of nodes searched so far by all of them and
	// the greatest depth it has reached.
	Progress func(nodes uint64, depth int)
}

const defaultDepth = 4000

func (c *Config) maxDepth() int {
	if c.Depth > 0 {
		return c.Depth
	}
	return defaultDepth
}

// Outcome is what a search has found out.
type Outcome uint8

// The outcomes of a search.
const (
	Unknown   Outcome = iota // a limit was reached
	Proven                   // the attacker wins, within the limit of length
	Disproven                // he does not
)

// String returns the outcome as a word.
func (o Outcome) String() string {
	return [...]string{"unknown", "proven", "disproven"}[o]
}

// Result is the result of a search.
type Result struct {
	Outcome Outcome
	// Length is, if proven, a number of plies within which the attacker wins,
	// and if disproven, one within which he does not ([Unlimited]: never).
	Length uint16
	// Move is the attacker's move that wins, if proven and it is his turn.
	Move Move
	// Proof and Disproof are the proof and disproof number at the end.
	Proof, Disproof uint32
	// Nodes is how many nodes were searched: each counts as often as the
	// search came to it.
	Nodes uint64
	// Depth is the greatest depth that was reached.
	Depth int
}

// Solve searches the position on which the cursors stand. It returns when the
// position is solved or a limit is reached, and without an error whichever it is;
// when ctx ends the outcome is [Unknown] too. newCursor is called once for each
// goroutine, one after the other.
//
// The table may hold results of earlier searches of the same game with the same
// attacker; they are used.
func Solve(ctx context.Context, table *Table, newCursor func() Cursor, config Config) (Result, error) {
	if config.Threads < 0 {
		return Result{}, errors.New("dfpn: the number of threads is negative")
	}
	s := &shared{config: &config, done: ctx.Done()}
	threads := max(config.Threads, 1)
	if threads > 1 {
		s.active = &activity{}
	}
	workers := make([]*worker, threads)
	for i := range workers {
		workers[i] = newWorker(s, table, newCursor())
		if workers[i].guards != workers[0].guards || table.guards != 0 && table.guards != workers[0].guards {
			return Result{}, errors.New("dfpn: cursors, or searches of one table, differ in what a hand is")
		}
	}
	table.guards = workers[0].guards
	limit := config.Limit
	if limit == 0 {
		limit = Unlimited
	}
	results := make([]Result, threads)
	var group sync.WaitGroup
	for i, w := range workers {
		w.reports = i == 0 && config.Progress != nil
		w.reported = time.Now()
		group.Go(func() {
			results[i] = w.solve(limit)
			s.stop.Store(true)
		})
	}
	group.Wait()
	best := results[0]
	for _, r := range results[1:] {
		if best.Outcome == Unknown && r.Outcome != Unknown {
			r.Depth = max(r.Depth, best.Depth)
			best = r
		}
		best.Depth = max(best.Depth, r.Depth)
	}
	best.Nodes = s.nodes.Load()
	return best, nil
}

func newWorker(s *shared, table *Table, cursor Cursor) *worker {
	w := &worker{shared: s, table: table, cursor: cursor, guards: cursor.Guards(), path: newPath(), interval: checkInterval}
	if n := s.config.Nodes; n > 0 {
		w.interval = min(w.interval, n)
	}
	if w.guards != 0 {
		w.bounder, _ = cursor.(Bounder)
	}
	return w
}

// solve searches the current position of the cursor until it is solved or the
// search has to stop.
func (w *worker) solve(limit uint16) Result {
	key, hand := w.cursor.Root()
	r := result{proof: 1, disproof: 1}
	for {
		grow := 0
		r = w.search(0, key, hand, infinite, infinite, limit, &grow)
		if r.proof == 0 || r.disproof == 0 || w.stopped {
			break
		}
	}
	w.flush()
	out := Result{Proof: r.proof, Disproof: r.disproof, Depth: w.deepest}
	switch {
	case r.proof == 0:
		out.Outcome, out.Length, out.Move = Proven, r.length, r.move
	case r.disproof == 0 && r.depends != tooDeep:
		out.Outcome, out.Length = Disproven, r.length
	}
	return out
}
