package manager

import (
	"context"
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// joiner joins the proof of one claim. First it puts the nodes that the proof may need into
// the order of the file, each after those that it rests on. Then it counts references in
// reverse order, so that all references to a node are known when its turn comes: only those
// nodes of a fragment are written that the references lead to.
type joiner struct {
	*FrontEnd
	ctx      context.Context
	root     *node
	w        *proof.Writer
	fragment func(number uint32) ([]byte, error)

	order  []*node
	needed map[*node]*needed
	// wanted counts the references to positions in other fragments, until a fragment with
	// the position is reached. written maps such a position to its node in the file.
	wanted  map[string]uint64
	written map[string]reference
	graph   graph
}

// needed is a node of the tree that a proof may need. Nodes that hold by repetition may need
// each other: if a node comes later than one that needs it, the reference is to an ahead
// node, which stands for it.
type needed struct {
	uses      uint64 // references to it
	aheadUses uint64 // references to its ahead node
	reference
	ahead  uint64            // the number of its ahead node
	open   bool              // the nodes it needs are being put in order
	later  []*node           // nodes that it needs and that come later
	within map[uint32]uint64 // how often other fragments refer to each node of this one
}

// reference is a node in the file.
type reference struct{ number, rank uint64 }

func newJoiner(ctx context.Context, f *FrontEnd, root *node, w *proof.Writer, fragment func(number uint32) ([]byte, error)) *joiner {
	return &joiner{
		FrontEnd: f, ctx: ctx, root: root, w: w, fragment: fragment,
		needed: map[*node]*needed{}, wanted: map[string]uint64{}, written: map[string]reference{},
	}
}

// needs returns the nodes that the proof of a settled node rests on, except other fragments.
func (n *node) needs() (list []*node) {
	switch n.basis {
	case byMove:
		return n.children[n.by : n.by+1]
	case byAll:
		return n.children
	case byRepetition:
		return n.held()
	case byFragment:
		for _, r := range n.refs {
			list = append(list, n.children[r])
		}
	}
	return list
}

// held returns the children by which the defender holds, none if they do not show that he
// does.
func (n *node) held() (list []*node) {
	if n.lacksMoves() {
		return nil
	}
	for _, c := range n.children {
		switch {
		case n.Attacker && c.outcome != solver.Disproven:
			return nil
		case n.Attacker:
			list = append(list, c)
		case c.outcome == solver.Disproven && (list == nil || c.basis != byRepetition):
			list = []*node{c} // any will do, preferably one that needs no repetition
		}
	}
	return list
}

// shown reports whether what a disproven node rests on is disproven too.
func (n *node) shown() bool {
	needs := n.needs()
	return (n.basis != byRepetition || len(needs) > 0) &&
		!slices.ContainsFunc(needs, func(c *node) bool { return c.outcome != solver.Disproven })
}

// visit adds n to order, after the nodes it needs.
func (j *joiner) visit(n *node) error {
	if j.needed[n] != nil || n.basis == byRules {
		return nil
	}
	p := &needed{open: true}
	j.needed[n] = p
	needs := n.needs()
	for _, r := range n.rests {
		needs = append(slices.Clip(needs), j.fragments[r-1])
	}
	for _, c := range needs {
		if err := j.visit(c); err != nil {
			return err
		}
		if j.needed[c].open {
			p.later = append(p.later, c)
		}
	}
	p.open = false
	j.order = append(j.order, n)
	return nil
}

// count counts the references to all nodes.
func (j *joiner) count() error {
	switch {
	case j.root.basis == byRules:
		return nil
	case j.root.outcome == solver.Unverified:
		return fmt.Errorf("%s, position %q: %w", j.manifest.Game, j.root.Position, solver.ErrRepetition)
	}
	if err := j.visit(j.root); err != nil {
		return err
	}
	j.needed[j.root].uses = 1
	for _, n := range slices.Backward(j.order) {
		if err := j.ctx.Err(); err != nil {
			return err
		}
		p := j.needed[n]
		switch {
		case n.basis == byFragment:
			if err := j.countFragment(n, p); err != nil {
				return err
			}
		case p.uses > 0:
			for _, c := range n.needs() {
				j.use(p, c, 1)
			}
		}
	}
	for position := range j.wanted {
		return fmt.Errorf("%w: a fragment rests on %q, and no other has it", ErrCorrupt, position)
	}
	for _, p := range j.needed {
		if p.aheadUses > 0 {
			p.aheadUses++ // the reference of the Keeps node
			p.uses++
		}
	}
	return nil
}

// use counts references of a needed node to another.
func (j *joiner) use(p *needed, c *node, uses uint64) {
	if to := j.needed[c]; slices.Contains(p.later, c) {
		to.aheadUses += uses
	} else {
		to.uses += uses
	}
}

// to returns what a needed node refers to when it refers to another.
func (j *joiner) to(p *needed, c *node) reference {
	to := j.needed[c]
	if slices.Contains(p.later, c) {
		return reference{to.ahead, 0}
	}
	return to.reference
}

// write writes all nodes, children first.
func (j *joiner) write() error {
	if j.root.basis == byRules {
		return j.w.EndClaim(0)
	}
	for _, n := range j.order {
		if err := j.ctx.Err(); err != nil {
			return err
		}
		if err := j.add(n, j.needed[n]); err != nil {
			return err
		}
	}
	return j.w.EndClaim(j.needed[j.root].number)
}

// add writes a node of the tree if it is needed, and before it the ahead nodes that it
// needs.
func (j *joiner) add(n *node, p *needed) (err error) {
	if p.uses == 0 && len(p.within) == 0 {
		return nil
	}
	for _, c := range p.later {
		to := j.needed[c]
		if to.ahead > 0 {
			continue
		}
		kind := proof.Ahead // the defender is the claimant
		if c.Attacker {
			kind = proof.AheadReply
		}
		if to.ahead, err = j.w.Add(&proof.Node{Kind: kind, Uses: to.aheadUses, Position: []byte(c.Position)}); err != nil {
			return err
		}
	}
	if n.basis == byFragment {
		err = j.addFragment(n, p)
	} else {
		err = j.addNode(n, p)
	}
	if err == nil && p.ahead > 0 {
		_, err = j.w.Add(&proof.Node{Kind: proof.Keeps, Children: []uint64{p.ahead, p.number}})
	}
	return err
}

// addNode writes a node that rests on its children.
func (j *joiner) addNode(n *node, p *needed) (err error) {
	needs := n.needs()
	out := proof.Node{Kind: proof.And, Uses: p.uses, Rank: 2, Position: []byte(n.Position)}
	if n.outcome == solver.Proven == n.Attacker { // the claimant is to move
		out.Kind, out.Move = proof.Or, []byte(n.moves[slices.Index(n.children, needs[0])])
	}
	for _, c := range needs {
		to := j.to(p, c)
		out.Children = append(out.Children, to.number)
		out.Rank = max(out.Rank, to.rank+1)
	}
	slices.Sort(out.Children)
	p.number, err = j.w.Add(&out)
	p.rank = out.Rank
	return err
}
