package games_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// wide is a countdown with many moves, and without a parser of moves.
type wide struct{ countdown }

func (wide) ParseMove() {}

func (w *wide) AppendMoves(dst []int, p int) []int {
	for m := 1; m <= p; m++ {
		dst = append(dst, m)
	}
	return dst
}

// TestParseMove reads moves with the game's own parser and by their texts.
func TestParseMove(t *testing.T) {
	own := &countdown{}
	m, err := games.ParseMove(own, 5, "2")
	require.NoError(t, err)
	require.Equal(t, 2, m)
	_, err = games.ParseMove(own, 5, "3")
	require.EqualError(t, err, "no step of 3")

	byText := &wide{}
	m, err = games.ParseMove(byText, 5, "5")
	require.NoError(t, err)
	require.Equal(t, 5, m)
	for _, c := range []struct {
		p    int
		text string
		want string
	}{
		{2, "3", `move "3": not one of the legal moves: 1 2`},
		{2, "02", `move "02": not one of the legal moves: 1 2`},
		{0, "1", `move "1": the game is over (loss in 0)`},
		{30, "x", `move "x": not one of the legal moves: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 ...`},
	} {
		_, err := games.ParseMove(byText, c.p, c.text)
		require.EqualError(t, err, c.want)
	}
}
