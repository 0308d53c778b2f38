package manager

import (
	"context"
	"errors"
	"slices"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// answered returns the nodes that answer the questions about the root, as far as they are
// answered, verified or not, and whether they determine its value: a win of one side makes
// the other answer unnecessary.
func (f *FrontEnd) answered() (list []*node, known bool) {
	for _, q := range f.questions() {
		n := f.nodes[q]
		if n == nil || n.outcome == solver.Unknown || n.outcome == solver.Failed {
			return list, false
		}
		if n.outcome == solver.Proven {
			return []*node{n}, true
		}
		list = append(list, n)
	}
	return list, len(list) == 2
}

// Claims returns what has been found about the root, and whether that determines its value.
func (f *FrontEnd) Claims() (claims []proof.Claim, known bool) {
	list, known := f.answered()
	for _, n := range list {
		claims = append(claims, solver.Claim(n.Attacker, n.outcome == solver.Proven))
	}
	return claims, known
}

// Verified reports whether the tree has proofs of the claims. Otherwise a worker has said that a
// side holds, which may be false.
func (f *FrontEnd) Verified() bool {
	list, _ := f.answered()
	return !slices.ContainsFunc(list, func(n *node) bool { return n.outcome == solver.Unverified })
}

// Value returns the value of the root for the side to move, if it is known, verified or not.
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

// Header returns the header of the proof file for the claims.
func (t *Tree) Header() proof.Header { return t.front.header() }

func (f *FrontEnd) header() proof.Header {
	claims, _ := f.Claims()
	return proof.Header{
		Game: f.manifest.Game, Root: f.manifest.Root, Claims: claims,
		Database: f.rules.Database(),
		Rules:    games.RulesTextOf(f.rules),
		Repeats:  f.rules.Repeats() && len(claims) > 0 && claims[0].Goal == proof.Hold,
	}
}

// WriteProof writes the proof of the claims to w, whose header is that of the tree. It
// joins the fragments, and writes the part of each that a claim needs, once. In memory it
// keeps some bytes for each node of the tree that the proof needs and for each position that
// other fragments rest on, and the references between the nodes of one fragment. It fails with
// [solver.ErrRepetition], before it writes anything, if only a back end has found that a side
// holds by repetition and the tree does not show it. It does not close w.
func (t *Tree) WriteProof(ctx context.Context, w *proof.Writer) error {
	return t.front.writeProof(ctx, w, t.fragment)
}

// writeProof is [Tree.WriteProof] with any source of fragments.
func (f *FrontEnd) writeProof(ctx context.Context, w *proof.Writer, fragment func(number uint32) ([]byte, error)) error {
	answered, _ := f.answered()
	if len(answered) == 0 {
		return errors.New("nothing is proven")
	}
	var claims []*joiner
	for _, n := range answered {
		j := newJoiner(ctx, f, n, w, fragment)
		if err := j.count(); err != nil {
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
