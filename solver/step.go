package solver

import (
	"context"
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
)

// step is what a node of a proof rests on: a certificate, a search by the checker, the claimant's move, or the
// positions after the opponent's replies.
type step[P, M comparable] struct {
	certificate []byte // nil if there is none
	positions   uint64 // to search; 0 if the checker does not
	move        M
	next        []position[P] // positions that need a node; after replies, perhaps one twice
	limit       uint16        // on the plies of a win there
	rank        uint32        // lower bound of the node's rank
}

// finder finds the steps of a proof. It belongs to one goroutine; several share a plan.
type finder[P, M comparable] struct {
	rules[P, M]
	ctx      context.Context // ends it
	goal     proof.Goal
	start    P // canonical
	resolver resolver[P, M]
	// known, if not nil, reports whether a position has a proof elsewhere.
	known func(p P, attackerToMove bool) bool
	// search, if not nil, reports whether the claim holds by a search of the checker, after how many positions: 0 if
	// that takes too many.
	search   func(at position[P]) (holds bool, positions uint64)
	plan     *plan[P, M]
	finisher M   // the claimant's last move that ended a game
	moves    []M // used by finishes
	text     []byte
}

// find finds the step at a position, where a win must take at most limit plies. It fails when
// ctx has ended.
func (f *finder[P, M]) find(at position[P], limit uint16) (*step[P, M], error) {
	if f.ctx.Err() != nil {
		return nil, context.Cause(f.ctx)
	}
	s := &step[P, M]{rank: 1}
	if text, ok := f.certify(at); ok {
		s.certificate = append(make([]byte, 0, len(text)), text...)
		return s, nil
	}
	if f.search != nil {
		holds, positions := f.search(at)
		if positions > 0 && !holds {
			return nil, f.contradicted(at.p)
		}
		if s.positions = positions; positions > 0 {
			return s, nil
		}
	}
	var err error
	if at.claimant {
		err = f.choose(s, at, limit)
	} else {
		s.limit = f.less(limit)
		err = f.answer(s, at.p)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// reached reports whether a terminal position of value v for the side to move is
// what the claimant wants.
func (f *finder[P, M]) reached(v games.Value, claimantToMove bool) bool {
	if f.goal == proof.Win {
		return attackerWins(v, claimantToMove)
	}
	return !attackerWins(v, !claimantToMove)
}

// less returns the limit one ply later.
func (f *finder[P, M]) less(limit uint16) uint16 {
	if limit == dfpn.Unlimited || f.layerer != nil {
		return dfpn.Unlimited
	}
	return limit - 1
}

// certify returns the certificate [Known] for a position that is proven elsewhere, or the
// brancher's certificate if the claim is to hold.
func (f *finder[P, M]) certify(at position[P]) ([]byte, bool) {
	if f.known != nil && f.known(at.p, f.attacker(at)) {
		return []byte(Known), true
	}
	if f.goal == proof.Win {
		return nil, false
	}
	var ok bool
	f.text, ok = f.brancher.AppendCertificate(f.text[:0], at.p, !at.claimant)
	return f.text, ok
}

// attacker reports whether the attacker of the search is to move.
func (f *finder[P, M]) attacker(at position[P]) bool { return at.claimant == (f.goal == proof.Win) }

// choose finds the claimant's move.
func (f *finder[P, M]) choose(s *step[P, M], at position[P], limit uint16) error {
	p := at.p
	if p == f.start && f.finishes(p) { // below the root, a reply that allows it gets no node
		s.move = f.finisher
		return nil
	}
	x, err := f.resolver.resolve(p, f.attacker(at), limit)
	if err != nil {
		return err
	}
	if x.unsure && !x.wins && f.goal == proof.Hold {
		// The table has lost the sure refutation, and the new search has found one that is
		// not sure.
		return fmt.Errorf("%w: %s: the proof that position %q holds is not in the table any more", ErrLimit, f.game.Name(), f.game.AppendPosition(nil, p))
	}
	if x.unsure || x.wins != (f.goal == proof.Win) {
		return f.contradicted(p)
	}
	s.move = x.move
	q := f.game.Play(p, s.move)
	if _, finished := f.game.Outcome(q); finished {
		return fmt.Errorf("%w: %s: the move %q in %q ends the game against the claim", ErrContradiction, f.game.Name(),
			f.game.AppendMove(nil, p, s.move), f.game.AppendPosition(nil, p))
	}
	s.next, s.limit = []position[P]{{f.canonical(q), false}}, f.less(x.length)
	return nil
}

// contradicted is the error for a position where the claim does not hold.
func (r *rules[P, M]) contradicted(p P) error {
	return fmt.Errorf("%w: %s: position %q was assumed to be proven", ErrContradiction, r.game.Name(), r.game.AppendPosition(nil, p))
}

// answer finds the positions that the opponent's replies lead to.
func (f *finder[P, M]) answer(s *step[P, M], p P) error {
	for _, m := range f.game.AppendMoves(nil, p) {
		q := f.game.Play(p, m)
		if v, finished := f.game.Outcome(q); finished {
			if !f.reached(v, true) {
				return fmt.Errorf("%w: %s: the reply %q in %q ends the game against the claim", ErrContradiction, f.game.Name(),
					f.game.AppendMove(nil, p, m), f.game.AppendPosition(nil, p))
			}
			continue
		}
		at := position[P]{f.canonical(q), true}
		if !f.plan.has(at) && f.finishes(q) { // most are in the plan already
			s.rank = 2
			continue
		}
		s.next = append(s.next, at)
	}
	return nil
}

// finishes reports whether the claimant, to move, can end the game as claimed;
// then finisher is the move.
func (f *finder[P, M]) finishes(p P) bool {
	f.moves = f.game.AppendMoves(f.moves[:0], p)
	ends := func(m M) bool {
		v, finished := f.game.Outcome(f.game.Play(p, m))
		return finished && f.reached(v, false)
	}
	if slices.Contains(f.moves, f.finisher) && ends(f.finisher) {
		return true
	}
	for _, m := range f.moves {
		if ends(m) {
			f.finisher = m
			return true
		}
	}
	return false
}
