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
// if a proof file cannot show the result; with [ErrLimit] if a claim takes longer than a
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
	b = s.newBuilder(claim.Goal, r)
	return b, b.build(s.root, claim.Side == proof.Mover)
}

// Header returns the header of the proof file for the result of Solve.
func (s *Solver[P, M]) Header() proof.Header {
	g := s.rules.game
	return proof.Header{Game: g.Name(), Root: string(g.AppendPosition(nil, s.root)), Claims: s.result.Claims}
}

// position is a canonical position, and whether the claimant is to move in it.
type position[P comparable] struct {
	p        P
	claimant bool
}

// proofNode is a node of a proof to be written. It has a move if the claimant is to
// move, and no children if it has a certificate.
type proofNode[P, M comparable] struct {
	position  position[P]
	move      M
	certified bool
	children  []uint32
	uses      uint32
	rank      uint32
}

// resolver finds solutions of canonical, unfinished positions.
type resolver[P, M comparable] interface {
	// resolve solves a position. A win is one in at most limit plies.
	resolve(p P, attackerToMove bool, limit uint16) (solution[M], error)
}

// solution is the solution of a position.
type solution[M comparable] struct {
	wins bool // the attacker wins
	// unsure says that he may win by a move that was left out.
	unsure bool
	// move is the move that achieves this, if it is the side to move that does.
	move M
	// length is an upper bound on the plies to the win, exact if the search knew
	// only the rules.
	length uint16
}

// builder collects the proof of a claim. Nodes are numbered in the order of the file,
// children first.
type builder[P, M comparable] struct {
	rules[P, M]
	goal     proof.Goal
	resolver resolver[P, M]
	// known, if not nil, tells which positions have a proof elsewhere.
	known    func(p P, attackerToMove bool) bool
	numbers  map[position[P]]uint32
	nodes    []proofNode[P, M]
	start    P      // canonical
	root     uint32 // its number
	finisher M      // the claimant's last move that ended a game
	moves    []M    // of finishes
	text     []byte
}

func (s *Solver[P, M]) newBuilder(goal proof.Goal, r resolver[P, M]) *builder[P, M] {
	return &builder[P, M]{rules: s.rules, goal: goal, resolver: r, numbers: map[position[P]]uint32{}, nodes: make([]proofNode[P, M], 1)}
}

// build collects the proof for a root.
func (b *builder[P, M]) build(root P, claimantToMove bool) (err error) {
	b.start = b.canonical(root)
	b.root, err = b.add(position[P]{b.start, claimantToMove}, dfpn.Unlimited)
	b.nodes[b.root].uses++
	return err
}

// reached reports whether a finished position of value v for the side to move is
// what the claimant wants.
func (b *builder[P, M]) reached(v games.Value, claimantToMove bool) bool {
	if b.goal == proof.Win {
		return attackerWins(v, claimantToMove)
	}
	return !attackerWins(v, !claimantToMove)
}

// add returns the number of a position's node and makes one if there is none. If
// positions may repeat, a win must take at most limit plies; a position may then occur
// below itself with a shorter win, and has a node for each.
func (b *builder[P, M]) add(at position[P], limit uint16) (uint32, error) {
	if number, ok := b.numbers[at]; ok {
		return number, nil
	}
	n := proofNode[P, M]{position: at, rank: 1}
	var err error
	if _, n.certified = b.certificate(at); !n.certified {
		if at.claimant {
			err = b.choose(&n, limit)
		} else {
			err = b.answer(&n, limit)
		}
	}
	if err != nil {
		return 0, err
	}
	for _, child := range n.children {
		b.nodes[child].uses++
		n.rank = max(n.rank, b.nodes[child].rank+1)
	}
	number := uint32(len(b.nodes))
	b.nodes = append(b.nodes, n)
	b.numbers[at] = number
	return number, nil
}

// less is the limit one ply after a limit.
func (b *builder[P, M]) less(limit uint16) uint16 {
	if limit == dfpn.Unlimited || b.layerer != nil {
		return dfpn.Unlimited
	}
	return limit - 1
}

