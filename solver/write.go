package solver

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
)

// WriteProof writes the proof of the result of [Solver.Solve] to w, which has the header of
// [Solver.Header]. It searches again what was proven by threats alone, in a second-level
// search, or lost from the table. It fails with [ErrRepetition], before writing anything,
// if a side holds and positions may repeat; with [ErrLimit] if a claim takes longer than a
// question may; and with [ErrContradiction] if the result is wrong. It does not close w.
func (s *Solver[P, M]) WriteProof(ctx context.Context, w *proof.Writer) error {
	if len(s.result.Claims) == 0 {
		return errors.New("nothing is proven")
	}
	_, finished := s.rules.game.Outcome(s.root)
	for _, claim := range s.result.Claims {
		if claim.Goal == proof.Hold && s.rules.layerer == nil && !finished {
			return fmt.Errorf("%s: %w", s.rules.game.Name(), ErrRepetition)
		}
	}
	for _, claim := range s.result.Claims {
		if finished {
			if err := w.EndClaim(0); err != nil {
				return err
			}
			continue
		}
		if s.carriers != nil {
			if err := writeConnection(ctx, w, s.carriers, s.rules.game, s.connection); err != nil {
				return err
			}
			continue
		}
		b, err := s.build(ctx, claim)
		if err != nil {
			return err
		}
		if err := b.write(w); err != nil {
			return err
		}
	}
	return nil
}

// build collects the proof of a claim.
func (s *Solver[P, M]) build(ctx context.Context, claim proof.Claim) (b *builder[P, M], err error) {
	attacker := claim.Side
	if claim.Goal == proof.Hold {
		attacker = claim.Side.Opponent()
	}
	var r resolver[P, M]
	if s.cfg.Method == DepthFirst {
		limited, cancel := s.withTime(ctx)
		defer cancel()
		if r, err = s.newReader(limited, attacker, 0); err != nil {
			return nil, err
		}
	} else {
		r = s.newSearch(ctx, s.solved[attacker], attacker, &Statistics{})
	}
	b = s.rules.newBuilder(ctx, claim.Goal, s.root, r)
	return b, b.build(claim.Side == proof.Mover)
}

// Header returns the header of the proof file for the result of Solve.
func (s *Solver[P, M]) Header() proof.Header {
	g := s.rules.game
	return proof.Header{Game: g.Name(), Root: string(g.AppendPosition(nil, s.root)), Claims: s.result.Claims, Monotone: s.carriers != nil, Rules: games.RulesTextOf(g)}
}

// position is a canonical position, and whether the claimant is to move in it.
type position[P comparable] struct {
	p        P
	claimant bool
}

// proofNode is a node of a proof to be written. It has a move if the claimant is to
// move, and no children if it has a certificate or is left to a search.
type proofNode[P, M comparable] struct {
	position    position[P]
	move        M
	certificate []byte
	positions   uint64 // to search
	children    []uint32
	uses        uint32
	rank        uint32
}

// resolver finds solutions of canonical, unfinished positions.
type resolver[P, M comparable] interface {
	// resolve solves a position. A win must take at most limit plies.
	resolve(p P, attackerToMove bool, limit uint16) (solution[M], error)
}

// solution is the solution of a position.
type solution[M comparable] struct {
	wins bool // the attacker wins
	// unsure says that he may win by a move that was left out.
	unsure bool
	// move is the attacker's winning move or the defender's move that holds, if that side
	// is to move.
	move M
	// length is an upper bound on the plies to the win, exact if the search knew
	// only the rules.
	length uint16
}

// builder collects the proof of a claim. Nodes are numbered in the order of the file,
// children first.
type builder[P, M comparable] struct {
	finder[P, M]
	nodes []proofNode[P, M]
	root  uint32 // its number
}

func (r *rules[P, M]) newBuilder(ctx context.Context, goal proof.Goal, root P, resolver resolver[P, M]) *builder[P, M] {
	return &builder[P, M]{
		finder: finder[P, M]{rules: *r, ctx: ctx, goal: goal, start: r.canonical(root), resolver: resolver, plan: newPlan[P, M]()},
		nodes:  make([]proofNode[P, M], 1),
	}
}

// build collects the proof for the root.
func (b *builder[P, M]) build(claimantToMove bool) (err error) {
	b.root, err = b.add(position[P]{b.start, claimantToMove}, dfpn.Unlimited)
	b.nodes[b.root].uses++
	return err
}

// add returns the number of a position's node and makes one if there is none. If
// positions may repeat, a win must take at most limit plies; a position may then occur
// below itself with a shorter win, and has a node for each.
func (b *builder[P, M]) add(at position[P], limit uint16) (uint32, error) {
	e, number, s := b.plan.of(at)
	if number != 0 {
		return number, nil
	}
	if s == nil || b.layerer == nil { // without a layerer, the step may be for another limit
		var err error
		if s, err = b.find(at, limit); err != nil {
			return 0, err
		}
	}
	n := proofNode[P, M]{position: at, move: s.move, certificate: s.certificate, positions: s.positions, rank: s.rank}
	for _, q := range s.next {
		child, err := b.add(q, s.limit)
		if err != nil {
			return 0, err
		}
		if !slices.Contains(n.children, child) {
			n.children = append(n.children, child)
			b.nodes[child].uses++
			n.rank = max(n.rank, b.nodes[child].rank+1)
		}
	}
	slices.Sort(n.children)
	number = uint32(len(b.nodes))
	b.nodes = append(b.nodes, n)
	b.plan.built(e, number)
	return number, nil
}

// write writes the nodes.
func (b *builder[P, M]) write(w *proof.Writer) error {
	var n proof.Node
	for number := 1; number < len(b.nodes); number++ {
		from := &b.nodes[number]
		p := from.position.p
		n = proof.Node{Uses: uint64(from.uses), Rank: uint64(from.rank), Position: b.game.AppendPosition(n.Position[:0], p), Move: n.Move[:0], Children: n.Children[:0]}
		for _, child := range from.children {
			n.Children = append(n.Children, uint64(child))
		}
		switch {
		case from.certificate != nil:
			if n.Kind = proof.CertifiedReply; from.position.claimant {
				n.Kind = proof.Certified
			}
			n.Certificate = from.certificate
		case from.positions > 0:
			if n.Kind = proof.SearchedReply; from.position.claimant {
				n.Kind = proof.Searched
			}
			n.Positions = from.positions
		case from.position.claimant:
			n.Kind = proof.Or
			n.Move = b.game.AppendMove(n.Move, p, from.move)
		default:
			n.Kind = proof.And
		}
		if _, err := w.Add(&n); err != nil {
			return err
		}
	}
	return w.EndClaim(uint64(b.root))
}
