package solver

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// Attack searches for wins of an attacker in positions of a game, in any order: each
// search uses the results of the others, and continues where an earlier one of the same
// position ended. It belongs to one goroutine.
type Attack[P, M comparable] struct {
	search *search[P, M]
	memory uint64
	// Answered, if set, is called with a move of the defender when it is proven to lose,
	// if the defender had several.
	Answered func(p P, m M)
	// Aside says that Answered does not call Answer. Otherwise searches that share their limits
	// wait for Answered to return before they go on in the tree.
	Aside bool
}

// NewAttack returns an Attack over the brancher's moves, which uses about memory bytes.
// Mirror images of positions are not merged. It fails with [ErrUnsuited] if positions of
// the game may repeat. The brancher may also return moves that the rules do not allow, if
// the game can play them and positions still do not repeat.
func NewAttack[P, M comparable](g games.Game[P, M], brancher Brancher[P, M], memory uint64) (*Attack[P, M], error) {
	if _, ok := g.(games.Layerer[P]); !ok {
		return nil, fmt.Errorf("%w: %w", ErrUnsuited, noLayerer(g))
	}
	r := rules[P, M]{game: g, brancher: brancher}
	return &Attack[P, M]{search: &search[P, M]{rules: r, arena: newArena[P, M](), steady: true}, memory: memory}, nil
}

// Share returns an Attack over the same tree with its own brancher, for another
// goroutine or to search while the first one waits for its brancher.
func (a *Attack[P, M]) Share(brancher Brancher[P, M]) *Attack[P, M] {
	r := a.search.rules
	r.brancher = brancher
	return &Attack[P, M]{search: &search[P, M]{rules: r, arena: a.search.arena, steady: true}, memory: a.memory}
}

// Search tries to prove, within limits, that the attacker wins the unfinished position p.
// The outcome is Unknown if that was not enough or if the memory is used up, and Failed if all
// moves searched fail and others were left out.
func (a *Attack[P, M]) Search(ctx context.Context, p P, attackerToMove bool, l Limits) (Outcome, error) {
	s := a.search
	s.ctx = ctx
	s.check = func() error {
		if a.Memory() >= a.memory {
			return errLimit
		}
		return ctx.Err()
	}
	if s.limits, s.limit = l, 0; l.shared == nil {
		s.limit = s.expanded + l.Nodes
	}
	defer context.AfterFunc(ctx, s.wake)()
	if err := s.start(p, attackerToMove); err != nil {
		return Unknown, err
	}
	for {
		done, err := s.step()
		answered := s.answered
		s.answered = nil
		if a.Aside {
			s.pass()
		}
		for _, x := range answered {
			if a.Answered != nil {
				a.Answered(x.position, x.move)
			}
		}
		if err == nil {
			err = s.check()
		}
		if done || err != nil || len(s.answered) == 0 {
			s.pass()
		}
		if done || errors.Is(err, errLimit) {
			r := s.result()
			return r.outcome(), nil
		}
		if err != nil {
			return Unknown, err
		}
	}
}

// Open returns the numbers of p and its moves that are neither proven nor disproven. It
// returns false if p was not searched.
func (a *Attack[P, M]) Open(p P, attackerToMove bool) (proof, disproof uint32, open []Branch[M], ok bool) {
	s := a.search
	s.mu.Lock()
	defer s.mu.Unlock()
	number := s.find(p, attackerToMove)
	if number == none {
		return 0, 0, nil, false
	}
	n := s.nodes.at(number)
	for _, e := range s.edgesOf(n) {
		if e.proof != 0 && e.disproof != 0 {
			open = append(open, Branch[M]{Move: e.move, Proof: e.proof, Disproof: e.disproof})
		}
	}
	return n.proof, n.disproof, open, true
}

// Answer records that the attacker wins after the given moves of the defender in p.
func (a *Attack[P, M]) Answer(p P, moves []M) {
	s := a.search
	s.mu.Lock()
	defer s.mu.Unlock()
	number := s.find(p, false)
	if number == none {
		return
	}
	edges := s.edgesOf(s.nodes.at(number))
	for i := range edges {
		if e := &edges[i]; slices.Contains(moves, e.move) {
			*e = edge[M]{move: e.move, disproof: unproven}
		}
	}
	s.update(number)
}

// Move returns the move that wins p, and false if none is known.
func (a *Attack[P, M]) Move(p P) (m M, ok bool) {
	a.search.mu.Lock()
	defer a.search.mu.Unlock()
	number := a.search.find(p, true)
	if number == none {
		return m, false
	}
	n := a.search.nodes.at(number)
	return n.move, n.proof == 0
}

// Nodes returns the number of positions expanded so far.
func (a *Attack[P, M]) Nodes() uint64 { return a.search.expanded }

// Memory returns the number of bytes that the search uses.
func (a *Attack[P, M]) Memory() uint64 {
	a.search.mu.Lock()
	defer a.search.mu.Unlock()
	return a.search.bytes()
}
