package solver

import (
	"cmp"
	"math"
	"slices"
)

// A steady search stays with a reply of the defender until it is solved, and its leaves take
// long. Of several that share their limits, one at a time leads: it takes the steps that a single
// search would take, but for what the brancher has learnt meanwhile. The others evaluate leaves to
// which it is likely to come. What they find waits in the arena, unconnected, until it does. When
// each connected what it had found, moves that are meant to be tried late came into play too soon.

// mostMore is the most that the replies which are left, besides the hardest, add to the number
// of a steady search. A quiet move that wins leaves 20 to 60 of them, but they fall one after
// another: if each added one, all threats in all orders would come before that move.
const mostMore = 5

// effortProof is the least proof number of a position with the defender to move after so
// many steps in vain. Without it a search could stay for good with a reply that has no
// answer, since its number hardly grows while there are always new moves to try.
func effortProof(effort uint32) uint32 { return uint32(2 * math.Sqrt(float64(effort))) }

// spend counts the step in hand as effort of the nodes on its way. What is spent below a
// node that is proven was not in vain: that no longer counts above. It is taken off once,
// though several searches may be below that node.
func (s *search[P, M]) spend() {
	var spent uint32
	for i, number := range s.trail {
		n := s.nodes.at(number)
		n.effort++
		if n.proof == 0 {
			spent, s.trail, n.effort = n.effort, s.trail[:i], 0
			break
		}
	}
	for _, number := range slices.Backward(s.trail) {
		n := s.nodes.at(number)
		n.effort -= min(spent, n.effort)
		s.update(number)
	}
}

// stepSteady is step for a steady search. One that shares its limits may lead afterwards, until it
// passes.
func (s *search[P, M]) stepSteady() (done bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if done, err := s.ended(); done || err != nil {
			return done, err
		}
		if s.ctx != nil && s.ctx.Err() != nil {
			return false, s.ctx.Err()
		}
		if s.lead() {
			// A search with limits of its own may be a part of the evaluation for which it
			// would wait.
			if parent, number := s.descend(); s.limits.shared == nil || !s.isBusy(number) {
				return false, s.develop(parent, number)
			}
			if len(s.answered) > 0 { // it has to deal with them before others go on
				s.evaluated.Wait()
				continue
			}
			s.leads, s.limits.shared.led = false, false
		}
		if parent, number, found := s.lookAhead(); found {
			return false, s.look(parent, number)
		}
		s.evaluated.Wait()
	}
}

// lead reports whether the search leads. It does if none that shares its limits did.
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
	s.evaluated.Broadcast()
}

// wake has the searches that wait look whether there is something to do.
func (s *search[P, M]) wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.evaluated.Broadcast()
}

// view says how far a search looks ahead: at so many replies of the defender at a node, besides
// the best one, and past so many unconnected nodes on the way. Other moves of the
// attacker are not looked at, since there is no need for them if the best one wins.
type view struct{ replies, depth int }

// views are taken in turn until there is something to see: what comes last is least likely to be
// needed, but keeps a search from waiting.
var views = [...]view{{2, 1}, {2, 2}, {4, 2}}

// lookAhead returns a leaf to which the search may come soon, as an edge of its parent.
func (s *search[P, M]) lookAhead() (parent, edge uint32, found bool) {
	for _, v := range views {
		if parent, edge, found = s.ahead(s.root, v); found {
			break
		}
	}
	return parent, edge, found
}

// ahead returns a leaf below a node to which the search may come soon, as an edge of its parent.
// It begins at the most-proving leaf and goes up. At each node it tries the replies that come
// next: if the attacker's moves on the way win, all of them have to be answered.
func (s *search[P, M]) ahead(number uint32, v view) (parent, edge uint32, found bool) {
	n := s.nodes.at(number)
	attacker := n.flags&attackerToMove != 0
	left := 1
	if !attacker {
		left += v.replies
	}
	for _, edge := range s.order(n) {
		e, below := s.edges.at(edge), v
		child := e.child
		if child == none {
			child = s.find(s.canonical(s.game.Play(n.position, e.move)), !attacker)
			below.depth--
		}
		switch {
		case s.isBusy(edge):
		case child == none:
			return number, edge, true
		case s.nodes.at(child).solved():
			if (s.nodes.at(child).proof == 0) == attacker {
				return none, none, false // it solves this node
			}
			continue
		case below.depth >= 0:
			if parent, edge, found := s.ahead(child, below); found {
				return parent, edge, true
			}
		}
		if left--; left == 0 {
			break
		}
	}
	return none, none, false
}

// order returns the edges of a node that are not solved, in the order in which they are
// searched.
func (s *search[P, M]) order(n *node[P, M]) (list []uint32) {
	for i := range uint32(n.count) {
		if e := s.edges.at(n.edges + i); e.proof > 0 && e.disproof > 0 {
			list = append(list, n.edges+i)
		}
	}
	slices.SortStableFunc(list, func(x, y uint32) int {
		switch n.edges + uint32(n.best) {
		case x:
			return -1
		case y:
			return 1
		}
		a, b := s.edges.at(x), s.edges.at(y)
		if n.flags&attackerToMove != 0 {
			return cmp.Or(cmp.Compare(a.proof, b.proof), cmp.Compare(b.disproof, a.disproof))
		}
		return cmp.Or(cmp.Compare(a.disproof, b.disproof), cmp.Compare(b.proof, a.proof))
	})
	return list
}

// look evaluates a leaf ahead.
func (s *search[P, M]) look(parent, number uint32) error {
	n := s.nodes.at(parent)
	s.busy = append(s.busy, busyLeaf{edge: number})
	_, err := s.expand(s.canonical(s.game.Play(n.position, s.edges.at(number).move)), n.flags&attackerToMove == 0)
	s.free(number)
	return err
}
