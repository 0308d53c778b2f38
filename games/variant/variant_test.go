package variant

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
)

func open(t testing.TB, name string) *Game {
	g, err := BuiltIn().Game(name)
	require.NoError(t, err)
	return g
}

// TestGames checks the promises of a game.
func TestGames(t *testing.T) {
	for _, name := range []string{"hexapawn", "dobutsu"} {
		t.Run(name, func(t *testing.T) { gametest.Run[Position, Move](t, open(t, name)) })
	}
}

// TestPromises checks what positions of all variants promise, along random games.
func TestPromises(t *testing.T) {
	for _, name := range BuiltIn().Names() {
		t.Run(name, func(t *testing.T) {
			g := open(t, name)
			rng := rand.New(rand.NewPCG(1, 2))
			for range 2 {
				p := g.Start()
				for range 40 {
					require.NoError(t, games.CheckPosition[Position, Move](g, p))
					moves := g.AppendMoves(nil, p)
					if len(moves) == 0 {
						break
					}
					p = g.Play(p, moves[rng.IntN(len(moves))])
				}
			}
		})
	}
}
