package checkers

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/games/gametest"
)

// both opens a game by these rules and by those of package games/checkers.
func both(t testing.TB, name string) (*Game, *checkers.Game) {
	g, ok := Open(name)
	require.True(t, ok, name)
	fast, err := checkers.Family.Open(name)
	require.NoError(t, err)
	require.Equal(t, fast.Name(), g.Name())
	return g, fast
}

func TestOpen(t *testing.T) {
	for _, name := range []string{"checkers", "checkers:size=6x6", "checkers:size=4x4", "checkers:pieces=2", "checkers:pieces=23",
		"checkers:size=6x6,pieces=5", "checkers:size=4x4,pieces=3", "checkers:size=4x4,pieces=24"} {
		g, fast := both(t, name)
		start := string(fast.AppendPosition(nil, fast.Start()))
		require.Equal(t, start, string(g.AppendPosition(nil, g.Start())), name)
		p, err := g.ParsePosition(start)
		require.NoError(t, err)
		require.Equal(t, g.Start(), p)
	}
	for _, name := range []string{"", "checkers:", "checkers,pieces=5", "checkers:size=8x8", "checkers:size=6x6:pieces=5", "checkers:pieces=",
		"checkers:pieces=1", "checkers:pieces=25", "checkers:pieces=05", "checkers:pieces=+5", "checkers:size=6x6,pieces=5,pieces=5", "pieces=5", "gomoku"} {
		_, ok := Open(name)
		require.False(t, ok, name)
	}
}

// TestPerft counts. The counts of 8×8 are published, OEIS A133046.
func TestPerft(t *testing.T) {
	for name, counts := range map[string][]uint64{
		"checkers":          {7, 49, 302, 1469, 7361, 36768, 179740},
		"checkers:size=6x6": {5, 25, 106, 369, 1271, 4104, 12495, 37474},
	} {
		g, _ := both(t, name)
		gametest.Perft(t, g, string(g.AppendPosition(nil, g.Start())), counts...)
	}
}

// same compares all that the two games say of a position, and returns its moves.
func same(t *testing.T, g *Game, fast *checkers.Game, text string) [][2]string {
	p, err := g.ParsePosition(text)
	require.NoError(t, err)
	q, err := fast.ParsePosition(text)
	require.NoError(t, err)
	moves := gametest.Same(t, g, fast, text)
	if len(moves) > 0 {
		require.Equal(t, string(fast.AppendPosition(nil, fast.Canonical(q))), string(g.AppendPosition(nil, g.Canonical(p))), text)
	}
	for _, m := range moves {
		read, err := games.ParseMove(g, p, m[0])
		require.NoError(t, err)
		require.Equal(t, m[0], string(g.AppendMove(nil, p, read)))
	}
	return moves
}

// TestSameGames plays random games by both sets of rules.
func TestSameGames(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"checkers", "checkers:size=6x6", "checkers:size=4x4", "checkers:size=6x6,pieces=5"} {
		g, fast := both(t, name)
		finished := 0
		for range 30 {
			text := string(g.AppendPosition(nil, g.Start()))
			for range 100 {
				moves := same(t, g, fast, text)
				if len(moves) == 0 {
					finished++
					break
				}
				text = moves[rng.IntN(len(moves))][1]
			}
		}
		require.Greater(t, finished, 5, name)
	}
}

// randomPosition places some pieces. In every second position the other side's stand where
// one piece could jump over most of them.
func randomPosition(g *Game, rng *rand.Rand) (p Position) {
	own, other := byte(black), byte(white)
	if p.white = rng.IntN(2) == 0; p.white {
		own, other = other, own
	}
	kings := rng.IntN(4) // of three pieces
	place := func(squares []int, n int, man byte) {
		for _, square := range squares[:n] {
			piece := g.crowned(man, byte(square))
			if rng.IntN(3) < kings {
				piece = man &^ crown
			}
			p.board[square] = piece
		}
	}
	squares := rng.Perm(g.squares)
	ours := 1 + rng.IntN(g.army)
	if rng.IntN(2) == 0 {
		// The squares in odd rows and columns of the inner board, or in even ones.
		row, column := 1+rng.IntN(2), 1+rng.IntN(2)
		inner := slices.DeleteFunc(slices.Clone(squares), func(square int) bool {
			r := square / (g.side / 2)
			c := 2*(square%(g.side/2)) + 1 - r%2
			return r%2 != row%2 || c%2 != column%2 || r == 0 || r == g.side-1 || c == 0 || c == g.side-1
		})
		if n := min(len(inner), g.army); n > 0 {
			place(inner, n-rng.IntN(n), other)
			squares = slices.DeleteFunc(squares, func(square int) bool { return p.board[square] != 0 })
			place(squares, min(ours, 1+rng.IntN(3)), own)
			return p
		}
	}
	place(squares, ours, own)
	place(squares[ours:], 1+rng.IntN(min(g.army, g.squares-ours)), other)
	return p
}

// TestSameMoves compares random positions, many of which have captures along several routes.
func TestSameMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, name := range []string{"checkers", "checkers:size=6x6", "checkers:size=4x4"} {
		g, fast := both(t, name)
		longest, circles, crowned, finished := 0, 0, 0, 0
		for range 3000 {
			p := randomPosition(g, rng)
			moves := same(t, g, fast, string(g.AppendPosition(nil, p)))
			if len(moves) == 0 {
				finished++
			}
			for _, m := range moves {
				squares := strings.Split(m[0], "x")
				longest = max(longest, len(squares)-1)
				if squares[0] == squares[len(squares)-1] {
					circles++
				}
				from, err := strconv.Atoi(strings.Split(squares[0], "-")[0])
				require.NoError(t, err)
				if piece := p.board[from-1]; len(squares) > 1 && piece&crown != 0 && strings.Contains(m[1], "K"+squares[len(squares)-1]) {
					crowned++
				}
			}
		}
		most := map[int]int{8: 9, 6: 4, 4: 1}[g.side]
		require.Equal(t, most, longest, name)
		require.Greater(t, crowned, 20, name)
		require.Positive(t, finished, name)
		if g.side > 4 {
			require.Greater(t, circles, 20, name)
		}
	}
}

