package db_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/internal/dbtest"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

func TestAnswer(t *testing.T) {
	g := tictactoe.Game{}
	prober, _ := prober(t, g, "reachable")
	p, err := g.ParsePosition("xo./.x./..o")
	require.NoError(t, err)
	a, err := prober.Answer(p, [2]int{})
	require.NoError(t, err)
	require.Equal(t, &db.Answer{
		Game: "tictactoe", Position: "xo./.x./..o", Value: games.Win(3),
		Moves: []db.AnswerMove{
			{Move: "a1", Value: games.Win(3), Optimal: true, Preserves: true},
			{Move: "a2", Value: games.Win(3), Optimal: true, Preserves: true},
			{Move: "b1", Value: games.Draw}, {Move: "c2", Value: games.Draw}, {Move: "c3", Value: games.Draw},
		},
		Line: a.Line,
	}, a)
	require.Len(t, a.Line, 3)

	p, err = g.ParsePosition("xxx/oo./...")
	require.NoError(t, err)
	a, err = prober.Answer(p, [2]int{})
	require.NoError(t, err)
	text, err := json.Marshal(a)
	require.NoError(t, err)
	require.Equal(t, `{"game":"tictactoe","position":"xxx/oo./...","value":"loss in 0","finished":true,"moves":[],"line":[]}`,
		string(text), "lists are empty, not null")

}

func TestAnswerNotHeld(t *testing.T) {
	prober, _ := prober(t, dbtest.Ladder("reachable", 5, 1, 20), "reachable")
	_, err := prober.Answer(9, [2]int{})
	require.ErrorIs(t, err, db.ErrNotHeld)
}

// stake is a pile of which every stone is a point.
type stake struct{ pile }

func (stake) Remaining(p int) int { return p }

// TestAnswerScore checks that the result of the game depends on what both sides
// have won before.
func TestAnswerScore(t *testing.T) {
	g, s := newPile()
	prober, err := db.NewProber[int, int](dbtest.Open(t, writeTo(t, s)), stake{g})
	require.NoError(t, err)
	for _, c := range []struct {
		won   [2]int
		score [2]float64
		moves []db.AnswerMove
	}{
		{[2]int{0, 0}, [2]float64{2.5, 0.5}, []db.AnswerMove{
			{Move: "1", Value: 2, FinalScore: &[2]float64{2.5, 0.5}, Optimal: true, Preserves: true},
			{Move: "2", Value: -2, FinalScore: &[2]float64{0.5, 2.5}},
		}},
		{[2]int{5, 0}, [2]float64{7.5, 0.5}, []db.AnswerMove{
			{Move: "1", Value: 2, FinalScore: &[2]float64{7.5, 0.5}, Optimal: true, Preserves: true},
			{Move: "2", Value: -2, FinalScore: &[2]float64{5.5, 2.5}, Preserves: true},
		}},
	} {
		a, err := prober.Answer(3, c.won)
		require.NoError(t, err)
		require.Equal(t, c.score, *a.FinalScore)
		require.Equal(t, c.moves, a.Moves)
	}
}
