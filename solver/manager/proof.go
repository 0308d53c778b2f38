package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// answered returns the nodes that answer the questions about the root, as far as they are
// answered, and whether they tell its value: a win of one side makes the other answer
// needless.
func (f *FrontEnd) answered() (list []*node, known bool) {
	for _, q := range f.questions() {
		n := f.nodes[q]
		if n == nil || !n.outcome.settled() {
			return list, false
		}
		if n.outcome == Proven {
			return []*node{n}, true
		}
		list = append(list, n)
	}
	return list, len(list) == 2
}

// Claims returns what is proven of the root, and whether that is its value.
func (f *FrontEnd) Claims() (claims []proof.Claim, known bool) {
	list, known := f.answered()
	for _, n := range list {
		claims = append(claims, solver.Claim(n.Attacker, n.outcome == Proven))
	}
	return claims, known
}

// Value returns the value of the root for the side to move, if it is known.
func (f *FrontEnd) Value() (games.Result, bool) {
	claims, known := f.Claims()
	switch {
	case !known:
		return games.Drawn, false
	case len(claims) == 2:
		return games.Drawn, true
	case claims[0].Side == proof.Mover:
		return games.Won, true
	}
	return games.Lost, true
}

// Header returns the header of the proof file for what is proven.
func (t *Tree) Header() proof.Header { return t.front.header() }

func (f *FrontEnd) header() proof.Header {
	claims, _ := f.Claims()
	return proof.Header{
		Game: f.manifest.Game, Root: f.manifest.Root, Claims: claims,
		Database: f.rules.Database(),
		Repeats:  f.rules.Repeats() && len(claims) > 0 && claims[0].Goal == proof.Hold,
	}
}

// WriteProof writes the proof of the claims to w, whose header is that of the tree. It
// joins the fragments, and writes each once. In memory it keeps some bytes for each node
// of the tree that the proof needs, and one fragment. It fails with
// [solver.ErrRepetition], before it writes anything, if a back end has found that a side
// holds by repetition, which only it knows. It does not close w.
func (t *Tree) WriteProof(ctx context.Context, w *proof.Writer) error {
	return t.front.writeProof(ctx, w, t.fragment)
}

// writeProof is [Tree.WriteProof] with fragments from anywhere.
func (f *FrontEnd) writeProof(ctx context.Context, w *proof.Writer, fragment func(q Question) ([]byte, error)) error {
	answered, _ := f.answered()
	if len(answered) == 0 {
		return errors.New("nothing is proven")
	}
	var claims []*joiner
	for _, n := range answered {
		j := &joiner{FrontEnd: f, fragment: fragment, root: n, parts: map[*node]*part{}, w: w, ctx: ctx}
		if err := j.count(n); err != nil {
			return err
		}
		claims = append(claims, j)
	}
	for _, j := range claims {
		if err := j.write(); err != nil {
			return err
		}
	}
	return nil
}

// joiner joins the proof of one claim.
type joiner struct {
	*FrontEnd
	fragment func(q Question) ([]byte, error)
	root     *node
	parts    map[*node]*part
	w        *proof.Writer
	ctx      context.Context
}

// part is a node of the tree that a proof needs. Nodes that hold by repetition may need
// each other: a node that is needed while it is open, because what it needs is being
// written, is referred to as one ahead.
type part struct {
	uses         uint64 // references to it
	number, rank uint64 // in the file
	open         bool
	aheadUses    uint64 // references to the one ahead
	ahead        uint64 // its number
}

// use counts references.
func (p *part) use(uses uint64) {
	if p.open {
		p.aheadUses += uses
	} else {
		p.uses += uses
	}
}

// reference returns the number and the rank of what is to be referred to.
func (p *part) reference() (number, rank uint64) {
	if p.open {
		return p.ahead, 0
	}
	return p.number, p.rank
}

// needs returns the nodes that the proof of a settled node rests on.
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

// held returns the children by which the defender holds, none if they do not show it: then
// a back end has said so.
func (n *node) held() (list []*node) {
	for _, c := range n.children {
		switch {
		case n.Attacker && c.outcome == Disproven && !n.partial:
			list = append(list, c)
		case n.Attacker || n.partial: // moves are missing
			return nil
		case c.outcome == Disproven && (list == nil || c.basis != byRepetition):
			list = []*node{c} // any will do, best one that needs no repetition
		}
	}
	return list
}

// count counts the references to all nodes below n, each of which it visits once. A
// fragment refers to a node as often as it says, which is counted when it is read.
func (j *joiner) count(n *node) error {
	if j.parts[n] != nil || n.basis == byRules {
		return nil
	}
	p := &part{open: true}
	j.parts[n] = p
	defer func() {
		if p.open = false; p.aheadUses > 0 {
			p.aheadUses++ // that which keeps
			p.uses++
		}
	}()
	needs := n.needs()
	if n.basis == byRepetition && len(needs) == 0 {
		return fmt.Errorf("%s, position %q: %w", j.manifest.Game, n.Position, solver.ErrRepetition)
	}
	for _, c := range needs {
		if err := j.count(c); err != nil {
			return err
		}
	}
	if n.basis == byFragment && len(n.refs) > 0 {
		return j.eachKnown(n, func(c *node, uses uint64) { j.parts[c].use(uses) })
	}
	for _, c := range needs {
		j.parts[c].use(1)
	}
	return nil
}