// TestCaptures has the moves of positions in which a rule applies just so.
func TestCaptures(t *testing.T) {
	g, fast := both(t, "checkers")
	for _, c := range []struct {
		position string
		want     []string
	}{
		{"B:W15:B10,22", []string{"10x19"}},                            // who can capture must
		{"B:W14,22:B5,9", []string{"9x18x25"}},                         // and go on
		{"B:W14,15:B18", []string{"18-22", "18-23"}},                   // a man does not capture backward
		{"B:W14,15:BK18", []string{"18x11", "18x9"}},                   // a king does
		{"B:W14,15,23:B10", []string{"10x17", "10x19x26"}},             // along every route, a short one too
		{"B:W7,8,15,16:BK3", []string{"3x10x19x12x3", "3x12x19x10x3"}}, // round, to where it began
		{"B:W26,27:B24", []string{"24x31"}},                            // who is crowned stops
		{"B:W26,27:BK24", []string{"24x31x22"}},                        // a king goes on
		{"W:W9,10:B5,6,7", []string{"10x1", "10x3", "9x2"}},            // White plays upward
		{"B:WK5,K6,K10:B1", nil},                                       // blocked
	} {
		var got []string
		for _, m := range same(t, g, fast, c.position) {
			got = append(got, m[0])
		}
		require.Equal(t, c.want, got, c.position)
	}
}

// refusal says whether a text is refused: what games/checkers refuses, and what it writes
// in another way.
func refusal(t testing.TB, g *Game, fast *checkers.Game, text string) bool {
	_, err := g.ParsePosition(text)
	q, fastErr := fast.ParsePosition(text)
	refused := fastErr != nil || string(fast.AppendPosition(nil, q)) != text
	require.Equal(t, refused, err != nil, "%q: %v, %v", text, err, fastErr)
	return refused
}

// TestSameRefusals changes texts of positions a little.
func TestSameRefusals(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	refused, read := 0, 0
	for _, name := range []string{"checkers", "checkers:size=6x6", "checkers:size=4x4", "checkers:size=6x6,pieces=5"} {
		g, fast := both(t, name)
		for range 1500 {
			text := string(g.AppendPosition(nil, randomPosition(g, rng)))
			for range rng.IntN(3) {
				const letters = "0123456789,:KBWx-+ "
				at, letter := rng.IntN(len(text)), letters[rng.IntN(len(letters)):][:1]
				text = text[:at] + letter + text[at+rng.IntN(2):]
			}
			if refusal(t, g, fast, text) {
				refused++
			} else {
				read++
			}
		}
	}
	require.Greater(t, refused, 1000)
	require.Greater(t, read, 1000)
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"checkers", "", "want the side to move"},
		{"checkers", "B:W21", "want the side to move"},
		{"checkers", "B::", "want the side to move"},
		{"checkers", "B:W21:B1:", "want the side to move"},
		{"checkers", "x:W21:B1", `read as "B:W21:B1"`},
		{"checkers", "B:B1:W21", "would be a king"},
		{"checkers", "B:W21,20:B1", `read as "B:W20,21:B1"`},
		{"checkers", "B:W21,21:B1", `read as "B:W21:B1"`},
		{"checkers", "B:W1:B1", "the side that has just moved has no piece"},
		{"checkers", "B:W01:B1", `position "B:W01:B1": the side`},
		{"checkers", "B:W21-23:B1", `square "21-23": want a number from 1 to 32`},
		{"checkers", "B:WKK21:B1", `square "K21": want`},
		{"checkers", "B:W21,:B1", `square "": want`},
		{"checkers", "B:W33:B1", `square "33": want a number from 1 to 32`},
		{"checkers", "B:W0:B1", `square "0": want`},
		{"checkers:size=4x4", "B:WK9:B1", "want a number from 1 to 8"},
		{"checkers", "B:W21:B32", "the man on 32 would be a king"},
		{"checkers", "W:W4:B1", "the man on 4 would be a king"},
		{"checkers", "B:W:B1", "the side that has just moved has no piece"},
		{"checkers", "W:W21:B", "the side that has just moved has no piece"},
		{"checkers:size=4x4", "B:W5,6,7:B1", "a side has more than 2 pieces"},
		{"checkers:size=6x6,pieces=5", "B:W13,14,15:B1,2,3", "6 pieces are on the board, checkers:size=6x6,pieces=5 has at most 5"},
	} {
		g, fast := both(t, c.name)
		_, err := g.ParsePosition(c.text)
		require.ErrorContains(t, err, c.want, c.text)
		require.True(t, refusal(t, g, fast, c.text))
	}
}

// FuzzPosition reads anything. What is read has the same moves by both sets of rules.
func FuzzPosition(f *testing.F) {
	g, fast := both(f, "checkers")
	rng := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		f.Add(string(g.AppendPosition(nil, randomPosition(g, rng))))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !refusal(t, g, fast, text) {
			same(t, g, fast, text)
		}
	})
}
