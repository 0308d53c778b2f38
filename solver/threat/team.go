package threat

import (
	"context"
	"slices"
	"sync"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/solver"
)

// team is a number of provers with one tree. Each may have a search of its own; those that
// have none help the others with theirs.
type team struct {
	mu      sync.Mutex
	idle    sync.Cond // signalled when a member stops helping
	members []*member
	active  []*teamSearch
}

// member is a prover of a team.
type member struct {
	*Prover
	busy  bool               // with work of its own
	helps *teamSearch        // nil if it does not
	stop  context.CancelFunc // ends its help
}

// teamSearch is a search of one member, with which others help.
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

// begin takes a member for work of its own. Once it helps no more, nobody else uses it until
// end.
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

// help has the members that are free help with the searches that have the fewest helpers.
// The team is locked.
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

// help helps with a search until that ends or the member has work of its own.
func (m *member) help(ctx context.Context, s *teamSearch) {
	answer, err := m.find(ctx, s)
	t := m.team
	t.mu.Lock()
	defer t.mu.Unlock()
	if ctx.Err() == nil { // otherwise somebody else goes on
		s.note(answer, err)
	}
	m.stop()
	m.helps, m.stop = nil, nil
	s.helpers--
	t.idle.Broadcast()
	t.help()
}

// find searches for the answer alone.
func (x *Prover) find(ctx context.Context, s *teamSearch) (solver.Answer, error) {
	x.attacks.ctx = ctx
	return x.search.Search(ctx, s.position, s.attackerToMove, s.limits)
}

// note notes how a search has ended for one member. The team is locked.
func (s *teamSearch) note(answer solver.Answer, err error) {
	s.ended = true
	if answer == solver.Yes {
		s.answer = answer
	}
	if err != nil && s.err == nil {
		s.err = err // the others end for it
		s.cancel()
	}
}

// search has a member search a position, with the help of others.
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
