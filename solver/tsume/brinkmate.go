package tsume

import (
	"context"
	"time"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// MostBrinkmate is the greatest number of moves of a brinkmate that can be asked for.
const MostBrinkmate = 99

// BrinkmateSolution is the result of [SolveBrinkmate].
type BrinkmateSolution struct {
	// Outcome is [dfpn.Proven] if there is a mate or a brinkmate, [dfpn.Disproven] if there is
	// none in the moves asked for, and [dfpn.Unknown] if a limit was reached first.
	Outcome dfpn.Outcome
	// Moves is the least number of the attacker's moves up to the brinkmate, the last of which
	// no defence survives; 0 if the position is mate already.
	Moves int
	// None is the number of moves in which there is proven to be no brinkmate, and -1 before it
	// is known that there is no mate.
	None int
	// Line is the brinkmate, 2*Moves-1 plies, a reply and the mate after it. The last reply is
	// one of those that hold out longest. Line ends early if a limit was reached. Tail is as in
	// [Solution].
	Line, Tail []shogi.Move
	// Nodes, Time, TimedOut and Full are as in [Solution].
	Nodes    uint64
	Time     time.Duration
	TimedOut bool
	Full     float64
}

// SolveBrinkmate looks for a brinkmate (hisshi): a position is one in n moves if the attacker has
// a move that gives check or threatens mate after which, whatever the defender does, there is a mate
// or a brinkmate in n-1 moves. Mate is by checks, and in 0 moves there is no brinkmate. The
// attacker must be to move. The fewest moves are searched for, up to most. Of the
// options, Threads, Nodes, Time and Progress matter.
func SolveBrinkmate(ctx context.Context, p Problem, most int, table *dfpn.Table, options Options) (BrinkmateSolution, error) {
	if p.Defends {
		return BrinkmateSolution{}, errBrinkmate.Error()
	}
	s, end := newSolving(ctx, p, table, options)
	r, err := s.brinkmate(most)
	r.Nodes, r.Time, r.Full = s.solution.Nodes, time.Since(s.begin), table.Full()
	r.TimedOut = end()
	return r, err
}

func (s *solving) brinkmate(most int) (r BrinkmateSolution, err error) {
	for r.None, r.Moves = -1, 0; r.Moves <= most; r.None, r.Moves = r.Moves, r.Moves+1 {
		found, err := s.searchFrom(dfpn.Unlimited, 0, func() (dfpn.Cursor, *cursor) {
			c := newBrinkCursor(s.problem, r.Moves, s.table)
			return c, c.cursor
		})
		if err != nil {
			return r, err
		}
		if r.Outcome = found.Outcome; r.Outcome == dfpn.Proven {
			r.Line, r.Tail, err = s.brinkLine(r.Moves)
			return r, err
		}
		if r.Outcome == dfpn.Unknown {
			break
		}
	}
	r.Moves = 0
	return r, nil
}

// brinkLine returns a line of play of a brinkmate in n moves that is proven, while none in fewer
// is, and the futile interpositions after it. The line ends early if a limit was reached.
func (s *solving) brinkLine(n int) (line, tail []shogi.Move, err error) {
	c := newBrinkCursor(s.problem, n, s.table)
	reader := dfpn.NewReader(s.ctx, s.table, c, dfpn.Config{Nodes: s.rest()})
	defer func() { s.solution.Nodes += reader.Nodes() }()
	for left := n - 1; left >= 0; left-- {
		r := reader.Search(dfpn.Unlimited)
		if r.Outcome != dfpn.Proven {
			return c.line(), nil, nil
		}
		c.Do(r.Move)
		reply := c.longestReply(reader, left)
		if reply == shogi.NoMove {
			return c.line(), nil, nil
		}
		c.Do(brinkMove(reply, left))
	}
	mate, limited := reader.Line(false)
	if limited != nil {
		return c.line(), nil, nil
	}
	for _, m := range mate {
		c.Do(m)
	}
	line = c.line()
	tail, err = c.tail()
	return line, tail, err
}

// longestReply returns a reply that prevents a brinkmate in fewer moves than are left, or, with
// none left, the one after which the mate that is known takes longest. It returns
// [shogi.NoMove] if there is none or a limit was reached.
func (c *brinkCursor) longestReply(reader *dfpn.Reader, left int) (reply shogi.Move) {
	longest := -1
	for _, m := range c.board.AppendMoves(nil) {
		c.Do(brinkMove(m, max(left-1, 0)))
		r := reader.Search(dfpn.Unlimited)
		c.Undo(0)
		switch {
		case r.Outcome == dfpn.Unknown:
			return shogi.NoMove
		case r.Outcome == dfpn.Disproven:
			return m
		case left == 0 && int(r.Length) > longest:
			reply, longest = m, int(r.Length)
		}
	}
	return reply
}

// brinkCursor is a cursor for brinkmates. Its positions also say how many moves without a mate
// the attacker has left, of which the last must leave no defence: with none, the attacker can
// only give check, and the keys are those of a cursor for mates.
//
// After a move that gives no check, the defender has one reply more: to pass. The attacker must
// mate after that too, or the move was no threat.
type brinkCursor struct {
	*cursor
	left []uint8 // at each position on the way, the current one last
}

var _ dfpn.Hands = (*brinkCursor)(nil)

func newBrinkCursor(p Problem, left int, table *dfpn.Table) *brinkCursor {
	return &brinkCursor{newCursor(p, false, table), []uint8{uint8(left)}}
}

// brinkMove encodes a move with the number of moves left after it. [shogi.NoMove] passes.
//
//	bits 16-23   bits 0-15
//	left         move
func brinkMove(m shogi.Move, left int) dfpn.Move { return dfpn.Move(left)<<16 | dfpn.Move(m) }

// brinkSalt is added to the keys of positions with moves left.
func brinkSalt(left int) uint64 { return uint64(left) * 0x9fb21c651e98df25 }

func (c *brinkCursor) current() int { return int(c.left[len(c.left)-1]) }
func (c *brinkCursor) Root() uint64 { return c.cursor.Root() ^ brinkSalt(c.current()) }

func (c *brinkCursor) Do(m dfpn.Move) {
	if shogi.Move(m) == shogi.NoMove {
		c.board.Pass()
	} else {
		c.board.Do(shogi.Move(m))
	}
	c.left = append(c.left, uint8(m>>16))
}

func (c *brinkCursor) Undo(dfpn.Move) {
	c.board.Undo()
	c.left = c.left[:len(c.left)-1]
}

// Lift returns the bound of a position as the other cursor does. The defender can only pass if it has
// a reply, which a larger hand of the attacker must leave it too: one without a drop if there is one.
func (c *brinkCursor) Lift(m dfpn.Move, bound dfpn.Hand, proven bool) dfpn.Hand {
	if shogi.Move(m) == shogi.NoMove {
		c.moves = c.board.AppendMoves(c.moves[:0])
		m = dfpn.Move(c.moves[0]) // drops come last
	}
	return c.cursor.Lift(m, bound, proven)
}

func (c *brinkCursor) Expand(n *dfpn.Node) {
	n.Or = c.board.Turn() == c.attacker
	switch left := c.current(); {
	case left == 0 && (n.Or || c.board.InCheck()):
		c.cursor.Expand(n)
	case n.Or:
		c.expandAttack(n, left)
	default:
		c.expandDefence(n, left)
	}
}

// expandAttack adds all moves: checks to mate by checks alone, and all moves that leave one move
// less.
func (c *brinkCursor) expandAttack(n *dfpn.Node, left int) {
	b := c.board
	if c.expandChecks(n); n.Status == dfpn.Won {
		return
	}
	checks := n.Children
	for i := range checks {
		if left == 1 {
			break // after a check, no move left means to mate by checks
		}
		child := checks[i]
		child.Key ^= brinkSalt(left - 1)
		child.Move = brinkMove(shogi.Move(child.Move), left-1)
		child.Proof *= 2
		n.Children = append(n.Children, child)
	}
	king := b.King(c.attacker.Other())
	c.moves = b.AppendMoves(c.moves[:0])
	for _, m := range c.moves {
		if b.GivesCheck(m) {
			continue
		}
		child := c.child(m, true, uint16(quietProof+2*distance(m.To(), king)))
		child.Key ^= brinkSalt(left - 1)
		child.Move = brinkMove(m, left-1)
		n.Children = append(n.Children, child)
	}
	if len(n.Children) > 0 {
		n.Status = dfpn.Open // though there may be no check
	}
}

// Initial numbers, and groups of replies to a move that gives no check or leaves further moves.
const (
	quietProof    = 8 // at least, of a move that gives no check
	strongReply   = 2 // disproof number of a move of the king, a capture, or a check
	weakReply     = 4 // of others
	passGroup     = 1 // passing, and drops that are far from the king, one after the other
	firstNear     = 2 // drops on each square near the king
	nearSquares   = 24
	firstChecking = firstNear + nearSquares // checks by drops of each kind
	firstMoving   = firstChecking + 7       // moves of each piece
)

func (c *brinkCursor) expandDefence(n *dfpn.Node, left int) {
	b := c.board
	check := b.InCheck()
	c.moves = b.AppendMoves(c.moves[:0])
	if len(c.moves) == 0 { // mate, or stalemate, which loses too
		n.Status, n.Bound = dfpn.Won, c.matedBound()
		return
	}
	if !check {
		b.Pass()
		n.Children = append(n.Children, dfpn.Child{Key: c.cursor.Root(), Hand: dfpn.Hand(b.Hand(c.attacker)), Proof: 1, Disproof: 1, Group: passGroup})
		b.Undo()
	}
	for _, m := range c.moves {
		child := c.child(m, false, strongReply)
		child.Key ^= brinkSalt(left)
		child.Move = brinkMove(m, left)
		if child.Group = c.replyGroup(m); child.Group != 0 {
			child.Disproof = weakReply
		}
		n.Children = append(n.Children, child)
	}
}

// replyGroup returns the group of a reply, 0 for those that are likely to refute.
func (c *brinkCursor) replyGroup(m shogi.Move) uint8 {
	b := c.board
	king := b.King(b.Turn())
	switch checks := b.GivesCheck(m); {
	case m.IsDrop() && checks:
		return firstChecking + uint8(m.Dropped()-shogi.Pawn)
	case m.IsDrop() && distance(m.To(), king) > 2:
		return passGroup
	case m.IsDrop():
		at := (m.To().File()-king.File()+2)*5 + m.To().Rank() - king.Rank() + 2
		return firstNear + uint8(at%nearSquares)
	case checks || m.From() == king || b.At(m.To()) != shogi.NoPiece:
		return 0
	}
	return firstMoving + uint8(m.From())%(64-firstMoving)
}
