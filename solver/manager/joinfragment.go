package manager

import (
	"slices"

	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// graph holds the references between the nodes of a fragment. The nodes are numbered from 1;
// the root is the last.
type graph struct {
	children []uint32 // of all nodes, in their order
	first    []uint32 // for each node, where its children begin; they end where the next node's begin
	uses     []uint64 // of each node
}

func (g *graph) reset() {
	g.children, g.first, g.uses = g.children[:0], append(g.first[:0], 0, 0), append(g.uses[:0], 0)
}

func (g *graph) add(n *proof.Node) {
	for _, c := range n.Children {
		g.children = append(g.children, uint32(c))
	}
	g.first, g.uses = append(g.first, uint32(len(g.children))), append(g.uses, 0)
}

// count counts the references to each node, given root references to the root and further
// ones from outside. Nodes that none of these lead to get none.
func (g *graph) count(root uint64, outside map[uint32]uint64) {
	for number, uses := range outside {
		g.uses[number] = uses
	}
	g.uses[len(g.uses)-1] += root
	for number := len(g.uses) - 1; number > 0; number-- {
		if g.uses[number] == 0 {
			continue
		}
		for _, c := range g.children[g.first[number]:g.first[number+1]] {
			g.uses[c]++
		}
	}
}

// other is a node of a fragment that stands for one elsewhere.
type other struct {
	number uint32
	child  *node  // the node for which it stands, or nil
	key    string // else the position in another fragment, as appendQuestion writes it
}

// readGraph reads the graph of the fragment of a node, and returns its nodes that stand for
// others. It calls f with each of the rest and its number.
func (j *joiner) readGraph(n *node, fragment []byte, f func(number uint32, p *proof.Node)) (others []other, err error) {
	j.graph.reset()
	err = solver.ReadFragment(fragment, nil, func(p *proof.Node) error {
		j.graph.add(p)
		number := uint32(len(j.graph.uses) - 1)
		if !solver.IsKnown(p) {
			f(number, p)
			return nil
		}
		position, err := j.rules.Canonical(string(p.Position))
		if err != nil {
			return err
		}
		o := other{number: number}
		q := solver.Question{Position: position, Attacker: solver.AttackerToMove(p, n.outcome)}
		if at := n.child(q); slices.Contains(n.refs, at) {
			o.child = n.children[at]
		} else {
			o.key = string(appendQuestion(nil, position, q.Attacker))
		}
		others = append(others, o)
		return nil
	})
	return others, err
}

// countFragment counts the references made by those nodes of n's fragment that are
// needed.
func (j *joiner) countFragment(n *node, p *needed) error {
	if p.uses == 0 && len(j.wanted) == 0 {
		return nil
	}
	fragment, err := j.fragment(n.fragment)
	if err != nil {
		return err
	}
	var key []byte
	others, err := j.readGraph(n, fragment, func(number uint32, node *proof.Node) {
		if len(j.wanted) == 0 {
			return
		}
		key = appendQuestion(key[:0], node.Position, solver.AttackerToMove(node, n.outcome))
		if uses, ok := j.wanted[string(key)]; ok {
			if p.within == nil {
				p.within = map[uint32]uint64{}
			}
			p.within[number] = uses
			delete(j.wanted, string(key))
		}
	})
	if err != nil {
		return err
	}
	j.graph.count(p.uses, p.within)
	for _, o := range others {
		switch uses := j.graph.uses[o.number]; {
		case uses == 0:
		case o.child != nil:
			j.use(p, o.child, uses)
		default:
			j.wanted[o.key] += uses
		}
	}
	return nil
}

// addFragment writes the part of a node's fragment that is needed. Its nodes get new
// numbers; those that stand for other nodes become references to these, and ranks grow
// with theirs.
func (j *joiner) addFragment(n *node, p *needed) error {
	fragment, err := j.fragment(n.fragment)
	if err != nil {
		return err
	}
	others, err := j.readGraph(n, fragment, func(uint32, *proof.Node) {})
	if err != nil {
		return err
	}
	j.graph.count(p.uses, p.within)
	uses := j.graph.uses
	stands := map[uint32]reference{} // of the nodes that stand for others, before this fragment is written
	for _, o := range others {
		if o.child != nil {
			stands[o.number] = j.to(p, o.child)
		} else {
			stands[o.number] = j.written[o.key]
		}
	}
	in := make([]reference, 1, len(uses)) // nodes in the file, by number in the fragment
	err = solver.ReadFragment(fragment, nil, func(from *proof.Node) error {
		number := uint32(len(in))
		in = append(in, reference{})
		to := &in[number]
		if uses[number] == 0 {
			return nil
		}
		if solver.IsKnown(from) {
			*to = stands[number]
			return nil
		}
		for i, c := range from.Children {
			from.Children[i] = in[c].number
			from.Rank = max(from.Rank, in[c].rank+1)
		}
		slices.Sort(from.Children)
		from.Uses = uses[number]
		to.rank = from.Rank
		if to.number, err = j.w.Add(from); err != nil {
			return err
		}
		if p.within[number] > 0 {
			j.written[string(appendQuestion(nil, from.Position, solver.AttackerToMove(from, n.outcome)))] = *to
		}
		return nil
	})
	p.reference = in[len(in)-1]
	return err
}
