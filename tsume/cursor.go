package tsume

import (
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// cursor walks along checks and evasions for the engine. What the attacker holds
// is the hand; the defender's hand follows from it, since all other pieces are
// on the board.
type cursor struct {
	board    *shogi.Board
	attacker shogi.Color
	moves    []shogi.Move
	replies  []uint16 // to each of moves, in checks
	drops    []shogi.Move
	countAll bool // futile interpositions too
}

func newCursor(p Problem, countAll bool) *cursor {
	return &cursor{countAll: countAll, board: shogi.NewBoard(p.Position), attacker: p.Attacker(), moves: make([]shogi.Move, 0, 128)}
}

// Root implements [dfpn.Cursor].
func (c *cursor) Root() (uint64, dfpn.Hand) {
	return c.board.Key(), dfpn.Hand(c.board.Hand(c.attacker))
}

// Guards implements [dfpn.Cursor].
func (c *cursor) Guards() dfpn.Hand { return dfpn.Hand(shogi.HandGuards) }

// Do implements [dfpn.Cursor].
func (c *cursor) Do(m dfpn.Move) { c.board.Do(shogi.Move(m)) }

// Undo implements [dfpn.Cursor].
func (c *cursor) Undo(dfpn.Move) { c.board.Undo() }

// Expand implements [dfpn.Cursor].
func (c *cursor) Expand(n *dfpn.Node) {
	if c.board.Turn() == c.attacker {
		n.Or = true
		c.expandChecks(n)
	} else {
		c.expandEvasions(n)
	}
}

func (c *cursor) expandChecks(n *dfpn.Node) {
	b := c.board
	c.moves = b.AppendChecks(c.moves[:0])
	if len(c.moves) == 0 {
		n.Status, n.Bound = dfpn.Lost, dfpn.Hand(c.checklessBound())
		return
	}
	c.replies = c.replies[:0]
	for _, m := range c.moves {
		b.Do(m)
		moves, drops := b.Replies()
		if moves == 0 && (drops == 0 || c.allFutile()) {
			mated := c.matedBound()
			b.Undo()
			n.Status, n.Length, n.Move = dfpn.Won, 1, dfpn.Move(m)
			n.Bound = c.Lift(n.Move, mated, true)
			return
		}
		b.Undo()
		c.replies = append(c.replies, uint16(moves+min(drops, 1)))
	}
	for i, m := range c.moves {
		c.append(n, m, c.replies[i])
	}
	c.appendDelayed(n)
}

func (c *cursor) expandEvasions(n *dfpn.Node) {
	b := c.board
	c.moves = b.AppendEvasions(c.moves[:0])
	if len(c.moves) == 0 || c.moves[0].IsDrop() && c.allFutile() {
		n.Status, n.Bound = dfpn.Won, c.matedBound()
		return
	}
	for _, m := range c.moves {
		c.append(n, m, 1)
	}
	c.appendDelayed(n)
}

// delayed reports whether m is a move without promotion of a piece that loses
// little or nothing by promoting.
func (c *cursor) delayed(m shogi.Move) bool {
	if m.IsDrop() || m.Promotes() {
		return false
	}
	k := c.board.At(m.From()).Kind()
	if !k.CanPromote() {
		return false
	}
	us := c.board.Turn()
	if !inZone(us, m.From()) && !inZone(us, m.To()) {
		return false
	}
	return us != c.attacker || k == shogi.Pawn || k == shogi.Bishop || k == shogi.Rook ||
		k == shogi.Lance && rankFrom(us, m.To()) == 2
}

// rankFrom returns the rank of s as c counts, 1 for the far rank.
func rankFrom(c shogi.Color, s shogi.Square) int {
	if c == shogi.White {
		return 10 - s.Rank()
	}
	return s.Rank()
}

func inZone(c shogi.Color, s shogi.Square) bool { return rankFrom(c, s) <= 3 }

// distance returns how many king's steps lie between two squares.
func distance(a, b shogi.Square) int {
	return max(abs(a.File()-b.File()), abs(a.Rank()-b.Rank()))
}

func abs(x int) int { return max(x, -x) }

// append appends the child after m, unless that has to wait for the move with
// promotion.
func (c *cursor) append(n *dfpn.Node, m shogi.Move, proof uint16) {
	if c.delayed(m) {
		return
	}
	child := c.child(m, n.Or, proof)
	if !n.Or && m.IsDrop() {
		child.Group = dropGroup
	}
	n.Children = append(n.Children, child)
}

// Groups of children. All drops between the checking piece and the king are one:
// what refutes one of them mostly refutes the others. Pairs of moves with and
// without promotion come behind it.
const (
	dropGroup = 1
	firstPair = 2
)

// appendDelayed appends the moves that append left out.
func (c *cursor) appendDelayed(n *dfpn.Node) {
	group := uint8(firstPair)
	for i, m := range c.moves {
		if !c.delayed(m) {
			continue
		}
		proof := uint16(1)
		if n.Or {
			proof = c.replies[i]
		}
		child := c.child(m, n.Or, proof)
		with := dfpn.Move(shogi.MoveOf(m.From(), m.To(), true))
		for i := range n.Children {
			if n.Children[i].Move == with && group < 64 {
				n.Children[i].Group, child.Group = group, group
				group++
				break
			}
		}
		n.Children = append(n.Children, child)
	}
}

func (c *cursor) child(m shogi.Move, or bool, proof uint16) dfpn.Child {
	key, hand := c.board.After(m)
	child := dfpn.Child{Key: key, Hand: dfpn.Hand(hand), Move: dfpn.Move(m), Proof: proof, Disproof: 1}
	if !or {
		child.Hand = dfpn.Hand(c.board.Hand(c.attacker))
		if m.IsDrop() {
			child.Disproof = 2 // most interpositions only delay
		}
	}
	return child
}

// Lift implements [dfpn.Bounder].
func (c *cursor) Lift(move dfpn.Move, bound dfpn.Hand, proven bool) dfpn.Hand {
	b := c.board
	m, h := shogi.Move(move), shogi.Hand(bound)
	if b.Turn() != c.attacker {
		if !proven && m.IsDrop() {
			// The defender needs the piece that he drops.
			k := m.Dropped()
			all := b.Hand(shogi.Black).Count(k) + b.Hand(shogi.White).Count(k)
			h = smaller(h, allHands&^handField[k]|shogi.Hand(all-1)*shogi.Hand(0).With(k))
		}
		return dfpn.Hand(h)
	}
	if m.IsDrop() {
		k := m.Dropped()
		if h&handField[k] != handField[k] {
			h = h.With(k)
		}
		return dfpn.Hand(h)
	}
	if captured := b.At(m.To()); captured != shogi.NoPiece {
		k := captured.Kind().Unpromoted()
		if full := h&handField[k] == handField[k]; h.Has(k) && (proven || !full) {
			h = h.Without(k)
		}
	}
	return dfpn.Hand(h)
}

// Join implements [dfpn.Bounder].
func (c *cursor) Join(n *dfpn.Node, bounds []dfpn.Hand, proven bool) dfpn.Hand {
	if proven {
		h := c.matedBound()
		for _, bound := range bounds {
			h = dfpn.Hand(larger(shogi.Hand(h), shogi.Hand(bound)))
		}
		return h
	}
	h := c.checklessBound()
	for i, bound := range bounds {
		h = smaller(h, shogi.Hand(c.Lift(n.Children[i].Move, bound, false)))
	}
	return dfpn.Hand(h)
}

// matedBound returns what the attacker must hold so that the defender, to move,
// has no more replies than now: of the kinds that the defender could interpose
// but does not hold, everything.
func (c *cursor) matedBound() dfpn.Hand {
	b := c.board
	checkers := b.Checkers()
	if checkers.Len() > 1 || distance(checkers.First(), b.King(c.attacker.Other())) == 1 || isKnight(b.At(checkers.First())) {
		return 0
	}
	return dfpn.Hand(b.Hand(c.attacker) &^ held(b.Hand(c.attacker.Other())))
}

func isKnight(p shogi.Piece) bool { return p.Kind() == shogi.Knight }

// checklessBound returns what the attacker may hold so that he, to move, has no
// more checks than now: any number of what he holds, nothing else.
func (c *cursor) checklessBound() shogi.Hand { return held(c.board.Hand(c.attacker)) }
