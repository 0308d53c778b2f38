package threat

import (
	"context"
	"slices"
	"sync"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/solver"
)

// workers are provers that share one tree. Each may run its own search; those
// without one help the others.
type workers struct {
	mu     sync.Mutex
	idle   sync.Cond // signalled when a worker stops helping
	list   []*worker
	active []*sharedSearch
}

// worker is one of several provers.
type worker struct {
	*Prover
	busy  bool               // with its own work
	helps *sharedSearch      // the search it helps with; nil if none
	stop  context.CancelFunc // ends its help
}

// sharedSearch is the search of one worker, which others help with.
type sharedSearch struct {
	ctx            context.Context
	cancel         context.CancelFunc
	position       gomoku.Position
	attackerToMove bool
	limits         solver.Limits // shared
	helpers        int
	ended          bool // more help is of no use
	answer         solver.Outcome
	err            error
}

// newWorkers returns a number of workers.
func newWorkers(g *gomoku.Game, config ProverConfig, size int) (*workers, error) {
	t := &workers{}
	t.idle.L = &t.mu
	x, err := NewProver(g, config)
	if err != nil {
		return nil, err
	}
	for range size {
		if len(t.list) > 0 {
			x = x.share()
		}
		x.workers = t
		t.list = append(t.list, &worker{Prover: x})
	}
	return t, nil
}

// begin reserves a worker for its own work. It waits until the worker has stopped helping;
// nobody else uses it until end.
func (t *workers) begin(m *worker) {
	t.mu.Lock()
	defer t.mu.Unlock()
	m.busy = true
	for m.helps != nil {
		m.stop()
		t.idle.Wait()
	}
}

func (t *workers) end(m *worker) {
	t.mu.Lock()
	defer t.mu.Unlock()
	m.busy = false
	t.help()
}

// help assigns free workers to the searches with the fewest helpers. The workers must be
// locked.
func (t *workers) help() {
	for _, m := range t.list {
		if m.busy || m.helps != nil {
			continue
		}
		var least *sharedSearch
		for _, s := range t.active {
			if !s.ended && (least == nil || s.helpers < least.helpers) {
				least = s
			}
		}
		if least == nil {
			return
		}
		m.helps = least
		least.helpers++
		var ctx context.Context
		ctx, m.stop = context.WithCancel(least.ctx)
		go m.help(ctx, least)
	}
}

// help helps with a search until the search ends or the worker has its own work.
func (m *worker) help(ctx context.Context, s *sharedSearch) {
	answer, err := m.find(ctx, s)
	t := m.workers
	t.mu.Lock()
	defer t.mu.Unlock()
	if ctx.Err() == nil { // otherwise another worker goes on
		s.note(answer, err)
	}
	m.stop()
	m.helps, m.stop = nil, nil
	s.helpers--
	t.idle.Broadcast()
	t.help()
}

// find searches for the answer with x alone.
func (x *Prover) find(ctx context.Context, s *sharedSearch) (solver.Outcome, error) {
	x.attacks.ctx = ctx
	return x.search.Search(ctx, s.position, s.attackerToMove, s.limits)
}

// note records how a search has ended for one worker. The workers must be locked.
func (s *sharedSearch) note(answer solver.Outcome, err error) {
	s.ended = true
	if answer == solver.Proven {
		s.answer = answer
	}
	if err != nil && s.err == nil {
		s.err = err // this ends the search for the others
		s.cancel()
	}
}

// search searches a position with the worker x, helped by others.
func (t *workers) search(ctx context.Context, x *Prover, p gomoku.Position, attackerToMove bool, l solver.Limits) (solver.Outcome, error) {
	s := &sharedSearch{position: p, attackerToMove: attackerToMove, limits: l.Shared(), answer: solver.Unknown}
	s.ctx, s.cancel = context.WithCancel(ctx)
	defer s.cancel()
	if l.Nodes >= uint64(len(t.list)) {
		t.mu.Lock()
		t.active = append(t.active, s)
		t.help()
		t.mu.Unlock()
	}
	answer, err := x.find(s.ctx, s)
	t.mu.Lock()
	defer t.mu.Unlock()
	s.note(answer, err)
	t.active = slices.DeleteFunc(t.active, func(o *sharedSearch) bool { return o == s })
	for s.helpers > 0 {
		t.idle.Wait()
	}
	x.attacks.ctx = ctx // for what follows
	x.expanded += s.limits.Used()
	return s.answer, s.err
}