// certificate returns a certificate for a position that is known, or if the claim is to
// hold.
func (b *builder[P, M]) certificate(at position[P]) ([]byte, bool) {
	if b.known != nil && b.known(at.p, b.attacker(at)) {
		return []byte(Known), true
	}
	if b.goal == proof.Win {
		return nil, false
	}
	var ok bool
	b.text, ok = b.brancher.AppendCertificate(b.text[:0], at.p, !at.claimant)
	return b.text, ok
}

// attacker reports whether the attacker of the search is to move.
func (b *builder[P, M]) attacker(at position[P]) bool { return at.claimant == (b.goal == proof.Win) }

// choose finds the claimant's move.
func (b *builder[P, M]) choose(n *proofNode[P, M], limit uint16) error {
	p := n.position.p
	if p == b.start && b.finishes(p) { // replies that allow it have no node
		n.move = b.finisher
		return nil
	}
	x, err := b.resolver.resolve(p, b.attacker(n.position), limit)
	if err != nil {
		return err
	}
	if x.unsure && !x.wins && b.goal == proof.Hold {
		// The table has lost why the answer was sure, and the search, begun again, has found
		// a refutation that is not.
		return fmt.Errorf("%w: %s: the proof that position %q holds is not in the table any more", ErrLimit, b.game.Name(), b.game.AppendPosition(nil, p))
	}
	if x.unsure || x.wins != (b.goal == proof.Win) {
		return fmt.Errorf("%w: %s: position %q was assumed to be proven", ErrContradiction, b.game.Name(), b.game.AppendPosition(nil, p))
	}
	n.move = x.move
	q := b.game.Play(p, n.move)
	if _, finished := b.game.Outcome(q); finished {
		return fmt.Errorf("%w: %s: the move %q in %q ends the game against the claim", ErrContradiction, b.game.Name(),
			b.game.AppendMove(nil, p, n.move), b.game.AppendPosition(nil, p))
	}
	child, err := b.add(position[P]{b.canonical(q), false}, b.less(x.length))
	n.children = append(n.children, child)
	return err
}

// answer finds the nodes that the opponent's replies lead to.
func (b *builder[P, M]) answer(n *proofNode[P, M], limit uint16) error {
	p := n.position.p
	for _, m := range b.game.AppendMoves(nil, p) {
		q := b.game.Play(p, m)
		if v, finished := b.game.Outcome(q); finished {
			if !b.reached(v, true) {
				return fmt.Errorf("%w: %s: the reply %q in %q ends the game against the claim", ErrContradiction, b.game.Name(),
					b.game.AppendMove(nil, p, m), b.game.AppendPosition(nil, p))
			}
			continue
		}
		at := position[P]{b.canonical(q), true}
		child, ok := b.numbers[at] // most are known by other ways
		if !ok {
			if b.finishes(q) {
				n.rank = max(n.rank, 2)
				continue
			}
			var err error
			if child, err = b.add(at, b.less(limit)); err != nil {
				return err
			}
		}
		if !slices.Contains(n.children, child) {
			n.children = append(n.children, child)
		}
	}
	slices.Sort(n.children)
	return nil
}

// finishes reports whether the claimant, to move, can end the game as claimed;
// then finisher is the move.
func (b *builder[P, M]) finishes(p P) bool {
	b.moves = b.game.AppendMoves(b.moves[:0], p)
	ends := func(m M) bool {
		v, finished := b.game.Outcome(b.game.Play(p, m))
		return finished && b.reached(v, false)
	}
	if slices.Contains(b.moves, b.finisher) && ends(b.finisher) {
		return true
	}
	for _, m := range b.moves {
		if ends(m) {
			b.finisher = m
			return true
		}
	}
	return false
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
		case from.certified:
			if n.Kind = proof.CertifiedReply; from.position.claimant {
				n.Kind = proof.Certified
			}
			n.Certificate, _ = b.certificate(from.position)
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
