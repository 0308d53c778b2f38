package solver

import (
	"context"
	"errors"
	"fmt"

	"github.com/yomikiri/yomikiri/games"
)

// errLimit ends a search that has reached a limit.
var errLimit = errors.New("limit reached")

// rules is a game as a search sees it.
type rules[P, M comparable] struct {
	game          games.Game[P, M]
	canonicalizer games.Canonicalizer[P]
	layerer       games.Layerer[P]
	brancher      Brancher[P, M]
}

func (r *rules[P, M]) canonical(p P) P {
	if r.canonicalizer == nil {
		return p
	}
	return r.canonicalizer.Canonical(p)
}

// search is best-first proof-number search over a graph in memory. It asks
// whether the attacker can force a win. Several searches may share an arena: each locks it
// except while it evaluates a leaf.
type search[P, M comparable] struct {
	rules[P, M]
	*arena[P, M]
	root uint32

	// second, if set, is the second-level search that evaluates leaves (PN²).
	second *search[P, M]

	// ctx, if set, may end while the brancher works; its result is then discarded.
	ctx context.Context
	// check is called every checkEvery expansions; its error ends the search.
	check    func() error
	limit    uint64 // of expanded nodes of this search alone, 0 for none
	limits   Limits // of the root's numbers and, if shared, of nodes
	expanded uint64
	// visited counts the nodes that second-level searches expanded.
	visited uint64
	// earlier counts those expanded to resolve other positions.
	earlier uint64

	branches []Branch[M]
	queue    []uint32
	// steady says that the search stays with a move of the defender until it is solved:
	// the win against it may answer other moves too. answered collects such moves when
	// they are proven.
	steady bool
	leads  bool // this search leads those that share its limits
	// seat, if it is far, says that another process evaluates the leaves. Such a search never leads, and
	// lasts until those that it helps end over.
	seat     seat
	over     context.Context
	asked    []asked[P]
	guesses  []guess
	leaves   []leaf
	answered []answer[P, M]
	trail    []uint32 // the nodes on the path of the current step, if steady
}

// answer is a move of the defender that the attacker answers.
type answer[P, M comparable] struct {
	position P
	move     M
}

// waitingProof estimates the work to prove the moves that are not known yet.
const waitingProof = 15

// checkEvery is the number of expansions between calls of check.
const checkEvery = 256

// start makes the node of a canonical, unfinished position the root.
func (s *search[P, M]) start(p P, attacker bool) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.root = s.find(p, attacker); s.root == none {
		s.root, err = s.expand(p, attacker)
	}
	s.take(s.root)
	return err
}

// result returns a copy of the root.
func (s *search[P, M]) result() node[P, M] {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *s.nodes.at(s.root)
}

// run searches until the root is solved or a limit is reached.
func (s *search[P, M]) run() error {
	for i := 1; ; i++ {
		if s.seat.far() && !s.seat.await(s.over) {
			return errLimit
		}
		if done, err := s.step(); done || err != nil {
			return err
		}
		if i%checkEvery == 0 && s.check != nil {
			if err := s.check(); err != nil {
				return err
			}
		}
	}
}

// step follows the best edges to the most-proving leaf and expands it, or looks ahead if another
// search that shares its limits leads. It reports whether the root is solved; it checks this
// before any limit.
func (s *search[P, M]) step() (done bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if done, err := s.ended(); done || err != nil {
			return done, err
		}
		if s.seat.far() {
			return false, s.lookFar()
		}
		if s.lead() {
			// A search with its own limits does not wait: it may be part of the evaluation
			// it would wait for.
			parent, number := s.descend()
			if s.limits.shared == nil || !s.isBusy(number) {
				return false, s.develop(parent, number)
			}
			if len(s.answered) > 0 { // they must be handled before others go on
				s.mu.wait()
				continue
			}
			if s.isFar(number) { // an answer may take longer than to find it here
				if parent, number, found := s.lookAhead(); found {
					return false, s.look(parent, number)
				}
				return false, s.develop(parent, number)
			}
			s.leads, s.limits.shared.led = false, false
		}
		if parent, number, found := s.lookAhead(); found {
			return false, s.look(parent, number)
		}
		s.mu.wait()
	}
}

// descend returns the most-proving leaf, as an edge of its parent.
func (s *search[P, M]) descend() (parent, number uint32) {
	s.trail = s.trail[:0]
	for parent = s.root; ; parent = s.edges.at(number).child {
		if s.steady {
			s.trail = append(s.trail, parent)
		}
		n := s.nodes.at(parent)
		number = n.edges + uint32(n.best)
		if e := s.edges.at(number); e.child == none || e.proof == 0 {
			return parent, number
		}
	}
}

