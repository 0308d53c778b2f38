package othello_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/games/othello"
)

func open(t testing.TB, spec string) *othello.Game {
	t.Helper()
	g, err := othello.Family.Open(spec)
	require.NoError(t, err)
	return g
}

func TestConformance(t *testing.T) {
	for _, spec := range []string{"othello", "othello:size=4x4", "othello:size=4x8", "othello:size=6x6,empty=winner", "othello:size=8x6"} {
		t.Run(spec, func(t *testing.T) { gametest.Run(t, open(t, spec)) })
	}
}

func FuzzText(f *testing.F) { gametest.FuzzText(f, open(f, "othello:size=4x6")) }

// TestPerft has the published counts of 8×8 (P. Bettens, 2008; passes count as moves, and the
// first are in the ninth). Those of other boards were made by a C program that walks along lines
// of an array.
func TestPerft(t *testing.T) {
	counts := []uint64{4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288}
	if testing.Short() {
		counts = counts[:7]
	}
	gametest.Perft(t, open(t, "othello"), "startpos", counts...)
	gametest.Perft(t, open(t, "othello:size=6x6"), "startpos", 4, 12, 56, 244, 1364, 7604, 47740, 308716, 2114912)
	gametest.Perft(t, open(t, "othello:size=4x4"), "startpos", 4, 12, 44, 128, 424, 1256, 3624, 9112, 20032, 36412, 50268, 55112, 31396)
	gametest.Perft(t, open(t, "othello:size=4x6"), "startpos", 4, 12, 50, 180, 798, 3338, 15418, 68770)
}

// TestOutcome has ends with empty squares, under both rules for them.
func TestOutcome(t *testing.T) {
	for _, c := range []struct {
		text           string
		nobody, winner games.Value
	}{
		{"OOOOXXXXXXXXOOOO X", games.Score(0), games.Score(0)},
		{"-XXX-XXX-XXX-XXX X", games.Score(12), games.Score(16)},
		{"-XXX-XXX-XXX-XXX O", games.Score(-12), games.Score(-16)},
		{"XXXXOXXXOOXX---O X", games.Unfinished, games.Unfinished},
	} {
		for spec, want := range map[string]games.Value{"othello:size=4x4": c.nobody, "othello:size=4x4,empty=winner": c.winner} {
			g := open(t, spec)
			p, err := g.ParsePosition(c.text)
			require.NoError(t, err)
			v, finished := g.Outcome(p)
			require.Equal(t, want, v, c.text)
			require.Equal(t, want != games.Unfinished, finished)
		}
	}
}

func ExampleGame() {
	g, _ := othello.Family.Open("othello:size=4x4")
	m, _ := games.ParseMove(g, g.Start(), "B1")
	p := g.Play(g.Start(), m)
	fmt.Print(string(g.AppendBoard(nil, p)))
	fmt.Println(string(g.AppendPosition(nil, p)))
	// Output:
	//   a b c d
	// 1 - X - -
	// 2 - X X -
	// 3 - X O -
	// 4 - - - -
	// X 4, O 1, O to move
	// -X---XX--XO----- O
}
