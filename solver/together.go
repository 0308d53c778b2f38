package solver

import "slices"

// What several searches of one arena, each in a goroutine of its own, have to do with each
// other. The arena is locked but while one of them evaluates a leaf.

// ended reports whether the root is solved, and fails with errLimit if the search may not go
// on. Where perhaps a virtual loss alone is past the limits of the root's numbers, it waits
// for another search to evaluate its leaf.
func (s *search[P, M]) ended() (done bool, err error) {
	for waited := false; ; waited = true {
		r := s.nodes.at(s.root)
		past := s.limits.Proof > 0 && r.proof > s.limits.Proof || s.limits.Disproof > 0 && r.disproof > s.limits.Disproof
		switch {
		case r.solved():
			return true, nil
		case s.limit > 0 && s.expanded >= s.limit, s.limits.used != nil && s.limits.used.Load() >= s.limits.Nodes,
			past && len(s.busy) == 0:
			return false, errLimit
		case !past || waited:
			return false, nil
		}
		s.evaluated.Wait()
	}
}

// idle returns the best edge of a node that is neither solved nor busy, or none.
func (s *search[P, M]) idle(n *node[P, M]) (number uint32) {
	own, bestOther := uint32(unproven), uint32(0)
	for i, e := range s.edgesOf(n) {
		a, b := e.proof, e.disproof
		if n.flags&attackerToMove == 0 {
			a, b = b, a
		}
		at := n.edges + uint32(i)
		if a > 0 && b > 0 && (a < own || a == own && b > bestOther) && !slices.Contains(s.busy, at) {
			own, bestOther, number = a, b, at
		}
	}
	return number
}

// free says that the leaf of an edge was evaluated.
func (s *search[P, M]) free(number uint32) {
	at := slices.Index(s.busy, number)
	s.busy = slices.Delete(s.busy, at, at+1)
	s.evaluated.Broadcast()
}
