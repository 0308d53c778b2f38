package manager

import (
	"slices"

	"github.com/yomikiri/yomikiri/solver"
)

// Nothing that is not proven is final. That a search has failed, that the defender holds where no
// fragment can show it, and that moves which are left out do not matter, is the word of a worker.
// If there are several workers another one is asked, and what two have said, or the only one, is
// believed until the front end is made again. Then all of this is open.

// told takes note of a worker that has said something about a node without a proof. It reports
// whether that is believed now.
func (f *FrontEnd) told(n *node, worker string) bool {
	f.dropRefused(n)
	if worker != "" && !slices.Contains(n.told, worker) {
		n.told = append(n.told, worker)
	}
	return len(n.told) > 0 && len(n.told) >= min(2, f.workers)
}

// doubt takes note of what a worker says about a node without a proof.
func (f *FrontEnd) doubt(n *node, o solver.Outcome, worker string) {
	switch {
	case n.outcome != solver.Unknown:
	case f.told(n, worker):
		f.giveUp(n, o)
	default:
		n.said = o
		f.touch(n)
		f.check(n) // its proof may have to be completed by another worker
	}
}

// doubtMoves ends the search of a node with moves that lead nowhere, while the worker that named them
// has left out others. Unless that is believed the node is folded.
func (f *FrontEnd) doubtMoves(n *node, o solver.Outcome) {
	switch {
	case n.outcome != solver.Unknown:
	case f.told(n, n.expander):
		f.giveUp(n, o)
	default:
		f.fold(n)
	}
}

// fold makes an open node a leaf again, so that a job can ask for its moves.
func (f *FrontEnd) fold(n *node) {
	f.recall(n.job)
	f.leave(n)
	n.moves, n.children, n.partial, n.incomplete, n.expander = nil, nil, false, false, ""
	n.proof, n.disproof, n.score = 1, 1, 0
	f.change(n)
	f.touch(n)
}

// foldMissing folds the nodes of a list at which moves of the attacker are missing, unless it is
// believed that they do not matter. It reports whether there were any.
func (f *FrontEnd) foldMissing(list []*node) (found bool) {
	for _, n := range list {
		if n.outcome == solver.Unknown && n.lacksMoves() && !f.told(n, n.expander) {
			f.fold(n)
			found = true
		}
	}
	return found
}

// setWorkers notes how many workers there are. The last one cannot be asked about what it has said.
func (f *FrontEnd) setWorkers(workers int) {
	alone := f.workers > 1 && workers <= 1
	f.workers = workers
	if !alone {
		return
	}
	for _, n := range f.sorted(func(n *node) bool { return n.leaf() && n.outcome == solver.Unknown && len(n.told) > 0 }) {
		f.giveUp(n, n.said)
	}
}

// begin opens what was not proven in earlier runs. Where back ends prove that the defender holds,
// nodes also get the moves that others have left out.
func (f *FrontEnd) begin() error {
	if f.begun {
		return nil
	}
	f.begun = true
	f.withdraw(func(*node) bool { return true })
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

// withdrawRefuted opens the nodes that rest on the word of workers who have been refuted, by a proof
// or by the checker of proofs. What they have said elsewhere without a proof does not count any more.
func (f *FrontEnd) withdrawRefuted() {
	for _, worker := range f.refuted {
		if worker != "" && !slices.Contains(f.refused, worker) {
			f.distrust(worker, errRefuted)
		}
	}
	if f.refuted == nil {
		return
	}
	f.refuted = nil
	f.withdraw(func(n *node) bool {
		told := len(n.told)
		f.dropRefused(n)
		return len(n.told) < told || told == 0 && !n.leaf()
	})
}

// dropRefused forgets what refused workers have said about a node.
func (f *FrontEnd) dropRefused(n *node) {
	n.told = slices.DeleteFunc(n.told, func(worker string) bool { return slices.Contains(f.refused, worker) })
}

// withdraw opens nodes that were given up.
func (f *FrontEnd) withdraw(which func(n *node) bool) {
	list := f.sorted(func(n *node) bool { return (n.outcome == solver.Failed || n.outcome == solver.Unverified) && which(n) })
	for _, n := range list {
		n.outcome = solver.Unknown
		f.change(n)
		f.touch(n)
	}
	for _, n := range list {
		f.check(n)
	}
	f.passed = f.numbered // nothing must rest on the old numbers
}

// sorted returns some of the nodes, in an order that is always the same.
func (f *FrontEnd) sorted(which func(n *node) bool) (list []*node) {
	for _, n := range f.nodes {
		if which(n) {
			list = append(list, n)
		}
	}
	slices.SortFunc(list, compareNodes)
	return list
}
