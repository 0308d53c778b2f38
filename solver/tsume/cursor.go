package tsume

import (
	"slices"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// cursor implements [dfpn.Hands] with checks and evasions. The defender's hand follows
// from the attacker's, since both together hold what is not on the board.
type cursor struct {
	board    *shogi.Board
	attacker shogi.Color
	moves    []shogi.Move
	initial  []uint16 // proof or disproof number of the child after each of moves
	checks   []shogi.Move
	drops    []shogi.Move
	countAll bool // count futile interpositions
	futile   Futile
	judged   *interpositions // with futile
	barred   *barred
	salt     uint64 // added to the keys
	expanded expansions
}

var _ dfpn.Hands = (*cursor)(nil)

// newCursor returns a cursor on a problem, with the keys of a table.
func newCursor(p Problem, countAll bool, table *dfpn.Table) *cursor {
	board := shogi.NewBoardWithKeys(p.Position, shogi.KeysOf(table.Seed()))
	return &cursor{countAll: countAll, board: board, attacker: p.Attacker(), salt: saltOf(p, countAll), moves: make([]shogi.Move, 0, 128)}
}

// newCursorOf is newCursor where what else is futile counts neither.
func newCursorOf(p Problem, futile Futile, table *dfpn.Table) *cursor {
	c := newCursor(p, false, table)
	c.futile, c.salt = futile, c.salt^futile.salt()
	return c
}

// salt is what is added to the keys, since lengths differ.
func (f Futile) salt() uint64 { return uint64(f) * 0xa0761d6478bd642f }

// saltOf returns what is added to the keys of a problem, so that problems which differ in more than
// the board and the attacker's hand may share a table: in who attacks, in the pieces that no side
// has, and in whether futile interpositions count.
func saltOf(p Problem, countAll bool) uint64 {
	x := uint64(p.Position.Missing())
	x |= uint64(p.Attacker()) << 30
	if countAll {
		x |= 1 << 31
	}
	return x * 0xd6e8feb86659fd93
}

func (c *cursor) Root() uint64        { return c.board.Key() ^ c.salt }
func (c *cursor) RootHand() dfpn.Hand { return dfpn.Hand(c.board.Hand(c.attacker)) }
func (c *cursor) Guards() dfpn.Hand   { return dfpn.Hand(shogi.HandGuards) }
func (c *cursor) Do(m dfpn.Move)      { c.board.Do(shogi.Move(m)) }
func (c *cursor) Undo(dfpn.Move)      { c.board.Undo() }

func (c *cursor) Expand(n *dfpn.Node) {
	n.Or = c.board.Turn() == c.attacker
	key, hand := c.Root(), c.RootHand()
	if c.barred != nil && c.expandBarred(n, hand) {
		return
	}
	// A mate in one is a node that is won, and so is a position that is mate.
	n.Least = 2
	if n.Or {
		n.Least = 3
	}
	if n.Children = c.expanded.find(n.Children, key, hand); len(n.Children) > 0 {
		return
	}
	if n.Or {
		c.expandChecks(n)
	} else {
		c.expandEvasions(n)
	}
	if n.Status == dfpn.Open {
		c.expanded.keep(n.Children, key, hand)
	}
}

func (c *cursor) expandChecks(n *dfpn.Node) {
	b := c.board
	c.moves = b.AppendChecks(c.moves[:0])
	if len(c.moves) == 0 {
		n.Status, n.Bound = dfpn.Lost, dfpn.Hand(c.checklessBound())
		return
	}
	c.initial = c.initial[:0]
	for _, m := range c.moves {
		b.Do(m)
		moves, drops := b.Replies()
		if mated, over := c.over(moves, drops); over {
			b.Undo()
			n.Status, n.Length, n.Move = dfpn.Won, 1, dfpn.Move(m)
			n.Bound = c.Lift(n.Move, mated, true)
			return
		}
		b.Undo()
		replies := moves + min(drops, 1)
		c.initial = append(c.initial, uint16(replies+replies/2))
	}
	c.appendMoves(n, c.moves)
	c.appendDelayed(n)
}

func (c *cursor) expandEvasions(n *dfpn.Node) {
	b := c.board
	c.moves = b.AppendEvasions(c.moves[:0])
	drops := slices.IndexFunc(c.moves, shogi.Move.IsDrop)
	if drops < 0 {
		drops = len(c.moves)
	}
	if mated, over := c.over(drops, len(c.moves)-drops); over {
		n.Status, n.Bound = dfpn.Won, mated
		return
	}
	c.initial = c.initial[:0]
	for _, m := range c.moves[:drops] {
		b.Do(m)
		c.checks = b.AppendChecks(c.checks[:0])
		bound := dfpn.Hand(c.checklessBound())
		b.Undo()
		if len(c.checks) == 0 {
			n.Status, n.Bound = dfpn.Lost, c.Lift(dfpn.Move(m), bound, false)
			return
		}
		c.initial = append(c.initial, uint16(len(c.checks)+1)/2)
	}
	c.appendMoves(n, c.moves[:drops])
	c.appendInterpositions(n, c.moves[drops:])
	c.appendDelayed(n)
}

// delayed reports whether m is a move without promotion by a piece that has little or
// no reason not to promote.
func (c *cursor) delayed(m shogi.Move) bool {
	if m.IsDrop() || m.Promotes() {
		return false
	}
	k := c.board.At(m.From()).Kind()
	if !k.CanPromote() {
		return false
	}
	us := c.board.Turn()
	if !m.From().InZone(us) && !m.To().InZone(us) {
		return false
	}
	return us != c.attacker || k == shogi.Pawn || k == shogi.Bishop || k == shogi.Rook ||
		k == shogi.Lance && m.To().RankFor(us) == 2
}

// distance returns the number of king moves between two squares.
func distance(a, b shogi.Square) int {
	return max(abs(a.File()-b.File()), abs(a.Rank()-b.Rank()))
}

func abs(x int) int { return max(x, -x) }

// appendMoves appends the children after moves, the first ones of c.moves, except the
// delayed ones.
func (c *cursor) appendMoves(n *dfpn.Node, moves []shogi.Move) {
	for i, m := range moves {
		if !c.delayed(m) {
			n.Children = append(n.Children, c.child(m, n.Or, c.initial[i]))
		}
	}
}

// Groups of children. All drops between the checking piece and the king are one
// group, since what refutes one of them usually refutes the others. The other groups are
// pairs of moves with and without promotion.
const (
	dropGroup = 1
	firstPair = 2
)

// appendInterpositions appends the children after drops between the checking piece
// and the king: next to the king first, and on each square the least valuable piece
// first. A proof against that one usually holds against the others, because the
// attacker who captures them holds no less.
func (c *cursor) appendInterpositions(n *dfpn.Node, drops []shogi.Move) {
	const disproof = 2 // most interpositions only delay
	king := c.board.King(c.attacker.Other())
	for away, left := 1, len(drops); left > 0; away++ {
		for _, m := range drops {
			if distance(king, m.To()) == away {
				child := c.child(m, false, disproof)
				child.Group = dropGroup
				n.Children = append(n.Children, child)
				left--
			}
		}
	}
}

// appendDelayed appends the delayed moves. A reply waits until the same move with
// promotion has failed. A check does not wait: avoiding mate by a dropped pawn may be the
// point of the problem, and refuting the promotion first, which leads to nearly the same
// positions, can take many times the work of the mate itself. It starts with a larger
// proof number instead.
func (c *cursor) appendDelayed(n *dfpn.Node) {
	group := uint8(firstPair)
	for i, m := range c.moves[:len(c.initial)] {
		if !c.delayed(m) {
			continue
		}
		child := c.child(m, n.Or, c.initial[i])
		if n.Or {
			child.Proof *= 2
			n.Children = append(n.Children, child)
			continue
		}
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

// child returns the child after m. initial is its proof number if m is a check, or its
// disproof number if m is a reply (the initialisation heuristic).
func (c *cursor) child(m shogi.Move, or bool, initial uint16) dfpn.Child {
	key, hand := c.board.After(m)
	key ^= c.salt
	if or {
		return dfpn.Child{Key: key, Hand: dfpn.Hand(hand), Move: dfpn.Move(m), Proof: initial, Disproof: 1}
	}
	return dfpn.Child{Key: key, Hand: dfpn.Hand(c.board.Hand(c.attacker)), Move: dfpn.Move(m), Proof: 1, Disproof: initial}
}

func (c *cursor) Lift(move dfpn.Move, bound dfpn.Hand, proven bool) dfpn.Hand {
	b := c.board
	m, h := shogi.Move(move), shogi.Hand(bound)
	if b.Turn() != c.attacker {
		if !proven && m.IsDrop() {
			// The defender needs the piece that it drops.
			k := m.Dropped()
			all := b.Hand(shogi.Black).Count(k) + b.Hand(shogi.White).Count(k)
			h = h.Smaller(shogi.AllHands&^shogi.Field(k) | shogi.Hand(all-1)*shogi.Hand(0).With(k))
		}
		return dfpn.Hand(h)
	}
	if m.IsDrop() {
		k := m.Dropped()
		if h&shogi.Field(k) != shogi.Field(k) {
			h = h.With(k)
		}
		return dfpn.Hand(h)
	}
	if captured := b.At(m.To()); captured != shogi.NoPiece {
		k := captured.Kind().Unpromoted()
		if full := h&shogi.Field(k) == shogi.Field(k); h.Has(k) && (proven || !full) {
			h = h.Without(k)
		}
	}
	return dfpn.Hand(h)
}

func (c *cursor) Join(n *dfpn.Node, bounds []dfpn.Hand, proven bool) dfpn.Hand {
	if proven {
		h := c.matedBound()
		for _, bound := range bounds {
			h = dfpn.Hand(shogi.Hand(h).Larger(shogi.Hand(bound)))
		}
		return h
	}
	h := c.checklessBound()
	for i, bound := range bounds {
		h = h.Smaller(shogi.Hand(c.Lift(n.Children[i].Move, bound, false)))
	}
	return dfpn.Hand(h)
}

// matedBound returns what the attacker must hold so that the defender, to move, has no
// more replies than now: all pieces of the kinds that the defender could drop but does not
// hold.
func (c *cursor) matedBound() dfpn.Hand {
	b := c.board
	if checkers := b.Checkers(); !checkers.Empty() {
		checker := checkers.First()
		if checkers.Len() > 1 || distance(checker, b.King(c.attacker.Other())) == 1 || b.At(checker).Kind() == shogi.Knight {
			return 0 // it could drop nothing
		}
	}
	return dfpn.Hand(b.Hand(c.attacker) &^ b.Hand(c.attacker.Other()).Held())
}

// checklessBound returns what the attacker, to move, may hold without having more
// checks than now: any number of the kinds that it holds, nothing else.
func (c *cursor) checklessBound() shogi.Hand { return c.board.Hand(c.attacker).Held() }
