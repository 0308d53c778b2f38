package proof

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/yomikiri/yomikiri/games"
)

// Follower is the capability of a game to play by its certificates. Without it a [Player]
// finds no moves after a certified node.
type Follower[P, M comparable] interface {
	// Follow returns a move by which the claimant, who is to move in q, reaches the goal, if
	// q, or an image of it, can arise when he plays from the certified node p by its
	// certificate. It calls certificate only if the pieces on the board do not rule that out.
	// The certificate may be false: the move counts only once CheckCertificate has accepted
	// it.
	Follow(ctx context.Context, p P, claimantToMove bool, goal Goal, q P, certificate func() (string, error)) (m M, ok bool, err error)
}

// Player plays by proofs, without a search. It belongs to one goroutine.
//
// It looks positions up by their canonical image, so the moves that led there do not matter.
// For each [Or] node it keeps the number, by a hash, and for each certified node the
// position; the rest is read when needed. A certificate is checked before the first move by
// it.
type Player[P, M comparable] struct {
	*rules[P, M]
	follower  Follower[P, M] // nil if the game is not one
	proofs    []*Graph
	nodes     map[uint64]playerNode // by the hash of the canonical position
	monotones []monotoneNode
	certified []certifiedNode[P]
	last      int // index in certified of the node followed last

	roots   map[P]bool // canonical
	opens   bool       // each proof has a claim for its side to move; see findOpening
	opening *M         // see findOpening, nil before
	holds   bool       // there are claims to hold
}

// playerNode is where a node is.
type playerNode struct {
	proof, claim int32
	number, rank uint64
}

// certifiedNode is a node with a certificate.
type certifiedNode[P comparable] struct {
	playerNode
	position       P
	claimantToMove bool
	checked        bool
}

// Reply is a move by a proof.
type Reply struct {
	// Move is the move, in the game's notation.
	Move string
	// Goal is what it reaches.
	Goal Goal
	// Proof is the number of the proof, or one of the numbers below.
	Proof int
}

// Numbers for moves that no single proof has.
const (
	// ByRules is for a move that ends the game.
	ByRules = -1
	// ByAll is for the first move, after which all proofs begin.
	ByAll = -2
	// ByDatabase is for a move to a position that the database decides.
	ByDatabase = -3
)

// NewPlayer returns a player of the game g without proofs. Those that will be added may rest
// on a database, or on none if it is nil. The player has no moves in positions of the
// database: whoever has it can look them up.
func NewPlayer[P, M comparable](g games.Game[P, M], database Database) *Player[P, M] {
	x := &Player[P, M]{rules: newRules(g, database), nodes: map[uint64]playerNode{}, roots: map[P]bool{}, opens: true}
	x.follower, _ = g.(Follower[P, M])
	return x
}

// Add adds a proof. Proofs are numbered from 0. Add reads the file once more. It fails with
// [ErrRefused] if the player cannot use the proof.
func (x *Player[P, M]) Add(ctx context.Context, g *Graph) error {
	h := g.Header()
	wins := h.Claims[0].Goal == Win
	switch {
	case h.Game != x.g.Name():
		return refused("it is for the rules %s, and these are %s", h.Game, x.g.Name())
	case h.Rules != games.RulesTextOf(x.g):
		return refused("%v", games.CheckRules(h.Game, h.Rules, games.RulesTextOf(x.g)))
	case h.Database != "" && (x.database == nil || h.Database != x.database.Checksum()):
		return refused("it rests on a database with the checksum %s, which the player does not have", h.Database)
	case h.scores():
		return refused("it is about points, and a player knows wins only")
	case h.Monotone && games.MonotoneOf(x.g) == nil:
		return refused("it is monotone, and the rules of %s are not", h.Game)
	}
	root, err := x.parse(h.Root)
	if err != nil {
		return refused("root: %v", err)
	}
	x.roots[x.canonicalizer.Canonical(root)] = true
	x.holds = x.holds || !wins
	x.opens = x.opens && slices.ContainsFunc(h.Claims, func(c Claim) bool { return c.Side == Mover })
	x.opening = nil
	proof := int32(len(x.proofs))
	x.proofs = append(x.proofs, g)
	r, err := NewReader(io.NewSectionReader(g.file, 0, g.size))
	for err == nil {
		if r.number%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var n *Node
		at := playerNode{proof: proof, claim: int32(r.claim)}
		if n, _, err = r.Next(); n == nil || n.Kind != Or && n.Kind != Certified && n.Kind != CertifiedReply {
			continue
		}
		at.number, at.rank = r.number, n.Rank
		p, e := x.parse(string(n.Position))
		if e != nil {
			return refused("node %d: %v", r.number, e)
		}
		if n.Kind != Or {
			x.certified = append(x.certified, certifiedNode[P]{playerNode: at, position: p, claimantToMove: n.Kind.claimantToMove()})
			continue
		}
		if h.Monotone {
			x.monotones = append(x.monotones, monotoneNode{at, games.MonotoneOf(x.g).Placement(p)})
			continue
		}
		// Keep the node of least rank for each position, so that a win gets nearer.
		key := x.key(p)
		if known, ok := x.nodes[key]; !ok || at.rank < known.rank {
			x.nodes[key] = at
		}
	}
	if errors.Is(err, io.EOF) {
		err = x.checkRoots(g, root)
	}
	return err
}

