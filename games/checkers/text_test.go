package checkers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

func TestPositions(t *testing.T) {
	g := open(t, "checkers")
	for _, c := range []struct{ text, want string }{
		{"B:W21-32:B1-12", string(g.AppendPosition(nil, g.Start()))},
		{"W:BK32,1:W18,K3.", "W:WK3,18:B1,K32"},
		{"W:W:BK3", "W:W:BK3"},
		{"w:w18:b3,k4", "W:W18:B3,K4"},
		{"W:W18:B3:H0:F1", "W:W18:B3"},
		{" B : W18, K20 : B3 : F12 ", "B:W18,K20:B3"},
	} {
		p, err := g.ParsePosition(c.text)
		require.NoError(t, err)
		require.Equal(t, c.want, string(g.AppendPosition(nil, p)))
	}
	for text, want := range map[string]string{
		"W21:B1":      "got 2",
		"X:W21:B1":    `side to move "X"`,
		"B:W21:B1:X1": "got 4",
		"B:W21:H0":    `squares "H0"`,
		"B:W21:W22":   "the squares of W are given twice",
		"B:21:B1":     `squares "21"`,
		"B:W33:B1":    "want a number from 1 to 32",
		"B:W21:B0":    "want a number from 1 to 32",
		"B:W21:B01":   "want a number from 1 to 32",
		"B:W21,:B1":   `square ""`,
		"B:W22-21:B1": "the larger number comes first",
		"B:W21:B21":   "square 21 is given twice",
		"B:W20-32:B1": "White has 13 pieces, at most 12",
		"B:W:B1":      "White, who has just moved, has no piece",
		"B:W21:B29":   "Black has a man in the last row",
		"W:W21:B29":   "Black has a man in the last row",
		"B:W4:B1":     "White has a man in the last row",
	} {
		_, err := g.ParsePosition(text)
		require.ErrorContains(t, err, want, text)
	}
	_, err := open(t, "checkers:pieces=3").ParsePosition("B:W21,22:B1,2")
	require.ErrorContains(t, err, "4 pieces are on the board, checkers:pieces=3 has at most 3")
	_, err = g.Index(g.Start())
	require.ErrorContains(t, err, "more than 10 pieces")
}

// TestMoves has the moves of positions with a point of the rules each.
func TestMoves(t *testing.T) {
	g := open(t, "checkers")
	for _, c := range []struct{ position, moves string }{
		// Captures must be made, and continued.
		{"B:W15,23,32:B1,11", "11x18x27"},
		// A man captures only forward, a king also backward.
		{"W:W14:B17", "14-9 14-10"},
		{"W:WK14:B17", "14x21"},
		// A man that is crowned stops.
		{"B:W26,27:B22", "22x31"},
		{"B:W26,27:BK22", "22x31x24"},
		// Around a square of pieces a king captures both ways, and ends where it began.
		{"B:W6,7,14,15:BK2", "2x11x18x9x2 2x9x18x11x2"},
		// Any route, not only the longest.
		{"B:W6,7,15:B2", "2x11x18 2x9"},
		// A side that cannot move has lost.
		{"B:W9,10,14,17:B5", ""},
		{"W:W:B5", ""},
	} {
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err)
		var moves []string
		for _, m := range g.AppendMoves(nil, p) {
			moves = append(moves, string(g.AppendMove(nil, p, m)))
		}
		require.ElementsMatch(t, strings.Fields(c.moves), moves, c.position)
		v, finished := g.Outcome(p)
		require.Equal(t, c.moves == "", finished)
		require.Equal(t, finished, v == games.Loss(0))
	}
}

// TestTyped reads small letters, and quotes them as they were typed.
func TestTyped(t *testing.T) {
	g := open(t, "checkers")
	want, err := g.ParsePosition("B:W21,K30:B1,K2:H0:F1")
	require.NoError(t, err)
	p, err := g.ParsePosition("b:w21,k30:b1,k2:h0:f1")
	require.NoError(t, err)
	require.Equal(t, want, p)
	for text, want := range map[string]string{
		"x:w21:b1":     `position "x:w21:b1": side to move "x", want B or W`,
		"b:w21:q1":     `position "b:w21:q1": squares "q1": want B or W first`,
		"b:w21:w1":     `position "b:w21:w1": the squares of w are given twice`,
		"b:wx21:b1":    `position "b:wx21:b1": ` + squareError(t, g, "x21"),
		"b:wkk21:b1":   `position "b:wkk21:b1": ` + squareError(t, g, "k21"),
		"b:wk21-k3:b1": `position "b:wk21-k3:b1": ` + squareError(t, g, "k3"),
	} {
		_, err := g.ParsePosition(text)
		require.EqualError(t, err, want)
	}
}

