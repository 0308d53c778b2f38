package tsume

import (
	"slices"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// over reports whether the defender, who has that many moves and drops, is mated but for futile
// interpositions, and what the attacker must hold for that.
func (c *cursor) over(moves, drops int) (bound dfpn.Hand, over bool) {
	switch {
	case moves == 0 && (drops == 0 || c.allFutile()):
		return c.matedBound(), true
	case c.futile == 0 || moves > 0 && c.futile&Moves == 0:
		return 0, false
	}
	b := c.board
	if !c.onlyInterpositions() {
		return 0, false
	}
	if c.judged == nil {
		c.judged = &interpositions{attacker: c.attacker, futile: c.futile}
	}
	if !c.judged.allFutile(b.Position()) {
		return 0, false
	}
	// Something may be dropped later that cannot be dropped now.
	return dfpn.Hand(b.Hand(c.attacker) &^ b.Hand(c.attacker.Other()).Held()), true
}

// onlyInterpositions reports whether the defender, in check, has only interpositions, the first of which can be
// captured. It says so of all positions of which [interpositions.allFutile] may, and fast.
func (c *cursor) onlyInterpositions() bool {
	b := c.board
	checkers, king := b.Checkers(), b.King(c.attacker.Other())
	checker := checkers.First()
	if checkers.Len() > 1 || distance(checker, king) == 1 || b.At(checker).Kind() == shogi.Knight {
		return false
	}
	c.drops = b.AppendEvasions(c.drops[:0])
	for _, m := range c.drops {
		if !m.IsDrop() && (m.From() == king || m.To() == checker) {
			return false
		}
	}
	first := c.drops[0]
	b.Do(first)
	c.drops = b.AppendChecks(c.drops[:0])
	b.Undo()
	return slices.ContainsFunc(c.drops, func(m shogi.Move) bool { return !m.IsDrop() && m.To() == first.To() })
}

// interpositions judges interpositions at the end of a line that other pieces than the checking
// one may capture, or that are moves.
//
// After an interposition and its capture, a dropped piece is taken to be in the defender's
// hand again. So only the kinds that the defender holds matter, not how many. In the game it has
// fewer, which leaves it no other replies, and the interpositions come to an end.
type interpositions struct {
	attacker shogi.Color
	futile   Futile
	known    map[shogi.Position]bool
	budget   int // of replies
}

// maxInterposed limits the interpositions of a position that are tried. One with more is no mate.
const maxInterposed = 1_000

// allFutile reports whether the defender, to move in check, has only futile interpositions.
func (x *interpositions) allFutile(p shogi.Position) bool {
	x.known, x.budget = map[shogi.Position]bool{}, maxInterposed
	return x.mated(p, shogi.NewBoard(p))
}

// mated is allFutile on a board that is at p, and is left anywhere. What is being asked already is
// not mate.
func (x *interpositions) mated(p shogi.Position, b *shogi.Board) bool {
	if known, ok := x.known[p]; ok {
		return known
	}
	x.known[p] = false
	replies := b.AppendEvasions(nil)
	if len(replies) == 0 {
		x.known[p] = true
		return true
	}
	checkers, king := b.Checkers(), p.King(p.Turn())
	checker := checkers.First()
	if checkers.Len() > 1 {
		return false
	}
	var seen [81]bool
	for _, m := range replies {
		if !m.IsDrop() && (x.futile&Moves == 0 || m.From() == king || m.To() == checker) {
			return false
		}
		if m.IsDrop() && p.King(x.attacker) == shogi.NoSquare { // it may be any piece
			if seen[m.To()] {
				continue
			}
			seen[m.To()] = true
		}
		if x.budget--; x.budget < 0 || !x.captured(p, m, checker) {
			return false
		}
	}
	x.known[p] = true
	return true
}

// captured reports whether the piece that a reply interposes can be captured, after which the
// defender is mated.
func (x *interpositions) captured(p shogi.Position, reply shogi.Move, checker shogi.Square) bool {
	for _, q := range pairs(p, reply, checker, x.attacker, x.futile) {
		if x.mated(q, shogi.NewBoard(q)) {
			return true
		}
	}
	return false
}

// pairs returns the positions after a reply between the king and the checking piece was captured with
// check; a dropped piece is in the hand of the defender again. The checking piece comes first.
func pairs(p shogi.Position, reply shogi.Move, checker shogi.Square, attacker shogi.Color, futile Futile) (list []shogi.Position) {
	b := shogi.NewBoard(p)
	b.Do(reply)
	for _, m := range b.AppendChecks(nil) {
		own := m.From() == checker
		if m.IsDrop() || m.To() != reply.To() || !own && futile&ByAnyPiece == 0 {
			continue
		}
		b.Do(m)
		checkers, usual := b.Checkers(), 0
		for _, s := range [...]shogi.Square{checker, m.To()} {
			if checkers.Has(s) {
				usual++
			}
		}
		third := checkers.Len() > usual
		after := b.Position()
		b.Undo()
		if third && !own && futile&ByDiscovery == 0 {
			continue
		}
		if reply.IsDrop() {
			board, _, turn := after.Parts()
			_, hands, _ := p.Parts()
			q, err := shogi.NewPosition(board, hands, turn)
			if err != nil {
				continue
			}
			after = q
		}
		if own {
			list = append([]shogi.Position{after}, list...)
		} else {
			list = append(list, after)
		}
	}
	return list
}

// allFutile reports whether the defender, in check from a distance, can only drop
// pieces in between which the checking piece captures, each time with mate in the same
// sense, until nothing is left to drop. Composers call that mate, and such drops futile
// interpositions (muda-ai), which do not count in the length. All of them are examined,
// so the mate is certain.
//
// Captures promote only if that is needed to mate. The defender must have no moves but
// drops.
func (c *cursor) allFutile() bool {
	if c.countAll {
		return false
	}
	if c.board.King(c.attacker) != shogi.NoSquare {
		// A dropped piece may give check to the attacker's king.
		budget := 400
		return c.futileDrops(&budget)
	}
	b := c.board
	checker := b.Checkers().First()
	return c.futileLine(checker, false) ||
		b.At(checker).Kind().CanPromote() && checker.InZone(c.attacker) && c.futileLine(checker, true)
}

// futileLine reports whether all drops are futile if the checking piece always
// promotes when it captures, or never does. Then only the square of the capture
// matters, not what was dropped: on each square between, the piece must leave the
// defender nothing but drops. Anything that can then be dropped nearer to the king
// could have been dropped there before.
func (c *cursor) futileLine(checker shogi.Square, promote bool) bool {
	b := c.board
	c.drops = b.AppendEvasions(c.drops[:0])
	var seen [81]bool
	for _, drop := range c.drops {
		s := drop.To()
		if seen[s] {
			continue
		}
		seen[s] = true
		if !promote && b.At(checker).Kind() == shogi.Lance && s.RankFor(c.attacker) == 1 {
			return false // it could never move again
		}
		b.Do(drop)
		b.Do(shogi.MoveOf(checker, s, promote))
		mates := b.InCheck()
		if mates {
			moves, _ := b.Replies()
			mates = moves == 0
		}
		b.Undo()
		b.Undo()
		if !mates {
			return false
		}
	}
	return true
}

// futileDrops is allFutile by trying all drops and captures. It returns false when the
// budget of drops is used up.
func (c *cursor) futileDrops(budget *int) bool {
	b := c.board
	moves, drops := b.Replies()
	if moves > 0 {
		return false
	}
	if drops == 0 {
		return true
	}
	checker := b.Checkers().First()
	for _, drop := range b.AppendEvasions(nil) {
		if *budget--; *budget < 0 || !c.futileDrop(drop, checker, budget) {
			return false
		}
	}
	return true
}

func (c *cursor) futileDrop(drop shogi.Move, checker shogi.Square, budget *int) bool {
	b := c.board
	b.Do(drop)
	defer b.Undo()
	for _, promote := range [...]bool{false, true} {
		m := shogi.MoveOf(checker, drop.To(), promote)
		if !b.Legal(m) || !b.GivesCheck(m) {
			continue
		}
		b.Do(m)
		futile := c.futileDrops(budget)
		b.Undo()
		if futile {
			return true
		}
	}
	return false
}
