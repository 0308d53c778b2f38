package tictactoe

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gametest"
)

func TestConformance(t *testing.T) { gametest.Run(t, Game{}) }

func FuzzText(f *testing.F) { gametest.FuzzText(f, Game{}) }

func TestPerft(t *testing.T) {
	gametest.Perft(t, Game{}, "startpos", 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872)
}

func TestParsePosition(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"x.o/.x.", `position "x.o/.x.": want 3 rows with / between, got 2`},
		{"x.o/.x./....", `position "x.o/.x./....": row 1: want 3 squares, got 4`},
		{"x.o/.x./..q", `position "x.o/.x./..q": row 1, column 3: 'q', want x, o or . for empty`},
		{"xxo/.x./...", `position "xxo/.x./...": 3 x and 1 o, want equal numbers, or one x more`},
		{"xxx/oo./o..", `position "xxx/oo./o..": x has three in a row, but o has made a move since`},
		{"xx./ooo/x.x", `position "xx./ooo/x.x": o has three in a row, but x has made a move since`},
	} {
		_, err := Game{}.ParsePosition(c.text)
		require.EqualError(t, err, c.want)
	}
}

func TestIndexCountsPositions(t *testing.T) {
	n := 0
	for i := range uint64(indices) {
		if _, ok := (Game{}).Position(i); ok {
			n++
		}
	}
	require.Equal(t, 765, n, "positions but for turning and mirroring")
}

func ExampleGame() {
	g := Game{}
	p, _ := g.ParsePosition("x.o/.x./...")
	m, _ := g.ParseMove(p, "c1")
	p = g.Play(p, m)
	fmt.Print(string(g.AppendBoard(nil, p)))
	// Output:
	//   +---+---+---+
	// 3 | x |   | o |
	//   +---+---+---+
	// 2 |   | x |   |
	//   +---+---+---+
	// 1 |   |   | o |
	//   +---+---+---+
	//     a   b   c
}
