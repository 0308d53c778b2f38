package solver

import (
	"math"
	"slices"

	"github.com/yomikiri/yomikiri/dfpn"
)

// cursor implements [dfpn.Cursor] and [dfpn.Bounder] for a question about a
// position of any game. It stands on canonical positions only. A move is the
// number of a branch among those that were searched last at its depth.
//
// # Hands
//
// There is nothing in hand in these games. The engine's hands say instead whether
// a disproof is sure. Take it that there is a token with which the attacker may
// also make the moves that were left out: with the token he wins whenever he wins
// without it. He never has it. A disproof whose bound is the token says that he
// would not win with it either; one whose bound is none says nothing of the moves
// that were left out. So the engine carries along, position by position, whether a
// disproof rests on an incomplete node.
type cursor[P, M comparable] struct {
	rules[P, M]
	hasher *hasher[P, M]
	frames []*frame[P, M]
	depth  int

	// rootKey is the key of the root, which differs from that of the same
	// position elsewhere, so that the table does not know the root. What settles
	// it is therefore seen here: best is the branch that does it, if one does,
	// and sure says that all moves that matter were looked at.
	rootKey uint64
	best    int
	sure    bool
	// gaveUp is true if an incomplete node has ever been taken for lost.
	gaveUp bool

	expanded uint64
	tick     func() // if set, is called every checkEvery expansions
}

// frame is a position on the way from the root.
type frame[P, M comparable] struct {
	position   P
	attacker   bool // is to move
	incomplete bool
	branches   []Branch[M]
	children   []P // canonical, one for each branch
}

const (
	noToken   dfpn.Hand = 0
	token     dfpn.Hand = 1
	tokenBits dfpn.Hand = 2
)

func newCursor[P, M comparable](r rules[P, M]) *cursor[P, M] {
	return &cursor[P, M]{rules: r, hasher: newHasher(r.game), frames: []*frame[P, M]{{}}}
}

// set puts the cursor on a canonical position, the root, which gets a number that
// no other root of the same table may have.
func (c *cursor[P, M]) set(p P, attacker bool, number uint64) {
	f := c.frames[0]
	f.position, f.attacker = p, attacker
	c.depth, c.best, c.sure = 0, 0, false
	c.rootKey = number * 0x9e3779b97f4a7c15 // not 0, as the factor is odd
}

// move returns the move of the branch that settles the root.
func (c *cursor[P, M]) move() M { return c.frames[0].branches[c.best].Move }

// key returns the key of a position.
func (c *cursor[P, M]) key(p *P, attacker bool) uint64 {
	key := c.hasher.hash(p)
	if attacker {
		key = ^key
	}
	return max(key, 1)
}

// Root implements [dfpn.Cursor].
func (c *cursor[P, M]) Root() (uint64, dfpn.Hand) { return c.rootKey, noToken }

// Guards implements [dfpn.Cursor].
func (c *cursor[P, M]) Guards() dfpn.Hand { return tokenBits }

// Expand implements [dfpn.Cursor].
func (c *cursor[P, M]) Expand(node *dfpn.Node) {
	if c.expanded++; c.expanded%checkEvery == 0 && c.tick != nil {
		c.tick()
	}
	f := c.frames[c.depth]
	node.Or = f.attacker
	list, complete := c.brancher.AppendBranches(f.branches[:0], f.position, f.attacker)
	f.branches, f.incomplete = list, !complete
	if f.incomplete && !f.attacker {
		c.finish(f, node, dfpn.Lost)
		return
	}
	f.branches, f.children = list[:0], f.children[:0]
	for _, b := range list {
		switch {
		case f.attacker && b.Proof == 0:
			f.branches = append(list[:0], b)
			c.finish(f, node, dfpn.Won)
			return
		case !f.attacker && b.Disproof == 0:
			f.branches = append(list[:0], b)
			c.finish(f, node, dfpn.Lost)
			return
		case b.Proof != 0 && b.Disproof != 0:
			c.add(f, node, b)
		}
	}
	switch {
	case len(node.Children) > 0:
	case f.attacker:
		c.finish(f, node, dfpn.Lost)
	default:
		c.finish(f, node, dfpn.Won)
	}
}

// add adds a branch of which nothing is known, unless it is the mirror image of
// one that is there.
func (c *cursor[P, M]) add(f *frame[P, M], node *dfpn.Node, b Branch[M]) {
	q := c.canonical(c.game.Play(f.position, b.Move))
	if slices.Contains(f.children, q) {
		return
	}
	node.Children = append(node.Children, dfpn.Child{
		Key: c.key(&q, !f.attacker), Move: dfpn.Move(len(f.branches)),
		Proof: uint16(min(b.Proof, math.MaxUint16)), Disproof: uint16(min(b.Disproof, math.MaxUint16)),
	})
	f.branches = append(f.branches, b)
	f.children = append(f.children, q)
}

// finish makes the current node one that needs no search. Its win, if it is one,
// has one ply more: lengths count for nothing where the game sees more than its
// rules say.
func (c *cursor[P, M]) finish(f *frame[P, M], node *dfpn.Node, status dfpn.Status) {
	node.Status = status
	if status == dfpn.Won {
		node.Length = 1
		return
	}
	node.Bound = token
	if f.incomplete {
		node.Bound = noToken
		c.gaveUp = true
	}
	c.note(0, node.Bound)
}

// note remembers how the current position is settled if it is the root.
func (c *cursor[P, M]) note(branch int, bound dfpn.Hand) {
	if c.depth == 0 {
		c.best, c.sure = branch, bound == token
	}
}

// Lift implements [dfpn.Bounder].
func (c *cursor[P, M]) Lift(m dfpn.Move, bound dfpn.Hand, _ bool) dfpn.Hand {
	c.note(int(m), bound)
	return bound
}

// Join implements [dfpn.Bounder].
func (c *cursor[P, M]) Join(_ *dfpn.Node, bounds []dfpn.Hand, proven bool) dfpn.Hand {
	if proven {
		return noToken
	}
	bound := slices.Min(bounds)
	if c.frames[c.depth].incomplete {
		bound = noToken
		c.gaveUp = true
	}
	c.note(0, bound)
	return bound
}

// Do implements [dfpn.Cursor].
func (c *cursor[P, M]) Do(m dfpn.Move) {
	from := c.frames[c.depth]
	c.depth++
	if c.depth == len(c.frames) {
		c.frames = append(c.frames, &frame[P, M]{})
	}
	f := c.frames[c.depth]
	f.position, f.attacker = from.children[m], !from.attacker
}

// Undo implements [dfpn.Cursor].
func (c *cursor[P, M]) Undo(dfpn.Move) { c.depth-- }
