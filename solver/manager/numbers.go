package manager

import (
	"cmp"
	"container/heap"
	"math"
	"math/bits"
	"slices"

	"github.com/yomikiri/yomikiri/solver"
)

// renumber updates the numbers of all nodes that the search needs.
func (f *FrontEnd) renumber() {
	if len(f.dirty) == 0 {
		return
	}
	queue := f.dirty
	f.dirty = nil
	for ; len(queue) > 0; queue = queue[1:] {
		if f.rules.Repeats() && f.passed >= f.numbered {
			f.renumberAll()
			return
		}
		f.passed++
		f.stats.Numbered++
		if n := queue[0]; n.leaf() || n.outcome != solver.Unknown || n.derive(f.threshold) {
			queue = append(queue, n.parents...)
		}
	}
}

// Where positions can repeat, numbers on a cycle support each other. So now and then all
// numbers are derived again from those of the leaves, the smallest first: a node is
// numbered when its numbers can no longer become smaller (Knuth, "A generalization of
// Dijkstra's algorithm", 1977). A node that gets no proof number in this way cannot be won
// even if all open leaves were: the defender holds, if need be by repeating positions
// forever. That is true of the position, whatever the path to it. It is proven if the same
// follows when the attacker wins all that rests on a back end's word: nodes that were given
// up, and those at which moves of his are missing.
//
// Renumbering is due when as many nodes have been numbered one by one, so that it at most
// doubles the work, and when nothing is left to search.

// renumberAll numbers all nodes that can be reached from the root, and settles those that
// the defender holds by repetition.
func (f *FrontEnd) renumberAll() {
	open := f.reachable()
	f.numbered, f.passed = len(open), 0
	f.stats.Numbered += uint64(len(open))
	for _, out := range f.sortedJobs() {
		if out.node.seen != f.round {
			f.recall(out.node.job)
		}
	}
	failed, doubtful := false, false
	for _, n := range open {
		failed = failed || n.incomplete
		doubtful = doubtful || n.lacksMoves()
		for _, c := range n.children {
			failed = failed || c.outcome == solver.Failed
			doubtful = doubtful || c.outcome == solver.Failed || c.outcome == solver.Unverified
		}
	}
	attacks, defends := func(n *node) bool { return n.Attacker }, func(n *node) bool { return !n.Attacker }
	proofs := numberAll(open, attacks, func(n *node) (uint32, bool) { p, _ := n.number(f.threshold); return p, n.ends() })
	disproofs := numberAll(open, defends, func(n *node) (uint32, bool) { _, d := n.number(f.threshold); return d, n.ends() })
	var held []*node
	for _, n := range open {
		if n.leaf() {
			continue
		}
		p, ok := proofs[n]
		if !ok {
			held = append(held, n)
			continue
		}
		d, ok := disproofs[n]
		if !ok {
			d = unproven - 1 // it can be held only by repetition, if at all
		}
		n.proof, n.disproof = p, d
	}
	var winnable map[*node]uint32
	if doubtful && len(held) > 0 {
		winnable = numberAll(open, attacks, (*node).winnable)
	}
	for _, n := range held {
		if _, may := winnable[n]; !may && !n.outcome.Settled() {
			f.settle(n, solver.Disproven, byRepetition, 0)
		}
	}
	without := solver.Unverified
	if failed {
		without = solver.Failed
	}
	folded := slices.ContainsFunc(held, (*node).leaf)
	held = slices.DeleteFunc(held, func(n *node) bool { return n.outcome != solver.Unknown })
	if folded || len(held) > 0 && f.foldMissing(open) {
		f.renumberAll()
		return
	}
	for _, n := range held {
		f.giveUp(n, without) // unless it is settled
	}
}

// ends reports whether a search of the tree ends at a node.
func (n *node) ends() bool { return n.leaf() || n.outcome != solver.Unknown }

// lacksMoves reports whether moves of the attacker are missing at a node.
func (n *node) lacksMoves() bool { return n.Attacker && (n.partial || n.incomplete) }

