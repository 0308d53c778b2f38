package variant

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExposed plays random games of variants with royal pieces: no move leaves one of them attacked.
func TestExposed(t *testing.T) {
	for _, name := range BuiltIn().Names() {
		g, err := BuiltIn().Game(name)
		require.NoError(t, err)
		if !g.rules.pseudoRoyal && g.king < 0 {
			continue
		}
		rng := rand.New(rand.NewPCG(1, 1))
		for range 4 {
			p := g.Start()
			for range 60 {
				require.False(t, g.newBoard(&p).exposed(), "%s: %s", name, g.AppendPosition(nil, p))
				moves := g.AppendMoves(nil, p)
				if len(moves) == 0 {
					break
				}
				p = g.Play(p, moves[rng.IntN(len(moves))])
			}
		}
	}
}
