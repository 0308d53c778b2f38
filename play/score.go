package play

import (
	"math"

	"github.com/yomikiri/yomikiri/games"
)

// Score is how good a position is for the side to move. It is exact only if it comes from a
// database or the rules alone; see [Result.Advice].
type Score int32

const (
	// Infinity exceeds all scores, and -Infinity is below them.
	Infinity Score = 1 << 24
	// mostEstimate is the largest score that is not a win in some number of plies.
	mostEstimate Score = 1 << 23
	win                = Infinity - 1

	// Point is the score of one point in games with scores.
	Point Score = 100

	// scale is the score at which the side to move wins e times as often as it loses.
	scale = 256
)

// WinRate returns the share of games that the side to move wins from a position with a score:
// 1/(1+exp(-s/256)).
func WinRate(s Score) float64 { return 1 / (1 + math.Exp(-float64(s)/scale)) }

// ScoreOf returns the score of an exact value.
func ScoreOf(v games.Value) Score {
	if r := v.Result(); r != games.Drawn && v == r.Value() {
		return Score(r) * (win - games.MaxPlies) // without distance: the longest that a value can hold
	}
	if plies, ok := v.Plies(); ok {
		if v > 0 {
			return win - Score(plies)
		}
		return Score(plies) - win
	}
	return Score(v) * Point
}

// Mate returns the number of plies to the end of the game, and true, if the score is that of a
// win or a loss that the search has seen to its end. A positive score is a win.
func (s Score) Mate() (plies int, ok bool) {
	switch {
	case s > mostEstimate:
		return int(win - s), true
	case s < -mostEstimate:
		return int(s + win), true
	}
	return 0, false
}

// aged returns a score as it is n plies before: a win is n plies longer away.
func (s Score) aged(n int) Score {
	switch {
	case s > mostEstimate:
		return s - Score(n)
	case s < -mostEstimate:
		return s + Score(n)
	}
	return s
}
