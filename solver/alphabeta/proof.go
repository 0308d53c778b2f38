package alphabeta

import (
	"context"
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// WriteProof adds the proof of a claim about the unfinished position p to w, whose header
// names the database if there is one. The bounds that Search has found of p must imply the
// claim. It follows the bounds in the table; what the table has lost is searched again, each
// position with the node limit of Search. It fails with [solver.ErrLimit] if the proof takes
// more than limit positions or is not found again. It returns the number of positions
// expanded.
func (s *Searcher[P, M]) WriteProof(ctx context.Context, w *proof.Writer, p P, claim proof.Claim, limit uint64) (uint64, error) {
	x := &writer[P, M]{Searcher: s, ctx: ctx, claim: claim, limit: limit, numbers: map[question[P]]int{}, open: map[question[P]]bool{}}
	root, err := x.prove(question[P]{s.canonical(p), claim.Side == proof.Mover})
	if err == nil && root == 0 {
		err = fmt.Errorf("%w: the proof that %v in %s is not in the table any more", solver.ErrLimit, claim, s.game.AppendPosition(nil, p))
	}
	if err != nil {
		return x.visited, err
	}
	return x.visited, x.write(w, root)
}

// question is a position in which the claim is to be shown.
type question[P comparable] struct {
	position       P // canonical
	claimantToMove bool
}

// writer puts a proof together.
type writer[P, M comparable] struct {
	*Searcher[P, M]
	ctx     context.Context
	claim   proof.Claim
	limit   uint64
	visited uint64
	nodes   []proof.Node // some belong to failed attempts
	numbers map[question[P]]int
	open    map[question[P]]bool
}

// shown reports whether bounds of a position imply the claim.
func (x *writer[P, M]) shown(lower, upper games.Result, claimantToMove bool) bool {
	least := games.Won
	if x.claim.Goal == proof.Hold {
		least = games.Drawn
	}
	if claimantToMove {
		return lower >= least
	}
	return upper <= -least
}

// decided returns the result of a position by the rules or the database.
func (x *writer[P, M]) decided(p P) (games.Result, bool, error) {
	v, decided := x.game.Outcome(p)
	if !decided && x.cfg.Database != nil {
		var err error
		if v, decided, err = x.cfg.Database.Value(p); err != nil {
			return 0, false, err
		}
	}
	return v.Result(), decided, nil
}

// kept reports whether the bounds in the table imply the claim.
func (x *writer[P, M]) kept(q question[P]) bool {
	e := x.table.find(x.hash(&q.position), &q.position)
	return e != nil && x.shown(e.lower, e.upper, q.claimantToMove)
}

// prove returns the number of the node that shows the claim in an undecided position, 0 if
// none is found.
func (x *writer[P, M]) prove(q question[P]) (number int, err error) {
	if number := x.numbers[q]; number > 0 {
		return number, nil
	}
	if x.open[q] {
		return 0, nil // there is another way, or there was no finite proof
	}
	if x.visited++; x.visited > x.limit {
		return 0, fmt.Errorf("%w: the proof takes more than %d positions", solver.ErrLimit, x.limit)
	}
	if err := x.ctx.Err(); err != nil {
		return 0, err
	}
	x.open[q] = true
	defer delete(x.open, q)
	n := proof.Node{Kind: proof.And, Rank: 2, Position: x.game.AppendPosition(nil, q.position)}
	found := false
	if q.claimantToMove {
		n.Kind, n.Rank = proof.Or, 1
		found, err = x.move(q.position, &n)
	} else {
		found, err = x.replies(q.position, &n)
	}
	if !found || err != nil {
		return 0, err
	}
	for _, child := range n.Children {
		n.Rank = max(n.Rank, x.nodes[child-1].Rank+1)
	}
	x.nodes = append(x.nodes, n)
	x.numbers[q] = len(x.nodes)
	return len(x.nodes), nil
}

// move finds a move that shows the claim, with the claimant to move: one that decides the
// game, else one whose bounds in the table suffice, else one whose bounds suffice after a
// search.
func (x *writer[P, M]) move(p P, n *proof.Node) (found bool, err error) {
	var known, unknown []M
	for _, m := range x.game.AppendMoves(nil, p) {
		q := question[P]{x.canonical(x.game.Play(p, m)), false}
		r, decided, err := x.decided(q.position)
		switch {
		case err != nil:
			return false, err
		case decided && x.shown(r, r, false):
			n.Move = x.game.AppendMove(nil, p, m)
			return true, nil
		case decided:
		case x.kept(q):
			known = append(known, m)
		default:
			unknown = append(unknown, m)
		}
	}
	for i, m := range slices.Concat(known, unknown) {
		q := question[P]{x.canonical(x.game.Play(p, m)), false}
		if i >= len(known) {
			if err := x.again(q); err != nil {
				return false, err
			}
			if !x.kept(q) {
				continue
			}
		}
		child, err := x.prove(q)
		if err != nil {
			return false, err
		}
		if child > 0 {
			n.Move, n.Children = x.game.AppendMove(nil, p, m), []uint64{uint64(child)}
			return true, nil
		}
	}
	return false, nil
}

// replies proves the positions after all replies of the opponent, except those that the
// claimant answers with a move that decides the game.
func (x *writer[P, M]) replies(p P, n *proof.Node) (found bool, err error) {
	for _, m := range x.game.AppendMoves(nil, p) {
		q := question[P]{x.canonical(x.game.Play(p, m)), true}
		r, decided, err := x.decided(q.position)
		if err != nil {
			return false, err
		}
		if decided {
			if !x.shown(r, r, true) {
				return false, nil
			}
			continue
		}
		if ends, err := x.ends(q.position); ends || err != nil {
			if err != nil {
				return false, err
			}
			continue
		}
		if !x.kept(q) {
			if err := x.again(q); err != nil {
				return false, err
			}
		}
		child, err := x.prove(q)
		if child == 0 || err != nil {
			return false, err
		}
		n.Children = append(n.Children, uint64(child))
	}
	slices.Sort(n.Children)
	n.Children = slices.Compact(n.Children)
	return true, nil
}

// ends reports whether the claimant, to move, has a move that decides the game as claimed.
func (x *writer[P, M]) ends(p P) (bool, error) {
	for _, m := range x.game.AppendMoves(nil, p) {
		r, decided, err := x.decided(x.canonical(x.game.Play(p, m)))
		if err != nil || decided && x.shown(r, r, false) {
			return err == nil, err
		}
	}
	return false, nil
}

// again searches a position whose bounds the table has lost.
func (x *writer[P, M]) again(q question[P]) error {
	r, err := x.Search(x.ctx, q.position)
	x.visited += r.Nodes
	return err
}

// write writes the nodes that the root needs, with their uses.
func (x *writer[P, M]) write(w *proof.Writer, root int) error {
	x.nodes[root-1].Uses = 1
	for i := root - 1; i >= 0; i-- {
		if x.nodes[i].Uses > 0 {
			for _, child := range x.nodes[i].Children {
				x.nodes[child-1].Uses++
			}
		}
	}
	numbers := make([]uint64, root+1)
	for i := range x.nodes[:root] {
		n := &x.nodes[i]
		if n.Uses == 0 {
			continue
		}
		for at, child := range n.Children {
			n.Children[at] = numbers[child]
		}
		var err error
		if numbers[i+1], err = w.Add(n); err != nil {
			return err
		}
	}
	return w.EndClaim(numbers[root])
}