// checkRoots checks that the root node of each claim has the position root and the right
// claimant.
func (x *Player[P, M]) checkRoots(g *Graph, root P) error {
	for i, claim := range g.Header().Claims {
		number := g.Root(i)
		if number == 0 {
			continue // the game is over there
		}
		n, err := g.Node(i, number)
		if err != nil {
			return err
		}
		p, err := x.parse(string(n.Position))
		switch {
		case err != nil:
			return refused("node %d: %v", number, err)
		case !x.rootIs(g, root, p, claim.Side == Mover) || n.Kind.claimantToMove() != (claim.Side == Mover):
			return refused("the root is node %d, which is about another position or the other side", number)
		}
	}
	return nil
}

// rootIs reports whether the position p of a node is that of the root, or worse for the claimant.
func (x *Player[P, M]) rootIs(g *Graph, root, p P, claimantToMove bool) bool {
	if g.Header().Monotone {
		return games.NoWorse(games.MonotoneOf(x.g), root, p, claimantToMove)
	}
	return x.canonicalizer.Canonical(p) == x.canonicalizer.Canonical(root)
}

func (x *Player[P, M]) key(p P) uint64 {
	return xxhash.Sum64(x.text(x.canonicalizer.Canonical(p)))
}

// findOpening returns a move in the start position such that replies to it lead to the roots
// of all proofs, or nil if there is none.
func (x *Player[P, M]) findOpening() *M {
	seen := map[P]bool{}
	start := x.g.Start()
	for _, m := range x.g.AppendMoves(nil, start) {
		q := x.g.Play(start, m)
		if canonical := x.canonicalizer.Canonical(q); seen[canonical] {
			continue
		} else {
			seen[canonical] = true
		}
		reached := map[P]bool{}
		for _, reply := range x.g.AppendMoves(nil, q) {
			if root := x.canonicalizer.Canonical(x.g.Play(q, reply)); x.roots[root] {
				reached[root] = true
			}
		}
		if len(reached) == len(x.roots) {
			return &m
		}
	}
	return nil
}

// Reply returns a move for the side to move by which it reaches a goal according to the
// proofs, and false if they have none. A move that wins at once counts as one. In the start
// position so does the move after which all proofs begin, each with a different reply; the
// proofs need not cover every reply. It fails with [ErrRefused] if a proof turns out to be
// false.
func (x *Player[P, M]) Reply(ctx context.Context, position string) (Reply, bool, error) {
	none := Reply{Proof: ByRules}
	p, err := x.g.ParsePosition(position)
	if err != nil {
		return none, false, err
	}
	var last *M // ends the game, without a win
	for _, m := range x.g.AppendMoves(nil, p) {
		switch v, finished := x.g.Outcome(x.g.Play(p, m)); {
		case finished && Win.reached(-v.Result()):
			return Reply{x.move(p, m), Win, ByRules}, true, nil
		case finished && Hold.reached(-v.Result()) && x.holds:
			last = &m
		}
	}
	r, ok, err := x.byNode(p)
	if !ok && err == nil {
		r, ok, err = x.byMonotone(p)
	}
	if !ok && err == nil {
		r, ok, err = x.byCertificate(ctx, p)
	}
	if !ok && err == nil {
		r, ok, err = x.byDatabase(p)
	}
	switch {
	case ok || err != nil:
		return r, ok, err
	case last != nil:
		return Reply{x.move(p, *last), Hold, ByRules}, true, nil
	case p != x.g.Start() || !x.opens || len(x.roots) == 0:
		return none, false, nil
	case x.opening == nil:
		if x.opening = x.findOpening(); x.opening == nil {
			x.opens = false
			return none, false, nil
		}
	}
	return Reply{x.move(p, *x.opening), x.proofs[0].header.Claims[0].Goal, ByAll}, true, nil
}