// winnable returns a finite number unless it is proven that the attacker does not win, and
// whether that does not depend on the children.
func (n *node) winnable() (uint32, bool) {
	if n.outcome == solver.Disproven {
		return unproven, true
	}
	return 0, n.ends() || n.lacksMoves()
}

// raise raises the threshold of scores until fewer leaves count as likely settled. It
// reports false if no leaf counted.
func (f *FrontEnd) raise() bool {
	least := int64(math.MaxInt64)
	var likely []*node
	leaves := 0
	for _, n := range f.reachable() {
		if n.leaf() {
			leaves++
		}
		if n.likely(f.threshold) {
			likely = append(likely, n)
			least = min(least, max(int64(n.score), -int64(n.score)))
		}
	}
	if len(likely) == 0 {
		return false
	}
	f.addPoint(&Raised{f.threshold, leaves, len(likely)})
	rise, before := int64(f.policy.Rise), f.threshold
	f.threshold += ((least-f.threshold)/rise + 1) * rise
	f.stats.Raised++
	// Include those that cannot be reached now: another node may lead to them later.
	for _, n := range f.sorted(func(n *node) bool { return n.likely(before) }) {
		f.touch(n)
	}
	f.passed = f.numbered // nothing must rest on the old numbers
	return true
}

// compareNodes orders nodes, so that a run is reproducible.
func compareNodes(a, b *node) int {
	switch {
	case a.Position != b.Position:
		return cmp.Compare(a.Position, b.Position)
	case a.Attacker:
		return -1
	}
	return 1
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

// reachable returns the open nodes that can be reached from the root through open ones.
func (f *FrontEnd) reachable() (list []*node) {
	f.round++
	var walk func(n *node)
	walk = func(n *node) {
		if n.seen == f.round || n.outcome != solver.Unknown {
			return
		}
		n.seen = f.round
		list = append(list, n)
		for _, c := range n.children {
			walk(c)
		}
	}
	walk(f.root)
	return list
}

// numberAll returns one of the two numbers of open nodes: at nodes for
// which least returns true it is the least number of a child, at others all children
// count. given returns the number of a node that does not depend on its children, such as a
// leaf or a settled node, and true. Nodes without a finite number are missing from the result.
func numberAll(open []*node, least func(n *node) bool, given func(n *node) (uint32, bool)) map[*node]uint32 {
	type sum struct{ left, waiting, largest uint32 }
	sums, done := map[*node]*sum{}, map[*node]uint32{}
	parents := map[*node][]*node{}
	var queue numberHeap
	order := 0
	push := func(n *node, x uint32) {
		if x < unproven {
			order++
			heap.Push(&queue, numbered{n, x, order})
		}
	}
	for _, n := range open {
		if x, ok := given(n); ok {
			push(n, x)
			continue
		}
		s := &sum{}
		sums[n] = s
		best := uint32(unproven)
		for _, c := range n.children {
			if c.outcome == solver.Unknown {
				parents[c] = append(parents[c], n)
				s.waiting++
				s.left++
				continue
			}
			x, _ := given(c)
			best = min(best, x)
			if x > 0 {
				s.left++
				s.largest = max(s.largest, x)
			}
		}
		switch {
		case least(n):
			push(n, best)
		case s.waiting == 0:
			push(n, weakSum(s.largest, s.left))
		}
	}
	for queue.Len() > 0 {
		at := heap.Pop(&queue).(numbered)
		if _, ok := done[at.node]; ok {
			continue
		}
		done[at.node] = at.number
		for _, p := range parents[at.node] {
			if least(p) {
				push(p, at.number)
				continue
			}
			s := sums[p]
			s.largest = max(s.largest, at.number)
			if at.number == 0 {
				s.left--
			}
			if s.waiting--; s.waiting == 0 {
				push(p, weakSum(s.largest, s.left))
			}
		}
	}
	return done
}

// numbered is a node with a candidate for its number.
type numbered struct {
	node   *node
	number uint32
	order  int // in which they were found
}

// numberHeap implements [heap.Interface].
type numberHeap []numbered

func (h numberHeap) Len() int { return len(h) }
func (h numberHeap) Less(i, j int) bool {
	return h[i].number < h[j].number || h[i].number == h[j].number && h[i].order < h[j].order
}
func (h numberHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *numberHeap) Push(x any)   { *h = append(*h, x.(numbered)) }
func (h *numberHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// pick returns the most-proving leaf that is not being searched, nil if there is none. If
// all leaves below the best child are being searched it takes the next best child. It also
// returns the limits of the job.
func (f *FrontEnd) pick() (*node, limits) {
	var above map[*node]bool
	if f.policy.Help {
		above = map[*node]bool{}
		for _, out := range f.jobs {
			out.node.addAbove(above)
		}
	}
	f.round++
	return f.pickBelow(f.root, limits{unproven, unproven}, above)
}

// addAbove adds a node and its ancestors to a set.
func (n *node) addAbove(set map[*node]bool) {
	if set[n] {
		return
	}
	set[n] = true
	for _, p := range n.parents {
		p.addAbove(set)
	}
}

// limits are the numbers of a leaf beyond which another one is most-proving.
type limits struct{ proof, disproof uint32 }

// below returns the limits of a child of n: beyond them n prefers another child, or the
// numbers of n exceed its own limits. They are those of df-pn raised by an eighth, so that
// the search does not switch back and forth (Pawlewicz and Lew, "Improving depth-first
// PN-search: 1+ε trick", 2007).
func (f *FrontEnd) below(n, child *node, most limits) limits {
	if !n.Attacker {
		most.proof, most.disproof = most.disproof, most.proof
	}
	second, others := uint32(unproven), uint32(0)
	for _, c := range n.children {
		own, other := n.split(c, f.threshold)
		if c == child {
			continue
		}
		second = min(second, own)
		if other > 0 {
			others++
		}
	}
	own, other := n.split(child, f.threshold)
	most.proof = max(min(most.proof, more(second)), more(own)) // child need not be the best
	most.disproof = max(most.disproof, others+more(other)) - others
	if !n.Attacker {
		most.proof, most.disproof = most.disproof, most.proof
	}
	return most
}

// more returns a number that is larger by an eighth.
func more(number uint32) uint32 { return min(number+number/8+1, unproven) }

// magnitude returns the same for numbers that differ so little that it matters more which
// back end has searched the nodes.
func magnitude(number uint32) int { return bits.Len32(number) / 2 }

// elsewhere returns 1 for a node that was last searched by a back end with another memory
// than the one that will probably search it next.
func (f *FrontEnd) elsewhere(n *node) int {
	if n.memory == "" || n.memory == f.free {
		return 0
	}
	return 1
}

// pickBelow is pick below a node. At a node of above where the attacker is to move, only
// moves to other nodes of above count.
func (f *FrontEnd) pickBelow(n *node, most limits, above map[*node]bool) (*node, limits) {
	if n.decided() || n.likely(f.threshold) || n.seen == f.round {
		return nil, most
	}
	n.seen = f.round
	if n.leaf() {
		if n.job != nil {
			return nil, most
		}
		return n, most
	}
	list := slices.Clone(n.children)
	if n.Attacker && above[n] {
		list = slices.DeleteFunc(list, func(c *node) bool { return !above[c] })
	}
	slices.SortStableFunc(list, func(a, b *node) int {
		own, other := n.split(a, f.threshold)
		own2, other2 := n.split(b, f.threshold)
		return cmp.Or(cmp.Compare(magnitude(own), magnitude(own2)), cmp.Compare(f.elsewhere(a), f.elsewhere(b)),
			cmp.Compare(own, own2), cmp.Compare(other2, other))
	})
	for _, c := range list {
		if leaf, most := f.pickBelow(c, f.below(n, c, most), above); leaf != nil {
			return leaf, most
		}
	}
	return nil, most
}
