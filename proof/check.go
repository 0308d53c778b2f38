package proof

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// Certifier is the capability of a game to check certificates. Without it
// certified nodes are refused.
type Certifier[P comparable] interface {
	// CheckCertificate checks that a certificate proves, by itself, that the
	// claimant reaches the goal from the unfinished position p. It must not
	// trust anything that the certificate says.
	CheckCertificate(p P, claimantToMove bool, goal Goal, certificate []byte) error
}

// CheckOptions are options of [Check].
type CheckOptions struct {
	// Progress, if set, is called now and then.
	Progress func(Report)
}

// Report says what [Check] has checked.
type Report struct {
	Counts
	// Replies is the number of replies of the opponent's that were generated.
	Replies uint64 `json:"replies"`
	// Immediate is how many of them needed no node, because the claimant reaches
	// the goal by the reply itself or by the move after it.
	Immediate uint64 `json:"immediate"`
	// Ranks has the rank of each claim's root.
	Ranks []uint64 `json:"ranks"`
	// Bytes is the size of the file.
	Bytes uint64 `json:"bytes"`
	// Live is the largest number of nodes that were kept at a time.
	Live uint64 `json:"live"`
}

// checkEvery is how many nodes lie between looks at the context and calls of
// Progress.
const checkEvery = 1 << 10

// Check checks that the file which r reads proves its claims, by the rules of g
// and nothing else. It returns what it has found even if it fails. It fails with
// [ErrCorrupt] if the file is damaged and with [ErrRefused] if it does not prove
// what it claims; the error names the first place.
func Check[P, M comparable](ctx context.Context, r *Reader, g games.Game[P, M], o CheckOptions) (Report, error) {
	c := &checker[P, M]{g: g, r: r}
	var err error
	if c.canonicalizer, _ = g.(games.Canonicalizer[P]); c.canonicalizer == nil {
		c.canonicalizer = itself[P]{}
	}
	c.certifier, _ = g.(Certifier[P])
	if games.OrderOf(g) != games.ByDistance {
		return c.report, fmt.Errorf("%w: %s has scores, and claims are to win or to hold", ErrRefused, g.Name())
	}
	if g.Name() != r.header.Game {
		return c.report, fmt.Errorf("%w: it is for the rules %s, and these are %s", ErrRefused, r.header.Game, g.Name())
	}
	if c.root, err = g.ParsePosition(r.header.Root); err != nil {
		return c.report, fmt.Errorf("%w: root: %w", ErrRefused, err)
	}
	for i, claim := range r.header.Claims {
		c.claim = claim
		if err := c.checkClaim(ctx, o); err != nil {
			c.count()
			if errors.Is(err, ErrRefused) {
				err = fmt.Errorf("claim %d (%v): %w", i+1, claim, err)
			}
			return c.report, err
		}
	}
	_, _, err = r.Next()
	c.count()
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return c.report, err
}

// itself is the [games.Canonicalizer] of a game without symmetry.
type itself[P comparable] struct{}

func (itself[P]) Canonical(p P) P { return p }

type checker[P, M comparable] struct {
	g             games.Game[P, M]
	canonicalizer games.Canonicalizer[P]
	certifier     Certifier[P]
	r             *Reader
	root          P
	report        Report

	claim    Claim
	live     map[uint64]*liveNode[P]
	children map[P]*liveNode[P] // of the node at work
	moves    []M
	replies  []M
	finisher M // the claimant's last move that ended a game
}

// liveNode is a node that has been checked and that references will come to.
type liveNode[P comparable] struct {
	position       P // canonical
	claimantToMove bool
	reached        bool // by a reply of the node at work
	uses           uint64
	rank           uint64
}

func (c *checker[P, M]) count() {
	c.report.Counts = c.r.counts
	c.report.Bytes = c.r.bytes
}

func refused(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrRefused, fmt.Sprintf(format, args...))
}

func (c *checker[P, M]) checkClaim(ctx context.Context, o CheckOptions) error {
	c.live = map[uint64]*liveNode[P]{}
	c.children = map[P]*liveNode[P]{}
	for number := uint64(1); ; number++ {
		if number%checkEvery == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if o.Progress != nil {
				c.count()
				o.Progress(c.report)
			}
		}
		n, root, err := c.r.Next()
		if err != nil {
			return err
		}
		if n == nil {
			return c.checkRoot(root)
		}
		if err := c.checkNode(n, number); err != nil {
			return fmt.Errorf("node %d, position %q: %w", number, n.Position, err)
		}
	}
}

// checkRoot checks that the root of the claim is proven.
func (c *checker[P, M]) checkRoot(number uint64) error {
	claimantToMove := c.claim.Side == Mover
	if v, finished := c.g.Outcome(c.root); finished {
		switch {
		case number != 0:
			return refused("the root position is finished, but has node %d", number)
		case !c.reached(v, claimantToMove):
			return refused("the root position is a finished game, %v for the side to move", v)
		}
		c.report.Ranks = append(c.report.Ranks, 0)
	} else {
		node, err := c.use(number)
		switch {
		case err != nil:
			return fmt.Errorf("root: %w", err)
		case node.position != c.canonicalizer.Canonical(c.root):
			return refused("the root is node %d, position %q, but the file is about %q", number, c.text(node.position), c.r.header.Root)
		case node.claimantToMove != claimantToMove:
			return refused("the root is node %d, which has the wrong side as the claimant", number)
		}
		c.report.Ranks = append(c.report.Ranks, node.rank)
	}
	for number, node := range c.live {
		return refused("%d nodes are referred to less often than they say, such as node %d, position %q",
			len(c.live), number, c.text(node.position))
	}
	return nil
}

