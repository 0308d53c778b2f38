package db_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/internal/dbtest"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

func TestAnswer(t *testing.T) {
	g := tictactoe.Game{}
	prober, _ := prober(t, g, "reachable")
	for _, c := range []struct{ position, want string }{
		{"xo./xx./.oo", `{"game":"tictactoe","position":"xo./xx./.oo","category":"win","dtm":1,"score":null,"finished":false,"moves":[` +
			`{"move":"a1","position":"xo./xx./xoo","category":"win","dtm":1,"score":null,"preserves_result":true,"optimal":true},` +
			`{"move":"c2","position":"xo./xxx/.oo","category":"win","dtm":1,"score":null,"preserves_result":true,"optimal":true},` +
			`{"move":"c3","position":"xox/xx./.oo","category":"loss","dtm":2,"score":null,"preserves_result":false,"optimal":false}]}`},
		{"xxx/oo./...", `{"game":"tictactoe","position":"xxx/oo./...","category":"loss","dtm":0,"score":null,"finished":true,"moves":[]}`},
	} {
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err)
		a, err := prober.Answer(p, [2]int{})
		require.NoError(t, err)
		text, err := json.Marshal(a)
		require.NoError(t, err)
		require.Equal(t, c.want, string(text))
	}
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
		won       [2]int
		category  string
		score     [2]float64
		scores    [][2]float64 // after each move
		preserves []bool
	}{
		{[2]int{0, 0}, "win", [2]float64{2.5, 0.5}, [][2]float64{{2.5, 0.5}, {0.5, 2.5}}, []bool{true, false}},
		{[2]int{5, 0}, "win", [2]float64{7.5, 0.5}, [][2]float64{{7.5, 0.5}, {5.5, 2.5}}, []bool{true, true}},
		{[2]int{0, 2}, "draw", [2]float64{2.5, 2.5}, [][2]float64{{2.5, 2.5}, {0.5, 4.5}}, []bool{true, false}},
	} {
		a, err := prober.Answer(3, c.won)
		require.NoError(t, err)
		require.Equal(t, c.category, a.Category)
		require.Nil(t, a.DTM)
		require.Equal(t, 2, *a.Score)
		require.Equal(t, c.score, *a.FinalScore)
		require.Len(t, a.Moves, 2)
		for i, m := range a.Moves {
			require.Equal(t, []string{"1", "2"}[i], m.Move)
			require.Equal(t, []int{2, -2}[i], *m.Score)
			require.Equal(t, c.scores[i], *m.FinalScore)
			require.Equal(t, i == 0, m.Optimal)
			require.Equal(t, c.preserves[i], m.Preserves)
		}
	}
}