func (x *Player[P, M]) move(p P, m M) string { return string(x.g.AppendMove(nil, p, m)) }

// byNode returns the move of a node with the position p or an image.
func (x *Player[P, M]) byNode(p P) (Reply, bool, error) {
	at, ok := x.nodes[x.key(p)]
	if !ok {
		return Reply{}, false, nil
	}
	g := x.proofs[at.proof]
	r := Reply{Goal: g.header.Claims[at.claim].Goal, Proof: int(at.proof)}
	n, err := g.Node(int(at.claim), at.number)
	if err != nil {
		return r, false, err
	}
	image, err := x.parse(string(n.Position))
	if err != nil || x.canonicalizer.Canonical(image) != x.canonicalizer.Canonical(p) {
		return r, false, err // another position with the same hash
	}
	m, err := games.ParseMove(x.g, image, string(n.Move))
	if err != nil {
		return r, false, refused("node %d: %v", at.number, err)
	}
	to := x.canonicalizer.Canonical(x.g.Play(image, m))
	for _, m := range x.g.AppendMoves(nil, p) {
		if x.canonicalizer.Canonical(x.g.Play(p, m)) == to {
			r.Move = x.move(p, m)
			return r, true, nil
		}
	}
	return r, false, refused("node %d: no image of its move leads where it leads", at.number)
}

// byDatabase returns a move to a position of the database that reaches a goal: a proof has no
// node where one move does.
func (x *Player[P, M]) byDatabase(p P) (r Reply, ok bool, err error) {
	if x.database == nil {
		return r, false, nil
	}
	for _, m := range x.g.AppendMoves(nil, p) {
		switch v, decided, err := x.decided(x.g.Play(p, m)); {
		case err != nil:
			return r, false, err
		case decided && Win.reached(-v.Result()):
			return Reply{x.move(p, m), Win, ByDatabase}, true, nil
		case decided && Hold.reached(-v.Result()) && x.holds && !ok:
			r, ok = Reply{x.move(p, m), Hold, ByDatabase}, true
		}
	}
	return r, ok, nil
}

// byCertificate returns the move by a certificate. It tries the node that was followed last
// first.
func (x *Player[P, M]) byCertificate(ctx context.Context, p P) (Reply, bool, error) {
	if x.follower == nil {
		return Reply{}, false, nil
	}
	for i := -1; i < len(x.certified); i++ {
		at := max(i, 0)
		if i < 0 {
			at = x.last
		}
		if at >= len(x.certified) {
			break
		}
		c := &x.certified[at]
		goal := x.proofs[c.proof].header.Claims[c.claim].Goal
		var certificate []byte
		m, ok, err := x.follower.Follow(ctx, c.position, c.claimantToMove, goal, p, func() (string, error) {
			n, err := x.proofs[c.proof].Node(int(c.claim), c.number)
			if err != nil {
				return "", err
			}
			certificate = n.Certificate
			return string(certificate), nil
		})
		if ok || err != nil {
			x.last = at
			r := Reply{Goal: goal, Proof: int(c.proof)}
			if certificate != nil {
				if e := x.checkCertificate(ctx, c, goal, certificate); e != nil {
					return r, false, e
				}
			}
			if ok {
				r.Move = x.move(p, m)
			}
			return r, ok, err
		}
	}
	return Reply{}, false, nil
}

// checkCertificate checks the certificate of a node, the first time.
func (x *Player[P, M]) checkCertificate(ctx context.Context, c *certifiedNode[P], goal Goal, certificate []byte) error {
	if c.checked {
		return nil
	}
	if x.certifier == nil {
		return refused("the rules of %s know no certificates", x.g.Name())
	}
	work := NewWork(ctx, allowedWork(uint64(len(certificate))))
	if err := x.certifier.CheckCertificate(work, c.position, c.claimantToMove, goal, certificate); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return refused("node %d: certificate %.60q: %v", c.number, certificate, err)
	}
	c.checked = true
	return nil
}