func (c *checker[P, M]) text(p P) []byte { return c.g.AppendPosition(nil, p) }

// reached reports whether a finished position of value v for the side to move is
// what is claimed.
func (c *checker[P, M]) reached(v games.Value, claimantToMove bool) bool {
	result := v.Result()
	if !claimantToMove {
		result = -result
	}
	return c.claim.Goal.reached(result)
}

// use follows a reference.
func (c *checker[P, M]) use(number uint64) (*liveNode[P], error) {
	node, ok := c.live[number]
	if !ok {
		return nil, refused("a reference to node %d, which is not there or was referred to as often as it says already", number)
	}
	if node.uses--; node.uses == 0 {
		delete(c.live, number)
	}
	return node, nil
}

func (c *checker[P, M]) checkNode(n *Node, number uint64) error {
	p, err := c.g.ParsePosition(string(n.Position))
	if err != nil {
		return refused("%v", err)
	}
	if v, finished := c.g.Outcome(p); finished {
		return refused("the game is over there (%v), so there can be no node", v)
	}
	switch n.Kind {
	case Or:
		err = c.checkOr(n, p)
	case And:
		err = c.checkAnd(n, p)
	default:
		if c.certifier == nil {
			err = refused("the rules of %s know no certificates", c.g.Name())
		} else if c.r.version == 1 && c.claim.Goal == Win {
			err = refused("version 1 of the format let false certificates of wins pass: write the proof again")
		} else if e := c.certifier.CheckCertificate(p, n.Kind.claimantToMove(), c.claim.Goal, n.Certificate); e != nil {
			err = refused("certificate %.60q: %v", n.Certificate, e)
		}
	}
	if err != nil {
		return err
	}
	c.live[number] = &liveNode[P]{c.canonicalizer.Canonical(p), n.Kind.claimantToMove(), false, n.Uses, n.Rank}
	c.report.Live = max(c.report.Live, uint64(len(c.live)))
	return nil
}

// checkOr checks that the claimant's move leads to where the claim holds.
func (c *checker[P, M]) checkOr(n *Node, p P) error {
	m, err := games.ParseMove(c.g, p, string(n.Move))
	if err != nil {
		return refused("%v", err)
	}
	q := c.g.Play(p, m)
	if v, finished := c.g.Outcome(q); finished {
		switch {
		case !c.reached(v, false):
			return refused("move %q ends the game, a %v for the opponent", n.Move, v)
		case len(n.Children) > 0:
			return refused("move %q ends the game, but there is a reference to node %d", n.Move, n.Children[0])
		}
		return nil
	}
	if len(n.Children) == 0 {
		return refused("move %q does not end the game, and there is no reference to a node behind it", n.Move)
	}
	child, err := c.child(n, n.Children[0])
	if err != nil {
		return err
	}
	if child.position != c.canonicalizer.Canonical(q) {
		return refused("move %q leads to %q, but node %d is %q", n.Move, c.text(q), n.Children[0], c.text(child.position))
	}
	return nil
}

// child follows a reference to a child and checks what does not depend on the
// position.
func (c *checker[P, M]) child(n *Node, number uint64) (*liveNode[P], error) {
	child, err := c.use(number)
	switch {
	case err != nil:
		return nil, err
	case child.claimantToMove == n.Kind.claimantToMove():
		return nil, refused("in it and in node %d, a child, the same side is the claimant to move", number)
	case child.rank >= n.Rank:
		return nil, refused("rank %d is not above that of node %d, a child, %d", n.Rank, number, child.rank)
	}
	return child, nil
}

// checkAnd checks that all replies are answered.
func (c *checker[P, M]) checkAnd(n *Node, p P) error {
	clear(c.children)
	for _, number := range n.Children {
		child, err := c.child(n, number)
		if err != nil {
			return err
		}
		if _, twice := c.children[child.position]; twice {
			return refused("two children are the same position %q", c.text(child.position))
		}
		child.reached = false
		c.children[child.position] = child
	}
	c.replies = c.g.AppendMoves(c.replies[:0], p)
	if len(c.replies) == 0 {
		return refused("the opponent has no move, and yet the game is not over")
	}
	for _, m := range c.replies {
		c.report.Replies++
		q := c.g.Play(p, m)
		if v, finished := c.g.Outcome(q); finished {
			if !c.reached(v, true) {
				return refused("the reply %q ends the game, a %v for the claimant", c.g.AppendMove(nil, p, m), v)
			}
			c.report.Immediate++
			continue
		}
		if child, ok := c.children[c.canonicalizer.Canonical(q)]; ok {
			child.reached = true
			continue
		}
		if n.Rank < 2 || !c.finishes(q) {
			return refused("the reply %q is not answered", c.g.AppendMove(nil, p, m))
		}
		c.report.Immediate++
	}
	for _, child := range c.children {
		if !child.reached {
			return refused("no reply leads to the child %q", c.text(child.position))
		}
	}
	return nil
}

// finishes reports whether the claimant has a move in p that ends the game as he
// claims.
func (c *checker[P, M]) finishes(p P) bool {
	c.moves = c.g.AppendMoves(c.moves[:0], p)
	ends := func(m M) bool {
		v, finished := c.g.Outcome(c.g.Play(p, m))
		return finished && c.reached(v, false)
	}
	// What ended the game after another reply often does after this one.
	if slices.Contains(c.moves, c.finisher) && ends(c.finisher) {
		return true
	}
	for _, m := range c.moves {
		if ends(m) {
			c.finisher = m
			return true
		}
	}
	return false
}
