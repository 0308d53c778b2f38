package manager

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// verified is what verify has found about a fragment.
type verified struct {
	refs  []int           // the children that it refers to
	rests map[uint32]bool // the fragments that have the other positions to which it refers
	keys  []uint64        // of the positions that it proves by itself
	lacks string          // a position to which it refers and that no fragment has
}

// errMissing is the error for a fragment that rests on a position that no fragment has.
var errMissing = errors.New("the fragment rests on a position that no other has")

// verify checks that a fragment is a complete proof file, and that it proves the outcome
// if the positions it refers to have that outcome.
func (f *FrontEnd) verify(ctx context.Context, n *node, o solver.Outcome, fragment []byte) (v verified, err error) {
	if len(fragment) == 0 {
		return v, errUnproven
	}
	checking, stop := context.WithCancel(ctx)
	defer stop()
	checked := make(chan error, 1)
	go func() { checked <- f.checkProof(checking, fragment) }()
	claim := solver.Claim(n.Attacker, o == solver.Proven)
	err = solver.ReadFragment(fragment, func(h proof.Header) error {
		root, err := f.rules.Canonical(h.Root)
		switch {
		case err != nil:
			return err
		case h.Game != f.rules.Name() || root != n.Position || len(h.Claims) != 1 || h.Claims[0] != claim:
			return fmt.Errorf("a proof that %v in %q of %s: want that %v in %q of %s", h.Claims, h.Root, h.Game, claim, n.Position, f.rules.Name())
		case h.Repeats:
			return errors.New("a fragment that rests on a repetition: only the tree can")
		}
		return nil
	}, func(p *proof.Node) error {
		switch {
		case solver.IsKnown(p):
			return f.rest(n, o, p, &v)
		case f.index != nil:
			v.keys = append(v.keys, f.index.NodeKey(p, o))
		}
		return nil
	})
	if err != nil {
		stop()
	}
	proven := <-checked
	switch {
	case err != nil:
	case v.lacks != "":
		err = fmt.Errorf("%w: that of %q rests on %q", errMissing, n.Position, v.lacks)
	default:
		err = proven
	}
	return v, err
}

// checkProof checks a fragment by the rules, except for what it refers to.
func (f *FrontEnd) checkProof(ctx context.Context, fragment []byte) error {
	if f.checker == nil {
		return nil
	}
	r, err := proof.NewReader(bytes.NewReader(fragment))
	if err == nil {
		_, err = f.checker(ctx, r, proof.CheckOptions{Assumed: solver.Known})
	}
	return err
}

// rest adds to v what a node of a fragment stands for.
func (f *FrontEnd) rest(n *node, o solver.Outcome, p *proof.Node, v *verified) error {
	position, err := f.rules.Canonical(string(p.Position))
	if err != nil {
		return err
	}
	q := solver.Question{Position: position, Attacker: solver.AttackerToMove(p, o)}
	at := n.child(q)
	switch {
	case at >= 0 && n.children[at].outcome == o:
		if !slices.Contains(v.refs, at) {
			v.refs = append(v.refs, at)
		}
		return nil
	case at >= 0 && n.children[at].outcome.Settled():
		return fmt.Errorf("a proof for %q that rests on %q, which is %v", n.Position, position, n.children[at].outcome)
	}
	if f.index != nil {
		if number, ok := f.index.Has(f.index.Key([]byte(position), q.Attacker, o)); ok {
			if v.rests == nil {
				v.rests = map[uint32]bool{}
			}
			v.rests[number] = true
			return nil
		}
	}
	v.lacks = position
	return nil
}
