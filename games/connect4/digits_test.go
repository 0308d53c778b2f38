package connect4

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDigits(t *testing.T) {
	g, err := Family.Open("connect4")
	require.NoError(t, err)
	moves, err := g.ParseDigits("4455352")
	require.NoError(t, err)
	require.Equal(t, []Move{3, 3, 4, 4, 2, 4, 1}, moves)
	require.Equal(t, "4455352", string(AppendDigits(nil, moves)))
	for text, is := range map[string]bool{"4455352": true, "": false, "0": false, "44 5": false, "f5": false} {
		require.Equal(t, is, IsDigits(text), text)
	}
	for text, want := range map[string]string{
		"48":       "move 2: '8': want a column, 1 to 7",
		"4444444":  "move 7: 4: the column is full",
		"12121211": "move 8: 1: the game is over (loss in 0)",
		"4x":       "move 2: 'x': want a column, 1 to 7",
	} {
		_, err := g.ParseDigits(text)
		require.EqualError(t, err, want, text)
	}
}

func FuzzDigits(f *testing.F) {
	f.Add("4455352")
	f.Add("12121211")
	g, err := Family.Open("connect4")
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, text string) {
		moves, err := g.ParseDigits(text)
		if err == nil {
			require.Equal(t, text, string(AppendDigits(nil, moves)))
		}
		again, err := g.ParseDigits(string(AppendDigits(nil, moves)))
		require.NoError(t, err)
		require.Equal(t, moves, again)
	})
}
