package gomoku

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMoveList(t *testing.T) {
	g := open(t, "gomoku")
	for text, want := range map[string]string{
		"h8i9g7":            "h8i9g7",
		"H8 I9, G7":         "h8i9g7",
		"1. h8 2. i9 3.g10": "h8i9g10",
		"h8;i9 ":            "h8i9",
		"h10h11a1":          "h10h11a1",
	} {
		require.True(t, IsMoveList(text), text)
		moves, err := g.ParseMoveList(text)
		require.NoError(t, err, text)
		require.Equal(t, want, string(AppendMoveList(nil, moves)))
	}
	for _, text := range []string{"", "h8 x", "h", "8h", "h8-i9", "h123", "Piskvorky", "startpos moves h8", "15/15 x", "1. e4 e5", "1. e4 e5 2. d4"} {
		require.False(t, IsMoveList(text), text)
	}
	for text, want := range map[string]string{
		"h8h8":  `move 2: move "h8": the square is not empty`,
		"h8p1":  `move 2: move "p1": want a square, a1 to o15`,
		"h8 xx": `after move 1: "xx": want moves such as h8`,
	} {
		_, err := g.ParseMoveList(text)
		require.EqualError(t, err, want, text)
	}
}

func FuzzMoveList(f *testing.F) {
	f.Add("1. h8 2. i9 3.g10")
	f.Add("h8i9g7h8")
	g := open(f, "gomoku")
	f.Fuzz(func(t *testing.T, text string) {
		moves, _ := g.ParseMoveList(text)
		written := string(AppendMoveList(nil, moves))
		again, err := g.ParseMoveList(written)
		require.NoError(t, err, written)
		require.Equal(t, moves, again)
		require.Equal(t, len(moves) > 0, IsMoveList(written))
	})
}
