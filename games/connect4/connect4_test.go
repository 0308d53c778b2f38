package connect4_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/gametest"
)

func open(t testing.TB, size string) *connect4.Game {
	t.Helper()
	g, err := connect4.Family.Open("connect4:size=" + size)
	require.NoError(t, err)
	return g
}

func TestConformance(t *testing.T) {
	for _, size := range []string{"6x7", "4x4", "4x5", "7x4", "2x9", "9x2", "5x2"} {
		t.Run(size, func(t *testing.T) { gametest.Run(t, open(t, size)) })
	}
}

func FuzzText(f *testing.F) { gametest.FuzzText(f, open(f, "6x7")) }

// TestPerft counts sequences of moves. Up to 7 plies nobody has won on 6×7 but after
// the last; a column takes six discs, so 7 of the 7^7 sequences are not legal.
func TestPerft(t *testing.T) {
	gametest.Perft(t, open(t, "6x7"), "startpos", 7, 49, 343, 2401, 16807, 117649, 823536)
}

func TestSizes(t *testing.T) {
	for _, c := range []struct{ size, want string }{
		{"6", "want rows x columns, 2 to 15 each, as in 6x7"},
		{"1x7", "want rows x columns, 2 to 15 each, as in 6x7"},
		{"6x16", "want rows x columns, 2 to 15 each, as in 6x7"},
		{"6xx7", "want rows x columns, 2 to 15 each, as in 6x7"},
		{"8x8", "the board is too large: its positions cannot be numbered"},
		{"8x7", "the board is too large: its positions cannot be numbered"},
	} {
		_, err := connect4.Family.Open("connect4:size=" + c.size)
		require.ErrorContains(t, err, c.want, c.size)
	}
	g, err := connect4.Family.Open("connect4:size=06x07")
	require.NoError(t, err)
	require.Equal(t, "connect4", g.Name())
}

func TestParsePosition(t *testing.T) {
	g := open(t, "4x4")
	for _, c := range []struct{ text, want string }{
		{"..../..../....", "want 4 rows with / between, got 3"},
		{"..../..../.../....", "row 2: want 4 squares, got 3"},
		{"..../..../..?./....", `row 2, column c: '?', want x, o or . for empty`},
		{"..../..../.x../....", "column b: a disc has none below it"},
		{"..../.x../..../.o..", "column b: a disc has none below it"},
		{"..../..../..../xx..", "2 x and 0 o, want equal numbers, or one x more"},
		{"..../..../o.../oxxx", ""},
		{"..../..../ooo./xxxx", ""},
		{"..../o.../ooo./xxxx", "the game was over before the last move"},
		{"..../xxxx/oooo/xxxx", "4 o, want"},
		{"o.../oxxx/oxox/oxox", "the game was over before the last move"},
		{"o.../ox../oxx./ox.x", "column c: a disc has none below it"},
	} {
		_, err := g.ParsePosition(c.text)
		if c.want == "" {
			require.NoError(t, err, c.text)
		} else {
			require.ErrorContains(t, err, c.want, c.text)
		}
	}
}

// TestOutcome has fours in all directions, and none across the edge of the board.
func TestOutcome(t *testing.T) {
	g := open(t, "4x5")
	for _, c := range []struct {
		text string
		want games.Value
	}{
		{"...../...../ooo../xxxx.", games.Loss(0)},
		{"x..../xo.../xo.../xo...", games.Loss(0)},
		{"...x./..xo./.xoo./xoxox", games.Loss(0)},
		{"x..../ox.../oox../xooxx", games.Loss(0)},
		{"...../..x../.xo../xoo.x", games.Unfinished},
		{"x..../x..../ox.../ox..o", games.Unfinished},
		{"ooxoo/xxoxx/ooxoo/xxoxx", games.Draw},
	} {
		p, err := g.ParsePosition(c.text)
		require.NoError(t, err)
		v, _ := g.Outcome(p)
		require.Equal(t, c.want, v, c.text)
	}
}

// unmerged is the game without an index, and with mirror images counted apart.
type unmerged struct{ *connect4.Game }

func (unmerged) Canonical() {}
func (unmerged) Tiers()     {}

// TestCounts compares numbers of reachable positions with those that J. Tromp published
// (John's Connect Four Playground). He counts mirror images apart; a database has one
// of each pair.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		size string
		want int
		slow bool
	}{{"4x4", 161_029, false}, {"5x4", 1_706_255, true}, {"4x5", 3_945_711, true}} {
		t.Run(c.size, func(t *testing.T) {
			if c.slow && testing.Short() {
				t.Skip("takes some seconds")
			}
			g := open(t, c.size)
			n, err := games.Number(t.Context(), unmerged{g}, games.NumberOptions{})
			require.NoError(t, err)
			total, symmetric := 0, 0
			for _, s := range n.Tiers() {
				total += int(s.Size)
				for i := range s.Size {
					if p, _ := n.Position(s.Start + i); g.Mirror(p) == p {
						symmetric++
					}
				}
			}
			require.Equal(t, c.want, total)
			merged, err := games.Number(t.Context(), withoutIndex{g}, games.NumberOptions{})
			require.NoError(t, err)
			pairs := 0
			for _, s := range merged.Tiers() {
				pairs += int(s.Size)
			}
			require.Equal(t, (total+symmetric)/2, pairs)
		})
	}
}

// withoutIndex is the game without an index.
type withoutIndex struct{ *connect4.Game }

func (withoutIndex) Tiers() {}

func ExampleGame() {
	g, _ := connect4.Family.Open("connect4:size=4x5")
	p, _ := g.ParsePosition("...../...../.o.../.xx..")
	m, _ := games.ParseMove(g, p, "d")
	fmt.Print(string(g.AppendBoard(nil, g.Play(p, m))))
	// Output:
	// |   |   |   |   |   |
	// |   |   |   |   |   |
	// |   | o |   |   |   |
	// |   | x | x | o |   |
	// +---+---+---+---+---+
	//   a   b   c   d   e
}
