package manager

import (
	"errors"
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/solver"
)

// Nothing that is not proven is final. That a search has failed, that the defender holds where no
// fragment can show it, and that moves which are left out do not matter, is the word of a worker. It
// is believed until the front end is made again. Then all of this is open.

// giveUp ends the search of an open node without a proof: o is [solver.Failed] or [solver.Unverified].
func (f *FrontEnd) giveUp(n *node, o solver.Outcome) {
	if n.outcome != solver.Unknown {
		return
	}
	n.outcome = o
	f.change(n)
	f.recall(n.job)
	for _, p := range slices.Clone(n.parents) {
		f.touch(p)
		f.check(p)
	}
}

// believe gives up a node since a worker says, without a proof, that the defender holds.
func (f *FrontEnd) believe(n *node) error {
	switch {
	case !f.rules.Repeats() || f.policy.Holds:
		return errUnproven
	case n.outcome == solver.Proven:
		return errRefuted
	}
	f.giveUp(n, solver.Unverified)
	return nil
}

// errUnproven is the error for a worker that says what it must prove.
var errUnproven = errors.New("a result without its proof")

// errRefuted is the error for a worker that says that the defender holds where he does not.
var errRefuted = errors.New("it says that the defender holds, and a proof shows that the attacker wins")

// fold makes an open node a leaf again, so that a job can ask for its moves.
func (f *FrontEnd) fold(n *node) {
	if n.outcome != solver.Unknown {
		return
	}
	f.recall(n.job)
	f.leave(n)
	n.moves, n.children, n.partial, n.incomplete, n.named = nil, nil, false, false, false
	n.proof, n.disproof, n.score = 1, 1, 0
	f.change(n)
	f.touch(n)
}

// foldMissing folds the open nodes of a list at which moves of the attacker are missing, unless a
// result of this run has named their moves. It reports whether there were any.
func (f *FrontEnd) foldMissing(list []*node) (found bool) {
	for _, n := range list {
		if n.outcome == solver.Unknown && n.lacksMoves() && !n.named {
			f.fold(n)
			found = true
		}
	}
	return found
}

// begin opens what was not proven in earlier runs. Where back ends prove that the defender holds,
// nodes also get the moves that others have left out.
func (f *FrontEnd) begin() error {
	if f.begun {
		return nil
	}
	f.begun = true
	list := f.sorted((*node).givenUp)
	for _, n := range list {
		f.open(n)
	}
	for _, n := range list {
		f.check(n)
	}
	if !f.policy.Holds {
		return nil
	}
	for _, n := range f.sorted(func(n *node) bool { return n.outcome == solver.Unknown && !n.leaf() && n.lacksMoves() }) {
		if err := f.complete(n); err != nil {
			return err
		}
		if f.wanted(n) {
			f.adopt(n)
		}
	}
	return nil
}

// open opens a node that was given up. Then it has to be checked.
func (f *FrontEnd) open(n *node) {
	n.outcome = solver.Unknown
	f.change(n)
	f.touch(n)
	f.passed = f.numbered // nothing must rest on the old numbers
}

// refute opens the nodes above n that were given up, and returns them: they may rest on what was
// said of n, which a proof refutes.
func (f *FrontEnd) refute(n *node) []*node {
	if n.outcome == solver.Unverified {
		f.actions.Warnings = append(f.actions.Warnings, fmt.Errorf(
			"position %q: a worker has said without a proof that the defender holds, and now there is one that the attacker wins", n.Position))
	}
	return f.openAbove(n)
}

// openAbove opens the nodes above n that were given up, and returns them.
func (f *FrontEnd) openAbove(n *node) (list []*node) {
	for _, p := range n.parents {
		if p.givenUp() {
			f.open(p)
			list = append(append(list, p), f.openAbove(p)...)
		}
	}
	return list
}
