package tsume

import (
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// selfmate finds the shortest self mate of up to most plies, its main line, and what else there is along it.
func (s *solving) selfmate(most int, r *GoalSolution) error {
	var err error
	if r.Outcome, r.Length, err = s.selfmateWithin(most, r); err != nil || r.Outcome != dfpn.Proven {
		return err
	}
	line, err := s.selfLine(nil)
	if r.Incomplete = err != nil; r.Incomplete {
		return nil
	}
	r.Lines = [][]shogi.Move{line}
	for i := range line {
		if s.defends(i) {
			err = s.equalReplies(line, i, r)
		} else {
			err = s.selfCooks(line, i, most, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// selfmateWithin finds the length of the shortest self mate of up to most plies after some moves. In r it
// notes in how many there is none.
func (s *solving) selfmateWithin(most int, r *GoalSolution, moves ...shogi.Move) (dfpn.Outcome, int, error) {
	c := newSelfCursor(s.problem, s.table, moves).own
	first := 1
	if c.board.Turn() == c.attacker {
		if first = 2; c.board.Mated() {
			return dfpn.Proven, 0, nil
		}
	}
	r.None = first - 2
	for n := first; n <= most; n += 2 {
		found, err := s.searchFrom(uint16(n), 0, func() (dfpn.Cursor, *cursor) {
			c := newSelfCursor(s.problem, s.table, moves)
			return c, c.own
		})
		switch {
		case err != nil || found.Outcome == dfpn.Unknown:
			return dfpn.Unknown, 0, err
		case found.Outcome == dfpn.Proven:
			return dfpn.Proven, n, nil
		}
		r.None = n
		if r.Never = found.Length == dfpn.Unlimited; r.Never {
			return dfpn.Disproven, 0, nil
		}
	}
	r.None = most
	return dfpn.Disproven, 0, nil
}

// selfLine returns a line of the shortest self mate, which is proven, after some moves. It fails if a limit
// was reached.
func (s *solving) selfLine(moves []shogi.Move) ([]shogi.Move, error) {
	reader := dfpn.NewReader(s.ctx, s.table, newSelfCursor(s.problem, s.table, moves), dfpn.Config{Nodes: s.rest()})
	defer func() { s.solution.Nodes += reader.Nodes() }()
	line, err := reader.Line(true)
	all := make([]shogi.Move, len(line))
	for i, m := range line {
		all[i] = shogi.Move(m)
	}
	return all, err
}

// selfCooks finds the other checks after i moves of the line that force a self mate within most plies.
func (s *solving) selfCooks(line []shogi.Move, i, most int, r *GoalSolution) error {
	b := newSelfCursor(s.problem, s.table, line[:i]).own.board
	for _, m := range b.AppendChecks(nil) {
		if m == line[i] {
			continue
		}
		moves := append(line[:i:i], m)
		outcome, length, err := s.selfmateWithin(most-i-1, &GoalSolution{}, moves...)
		switch {
		case err != nil:
			return err
		case outcome == dfpn.Disproven:
			continue
		case outcome == dfpn.Unknown:
			r.Incomplete = true
			continue
		}
		rest, err := s.selfLine(moves)
		cook := Alternative{Ply: i, FirstMove: FirstMove{Move: m, Outcome: outcome, Length: length + 1, Shortest: true}}
		if err == nil {
			cook.Line = append([]shogi.Move{m}, rest...)
		} else {
			r.Incomplete = true
		}
		r.Cooks = append(r.Cooks, cook)
	}
	return nil
}

// equalReplies finds the other replies after i moves of the line that hold out as long.
func (s *solving) equalReplies(line []shogi.Move, i int, r *GoalSolution) error {
	b := newSelfCursor(s.problem, s.table, line[:i]).own.board
	left := len(line) - i
	for _, m := range b.AppendEvasions(nil) {
		if m == line[i] {
			continue
		}
		outcome := dfpn.Disproven
		if left > 1 {
			var err error
			if outcome, _, err = s.selfmateWithin(left-2, &GoalSolution{}, append(line[:i:i], m)...); err != nil {
				return err
			}
		}
		switch outcome {
		case dfpn.Unknown:
			r.Incomplete = true
		case dfpn.Disproven:
			r.Equal = append(r.Equal, Alternative{Ply: i, FirstMove: FirstMove{Move: m, Outcome: dfpn.Proven, Length: left, Shortest: true}})
		}
	}
	return nil
}

// selfCursor is a cursor for self mates, in which the attacker wins when it is mated. It is no [dfpn.Hands]:
// with more in hand the attacker has more checks, but also more to interpose.
type selfCursor struct {
	own *cursor
}

func newSelfCursor(p Problem, table *dfpn.Table, moves []shogi.Move) *selfCursor {
	c := newCursor(p, true, table)
	c.salt = goalSalt(p, Selfmate)
	for _, m := range moves {
		c.board.Do(m)
	}
	return &selfCursor{c}
}

func (c *selfCursor) Do(m dfpn.Move)   { c.own.Do(m) }
func (c *selfCursor) Undo(m dfpn.Move) { c.own.Undo(m) }
func (c *selfCursor) Root() uint64 {
	return c.own.Root() ^ handSalt(c.own.board.Hand(c.own.attacker))
}

// child returns the child after m, with its initial numbers.
func (c *selfCursor) child(m shogi.Move, proof, disproof int) dfpn.Child {
	key, hand := c.own.board.After(m)
	if c.own.board.Turn() != c.own.attacker {
		hand = c.own.board.Hand(c.own.attacker)
	}
	return dfpn.Child{Key: key ^ c.own.salt ^ handSalt(hand), Move: dfpn.Move(m), Proof: uint16(proof), Disproof: uint16(disproof)}
}

func (c *selfCursor) Expand(n *dfpn.Node) {
	if n.Or = c.own.board.Turn() == c.own.attacker; n.Or {
		c.expandChecks(n)
	} else {
		c.expandReplies(n)
	}
}

// expandChecks adds the checks. Those that mate are left out, since they lose.
func (c *selfCursor) expandChecks(n *dfpn.Node) {
	b := c.own.board
	if b.Mated() {
		n.Status = dfpn.Won
		return
	}
	n.Least = 2
	c.own.moves = b.AppendChecks(c.own.moves[:0])
	for _, m := range c.own.moves {
		b.Do(m)
		moves, drops := b.Replies()
		b.Undo()
		if moves+drops > 0 {
			n.Children = append(n.Children, c.child(m, moves+drops, 1))
		}
	}
	if len(n.Children) == 0 {
		n.Status = dfpn.Lost
	}
}

// expandReplies adds the replies, unless one leaves the attacker without a check, or all of them mate it.
func (c *selfCursor) expandReplies(n *dfpn.Node) {
	b := c.own.board
	n.Least = 1
	c.own.moves = b.AppendEvasions(c.own.moves[:0])
	if len(c.own.moves) == 0 {
		n.Status = dfpn.Lost
		return
	}
	all := true
	for _, m := range c.own.moves {
		b.Do(m)
		mated := b.Mated()
		c.own.checks = c.own.checks[:0]
		if !mated {
			c.own.checks = b.AppendChecks(c.own.checks)
		}
		b.Undo()
		if !mated && len(c.own.checks) == 0 {
			n.Status, n.Move = dfpn.Lost, dfpn.Move(m)
			return
		}
		all = all && mated
		child := c.child(m, 1, len(c.own.checks)+1)
		if m.IsDrop() {
			child.Group = dropGroup
		}
		n.Children = append(n.Children, child)
	}
	if all {
		n.Status, n.Length, n.Move = dfpn.Won, 1, n.Children[0].Move
	}
}
