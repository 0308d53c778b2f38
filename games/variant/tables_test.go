package variant

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gametest"
)

// TestCounts compares the numbers of positions with published ones: 462 pairs of kings, and 28,056 positions of king and
// rook against king with the lone king to move.
func TestCounts(t *testing.T) {
	g := open(t, "chess")
	x, err := g.newTables("chess:pieces=KRvK", []material{g.army(t, "KRvK")}, false)
	require.NoError(t, err)
	counts := map[string]int{}
	for _, b := range x.blocks {
		for i := b.start; i < b.start+b.size; i++ {
			if _, ok := x.Position(i); ok {
				counts[x.className(b.key.material)]++
			}
		}
	}
	require.Equal(t, map[string]int{"KvK": 462, "KRvK": 21959, "KvKR": 28056}, counts)
	require.Len(t, x.blocks[0].ops, 8)
	require.NotNil(t, x.turned)
}

// TestTables checks the promises of an indexed game, with the expander and the retractor against moves made one by one.
func TestTables(t *testing.T) {
	for _, c := range []struct {
		game, class string
		long        bool
	}{{"chess", "KPvKP", true}, {"chess", "KRvK", true}, {"gardner", "KPvKB", false}, {"breakthrough", "PPvP", false}, {"atomic", "KvKP", true}, {"antichess", "NvP", true}, {"xiangqi", "KRvK", true},
		{"racingkings", "KRvK", true}} {
		t.Run(c.game+" "+c.class, func(t *testing.T) {
			if c.long && testing.Short() {
				t.Skip()
			}
			g := open(t, c.game)
			x, err := g.core.newTables(c.game+":pieces="+c.class, []material{g.army(t, c.class)}, false)
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
		m.men[side][k]++
	}
	return m
}
