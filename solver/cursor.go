package solver

import (
	"math"
	"slices"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games"
)

// cursor implements [dfpn.Cursor] for a question about a position of any game. It
// stands on canonical positions only. A move is the index of a branch in the last
// expansion at its depth.
type cursor[P, M comparable] struct {
	rules[P, M]
	keyer  *games.Keyer[P]
	frames []*frame[P, M]
	depth  int

	// rootKey differs from the root's key as a child, so that the table has no entry for
	// it: every search expands the root, and its branches show the move that
	// settles it.
	rootKey uint64

	expanded uint64
	tick     func() // called every checkEvery expansions, if not nil
}

// frame is a position on the path from the root.
type frame[P, M comparable] struct {
	position P
	attacker bool // the attacker is to move
	branches []Branch[M]
	children []P // canonical, one per branch
}

// newCursor returns a cursor with the keys of a seed.
func newCursor[P, M comparable](r rules[P, M], seed games.Seed) *cursor[P, M] {
	return &cursor[P, M]{rules: r, keyer: games.NewKeyer(r.game, seed), frames: []*frame[P, M]{{}}}
}

// set puts the cursor on a canonical position, the root. Each root needs its own number
// in the table, not 0.
func (c *cursor[P, M]) set(p P, attacker bool, number uint64) {
	f := c.frames[0]
	f.position, f.attacker = p, attacker
	c.depth = 0
	c.rootKey = number * 0x9e3779b97f4a7c15
}

// key returns the key of a position.
func (c *cursor[P, M]) key(p *P, attacker bool) uint64 {
	key := c.keyer.Key(p)
	if attacker {
		key = ^key
	}
	return key
}

func (c *cursor[P, M]) Root() uint64 { return c.rootKey }

// Expand implements [dfpn.Cursor]. Wins known without a search get a length of one ply:
// with a Brancher of the game's own, lengths mean nothing.
func (c *cursor[P, M]) Expand(node *dfpn.Node) {
	if c.expanded++; c.expanded%checkEvery == 0 && c.tick != nil {
		c.tick()
	}
	f := c.frames[c.depth]
	list, complete := c.brancher.AppendBranches(f.branches[:0], f.position, f.attacker)
	node.Or, node.Incomplete = f.attacker, !complete
	f.branches, f.children = list[:0], f.children[:0]
	if !complete && !f.attacker {
		f.branches = list
		node.Status = dfpn.Lost
		return
	}
	for _, b := range list {
		switch {
		case f.attacker && b.Proof == 0:
			f.branches = append(list[:0], b)
			node.Status, node.Length = dfpn.Won, 1
			return
		case !f.attacker && b.Disproof == 0:
			f.branches = append(list[:0], b)
			node.Status = dfpn.Lost
			return
		case b.Proof != 0 && b.Disproof != 0:
			c.add(f, node, b)
		}
	}
	switch {
	case len(node.Children) > 0:
	case f.attacker:
		node.Status = dfpn.Lost
	default:
		node.Status, node.Length = dfpn.Won, 1
	}
}

// add adds a branch that is not settled, unless its position is a mirror image of
// another child.
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

func (c *cursor[P, M]) Do(m dfpn.Move) {
	from := c.frames[c.depth]
	c.depth++
	if c.depth == len(c.frames) {
		c.frames = append(c.frames, &frame[P, M]{})
	}
	f := c.frames[c.depth]
	f.position, f.attacker = from.children[m], !from.attacker
}

func (c *cursor[P, M]) Undo(dfpn.Move) { c.depth-- }
