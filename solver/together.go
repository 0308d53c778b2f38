package solver

import "slices"

// Several searches of one arena, each in its own goroutine, keep the order of a single search.
// Of those that share their limits, one at a time leads: it takes the steps that a single search
// would take. The others evaluate leaves that the leader is likely to reach. Their results stay
// in the arena, unconnected, until it does. When each search connected its own results, two of
// them took 0.95 to 1.33 times the positions of one for a draw on 5x12, and steady searches tried
// moves too soon that are meant to be tried late.
//
// A search holds the arena's lock except while it evaluates a leaf.

// ended reports whether the root is solved. It fails with errLimit if the search has reached a
// limit, and with the error of its context.
func (s *search[P, M]) ended() (done bool, err error) {
	r := s.nodes.at(s.root)
	switch {
	case r.solved():
		return true, nil
	case s.limit > 0 && s.expanded >= s.limit,
		s.limits.shared != nil && s.limits.shared.exhausted(s.limits.Nodes),
		s.limits.Proof > 0 && r.proof > s.limits.Proof,
		s.limits.Disproof > 0 && r.disproof > s.limits.Disproof:
		return false, errLimit
	case s.ctx != nil:
		return false, s.ctx.Err()
	}
	return false, nil
}

// exhausted reports whether searches have used up their nodes. Usually that is what the leader has
// reached. But if another job is at work where these would search, they might only look ahead: so
// twice the nodes, expanded in any order, are enough too.
func (l *shared) exhausted(nodes uint64) bool { return l.taken >= nodes || l.used.Load()/2 >= nodes }

// lead reports whether the search leads. It takes the lead if no search that shares its
// limits has it, and keeps it until it calls pass.
func (s *search[P, M]) lead() bool {
	if s.leads || s.limits.shared == nil {
		return true
	}
	s.leads = !s.limits.shared.led
	s.limits.shared.led = true
	return s.leads
}

// pass lets another search lead.
func (s *search[P, M]) pass() {
	if !s.leads {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leads, s.limits.shared.led = false, false
	s.mu.announce()
}

// wake wakes the waiting searches, so that they check whether there is something to do.
func (s *search[P, M]) wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mu.announce()
}

// take counts a node that the search has reached, if it is the first to do so.
func (s *search[P, M]) take(number uint32) {
	if number == none {
		return
	}
	n := s.nodes.at(number)
	if n.flags&ahead != 0 && s.limits.shared != nil {
		s.limits.shared.taken++
	}
	n.flags &^= ahead
}

// lookAhead returns a leaf that the search may reach soon, as an edge of its parent.
func (s *search[P, M]) lookAhead() (parent, edge uint32, found bool) {
	if s.steady {
		return s.lookAheadSteady()
	}
	if s.leaves = s.predict(s.leaves[:0], 0, 1); len(s.leaves) == 0 {
		return none, none, false
	}
	return s.leaves[0].parent, s.leaves[0].edge, true
}

// leaf is a leaf as an edge of its parent.
type leaf struct{ parent, edge uint32 }

// guess is an edge whose numbers predict has changed, and what they were.
type guess struct {
	parent, edge    uint32
	proof, disproof uint32
}

// mostGuesses is how many leaves predict may pass before it finds one that is not evaluated.
// With 16 two searches of 5x12 waited for each other one time in ten, with 32 one in seventy.
const mostGuesses = 32

// predict appends up to most leaves to evaluate ahead to dst. It gives the leaf that the search
// reaches next the numbers that it is likely to get, then the leaf that would be next after that, and
// takes those that are neither evaluated nor being evaluated, but for the first skip. At the end it
// restores all numbers.
func (s *search[P, M]) predict(dst []leaf, skip, most int) []leaf {
	s.guesses = s.guesses[:0]
	for len(s.guesses) < mostGuesses {
		parent, number := s.descend()
		n, e := s.nodes.at(parent), s.edges.at(number)
		if e.proof == 0 {
			break // the node waits for its moves
		}
		child := uint32(none)
		if !s.isBusy(number) && !slices.Contains(dst, leaf{parent, number}) {
			child = s.find(s.follow(n, e))
			switch {
			case child != none:
			case skip > 0:
				skip--
			default:
				dst = append(dst, leaf{parent, number})
			}
			if len(dst) == most {
				break
			}
		}
		again := slices.ContainsFunc(s.guesses, func(g guess) bool { return g.edge == number })
		s.guesses = append(s.guesses, guess{parent, number, e.proof, e.disproof})
		s.expect(e, child, again)
		s.update(parent)
	}
	for _, g := range slices.Backward(s.guesses) {
		e := s.edges.at(g.edge)
		e.proof, e.disproof = g.proof, g.disproof
		s.update(g.parent)
	}
	return dst
}

// expect gives an edge to a leaf the numbers that it is likely to get. If the leaf was evaluated
// ahead, child is its node, and they are known; but no node may be solved here. Otherwise the edge
// gets a virtual loss, so that the search goes elsewhere: of the proof number, and if it comes again,
// of both. So it leaves the path where the attacker is to move: if he does not win, all his moves
// have to be searched anyway. With the number that the side to move minimizes instead, two searches
// evaluated 15 % more leaves than were needed for a draw on 6x9, and 9 % for a win on 4x9; so it is
// 0.5 and 4 %.
func (s *search[P, M]) expect(e *edge[M], child uint32, again bool) {
	if child != none {
		if c := s.nodes.at(child); !c.solved() && (c.proof != e.proof || c.disproof != e.disproof) {
			e.proof, e.disproof = c.proof, c.disproof
			return
		}
	}
	e.proof = min(2*e.proof+1, unproven-1)
	if again {
		e.disproof = min(2*e.disproof+1, unproven-1)
	}
}

// look evaluates a leaf found by lookAhead.
func (s *search[P, M]) look(parent, number uint32) error {
	n := s.nodes.at(parent)
	p, attacker := s.follow(n, s.edges.at(number))
	_, err := s.expandLeaf(n, number, p, attacker)
	return err
}

// evaluation is a leaf that is being evaluated, as the edge to it.
type evaluation struct {
	edge uint32
	far  bool // by another process
}

// isBusy reports whether the leaf of an edge is being evaluated.
func (s *search[P, M]) isBusy(edge uint32) bool {
	return slices.ContainsFunc(s.busy, func(e evaluation) bool { return e.edge == edge })
}

// isFar reports whether another process evaluates the leaf of an edge, and nobody here.
func (s *search[P, M]) isFar(edge uint32) bool {
	return slices.Contains(s.busy, evaluation{edge, true}) && !slices.Contains(s.busy, evaluation{edge, false})
}

// occupy begins to evaluate the leaf of an edge.
func (s *search[P, M]) occupy(edge uint32) { s.busy = append(s.busy, evaluation{edge, s.seat.far()}) }

// free ends the evaluation of the leaf of an edge.
func (s *search[P, M]) free(edge uint32) {
	at := slices.Index(s.busy, evaluation{edge, s.seat.far()})
	s.busy = slices.Delete(s.busy, at, at+1)
	s.mu.announce()
}
