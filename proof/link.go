package proof

import (
	"fmt"
	"maps"
	"slices"
)

// linker follows the references between the nodes of a claim, in the order of the file. At
// the end of a claim no node is live, so one linker serves all claims.
type linker[P, M comparable] struct {
	*rules[P, M]
	live    map[uint64]liveNode[P]
	maxLive uint64 // how many nodes were live at a time
}

// liveNode is a node that has been read and still has references to come.
type liveNode[P comparable] struct {
	position       P // canonical
	claimantToMove bool
	uses           uint64
	rank           uint64
	ahead          bool
}

// liveNodes is the number of live nodes that any file may have; a large file may have one for
// every liveBytes bytes read.
const (
	liveNodes = 1 << 17
	liveBytes = 8
)

// link links the nodes of a job that has been parsed. If one is wrong, the job ends before it.
func (l *linker[P, M]) link(j *job[P, M]) (err error) {
	for i := range j.tasks {
		t := &j.tasks[i]
		if err = l.add(j, t); err != nil {
			err = fmt.Errorf("node %d, position %q: %w", t.number, t.Position, err)
			j.tasks = j.tasks[:i]
			break
		}
		j.steps += int64(t.steps)
		j.last = t.number
	}
	j.live = l.maxLive
	return err
}

// add links a node.
func (l *linker[P, M]) add(j *job[P, M], t *task[P]) error {
	if t.Kind == Keeps {
		return l.keep(&t.Node)
	}
	if t.err != nil {
		return refused("%v", t.err)
	}
	first := len(j.positions)
	for _, number := range t.Children {
		child, err := l.child(&t.Node, number)
		if err != nil {
			return err
		}
		j.positions = append(j.positions, child.position)
	}
	t.children = j.positions[first:]
	l.live[t.number] = liveNode[P]{t.image, t.Kind.claimantToMove(), t.Uses, t.Rank, t.Kind.ahead()}
	l.maxLive = max(l.maxLive, uint64(len(l.live)))
	if most := max(liveNodes, j.bytes/liveBytes); uint64(len(l.live)) > most {
		return fmt.Errorf("%w: more than %d nodes have to be kept, which is too much for a file of this size", ErrLimit, most)
	}
	return nil
}

// keep checks that a node proves what an earlier one stands for.
func (l *linker[P, M]) keep(n *Node) error {
	ahead, ok := l.live[n.Children[0]]
	if !ok || !ahead.ahead {
		return refused("node %d is to be kept, which is not ahead, or was kept already", n.Children[0])
	}
	if ahead.uses != 1 {
		return refused("node %d is kept, but %d more references to it are to come", n.Children[0], ahead.uses-1)
	}
	delete(l.live, n.Children[0])
	node, err := l.use(n.Children[1])
	switch {
	case err != nil:
		return err
	case node.ahead:
		return refused("node %d is ahead itself", n.Children[1])
	case node.position != ahead.position || node.claimantToMove != ahead.claimantToMove:
		return refused("node %d, ahead, is position %q, and node %d, which is to keep it, %q, or another side is to move",
			n.Children[0], l.text(ahead.position), n.Children[1], l.text(node.position))
	}
	return nil
}

// use follows a reference.
func (l *linker[P, M]) use(number uint64) (liveNode[P], error) {
	node, ok := l.live[number]
	if !ok {
		return node, refused("a reference to node %d, which is not there or was referred to as often as it says already", number)
	}
	if node.ahead && node.uses == 1 {
		return node, refused("the last reference to node %d, which is ahead, does not keep it", number)
	}
	if node.uses--; node.uses == 0 {
		delete(l.live, number)
	} else {
		l.live[number] = node
	}
	return node, nil
}

// child follows a reference to a child and checks what does not depend on the
// position.
func (l *linker[P, M]) child(n *Node, number uint64) (liveNode[P], error) {
	child, err := l.use(number)
	switch {
	case err != nil:
		return child, err
	case child.claimantToMove == n.Kind.claimantToMove():
		return child, refused("in it and in node %d, a child, the same side is the claimant to move", number)
	case child.rank >= n.Rank:
		return child, refused("rank %d is not above that of node %d, a child, %d", n.Rank, number, child.rank)
	}
	return child, nil
}

// end checks that no reference is missing.
func (l *linker[P, M]) end() error {
	if len(l.live) == 0 {
		return nil
	}
	first := slices.Min(slices.Collect(maps.Keys(l.live)))
	return refused("%d nodes are referred to less often than they say, such as node %d, position %q",
		len(l.live), first, l.text(l.live[first].position))
}
