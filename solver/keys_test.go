package solver

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
)

// TestDrawnKeys searches by df-pn, alone and as a back end. What is found is in the table under keys of its
// seed, which each process draws, and not under those that everybody knows.
func TestDrawnKeys(t *testing.T) {
	g := tictactoe.Game{}
	root, err := g.ParsePosition("xo./.../...")
	require.NoError(t, err)
	alone, err := New[tictactoe.Position, tictactoe.Move](g, nil, root, Config{Method: DepthFirst, Memory: 1 << 16})
	require.NoError(t, err)
	q, err := alone.ask(t.Context(), proof.Mover)
	require.NoError(t, err)
	require.Equal(t, Proven, q.Outcome)
	list, err := newSearchers[tictactoe.Position, tictactoe.Move](g, nil, Config{Method: DepthFirst, Memory: 1 << 16}, 1)
	require.NoError(t, err)
	f, err := list[0].search(t.Context(), root, true, Limits{Nodes: 1 << 20})
	require.NoError(t, err)
	require.Equal(t, Proven, f.Outcome)
	for name, s := range map[string]*Solver[tictactoe.Position, tictactoe.Move]{"alone": alone, "back end": list[0].solver} {
		require.NotEqual(t, games.FixedSeed, s.table.Seed(), name)
		known := func(seed games.Seed) dfpn.Outcome {
			c := newCursor(s.rules, seed)
			c.set(root, true, s.table.newRoot()) // a root has a key of its own, but its children are known
			return dfpn.NewReader(t.Context(), s.table.Table, c, dfpn.Config{Nodes: 1}).Search(dfpn.Unlimited).Outcome
		}
		require.Equal(t, dfpn.Proven, known(s.table.Seed()), name)
		require.Equal(t, dfpn.Unknown, known(games.FixedSeed), name)
	}
}
