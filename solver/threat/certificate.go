package threat

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

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
// ones. It stops when ctx ends.
func (x *Prover) WriteProof(ctx context.Context, w *proof.Writer, p gomoku.Position, tree *Tree) error {
	return writeWin(w, x.newBuilder(ctx, w, p.ToMove()), p, tree)
}

// newBuilder returns a builder for a proof from the results of x. It uses one goroutine for each
// worker.
func (x *Prover) newBuilder(ctx context.Context, w *proof.Writer, attacker gomoku.Side) *proofBuilder {
	b := &proofBuilder{certifier: certifier{ctx: ctx, game: x.game, attacker: attacker, bases: x.provenIn()}, w: w, threads: 1}
	if x.workers != nil {
		b.threads = len(x.workers.list)
	}
	return b
}

// writeReplies writes the proof that the attacker wins the position q with the defender
// to move: t answers all replies except those that lead to positions in elsewhere, which
// get the certificate [solver.Known].
func (x *Prover) writeReplies(ctx context.Context, w *proof.Writer, q gomoku.Position, t *Tree, elsewhere map[gomoku.Position]bool) error {
	b := x.newBuilder(ctx, w, q.ToMove().Opponent())
	b.elsewhere = elsewhere
	root, _, err := b.addReplies(q, q, t)
	if err != nil {
		return err
	}
	return w.EndClaim(root)
}

// WriteTree is [Prover.WriteProof] for a win that another search has found.
func WriteTree(ctx context.Context, w *proof.Writer, g *gomoku.Game, p gomoku.Position, tree *Tree) error {
	return writeWin(w, &proofBuilder{certifier: certifier{ctx: ctx, game: g, attacker: p.ToMove()}, w: w, threads: 1}, p, tree)
}

func writeWin(w *proof.Writer, b *proofBuilder, p gomoku.Position, tree *Tree) error {
	x := wonBy{p, b.base(p, tree), tree, gomoku.NoSquare}
	root, _, err := b.add(x, b.certificate(x))
	if err != nil {
		return err
	}
	return w.EndClaim(root)
}

// proofBuilder writes the nodes of a proof.
type proofBuilder struct {
	certifier
	w       *proof.Writer
	threads int // number of goroutines that make certificates
	// elsewhere has canonical positions whose proofs are elsewhere.
	elsewhere map[gomoku.Position]bool
}

// wonBy is a position that the attacker, to move, wins by a tree proven in the position base;
// reply led there. Without a tree the proof is elsewhere.
type wonBy struct {
	position, base gomoku.Position
	tree           *Tree
	reply          gomoku.Square
}

// add writes the nodes for a position, with a certificate unless that is nil. It returns the
// number of the node and its rank.
func (b *proofBuilder) add(x wonBy, certificate []byte) (number, rank uint64, err error) {
	if err := b.ctx.Err(); err != nil {
		return 0, 0, err // which may be why there is no certificate
	}
	p, t := x.position, x.tree
	if certificate != nil {
		number, err = b.w.Add(&proof.Node{Kind: proof.Certified, Uses: 1, Rank: 1, Position: b.game.AppendPosition(nil, p), Certificate: certificate})
		return number, 1, err
	}
	if t.Wins {
		return 0, 0, errors.New("a position won at once needs no proof")
	}
	and, rank, err := b.addReplies(b.game.Play(p, t.Move), b.game.Play(x.base, t.Move), t)
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
	and := &proof.Node{Kind: proof.And, Uses: 1, Rank: 2, Position: b.game.AppendPosition(nil, q)}
	list := b.afterReplies(q, known, t)
	for i, certificate := range b.certificates(list) {
		child, rank, err := b.add(list[i], certificate)
		if err != nil {
			return 0, 0, err
		}
		and.Children, and.Rank = append(and.Children, child), max(and.Rank, rank+1)
	}
	number, err = b.w.Add(and)
	return number, and.Rank, err
}

// afterReplies returns the positions after the replies in q that are not won at once, mirror
// images once.
func (b *proofBuilder) afterReplies(q, known gomoku.Position, t *Tree) (list []wonBy) {
	groups := b.groups(known, t)
	seen := map[gomoku.Position]bool{}
	for _, reply := range b.game.AppendMoves(nil, q) {
		r := b.game.Play(q, reply)
		canonical := b.game.Canonical(r)
		if seen[canonical] {
			continue
		}
		seen[canonical] = true
		if b.elsewhere[canonical] {
			list = append(list, wonBy{position: canonical})
			continue
		}
		x := wonBy{r, b.base(known.NullMove(), t.Otherwise), t.Otherwise, reply}
		for _, g := range groups {
			if g.replies.Has(reply) {
				x.tree, x.base = g.then, g.base
			}
		}
		if !x.tree.Wins {
			list = append(list, x)
		}
	}
	return list
}

