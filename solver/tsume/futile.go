package tsume

import "github.com/yomikiri/yomikiri/games/shogi"

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
