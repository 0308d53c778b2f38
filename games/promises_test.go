package games_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// ending is a countdown whose outcomes are given.
type ending struct {
	countdown
	at       int // the position with the outcome
	outcome  games.Value
	finished bool
	moves    bool // it has moves
}

func (g *ending) Outcome(p int) (games.Value, bool) {
	if p == g.at {
		return g.outcome, g.finished
	}
	return g.countdown.Outcome(p)
}

func (g *ending) AppendMoves(dst []int, p int) []int {
	if p == g.at && !g.moves {
		return dst
	}
	return g.countdown.AppendMoves(dst, p)
}

// scoredEnding is an ending in a game with scores.
type scoredEnding struct{ ending }

func (*scoredEnding) Gain(int, int) int { return 0 }

func (*scoredEnding) Remaining(p int) int { return p }

func TestCheckPlay(t *testing.T) {
	for _, c := range []struct {
		outcome         games.Value
		finished, moves bool
		want            string
		withScores      string
	}{
		{games.Unfinished, false, true, "", ""},
		{games.Loss(0), true, false, "", "3 is finished with the value loss in 0: want a score, as the game is a Scorer"},
		{games.Win(1), true, false, "", "3 is finished with the value win in 1: want a score, as the game is a Scorer"},
		{games.Draw, true, false, "", ""},
		{games.Score(2), true, false, "3 is finished with the value +2: want a draw, a loss in 0, or a win in 0 or 1; a game with scores is a Scorer", ""},
		{games.Loss(2), true, false, "3 is finished with the value loss in 2: want a draw, a loss in 0, or a win in 0 or 1", "3 is finished with the value loss in 2: want a score, as the game is a Scorer"},
		{games.Unfinished, true, false, "3 is finished with the value unfinished: want the value for the side to move", "3 is finished with the value unfinished: want the value for the side to move"},
		{games.Draw, false, true, "3 has the outcome draw, and false: want Unfinished, and false, for a position that is not finished", "3 has the outcome draw, and false: want Unfinished, and false, for a position that is not finished"},
		{games.Unfinished, false, false, "3 has no moves, but Outcome says that it is not finished", "3 has no moves, but Outcome says that it is not finished"},
		{games.Draw, true, true, "3 is finished (draw), but has moves", "3 is finished (draw), but has moves"},
	} {
		g := &ending{countdown{name: "ending", start: 12}, 3, c.outcome, c.finished, c.moves}
		requireBug(t, games.CheckPlay(g), c.want)
		requireBug(t, games.CheckPosition(&scoredEnding{*g}, 3), c.withScores)
	}
}

// requireBug requires an error that ends with the given words, or none.
func requireBug(t *testing.T, err error, want string) {
	if want == "" {
		require.NoError(t, err)
		return
	}
	require.ErrorContains(t, err, want)
	require.Regexp(t, want[len(want)-5:]+"$", err.Error())
}
