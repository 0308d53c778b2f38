package solver

import (
	"cmp"
	"math"
	"slices"
)

// A steady search stays with a reply of the defender until it is solved, and its leaves take
// long to evaluate.

// mostMore is the most that the remaining replies, besides the hardest, add to the proof
// number in a steady search. A winning quiet move leaves 20 to 60 replies, but they fall one
// after another: if each added one, the search would try all threats in all orders before that
// move.
const mostMore = 5

// effortProof is the least proof number of a position with the defender to move after
// effort steps without a proof. Without it a search could stay forever with a reply that
// has no answer, since the reply's number hardly grows while there are new moves to try.
func effortProof(effort uint32) uint32 { return uint32(2 * math.Sqrt(float64(effort))) }

// spend counts the current step as effort of the nodes on its path. Effort below a proven
// node was not wasted: it no longer counts at the nodes above. It is subtracted only
// once, though several searches may be below that node.
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

// view says how far a search looks ahead: at a node it considers the best reply of the defender
// and the number replies of further ones, and it passes at most depth unconnected nodes. It
// considers only the best move of the attacker, since no other is needed if that one wins.
type view struct{ replies, depth int }

// views are tried in order until one finds a leaf. A leaf found by the last is least likely to
// be needed, but keeps a search from waiting.
var views = [...]view{{2, 1}, {2, 2}, {4, 2}}

// lookAheadSteady is lookAhead for a steady search.
func (s *search[P, M]) lookAheadSteady() (parent, edge uint32, found bool) {
	for _, v := range views {
		if parent, edge, found = s.ahead(s.root, v); found {
			break
		}
	}
	return parent, edge, found
}

// ahead returns a leaf below a node that the search may reach soon, as an edge of its parent.
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
