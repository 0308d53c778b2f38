package variant

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gametest"
)

func TestCounts(t *testing.T) {
	g := open(t, "nocastle")
	x, err := g.core.newTables("x", []material{g.army(t, "KRvK")})
	require.NoError(t, err)
	for _, tier := range x.tiers {
		n := 0
		for i := tier.Start; i < tier.Start+tier.Size; i++ {
			if _, ok := x.Position(i); ok {
				n++
			}
		}
		t.Log(tier.Name, tier.Size, n)
	}
	t.Log(string(g.AppendPosition(nil, x.Start())), x.turned != nil, len(x.blocks), len(x.blocks[0].ops))
}

// TestTables checks the promises of an indexed game, with the expander and the retractor against moves made one by one.
func TestTables(t *testing.T) {
	for _, c := range []struct{ game, class string }{{"nocastle", "KRvK"}, {"nocastle", "KPvKP"}, {"gardner", "KPvKB"}} {
		t.Run(c.game+" "+c.class, func(t *testing.T) {
			g := open(t, c.game)
			x, err := g.core.newTables(c.game+":pieces="+c.class, []material{g.army(t, c.class)})
			require.NoError(t, err)
			gametest.Run[Position, Move](t, x)
		})
	}
}

func (g *core) army(t testing.TB, text string) (m material) {
	side := 0
	for _, c := range []byte(text) {
		if c == 'v' {
			side = 1
			continue
		}
		k, _, err := g.parsePiece(c)
		require.NoError(t, err)
		m[side][k]++
	}
	return m
}