// develop evaluates the leaf to which an edge of a node leads. If the edge is already proven,
// the node was waiting for that.
func (s *search[P, M]) develop(parent, number uint32) (err error) {
	if s.steady {
		defer s.spend()
	}
	n, e := s.nodes.at(parent), s.edges.at(number)
	if e.proof == 0 {
		return s.askAgain(parent, number)
	}
	q, attacker := s.follow(n, e)
	child := s.find(q, attacker)
	if child == none {
		asked := n.flags & waiting
		if child, err = s.expandLeaf(n, number, q, attacker); n.solved() || n.flags&waiting != asked {
			s.take(child)
			return err // its edges are gone
		}
	}
	s.take(child)
	s.mu.announce() // others may look ahead from there
	if err == nil && e.child == none && e.proof != 0 {
		e.child = child
		c := s.nodes.at(child)
		e.proof, e.disproof = c.proof, c.disproof
		if !c.solved() {
			s.arena.link(parent, number, child)
		}
	}
	s.update(parent)
	return err
}

// follow returns the position after an edge's move, and whether the attacker is to move there.
func (s *search[P, M]) follow(n *node[P, M], e *edge[M]) (p P, attacker bool) {
	return s.canonical(s.game.Play(n.position, e.move)), n.flags&attackerToMove == 0
}

// expandLeaf is expand for the position p after the move of an edge of n. Meanwhile the edge is
// busy.
func (s *search[P, M]) expandLeaf(n *node[P, M], edge uint32, p P, attacker bool) (uint32, error) {
	if s.layerer != nil && s.layerer.Layer(p) <= s.layerer.Layer(n.position) {
		return none, fmt.Errorf("%s: a move leads from %q to %q, which is not in a later layer", s.game.Name(),
			s.game.AppendPosition(nil, n.position), s.game.AppendPosition(nil, p))
	}
	s.occupy(edge)
	defer s.free(edge)
	return s.expand(p, attacker)
}

// expand evaluates a position that has no node and returns its new node.
func (s *search[P, M]) expand(p P, attacker bool) (uint32, error) {
	n := node[P, M]{position: p, proof: 1, disproof: 1}
	if attacker {
		n.flags = attackerToMove
	}
	if err := s.evaluate(&n); err != nil {
		return none, err
	}
	if number := s.find(p, attacker); number != none {
		return number, nil // by another search
	}
	n.flags |= ahead
	number := s.add(n)
	if !n.solved() {
		s.setEdges(s.nodes.at(number), s.branches)
	}
	return number, nil
}

// askAgain finds the moves of a node that waited, now that its edges are proven.
func (s *search[P, M]) askAgain(number, edge uint32) error {
	n := s.nodes.at(number)
	again := node[P, M]{position: n.position, proof: 1, disproof: 1}
	s.occupy(edge)
	err := s.evaluate(&again)
	s.free(edge)
	if err != nil || n.flags&waiting == 0 {
		return err // or another search was faster
	}
	if s.limits.shared != nil {
		s.limits.shared.taken++
	}
	s.dropEdges(n)
	n.flags &^= waiting
	if again.solved() {
		n.proof, n.disproof, n.move, n.flags = again.proof, again.disproof, again.move, n.flags|again.flags&unsure
	} else {
		s.setEdges(n, s.branches)
	}
	s.updateParents(number)
	return nil
}

// evaluate solves a new node, or leaves its open moves in branches. The arena is unlocked
// meanwhile.
func (s *search[P, M]) evaluate(n *node[P, M]) error {
	s.expanded++
	if s.limits.shared != nil {
		s.limits.shared.used.Add(1)
	}
	s.mu.Unlock()
	defer s.mu.Lock()
	if s.second != nil {
		return s.judge(n)
	}
	attacker := n.flags&attackerToMove != 0
	list, complete := s.brancher.AppendBranches(s.branches[:0], n.position, attacker)
	s.branches = list
	if s.ctx != nil && s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	if !complete {
		n.flags |= incomplete
		switch {
		case attacker:
		case len(list) == 0:
			n.proof, n.disproof = unproven, 0
			n.flags |= unsure
			return nil
		default:
			n.flags |= waiting
		}
	}
	open := list[:0]
	for _, b := range list {
		if attacker && b.Proof == 0 || !attacker && b.Disproof == 0 {
			n.proof, n.disproof, n.move = b.Proof, b.Disproof, b.Move
			return nil
		}
		if b.Proof != 0 && b.Disproof != 0 {
			open = append(open, b)
		}
	}
	s.branches = open
	return nil
}

// setEdges makes the open branches the edges of a node.
func (s *search[P, M]) setEdges(n *node[P, M], open []Branch[M]) {
	n.edges, n.count = s.block(len(open)), uint16(len(open))
	for i, b := range open {
		*s.edges.at(n.edges + uint32(i)) = edge[M]{b.Move, none, b.Proof, b.Disproof}
	}
	s.recompute(n)
}