// squareError returns what is said of something that is no square.
func squareError(t *testing.T, g *Game, text string) string {
	_, err := g.parseSquare(text)
	require.ErrorContains(t, err, text)
	return err.Error()
}

func TestParseMove(t *testing.T) {
	g := open(t, "checkers")
	p, err := g.ParsePosition("B:W6,7,14,15:BK2")
	require.NoError(t, err)
	m, err := g.ParseMove(p, "2x9x18x2")
	require.NoError(t, err)
	require.Equal(t, "2x9x18x11x2", string(g.AppendMove(nil, p, m)))
	for _, text := range []string{"2x2", "2-18-2"} { // both routes capture the same
		m, err := g.ParseMove(p, text)
		require.NoError(t, err)
		require.Equal(t, 4, m.captures())
	}
	for text, want := range map[string]string{
		"":        "not one of the legal moves",
		"2x11x":   "not one of the legal moves",
		"2x18":    "not one of the legal moves",
		"2x2x9x2": "not one of the legal moves",
		"2-6":     "not one of the legal moves",
		"2x13x2":  "not one of the legal moves",
	} {
		_, err := g.ParseMove(p, text)
		require.ErrorContains(t, err, want, text)
	}
	p, err = g.ParsePosition("W:W22,K26:B9,10,17,18,K25")
	require.NoError(t, err)
	_, err = g.ParseMove(p, "22x6")
	require.EqualError(t, err, `move "22x6": several routes: 22x15x6 22x13x6`)
	for _, text := range []string{"22x15x6", "22:15:6", "22-15-6", "22 × 15 X 06"} {
		m, err := g.ParseMove(p, text)
		require.NoError(t, err, text)
		require.Equal(t, "22x15x6", string(g.AppendMove(nil, p, m)))
	}
}

func TestBoard(t *testing.T) {
	g := open(t, "checkers:size=4x4")
	p, err := g.ParsePosition("W:WK3:B1")
	require.NoError(t, err)
	require.Equal(t, `  +---+---+---+---+
  |   | . |   | . |  8-7   White (w, kings W), to move
  +---+---+---+---+
  | . |   | . |   |  6-5
  +---+---+---+---+
  |   | . |   | W |  4-3
  +---+---+---+---+
  | . |   | b |   |  2-1   Black (b, kings B)
  +---+---+---+---+
`, string(g.AppendBoard(nil, p)))
}

// TestDescribe has the board of a position, seen by Black, and the squares of a capture.
func TestDescribe(t *testing.T) {
	g := open(t, "checkers:size=6x6")
	layout := g.Layout()
	require.Equal(t, strings.Fields("- 18 - 17 - 16 15 - 14 - 13 -"), named(layout.Squares[:12]))
	require.Equal(t, strings.Fields("- 6 - 5 - 4 3 - 2 - 1 -"), named(layout.Squares[24:]))
	p, err := g.ParsePosition("W:W17:B3,8,K14")
	require.NoError(t, err)
	require.Equal(t, games.Board{Turn: 2, Pieces: []games.Piece{
		{Kind: "man", Side: 2, Square: "17"},
		{Kind: "king", Side: 1, Square: "14"},
		{Kind: "man", Side: 1, Square: "8"},
		{Kind: "man", Side: 1, Square: "3"},
	}}, g.Board(p))
	moves := g.AppendMoves(nil, p)
	require.Len(t, moves, 1)
	require.Equal(t, []string{"17", "12", "5"}, g.Trace(p, moves[0]).Squares, string(g.AppendMove(nil, p, moves[0])))
	_, err = g.SetUp(games.Board{Turn: 1, Pieces: []games.Piece{{Kind: "man", Side: 1, Square: "18"}, {Kind: "king", Side: 2, Square: "1"}}})
	require.EqualError(t, err, "Black has a man in the last row, where it would be a king")
	_, err = g.SetUp(games.Board{Turn: 1, Pieces: []games.Piece{{Kind: "man", Side: 1}}})
	require.EqualError(t, err, "a man cannot be in hand")
}

// named returns names of squares with a dash where there is none.
func named(squares []string) (list []string) {
	for _, name := range squares {
		if name == "" {
			name = "-"
		}
		list = append(list, name)
	}
	return list
}
