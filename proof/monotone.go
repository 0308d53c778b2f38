package proof

import "github.com/yomikiri/yomikiri/games"

// In a file with [Header.Monotone] a child may be worse for the claimant than the position that it
// answers. docs/monotone.md says why that suffices.

// leads reports whether a child answers a move to p: whether it is its position or, in a file that is
// monotone, p is no worse for the claimant.
func (r *rules[P, M]) leads(p, child P, claimantToMove bool) bool {
	if r.monotone == nil {
		return child == r.canonicalizer.Canonical(p)
	}
	return games.NoWorse(r.monotone, p, child, claimantToMove)
}

// compared is how many times the stones of a position can be found for the work that it is charged with, in which
// its chains are followed and its moves generated. To compare stones with others takes one step.
const compared = 8

// findChildren finds the stones of the children of a node in a file that is monotone.
func (w *worker[P, M]) findChildren(t *task[P]) error {
	w.placements = w.placements[:0]
	if w.monotone == nil {
		return nil
	}
	for _, child := range t.children {
		w.placements = append(w.placements, w.monotone.Placement(child))
	}
	return w.work.Spend(len(t.children) * w.positionWork / compared)
}

// answered reports whether a reply leads to a child, and notes which do.
func (w *worker[P, M]) answered(t *task[P], q P) (answered bool, err error) {
	if w.monotone == nil {
		if len(t.children) == 0 {
			return false, nil
		}
		image := w.canonicalizer.Canonical(q)
		if _, answered = w.reached[image]; answered {
			w.reached[image] = true
		}
		return answered, nil
	}
	if err := w.work.Spend(w.positionWork/compared + len(t.children)); err != nil {
		return false, err
	}
	at := w.monotone.Placement(q)
	for i := range w.placements {
		if at.NoWorse(&w.placements[i], at.ToMove) {
			w.reached[t.children[i]], answered = true, true
		}
	}
	return answered, nil
}

// monotoneNode is an [Or] node that a [Player] follows from all positions that are no worse.
type monotoneNode struct {
	playerNode
	at games.Placement
}

// byMonotone returns the move of a node with a position that p is no worse than. It takes the one of
// least rank. If the claimant has a stone there already, any move will do.
func (x *Player[P, M]) byMonotone(p P) (Reply, bool, error) {
	if len(x.monotones) == 0 {
		return Reply{}, false, nil
	}
	at, best := games.MonotoneOf(x.g).Placement(p), -1
	for i := range x.monotones {
		n := &x.monotones[i]
		if (best < 0 || n.rank < x.monotones[best].rank) && at.NoWorse(&n.at, at.ToMove) {
			best = i
		}
	}
	if best < 0 {
		return Reply{}, false, nil
	}
	found := &x.monotones[best]
	r := Reply{Goal: Win, Proof: int(found.proof)}
	n, err := x.proofs[found.proof].Node(int(found.claim), found.number)
	if err != nil {
		return r, false, err
	}
	m, err := games.ParseMove(x.g, p, string(n.Move))
	if err != nil {
		m = x.g.AppendMoves(nil, p)[0]
	}
	r.Move = x.move(p, m)
	return r, true, nil
}
