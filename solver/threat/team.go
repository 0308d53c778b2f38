package threat

import (
	"context"
	"slices"
	"sync"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/solver"
)

// team is a group of provers that share one tree. Each may run its own search; those
// without one help the others.
type team struct {
	mu      sync.Mutex
	idle    sync.Cond // signalled when a member stops helping
	members []*member
	active  []*teamSearch
}

// member is a prover of a team.
type member struct {
	*Prover
	busy  bool               // with its own work
	helps *teamSearch        // the search it helps with; nil if none
	stop  context.CancelFunc // ends its help
}

// teamSearch is the search of one member, which others help with.
type teamSearch struct {
	ctx            context.Context
	cancel         context.CancelFunc
	position       gomoku.Position
	attackerToMove bool
	limits         solver.Limits // shared
	helpers        int
	ended          bool // more help is of no use
	answer         solver.Answer
	err            error
}

// newTeam returns a team of the given size.
func newTeam(g *gomoku.Game, config ProverConfig, size int) (*team, error) {
	t := &team{}
	t.idle.L = &t.mu
	x, err := NewProver(g, config)
	if err != nil {
		return nil, err
	}
	for range size {
		if len(t.members) > 0 {
			x = x.share()
		}
		x.team = t
		t.members = append(t.members, &member{Prover: x})
	}
	return t, nil
}

// begin reserves a member for its own work. It waits until the member has stopped helping;
// nobody else uses it until end.
func (t *team) begin(m *member) {
	t.mu.Lock()
	defer t.mu.Unlock()
	m.busy = true
	for m.helps != nil {
		m.stop()
		t.idle.Wait()
	}
}

func (t *team) end(m *member) {
	t.mu.Lock()
	defer t.mu.Unlock()
	m.busy = false
	t.help()
}

// help assigns free members to the searches with the fewest helpers. The team must be
// locked.
func (t *team) help() {
	for _, m := range t.members {
		if m.busy || m.helps != nil {
			continue
		}
		var least *teamSearch
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

// help helps with a search until the search ends or the member has its own work.
func (m *member) help(ctx context.Context, s *teamSearch) {
	answer, err := m.find(ctx, s)
	t := m.team
	t.mu.Lock()
	defer t.mu.Unlock()
	if ctx.Err() == nil { // otherwise another member goes on
		s.note(answer, err)
	}
	m.stop()
	m.helps, m.stop = nil, nil
	s.helpers--
	t.idle.Broadcast()
	t.help()
}

// find searches for the answer with x alone.
func (x *Prover) find(ctx context.Context, s *teamSearch) (solver.Answer, error) {
	x.attacks.ctx = ctx
	return x.search.Search(ctx, s.position, s.attackerToMove, s.limits)
}

// note records how a search has ended for one member. The team must be locked.
func (s *teamSearch) note(answer solver.Answer, err error) {
	s.ended = true
	if answer == solver.Yes {
		s.answer = answer
	}
	if err != nil && s.err == nil {
		s.err = err // this ends the search for the others
		s.cancel()
	}
}

// search searches a position with the member x, helped by others.
func (t *team) search(ctx context.Context, x *Prover, p gomoku.Position, attackerToMove bool, l solver.Limits) (solver.Answer, error) {
	s := &teamSearch{position: p, attackerToMove: attackerToMove, limits: l.Shared(), answer: solver.Unknown}
	s.ctx, s.cancel = context.WithCancel(ctx)
	defer s.cancel()
	if l.Nodes >= uint64(len(t.members)) {
		t.mu.Lock()
		t.active = append(t.active, s)
		t.help()
		t.mu.Unlock()
	}
	answer, err := x.find(s.ctx, s)
	t.mu.Lock()
	defer t.mu.Unlock()
	s.note(answer, err)
	t.active = slices.DeleteFunc(t.active, func(o *teamSearch) bool { return o == s })
	for s.helpers > 0 {
		t.idle.Wait()
	}
	x.attacks.ctx = ctx // for what follows
	x.expanded += s.limits.Used()
	return s.answer, s.err
}
