package hex_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/games/hex"
)

func open(t testing.TB, spec string) *hex.Game {
	t.Helper()
	g, err := hex.Family.Open(spec)
	require.NoError(t, err)
	return g
}

func TestConformance(t *testing.T) {
	specs := []string{"hex:size=3x3", "hex:size=4x4,swap=yes", "hex:size=5x5", "hex:size=6x6,swap=yes"}
	if !testing.Short() {
		specs = append(specs, "hex:size=9x9,swap=yes") // more than 64 squares
	}
	for _, spec := range specs {
		t.Run(spec, func(t *testing.T) { gametest.Run(t, open(t, spec)) })
	}
}

func FuzzText(f *testing.F) { gametest.FuzzText(f, open(f, "hex:size=4x4,swap=yes")) }

// TestPerft has counts that follow from the rules: no side wins before its third stone on 3×3. A
// swap is one more second move, after which all squares but one are free.
func TestPerft(t *testing.T) {
	gametest.Perft(t, open(t, "hex:size=3x3"), "startpos", 9, 72, 504, 3024, 15120)
	gametest.Perft(t, open(t, "hex"), "startpos", 121, 121*120, 121*120*119)
	gametest.Perft(t, open(t, "hex:swap=yes"), "startpos", 121, 121*121, 121*120*119+121*120)
}

// TestOneWins fills boards: exactly one side connects its edges.
func TestOneWins(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range []string{"3x3", "7x7", "8x8", "11x11"} {
		g := open(t, "hex:size="+size)
		cursor := games.NewCursor(g, nil)
		for range 200 {
			cursor.Set(g.Start())
			stones := 0
			for moves := cursor.AppendMoves(nil); len(moves) > 0; moves = cursor.AppendMoves(moves[:0]) {
				v, finished := cursor.Outcome()
				want, over := g.Outcome(cursor.Position())
				require.Equal(t, want, v)
				require.Equal(t, over, finished)
				cursor.Do(moves[rng.IntN(len(moves))])
				stones++
			}
			_, finished := cursor.Outcome()
			require.True(t, finished, "after %d stones nobody has won", stones)
		}
	}
}

func TestParsePosition(t *testing.T) {
	plain, swap := open(t, "hex:size=3x3"), open(t, "hex:size=3x3,swap=yes")
	for _, c := range []struct{ text, plain, swap string }{ // errors, empty if there is none
		{".../... x", "want 3 rows with / between, got 2", "want 3 rows with / between, got 2"},
		{".../../... x", "row 2: want 3 squares, got 2", "row 2: want 3 squares, got 2"},
		{".../.?./... x", `square b2: '?', want x, o or . for empty`, `square b2: '?'`},
		{".../.../...", `the side to move is ""`, `the side to move is ""`},
		{".../.../... o", "", "0 x and 0 o with o to move"}, // without swaps numbers need not balance
		{".../.o./... x", "", ""},
		{".../.x./... o", "", ""},
		{".x./.o./... o", "", ""},
		{".x./xo./x.. o", "", "3 x and 1 o with o to move"},
		{".xo/xo./x.. o", "", ""},
		{".xo/xo./xo. x", "x is to move and has connected its edges", "x is to move and has connected its edges"},
		{"xoo/xo./xx. o", "", ""},
		{"xxo/xxo/xx. o", "the game was over before the last move", "6 x and 2 o"},
	} {
		for g, want := range map[*hex.Game]string{plain: c.plain, swap: c.swap} {
			_, err := g.ParsePosition(c.text)
			if want == "" {
				require.NoError(t, err, "%s: %s", g.Name(), c.text)
			} else {
				require.ErrorContains(t, err, want, "%s: %s", g.Name(), c.text)
			}
		}
	}
	_, err := open(t, "hex:size=4x4").ParsePosition("xxoo/xxoo/xxoo/xx.o o")
	require.ErrorContains(t, err, "the game was over before the last move")
}

// ExampleGame swaps the first stone.
func ExampleGame() {
	g, _ := hex.Family.Open("hex:size=3x3,swap=yes")
	p, _ := games.PlayMoves(g, g.Start(), []string{"c1", "swap"})
	fmt.Print(string(games.DrawerOf(g).AppendBoard(nil, p)))
	// Output:
	// 1 . . .
	//  2 . . .
	//   3 o . .
	//      a b c
	// side 1 to move
}
