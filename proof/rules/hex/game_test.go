package hex

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/games/hex"
)

// both opens a game by these rules and by those of package games/hex.
func both(t testing.TB, name string) (*Game, *hex.Game) {
	g, ok := Open(name)
	require.True(t, ok, name)
	fast, err := hex.Family.Open(name)
	require.NoError(t, err)
	require.Equal(t, fast.Name(), g.Name())
	return g, fast
}

func TestOpen(t *testing.T) {
	for _, name := range []string{"hex", "hex:size=3x3", "hex:size=10x10", "hex:swap=yes", "hex:size=6x6,swap=yes"} {
		g, fast := both(t, name)
		require.Equal(t, string(fast.AppendPosition(nil, fast.Start())), string(g.AppendPosition(nil, g.Start())), name)
	}
	for _, name := range []string{"", "hex:", "hex:size=11x11", "hex:size=2x2", "hex:size=12x12", "hex:size=4x5", "hex:swap=no", "hex:swap=yes,size=6x6", "hex:size=6x6,", "hexa"} {
		_, ok := Open(name)
		require.False(t, ok, name)
	}
}

func TestConformance(t *testing.T) {
	for _, name := range []string{"hex:size=3x3", "hex:size=4x4,swap=yes"} {
		g, _ := both(t, name)
		t.Run(name, func(t *testing.T) { gametest.Run(t, g) })
	}
}

// TestSameGames plays random games by both sets of rules. Every other game begins with a swap
// where there is one.
func TestSameGames(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"hex:size=3x3", "hex:size=5x5,swap=yes", "hex:size=8x8", "hex:swap=yes"} {
		g, fast := both(t, name)
		winners := map[byte]int{}
		for game := range 40 {
			q := fast.Start()
			for ply := 0; ; ply++ {
				text := string(fast.AppendPosition(nil, q))
				moves := gametest.Same(t, g, fast, text)
				p, err := g.ParsePosition(text)
				require.NoError(t, err)
				turned, err := fast.ParsePosition(string(g.AppendPosition(nil, g.Canonical(p))))
				require.NoError(t, err)
				require.Equal(t, fast.Canonical(q), fast.Canonical(turned), text)
				if len(moves) == 0 {
					winners[p.turn]++
					break
				}
				next := moves[rng.IntN(len(moves))]
				if i := slices.IndexFunc(moves, func(m [2]string) bool { return m[0] == "swap" }); i >= 0 && game%2 == 0 {
					next = moves[i]
				}
				q, err = fast.ParsePosition(next[1])
				require.NoError(t, err)
			}
		}
		require.Len(t, winners, 2, name)
	}
}

// TestSameTexts reads texts with changed squares by both sets of rules: both refuse the same.
func TestSameTexts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, name := range []string{"hex:size=3x3", "hex:size=3x3,swap=yes", "hex:size=4x4"} {
		g, fast := both(t, name)
		refused, read := 0, 0
		for range 20_000 {
			text := g.AppendPosition(nil, g.Start())
			for i := range text {
				if text[i] == '.' {
					text[i] = "xo."[rng.IntN(3)]
				}
			}
			text[len(text)-1] = "xo"[rng.IntN(2)]
			_, err := g.ParsePosition(string(text))
			_, fastErr := fast.ParsePosition(string(text))
			require.Equal(t, fastErr == nil, err == nil, "%s: %v, %v", text, err, fastErr)
			if err != nil {
				refused++
			} else {
				read++
			}
		}
		require.Greater(t, min(refused, read), 1000, name)
	}
	g, _ := both(t, "hex:size=3x3")
	for _, text := range []string{"", " x", ".../.../...", ".../.../...  x", ".../.../... x x", ".../.../... X", "..../.../... x", ".../.../..? x", ".../... x"} {
		_, err := g.ParsePosition(text)
		require.Error(t, err, text)
	}
}