// certificates returns the certificates of positions in their order.
func (b *proofBuilder) certificates(list []wonBy) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		texts := make([]chan []byte, len(list))
		for i := range texts {
			texts[i] = make(chan []byte, 1)
		}
		begun := make(chan struct{}, 4*b.threads) // certificates begun and not yet used
		ended := make(chan struct{})
		var next atomic.Int64
		var group sync.WaitGroup
		defer group.Wait()
		defer close(ended)
		for range b.threads {
			group.Go(func() {
				c := certifier{ctx: b.ctx, game: b.game, attacker: b.attacker, bases: b.bases}
				for {
					select {
					case begun <- struct{}{}:
					case <-ended:
						return
					}
					i := int(next.Add(1)) - 1
					if i >= len(list) {
						return
					}
					texts[i] <- slices.Clone(c.certificate(list[i]))
				}
			})
		}
		for i := range list {
			text := <-texts[i]
			if <-begun; !yield(i, text) {
				return
			}
		}
	}
}

// certifier makes certificates. It belongs to one goroutine.
type certifier struct {
	ctx      context.Context // ends the certificate
	game     *gomoku.Game
	attacker gomoku.Side
	bases    map[*Tree]gomoku.Position // where trees that are used elsewhere were proven
	text     []byte
	numbers  map[treeNode]int // line numbers of the certificate being written
}

// treeNode is a tree and the position that it is proven in.
type treeNode struct {
	tree     *Tree
	position gomoku.Position
}

// base returns the position in which a tree that wins p was proven.
func (c *certifier) base(p gomoku.Position, t *Tree) gomoku.Position {
	if base, ok := c.bases[t]; ok && base.ToMove() == c.attacker && base.Stones(c.attacker) == p.Stones(c.attacker) {
		return base
	}
	return p
}

// group is a set of replies with the same answer, and where that was proven.
type group struct {
	replies gomoku.Set
	then    *Tree
	base    gomoku.Position
}

// groups returns the replies that have their own answer in a tree; q is the position after
// its move.
func (c *certifier) groups(q gomoku.Position, t *Tree) (list []*group) {
	of := map[*Tree]*group{}
	empty := c.game.EmptySquares(q)
	for _, r := range t.Replies {
		if !empty.Has(r.Move) {
			continue
		}
		g := of[r.Then]
		if g == nil {
			// The reply for which the answer was found comes first.
			g = &group{then: r.Then, base: c.base(c.game.Play(q, r.Move), r.Then)}
			of[r.Then] = g
			list = append(list, g)
		}
		g.replies.Add(r.Move)
	}
	if t.Together {
		for _, g := range list {
			defenders := q.Stones(q.ToMove())
			defenders.AddAll(&g.replies)
			g.base = positionOf(c.attacker, q.Stones(c.attacker), defenders)
		}
	}
	return list
}

// certificate returns the certificate of a position, or nil if it is too large or the context has ended.
func (c *certifier) certificate(x wonBy) []byte {
	if x.tree == nil {
		return []byte(solver.Known)
	}
	c.numbers = map[treeNode]int{}
	c.text = append(c.text[:0], "tree"...)
	if x.position != x.base {
		c.text = append(c.text, ' ')
		c.text = appendChange(c.text, x.position, x.base, c.attacker.Opponent(), gomoku.Set{}, x.reply)
	}
	c.line(x.base, x.tree)
	if len(c.text) > largestCertificate || c.ctx.Err() != nil {
		return nil
	}
	return c.text
}

// line appends the lines for a tree that is proven in p and returns the number of
// the tree's own line. It stops early if the certificate gets too large or the context has ended.
func (c *certifier) line(p gomoku.Position, t *Tree) int {
	at := treeNode{t, p}
	if number, ok := c.numbers[at]; ok || len(c.text) > largestCertificate || c.ctx.Err() != nil {
		return number
	}
	line := []byte{'\n'}
	q := c.game.Play(p, t.Move)
	line = c.game.AppendMove(line, p, t.Move)
	type reference struct{ at, number int }
	var references []reference
	refer := func(number int) { references = append(references, reference{len(line), number}) }
	if !t.Wins {
		line = append(line, ' ')
		base := c.base(q.NullMove(), t.Otherwise)
		if base != q.NullMove() {
			line = append(appendChange(line, q, base, c.attacker.Opponent(), gomoku.Set{}, gomoku.NoSquare), '=')
		}
		refer(c.line(base, t.Otherwise))
		for _, g := range c.groups(q, t) {
			line = append(line, ' ')
			line = appendChange(line, q, g.base, c.attacker.Opponent(), g.replies, gomoku.NoSquare)
			line = append(line, '=')
			refer(c.line(g.base, g.then))
		}
	}
	number, begin := len(c.numbers)+1, 0
	for _, r := range references {
		c.text = strconv.AppendInt(append(c.text, line[begin:r.at]...), int64(number-r.number), 10)
		begin = r.at
	}
	c.text = append(c.text, line[begin:]...)
	c.numbers[at] = number
	return number
}

// appendChange appends the defender's stones that base has and p lacks, then the stones
// of p that base lacks, and then the replies without a stone in base. Among the stones
// that base lacks, last comes at the end, because it was answered last.
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