// eachKnown calls f for each reference of a node's fragment to another node.
func (j *joiner) eachKnown(n *node, f func(c *node, uses uint64)) error {
	fragment, err := j.fragment(n.Question)
	if err != nil {
		return err
	}
	return readFragment(fragment, func(proof.Header) error { return nil }, func(p *proof.Node) error {
		if !isKnown(p) {
			return nil
		}
		c, err := j.reference(n, p)
		if err == nil {
			f(c, p.Uses)
		}
		return err
	})
}

// reference returns the child that a node of a fragment stands for.
func (f *FrontEnd) reference(n *node, p *proof.Node) (*node, error) {
	position, err := f.rules.Canonical(string(p.Position))
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(n.children, func(c *node) bool { return c.Position == position })
	if at < 0 {
		return nil, fmt.Errorf("%w: the fragment of %q refers to %q, which is not one of its children", ErrCorrupt, n.Position, position)
	}
	return n.children[at], nil
}

// write writes all nodes, children first.
func (j *joiner) write() error {
	if j.root.basis == byRules {
		return j.w.EndClaim(0)
	}
	j.parts[j.root].uses++
	if err := j.add(j.root); err != nil {
		return err
	}
	return j.w.EndClaim(j.parts[j.root].number)
}

// add writes a node of the tree and what it needs, unless it is written. If it is open, it
// writes one ahead.
func (j *joiner) add(n *node) (err error) {
	p := j.parts[n]
	switch {
	case p.open && p.ahead == 0:
		kind := proof.Ahead // the defender is the claimant
		if n.Attacker {
			kind = proof.AheadReply
		}
		p.ahead, err = j.w.Add(&proof.Node{Kind: kind, Uses: p.aheadUses, Position: []byte(n.Position)})
		return err
	case p.open, p.number > 0:
		return nil
	}
	if err := j.ctx.Err(); err != nil {
		return err
	}
	p.open = true
	for _, c := range n.needs() {
		if err := j.add(c); err != nil {
			return err
		}
	}
	if n.basis == byFragment {
		err = j.addFragment(n, p)
	} else {
		err = j.addNode(n, p)
	}
	if p.open = false; err == nil && p.ahead > 0 {
		_, err = j.w.Add(&proof.Node{Kind: proof.Keeps, Children: []uint64{p.ahead, p.number}})
	}
	return err
}

// addNode writes the node of one that rests on its children.
func (j *joiner) addNode(n *node, p *part) (err error) {
	needs := n.needs()
	out := proof.Node{Kind: proof.And, Uses: p.uses, Rank: 2, Position: []byte(n.Position)}
	if n.outcome == Proven == n.Attacker { // the claimant is to move
		out.Kind, out.Move = proof.Or, []byte(n.moves[slices.Index(n.children, needs[0])])
	}
	for _, c := range needs {
		number, rank := j.parts[c].reference()
		out.Children = append(out.Children, number)
		out.Rank = max(out.Rank, rank+1)
	}
	slices.Sort(out.Children)
	p.number, err = j.w.Add(&out)
	p.rank = out.Rank
	return err
}

// addFragment writes the fragment of a node. Its nodes get new numbers; those that stand
// for other nodes of the tree become references to these, and ranks grow with theirs.
func (j *joiner) addFragment(n *node, p *part) error {
	fragment, err := j.fragment(n.Question)
	if err != nil {
		return err
	}
	whole := func(proof.Header) error { return nil }
	count := 0
	if err := readFragment(fragment, whole, func(*proof.Node) error { count++; return nil }); err != nil {
		return err
	}
	numbers, ranks := []uint64{0}, []uint64{0} // in the file, by number in the fragment
	err = readFragment(fragment, whole, func(from *proof.Node) error {
		if isKnown(from) {
			c, err := j.reference(n, from)
			if err != nil {
				return err
			}
			number, rank := j.parts[c].reference()
			numbers, ranks = append(numbers, number), append(ranks, rank)
			return nil
		}
		for i, c := range from.Children {
			from.Children[i] = numbers[c]
			from.Rank = max(from.Rank, ranks[c]+1)
		}
		slices.Sort(from.Children)
		if len(numbers) == count {
			from.Uses = p.uses // the root
		}
		number, err := j.w.Add(from)
		numbers, ranks = append(numbers, number), append(ranks, from.Rank)
		return err
	})
	p.number, p.rank = numbers[len(numbers)-1], ranks[len(ranks)-1]
	return err
}
