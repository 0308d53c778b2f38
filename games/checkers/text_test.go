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
	} {
		p, err := g.ParsePosition(c.text)
		require.NoError(t, err)
		require.Equal(t, c.want, string(g.AppendPosition(nil, p)))
	}
	for text, want := range map[string]string{
		"W21:B1":      "got 2",
		"X:W21:B1":    `side to move "X"`,
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

func TestParseMove(t *testing.T) {
	g := open(t, "checkers")
	p, err := g.ParsePosition("B:W6,7,14,15:BK2")
	require.NoError(t, err)
	m, err := g.ParseMove(p, "2x9x18x2")
	require.NoError(t, err)
	require.Equal(t, "2x9x18x11x2", string(g.AppendMove(nil, p, m)))
	for text, want := range map[string]string{
		"2x2":     "several routes: 2x9x18x11x2 2x11x18x9x2",
		"2x18x2":  "several routes",
		"2x18":    "not one of the legal moves",
		"2x2x9x2": "not one of the legal moves",
		"2-6":     "not one of the legal moves",
		"2x13x2":  "not one of the legal moves",
	} {
		_, err := g.ParseMove(p, text)
		require.ErrorContains(t, err, want, text)
	}
}

func TestPDN(t *testing.T) {
	g := open(t, "checkers")
	const text = `[Event "A \"test\""]
[Site "?"]
[Result "0-1"]
[FEN "W:W22,K26:B9,10,17,18,K25"]

1. 22x15x6 9-13 2. 26-23 25-30 3. 6-2 0-1
`
	r, err := g.ParsePDN(text)
	require.NoError(t, err)
	require.Equal(t, []Tag{{"Event", `A "test"`}, {"Site", "?"}}, r.Tags)
	require.Len(t, r.Moves, 5)
	require.Equal(t, text, string(g.AppendPDN(nil, r)))

	loose := "\ufeff[FEN \"W:W22,K26:B9,10,17,18,K25\"]\r\n{ {a comment} 1.22x6! $1 ({22x13} 1. 22x13 (1. 1-2)) 9-13 ; the end\n2... 26-23?"
	_, err = g.ParsePDN(loose)
	require.ErrorContains(t, err, `move "22x6": several routes`)
	r, err = g.ParsePDN(strings.Replace(loose, "22x6!", "22x15x6!", 1))
	require.NoError(t, err)
	require.Len(t, r.Moves, 3)
	require.Equal(t, "*", r.Result)

	var long Record
	long.Start, long.Result = g.Start(), "1/2-1/2"
	for p := g.Start(); len(long.Moves) < 40; p = g.Play(p, long.Moves[len(long.Moves)-1]) {
		moves := g.AppendMoves(nil, p)
		if len(moves) == 0 {
			break
		}
		long.Moves = append(long.Moves, moves[len(moves)-1])
	}
	written := string(g.AppendPDN(nil, &long))
	for line := range strings.Lines(written) {
		require.LessOrEqual(t, len(line), 81)
	}
	r, err = g.ParsePDN(written)
	require.NoError(t, err)
	require.Equal(t, long, *r)

	for text, want := range map[string]string{
		"[Event]\n":          "PDN tag",
		"[Event \"x\n":       "PDN tag",
		"[Result \"2-0\"]\n": `result "2-0"`,
		"[FEN \"B\"]\n":      "got 1",
		"1. 11-15 {":         "a comment is not closed",
		"1. 11-15 (23-19":    "a variation is not closed",
		"1. 11-15 11-15":     `ply 2: move "11-15"`,
	} {
		_, err := g.ParsePDN(text)
		require.ErrorContains(t, err, want, text)
	}
}

func TestBoard(t *testing.T) {
	g := open(t, "checkers:size=4x4")
	p, err := g.ParsePosition("W:WK3:B1")
	require.NoError(t, err)
	require.Equal(t, `  +---+---+---+---+
  |   | b |   | . |  1-2   Black (b, kings B)
  +---+---+---+---+
  | W |   | . |   |  3-4
  +---+---+---+---+
  |   | . |   | . |  5-6
  +---+---+---+---+
  | . |   | . |   |  7-8   White (w, kings W), to move
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
