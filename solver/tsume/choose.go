package tsume

import (
	"slices"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// chooser chooses among replies that hold out equally long, as composers do: it takes the
// one that leaves the attacker the fewest pieces in hand at the end.
type chooser struct {
	cursor *cursor
	reader *dfpn.Reader
	exact  bool // lengths are exact; otherwise no lines are followed
	chosen map[shogi.Position]dfpn.Move
	nested int
	lines  int // followed so far
}

// Limits of what a chooser follows: nested lines, and lines in total. Beyond them it
// chooses the first reply that is not a drop.
const (
	maxNested = 2
	maxLines  = 200
)

func (c *chooser) choose(replies []dfpn.Move) dfpn.Move {
	best := replies[max(slices.IndexFunc(replies, func(m dfpn.Move) bool { return !shogi.Move(m).IsDrop() }), 0)]
	if !c.exact || c.nested == maxNested || c.lines+len(replies) > maxLines {
		return best
	}
	at := c.cursor.board.Position()
	if m, known := c.chosen[at]; known {
		return m
	}
	c.nested++
	left := c.left(best)
	for _, m := range replies {
		if n := c.left(m); n < left {
			best, left = m, n
		}
	}
	c.nested--
	if c.nested == 0 {
		if c.chosen == nil {
			c.chosen = map[shogi.Position]dfpn.Move{}
		}
		c.chosen[at] = best
	}
	return best
}

// left returns the number of pieces in the attacker's hand at the end of the line that
// begins with a reply.
func (c *chooser) left(m dfpn.Move) int {
	c.lines++
	c.cursor.Do(m)
	defer c.cursor.Undo(m)
	line, err := c.reader.Line(true)
	if err != nil {
		return shogi.MaxMoves // unknown: more than there are
	}
	for _, m := range line {
		c.cursor.Do(m)
	}
	n := c.cursor.board.Hand(c.cursor.attacker).Len()
	for range line {
		c.cursor.board.Undo()
	}
	return n
}
