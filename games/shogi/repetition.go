package shogi

// Repetition is the verdict of the rules on a repeated position.
type Repetition uint8

// The verdicts, from the point of view of the side to move.
const (
	NoRepetition Repetition = iota // the position has not occurred four times
	Draw                           // fourfold repetition (千日手)
	WonByChecks                    // the opponent has given check with every move
	LostByChecks                   // the side to move has given check with every move
	fourfold     = 4               // how often a position must occur
)

// Repetition judges the moves done since [Board.Set]. If the position on the
// board, hands and side to move included, has occurred four times, the game is
// over: a draw, unless one side gave check with each of its moves since the
// first of the four (perpetual check); that side has lost.
func (b *Board) Repetition() Repetition {
	n := len(b.history)
	seen, first := 1, n
	for i := n - 4; i >= 0 && seen < fourfold; i -= 2 {
		if h := &b.history[i]; h.key == b.key && h.hands == b.hands {
			seen, first = seen+1, i
		}
	}
	if seen < fourfold {
		return NoRepetition
	}
	// checked[0] is true if all the opponent's moves gave check, checked[1] if all
	// moves of the side to move did.
	checked := [2]bool{b.InCheck(), true}
	for i := n - 1; i > first; i-- {
		side := (n - i) & 1
		checked[side] = checked[side] && !b.history[i].checkers.Empty()
	}
	switch {
	case checked[0]:
		return WonByChecks
	case checked[1]:
		return LostByChecks
	}
	return Draw
}
