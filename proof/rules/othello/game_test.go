package othello

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/games/othello"
)

// both opens a game by these rules and by those of package games/othello.
func both(t testing.TB, name string) (*Game, *othello.Game) {
	g, ok := Open(name)
	require.True(t, ok, name)
	fast, err := othello.Family.Open(name)
	require.NoError(t, err)
	require.Equal(t, fast.Name(), g.Name())
	return g, fast
}

func TestOpen(t *testing.T) {
	for _, name := range []string{"othello", "othello:size=4x4", "othello:size=6x8", "othello:empty=winner", "othello:size=6x6,empty=winner"} {
		g, fast := both(t, name)
		require.Equal(t, string(fast.AppendPosition(nil, fast.Start())), string(g.AppendPosition(nil, g.Start())), name)
	}
	for _, name := range []string{"", "othello:", "othello,size=4x4", "othello:size=8x8", "othello:size=5x6", "othello:size=4x4,", "othello:size=4x44",
		"othello:empty=nobody", "othello:size=4x4,empty=nobody", "othello:empty=winner,size=4x4", "othello:size=4x4,empty=winner,", "hex"} {
		_, ok := Open(name)
		require.False(t, ok, name)
	}
}

func TestConformance(t *testing.T) {
	for _, name := range []string{"othello:size=4x6", "othello:size=6x6,empty=winner"} {
		g, _ := both(t, name)
		t.Run(name, func(t *testing.T) { gametest.Run(t, g) })
	}
}

// TestSameGames plays random games by both sets of rules. They end early, in passes too.
func TestSameGames(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	passes, early := 0, 0
	for _, name := range []string{"othello", "othello:size=4x4", "othello:size=4x4,empty=winner", "othello:size=6x6", "othello:size=4x8", "othello:size=8x6,empty=winner"} {
		g, fast := both(t, name)
		for range 100 {
			p := fast.Start()
			for {
				text := string(fast.AppendPosition(nil, p))
				moves := gametest.Same(t, g, fast, text)
				if len(moves) == 0 {
					if slices.Contains([]byte(text), '-') {
						early++
					}
					break
				}
				if moves[0][0] == "pass" {
					passes++
				}
				next := moves[rng.IntN(len(moves))][1]
				var err error
				p, err = fast.ParsePosition(next)
				require.NoError(t, err)
			}
		}
	}
	require.Greater(t, passes, 300)
	require.Greater(t, early, 30)
}

// TestSameSets compares sets of images: positions with the same canonical one by one set of rules
// have the same by the other.
func TestSameSets(t *testing.T) {
	for _, name := range []string{"othello:size=4x4", "othello:size=4x6"} {
		g, fast := both(t, name)
		canonical := map[Position]othello.Position{}
		back := map[othello.Position]Position{}
		level := map[othello.Position]bool{fast.Start(): true}
		for range 5 {
			next := map[othello.Position]bool{}
			for q := range level {
				p, err := g.ParsePosition(string(fast.AppendPosition(nil, q)))
				require.NoError(t, err)
				c, d := g.Canonical(p), fast.Canonical(q)
				if known, ok := canonical[c]; ok {
					require.Equal(t, known, d)
				}
				if known, ok := back[d]; ok {
					require.Equal(t, known, c)
				}
				canonical[c], back[d] = d, c
				for _, m := range fast.AppendMoves(nil, q) {
					next[fast.Play(q, m)] = true
				}
			}
			level = next
		}
		require.Greater(t, len(canonical), 40)
	}
}

func TestParsePosition(t *testing.T) {
	g, fast := both(t, "othello:size=4x4")
	for _, text := range []string{
		"-----OX--XO-----", "-----OX--XO----- x", "-----OX--XO-----  X", "-----OX--XO---- X", "-----OX--XO-----X X", "------X--XO----- X",
		"-----OX--XO----.X X", "X---OOX--XO---X? X", "-----OX--XO----- -", "X---",
	} {
		_, err := g.ParsePosition(text)
		require.Error(t, err, text)
		_, err = fast.ParsePosition(text)
		require.Error(t, err, text)
	}
	for _, text := range []string{"-----OX--XOX---- O", "-----OX--XO----X O"} {
		_, err := g.ParsePosition(text)
		require.NoError(t, err)
		_, err = fast.ParsePosition(text)
		require.NoError(t, err)
	}
	wide, fastWide := both(t, "othello:size=4x8")
	for _, text := range []string{"X----------OX------XO----------- X"} {
		_, err := wide.ParsePosition(text)
		require.ErrorContains(t, err, "square a1")
		_, err = fastWide.ParsePosition(text)
		require.ErrorContains(t, err, "connects a1 with the middle")
	}
}
