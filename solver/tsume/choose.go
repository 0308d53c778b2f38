package tsume

import (
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// chooser chooses among replies that hold out equally long, as composers do: the
// one at whose end the attacker has least left in hand.
type chooser struct {
	cursor *cursor
	reader *dfpn.Reader
	exact  bool // lengths are, otherwise they are bounds and no line is followed
	chosen map[shogi.Position]dfpn.Move
	nested int
	lines  int // that were followed
}

// Limits of what a chooser follows: lines within lines, and lines in all. Where they
// are reached a reply counts for as long as it does not drop a piece.
const (
	maxNested = 2
	maxLines  = 200
)

// choose implements [dfpn.Reader.Choose].
func (c *chooser) choose(replies []dfpn.Move) dfpn.Move {
	best := replies[0]
	for _, m := range replies {
		if !shogi.Move(m).IsDrop() {
			best = m
			break
		}
	}
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

// left returns how many pieces the attacker has in hand at the end of the line that
// begins with a reply.
func (c *chooser) left(m dfpn.Move) int {
	c.lines++
	c.cursor.Do(m)
	defer c.cursor.Undo(m)
	line, err := c.reader.Line(true)
	if err != nil {
		return shogi.MaxMoves // more than there are: it is not known
	}
	for _, m := range line {
		c.cursor.Do(m)
	}
	n := c.cursor.board.Hand(c.cursor.attacker).Len()
	for i := len(line) - 1; i >= 0; i-- {
		c.cursor.Undo(line[i])
	}
	return n
}
