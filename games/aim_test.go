package games_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

func TestAiming(t *testing.T) {
	o, err := othello.Family.Open("othello:size=4x4")
	require.NoError(t, err)
	a, err := awari.Family.Open("awari:stones=7")
	require.NoError(t, err)
	discs, err := games.Aiming(o)
	require.NoError(t, err)
	stones, err := games.Aiming(a)
	require.NoError(t, err)
	t.Run("othello", func(t *testing.T) { gametest.Run(t, discs) })
	t.Run("awari", func(t *testing.T) { gametest.Run(t, stones) })
	_, ends := discs.(games.Layerer[games.Aim[othello.Position]])
	require.True(t, ends)
	_, ends = stones.(games.Layerer[games.Aim[awari.Position]])
	require.False(t, ends)
	_, err = games.Aiming(tictactoe.Game{})
	require.ErrorIs(t, err, games.ErrNoScores)
}

// TestAimingValues compares all aims in all positions of 4×4 with the scores.
func TestAimingValues(t *testing.T) {
	g, err := othello.Family.Open("othello:size=4x4")
	require.NoError(t, err)
	aims, err := games.Aiming(g)
	require.NoError(t, err)
	scores := map[othello.Position]games.Value{}
	var score func(p othello.Position) games.Value
	score = func(p othello.Position) games.Value {
		v, ok := scores[p]
		if ok {
			return v
		}
		if v, ok = g.Outcome(p); !ok {
			v = games.Score(-16)
			for _, m := range g.AppendMoves(nil, p) {
				v = max(v, -score(g.Play(p, m)))
			}
		}
		scores[p] = v
		return v
	}
	score(g.Start())
	known := map[games.Aim[othello.Position]]games.Result{}
	for p, v := range scores {
		for points := v - 1; points <= v+2; points++ {
			want := games.Lost
			if points <= v {
				want = games.Won
			}
			require.Equal(t, want, gametest.Negamax(aims, games.Aim[othello.Position]{Position: p, Points: int16(points)}, known))
		}
	}
}

func TestAimText(t *testing.T) {
	g, err := othello.Family.Open("othello:size=4x4")
	require.NoError(t, err)
	aims, err := games.Aiming(g)
	require.NoError(t, err)
	p, err := aims.ParsePosition("-----OX--XO----- X >=-8")
	require.NoError(t, err)
	require.Equal(t, games.Aim[othello.Position]{Position: g.Start(), Points: -8}, p)
	for text, want := range map[string]string{
		"-----OX--XO----- X":           "want the points",
		"-----OX--XO----- X >=":        "want a number of points",
		"-----OX--XO----- X >=+8":      "want a number of points",
		"-----OX--XO----- X >=08":      "want a number of points",
		"-----OX--XO----- X >=16001":   "want a number of points",
		"-----OX--XO----- X >= 8":      "want a number of points",
		"-----OX--XO----- Y >=8":       "side to move",
		"-----OX--XO----- X >=1 >=2":   "side to move",
		"-----OX--XO----- X >=-16001x": "want a number of points",
	} {
		_, err := aims.ParsePosition(text)
		require.ErrorContains(t, err, want, text)
	}
}
