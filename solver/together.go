package solver

import "slices"

// This file coordinates several searches of one arena, each in its own goroutine. A search
// holds the arena's lock except while it evaluates a leaf.

// ended reports whether the root is solved, and fails with errLimit if the search may not go
// on. If the root's numbers exceed their limits, perhaps only because of a virtual loss, it
// waits once for another search to evaluate its leaf.
func (s *search[P, M]) ended() (done bool, err error) {
	for waited := false; ; waited = true {
		r := s.nodes.at(s.root)
		past := s.limits.Proof > 0 && r.proof > s.limits.Proof || s.limits.Disproof > 0 && r.disproof > s.limits.Disproof
		switch {
		case r.solved():
			return true, nil
		case s.limit > 0 && s.expanded >= s.limit, s.limits.shared != nil && s.limits.Used() >= s.limits.Nodes,
			past && len(s.busy) == 0:
			return false, errLimit
		case !past || waited:
			return false, nil
		}
		s.evaluated.Wait()
	}
}

// lose gives a leaf that is about to be evaluated a virtual loss, so that the others go
// elsewhere meanwhile. It raises only the proof number, so they diverge where the attacker is
// to move: if he does not win, all his moves have to be searched anyway. When it raised both
// numbers, two searches took 1.3 times the positions of one on 6x9, a draw. Where the attacker
// wins, it made no difference.
func (s *search[P, M]) lose(parent uint32, e *edge[M]) {
	e.proof = min(2*e.proof+1, unproven-1)
	s.update(parent)
}

// loseBoth is a virtual loss that raises both numbers.
func (s *search[P, M]) loseBoth(parent uint32, e *edge[M]) {
	e.proof, e.disproof = min(2*e.proof+1, unproven-1), min(2*e.disproof+1, unproven-1)
	s.update(parent)
}

// avoid is called where the best leaf is busy. The first time it raises both numbers; if that
// leads to the same leaf, it waits.
func (s *search[P, M]) avoid(parent, number uint32) {
	leaf, e := &s.busy[s.busyAt(number)], s.edges.at(number)
	if leaf.avoided || e.proof == 0 {
		s.evaluated.Wait()
		return
	}
	leaf.avoided = true
	s.loseBoth(parent, e)
}

func (s *search[P, M]) busyAt(number uint32) int {
	return slices.IndexFunc(s.busy, func(l busyLeaf) bool { return l.edge == number })
}

// isBusy reports whether the leaf of an edge is being evaluated.
func (s *search[P, M]) isBusy(number uint32) bool { return s.busyAt(number) >= 0 }

// free records that the leaf of an edge has been evaluated.
func (s *search[P, M]) free(number uint32) {
	at := s.busyAt(number)
	s.busy = slices.Delete(s.busy, at, at+1)
	s.evaluated.Broadcast()
}
