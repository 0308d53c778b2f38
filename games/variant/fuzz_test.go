package variant

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// FuzzCompile reads a section that is based on a built-in variant: it is a game, in which positions of a random game keep their
// promises, or an error that says where. The number is that of the variant and of the random game.
func FuzzCompile(f *testing.F) {
	names := BuiltIn().Names()
	for i, name := range names {
		g, err := BuiltIn().Game(name)
		require.NoError(f, err)
		f.Add(uint16(i), g.RulesText())
		f.Add(uint16(i), "maxRank = 5\nstartFen = "+g.rules.start+"\n")
	}
	for i, k := range keyList {
		if value := "true"; k.text != nil {
			if text := k.text(chess()); text != "" && text != "false" {
				value = text
			}
			f.Add(uint16(i), k.name+" = "+value)
		}
	}
	f.Fuzz(func(t *testing.T, n uint16, text string) {
		file, err := Read("my.ini", strings.NewReader("[my:"+names[int(n)%len(names)]+"]\n"+text+"\n"), BuiltIn())
		if err == nil {
			var g *Game
			if g, err = file.Game("my"); err == nil {
				playRandomly(t, g, uint64(n))
				return
			}
		}
		if at := (*Error)(nil); !errors.As(err, &at) || at.Reason == "" {
			require.ErrorContains(t, err, "my.ini:")
		}
	})
}

// playRandomly checks what positions of a game promise, along twenty random moves.
func playRandomly(t *testing.T, g *Game, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	p := g.Start()
	for range 20 {
		require.NoError(t, games.CheckPosition[Position, Move](g, p))
		moves := g.AppendMoves(nil, p)
		if len(moves) == 0 {
			return
		}
		p = g.Play(p, moves[rng.IntN(len(moves))])
	}
}
