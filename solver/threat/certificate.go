package threat

import (
	"errors"
	"strconv"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// largestCertificate is the largest size of a certificate in bytes: a node must fit in a
// chunk of a proof file.
const largestCertificate = 1<<20 - 1<<12

// Claims returns the claims of a proof of a win: that the side to move wins.
func Claims() []proof.Claim { return []proof.Claim{{Side: proof.Mover, Goal: proof.Win}} }

// WriteProof writes the proof of the win that [Prover.Prove] returned for p to w, which has
// the header for [Claims], and ends the claim. It does not close w. The proof is p with the
// winning tree as certificate; if that is too large, moves lead to positions with smaller
// ones.
func (x *Prover) WriteProof(w *proof.Writer, p gomoku.Position, tree *Tree) error {
	return writeWin(w, x.game, x.provenIn(), p, tree)
}

// writeReplies writes the proof that the attacker wins the position q with the defender
// to move: t answers all replies but those to positions in elsewhere, which get the
// certificate [solver.Known].
func (x *Prover) writeReplies(w *proof.Writer, q gomoku.Position, t *Tree, elsewhere map[gomoku.Position]bool) error {
	b := &proofBuilder{game: x.game, w: w, attacker: q.ToMove().Opponent(), bases: x.provenIn(), elsewhere: elsewhere, numbers: map[treeNode]int{}}
	root, _, err := b.addReplies(q, q, t)
	if err != nil {
		return err
	}
	return w.EndClaim(root)
}

// WriteTree is [Prover.WriteProof] for a win that another search has found.
func WriteTree(w *proof.Writer, g *gomoku.Game, p gomoku.Position, tree *Tree) error {
	return writeWin(w, g, nil, p, tree)
}

func writeWin(w *proof.Writer, g *gomoku.Game, bases map[*Tree]gomoku.Position, p gomoku.Position, tree *Tree) error {
	b := &proofBuilder{game: g, w: w, attacker: p.ToMove(), bases: bases, numbers: map[treeNode]int{}}
	root, _, err := b.add(p, b.base(p, tree), tree, gomoku.NoSquare)
	if err != nil {
		return err
	}
	return w.EndClaim(root)
}

// proofBuilder writes the nodes of a proof.
type proofBuilder struct {
	game     *gomoku.Game
	w        *proof.Writer
	attacker gomoku.Side
	bases    map[*Tree]gomoku.Position // where trees that are used elsewhere were proven
	// elsewhere has canonical positions whose proofs are elsewhere.
	elsewhere map[gomoku.Position]bool

	// The certificate being written.
	text    []byte
	numbers map[treeNode]int // of its lines
}

// treeNode is a tree and the position that it is proven in.
type treeNode struct {
	tree     *Tree
	position gomoku.Position
}

// base returns the position in which a tree that wins p was proven.
func (b *proofBuilder) base(p gomoku.Position, t *Tree) gomoku.Position {
	if base, ok := b.bases[t]; ok && base.ToMove() == b.attacker && base.Stones(b.attacker) == p.Stones(b.attacker) {
		return base
	}
	return p
}

// add writes the nodes for a position that the attacker, to move, wins by a tree proven in
// the position base; reply led there. It returns the number of the node and its rank.
func (b *proofBuilder) add(p, base gomoku.Position, t *Tree, reply gomoku.Square) (number, rank uint64, err error) {
	if text := b.certificate(p, base, t, reply); text != nil {
		number, err = b.w.Add(&proof.Node{Kind: proof.Certified, Uses: 1, Rank: 1, Position: b.game.AppendPosition(nil, p), Certificate: text})
		return number, 1, err
	}
	if t.Wins {
		return 0, 0, errors.New("a position won at once needs no proof")
	}
	and, rank, err := b.addReplies(b.game.Play(p, t.Move), b.game.Play(base, t.Move), t)
	if err != nil {
		return 0, 0, err
	}
	number, err = b.w.Add(&proof.Node{
		Kind: proof.Or, Uses: 1, Rank: rank + 1, Position: b.game.AppendPosition(nil, p),
		Move: b.game.AppendMove(nil, p, t.Move), Children: []uint64{and},
	})
	return number, rank + 1, err
}

// addReplies writes the nodes for a position with the defender to move, whose replies a
// tree answers that was proven in the position known. It returns the number of the node
// and its rank.
func (b *proofBuilder) addReplies(q, known gomoku.Position, t *Tree) (number, rank uint64, err error) {
	groups := b.groups(known, t)
	and := &proof.Node{Kind: proof.And, Uses: 1, Rank: 2, Position: b.game.AppendPosition(nil, q)}
	seen := map[gomoku.Position]bool{}
	for _, reply := range b.game.AppendMoves(nil, q) {
		r := b.game.Play(q, reply)
		canonical := b.game.Canonical(r)
		if seen[canonical] {
			continue
		}
		seen[canonical] = true
		if b.elsewhere[canonical] {
			child, err := b.w.Add(&proof.Node{Kind: proof.Certified, Uses: 1, Rank: 1, Position: b.game.AppendPosition(nil, canonical), Certificate: []byte(solver.Known)})
			if err != nil {
				return 0, 0, err
			}
			and.Children = append(and.Children, child)
			continue
		}
		then, base := t.Otherwise, b.base(known.NullMove(), t.Otherwise)
		for _, g := range groups {
			if g.replies.Has(reply) {
				then, base = g.then, g.base
			}
		}
		if then.Wins {
			continue
		}
		child, rank, err := b.add(r, base, then, reply)
		if err != nil {
			return 0, 0, err
		}
		and.Children, and.Rank = append(and.Children, child), max(and.Rank, rank+1)
	}
	number, err = b.w.Add(and)
	return number, and.Rank, err
}

// group is a set of replies with the same answer, and where that was proven.
type group struct {
	replies gomoku.Set
	then    *Tree
	base    gomoku.Position
}

// groups returns the replies with an answer of their own in a tree; q is the position after
// its move.
func (b *proofBuilder) groups(q gomoku.Position, t *Tree) (list []*group) {
	of := map[*Tree]*group{}
	empty := b.game.EmptySquares(q)
	for _, r := range t.Replies {
		if !empty.Has(r.Move) {
			continue
		}
		g := of[r.Then]
		if g == nil {
			// The reply for which the answer was found comes first.
			g = &group{then: r.Then, base: b.base(b.game.Play(q, r.Move), r.Then)}
			of[r.Then] = g
			list = append(list, g)
		}
		g.replies.Add(r.Move)
	}
	if t.Together {
		for _, g := range list {
			defenders := q.Stones(q.ToMove())
			defenders.AddAll(&g.replies)
			g.base = positionOf(b.attacker, q.Stones(b.attacker), defenders)
		}
	}
	return list
}

// certificate returns a tree as a certificate for p, to which a reply led, or nil if it is
// too large.
func (b *proofBuilder) certificate(p, base gomoku.Position, t *Tree, reply gomoku.Square) []byte {
	clear(b.numbers)
	b.text = append(b.text[:0], "tree"...)
	if p != base {
		b.text = append(b.text, ' ')
		b.text = appendChange(b.text, p, base, b.attacker.Opponent(), gomoku.Set{}, reply)
	}
	b.line(base, t)
	if len(b.text) > largestCertificate {
		return nil
	}
	return b.text
}

// line appends the lines for a tree that is proven in p and returns the number of
// its own. It stops early if the certificate gets too large.
func (b *proofBuilder) line(p gomoku.Position, t *Tree) int {
	at := treeNode{t, p}
	if number, ok := b.numbers[at]; ok || len(b.text) > largestCertificate {
		return number
	}
	line := []byte{'\n'}
	q := b.game.Play(p, t.Move)
	line = b.game.AppendMove(line, p, t.Move)
	type reference struct{ at, number int }
	var references []reference
	refer := func(number int) { references = append(references, reference{len(line), number}) }
	if !t.Wins {
		line = append(line, ' ')
		base := b.base(q.NullMove(), t.Otherwise)
		if base != q.NullMove() {
			line = append(appendChange(line, q, base, b.attacker.Opponent(), gomoku.Set{}, gomoku.NoSquare), '=')
		}
		refer(b.line(base, t.Otherwise))
		for _, g := range b.groups(q, t) {
			line = append(line, ' ')
			line = appendChange(line, q, g.base, b.attacker.Opponent(), g.replies, gomoku.NoSquare)
			line = append(line, '=')
			refer(b.line(g.base, g.then))
		}
	}
	number, begin := len(b.numbers)+1, 0
	for _, r := range references {
		b.text = strconv.AppendInt(append(b.text, line[begin:r.at]...), int64(number-r.number), 10)
		begin = r.at
	}
	b.text = append(b.text, line[begin:]...)
	b.numbers[at] = number
	return number
}

// appendChange appends the defender's stones that base has and p lacks, then those that
// base lacks, the last reply at their end because it was answered last, and then the
// replies without a stone in base.
func appendChange(dst []byte, p, base gomoku.Position, defender gomoku.Side, replies gomoku.Set, last gomoku.Square) []byte {
	list := func(sign byte, set, without gomoku.Set) {
		set.RemoveAll(&without)
		for s := range set.All() {
			dst = append(append(dst, sign), s.String()...)
		}
	}
	here, there := p.Stones(defender), base.Stones(defender)
	list('+', there, here)
	if isLast := last != gomoku.NoSquare && here.Has(last) && !there.Has(last); isLast {
		here.Remove(last)
		list('-', here, there)
		dst = append(append(dst, '-'), last.String()...)
	} else {
		list('-', here, there)
	}
	list('.', replies, there)
	return dst
}
