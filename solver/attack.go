package solver

import (
	"context"
	"errors"
	"fmt"

	"github.com/yomikiri/yomikiri/games"
)

// Attack searches for wins of the side to move in positions of a game, in any order: each
// search uses the results of the others, and continues where an earlier one of the same
// position ended. It belongs to one goroutine.
type Attack[P, M comparable] struct {
	search *search[P, M]
	memory uint64
}

// NewAttack returns an Attack over the brancher's moves, with about the given number of
// bytes of memory. Mirror images of positions are not merged. It fails with
// [ErrUnsuited] if positions of the game may repeat.
func NewAttack[P, M comparable](g games.Game[P, M], brancher Brancher[P, M], memory uint64) (*Attack[P, M], error) {
	layerer, ok := g.(games.Layerer[P])
	if !ok {
		return nil, fmt.Errorf("%w: %w", ErrUnsuited, noLayerer(g))
	}
	r := rules[P, M]{game: g, layerer: layerer, brancher: brancher}
	return &Attack[P, M]{search: &search[P, M]{rules: r, arena: newArena[P, M]()}, memory: memory}, nil
}

// Share returns an Attack over the same tree with a brancher of its own, for another
// goroutine.
func (a *Attack[P, M]) Share(brancher Brancher[P, M]) *Attack[P, M] {
	r := a.search.rules
	r.brancher = brancher
	return &Attack[P, M]{search: &search[P, M]{rules: r, arena: a.search.arena}, memory: a.memory}
}

// Search expands at most the given number of nodes to prove that the side to move wins
// the unfinished position p. The answer is Unknown if that was not enough, if the memory
// is used up, or if all moves searched fail and others were left out.
func (a *Attack[P, M]) Search(ctx context.Context, p P, nodes uint64) (Answer, error) {
	s := a.search
	s.ctx = ctx
	s.check = func() error {
		if a.Memory() >= a.memory {
			return errLimit
		}
		return ctx.Err()
	}
	s.limit = s.expanded + nodes
	defer s.join()()
	if err := s.start(p, true); err != nil {
		return Unknown, err
	}
	for {
		done, err := s.step()
		if err == nil {
			err = s.check()
		}
		if done || errors.Is(err, errLimit) {
			r := s.result()
			answer, _ := r.answer()
			return answer, nil
		}
		if err != nil {
			return Unknown, err
		}
	}
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