// recompute derives a node's numbers from its edges and reports whether they changed.
func (s *search[P, M]) recompute(n *node[P, M]) bool {
	attacker := n.flags&attackerToMove != 0
	edges := s.edgesOf(n)
	// own is the number that the side to move minimises, other the one that adds
	// up: phi and delta.
	own, other := uint32(unproven), uint32(0)
	best, bestOther, left := 0, uint32(0), 0
	for i := range edges {
		e := &edges[i]
		a, b := e.proof, e.disproof
		if !attacker {
			a, b = b, a
		}
		if a < own || a == own && b > bestOther && a < unproven {
			own, best, bestOther = a, i, b
		}
		if b > 0 {
			left++
			other = max(other, b)
		}
	}
	if left > 0 && other < unproven {
		more := uint32(left - 1)
		if s.steady && !attacker {
			more = min(2*more, mostMore)
		}
		other = min(other+more, unproven-1)
	}
	switch {
	case own == 0:
		other = unproven
	case n.flags&waiting != 0:
		if other = min(other+waitingProof, unproven-1); own == unproven {
			own = 1
		}
	}
	if s.steady && !attacker && own > 0 && own < unproven {
		// Each move adds one, so that long lines of forced replies do not look easy.
		other = min(max(other+1, effortProof(n.effort)), unproven-1)
		if e := &edges[n.best]; e.child != none && e.proof > 0 && e.disproof > 0 {
			best = int(n.best)
		}
	}
	n.best = uint16(best)
	proof, disproof := own, other
	if !attacker {
		proof, disproof = disproof, proof
	}
	if proof == n.proof && disproof == n.disproof {
		return false
	}
	n.proof, n.disproof = proof, disproof
	if n.solved() {
		s.settle(n, edges)
	}
	return true
}

// settle records how a node was solved and frees its edges.
func (s *search[P, M]) settle(n *node[P, M], edges []edge[M]) {
	switch {
	case n.flags&attackerToMove != 0 && n.proof == 0:
		n.move = edges[n.best].move
	case n.flags&attackerToMove != 0:
		if n.flags&incomplete != 0 {
			n.flags |= unsure
		}
		for i := range edges {
			s.doubt(n, &edges[i])
		}
	case n.disproof == 0:
		n.move = edges[n.best].move
		s.doubt(n, &edges[n.best])
	}
	s.dropEdges(n)
}

// doubt makes a disproof unsure if a child's disproof is.
func (s *search[P, M]) doubt(n *node[P, M], e *edge[M]) {
	if e.child != none && s.nodes.at(e.child).flags&unsure != 0 {
		n.flags |= unsure
	}
}

// update recomputes the numbers of a node and of its ancestors.
func (s *search[P, M]) update(number uint32) {
	if n := s.nodes.at(number); !n.solved() && s.recompute(n) {
		s.updateParents(number)
	}
}

// updateParents recomputes the numbers of the ancestors of a node whose numbers have
// changed.
func (s *search[P, M]) updateParents(number uint32) {
	s.queue = append(s.queue[:0], number)
	for len(s.queue) > 0 {
		number := s.queue[len(s.queue)-1]
		s.queue = s.queue[:len(s.queue)-1]
		n := s.nodes.at(number)
		previous := uint32(none)
		for at := n.links; at != none; {
			l := s.links.at(at)
			next := l.next
			parent := s.nodes.at(l.parent)
			if parent.solved() || n.solved() {
				// The link is no longer needed.
				if previous == none {
					n.links = next
				} else {
					s.links.at(previous).next = next
				}
				l.next, s.freeLinks = s.freeLinks, at
			} else {
				previous = at
			}
			if e := s.edges.at(l.edge); !parent.solved() && e.child == number {
				if s.steady && n.proof == 0 && parent.flags&(attackerToMove|waiting) == 0 && parent.count > 1 {
					s.answered = append(s.answered, answer[P, M]{parent.position, e.move})
				}
				e.proof, e.disproof = n.proof, n.disproof
				if s.recompute(parent) {
					s.queue = append(s.queue, l.parent)
				}
			}
			at = next
		}
	}
}

// judge evaluates a node by a second-level search.
func (s *search[P, M]) judge(n *node[P, M]) error {
	t := s.second
	t.reset()
	t.expanded = 0
	t.check = s.check
	if err := t.start(n.position, n.flags&attackerToMove != 0); err != nil {
		return err
	}
	err := t.run()
	s.visited += t.expanded
	if err != nil && !errors.Is(err, errLimit) {
		return err
	}
	r := t.nodes.at(t.root)
	n.flags |= r.flags
	n.proof, n.disproof, n.move = r.proof, r.disproof, r.move
	s.branches = s.branches[:0]
	if n.solved() {
		return nil
	}
	for _, e := range t.edgesOf(r) {
		if e.proof != 0 && e.disproof != 0 {
			s.branches = append(s.branches, Branch[M]{Move: e.move, Proof: e.proof, Disproof: e.disproof})
		} else if e.child != none && t.nodes.at(e.child).flags&unsure != 0 {
			n.flags |= incomplete
		}
	}
	return nil
}

// spent returns the number of positions expanded on both levels.
func (s *search[P, M]) spent() uint64 {
	n := s.expanded + s.visited
	if s.second != nil {
		n += s.second.expanded
	}
	return n
}
