package dfpn

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Config configures a search. The zero Config is ready to use.
type Config struct {
	// Threads is the number of goroutines; 0 means 1.
	Threads int
	// Nodes is the number of nodes after which to give up; 0 means never.
	// With several goroutines, each may exceed it by a few hundred.
	Nodes uint64
	// Limit is the greatest length of a win in plies: a longer one does not count. 0
	// means [Unlimited].
	Limit uint16
	// Progress, if not nil, is called about once a second by one of the
	// goroutines, with the nodes searched by all of them and the greatest depth
	// that this one has reached.
	Progress func(nodes uint64, depth int)
}

// Outcome is the answer of a search.
type Outcome uint8

// The outcomes of a search.
const (
	Unknown   Outcome = iota // a limit was reached
	Proven                   // the attacker wins, within the limit of length
	Disproven                // it does not
)

// String returns the outcome as a word.
func (o Outcome) String() string {
	return [...]string{"unknown", "proven", "disproven"}[o]
}

// Result is the result of a search.
type Result struct {
	Outcome Outcome
	// Sure is true unless the outcome is Unknown, or is Disproven and rests on
	// a node that was [Node.Incomplete]: then the attacker may still win by a
	// move that was left out.
	Sure bool
	// Length is a number of plies: if proven, the attacker wins within it; if disproven,
	// the attacker does not ([Unlimited]: never).
	Length uint16
	// Move is the move that settles the root: the attacker's winning move, or the
	// defender's move that prevents the win. It is 0 if the side to move has none.
	Move Move
	// Proof and Disproof are the final proof and disproof numbers.
	Proof, Disproof uint32
	// Nodes is the number of nodes searched. A node counts each time it is searched.
	Nodes uint64
	// Depth is the greatest depth reached.
	Depth int
}

var errHands = errors.New("dfpn: the table holds results for other hands than those of the cursor")

// Solve searches the position on which the cursors stand until it is settled or a
// limit is reached; neither is an error. When ctx ends the outcome is [Unknown].
// newCursor is called once per goroutine, one call after the other.
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
		s.losses = &virtualLosses{}
	}
	workers := make([]*worker, threads)
	for i := range workers {
		workers[i] = newWorker(s, table, newCursor())
		if !table.adopt(workers[i].guards) {
			return Result{}, errHands
		}
	}
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
