package bench

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/solver/alphabeta"
)

func TestAlphaBeta(t *testing.T) {
	g, err := checkers.Family.Open("checkers:size=4x4")
	require.NoError(t, err)
	run := func(seed uint64) (list []Searches) {
		b := AlphaBeta[checkers.Position, checkers.Move]{
			Game: g, Positions: 5, Seed: seed,
			Config: alphabeta.Config[checkers.Position]{Depth: 12, Nodes: 5000, Memory: 1 << 16},
		}
		require.NoError(t, b.Run(t.Context(), func(s Searches) {
			require.Positive(t, s.PerSecond)
			s.Seconds, s.PerSecond = 0, 0
			list = append(list, s)
		}))
		return list
	}
	list := run(1)
	require.Len(t, list, 2)
	require.Equal(t, 1, list[0].Searches)
	require.Equal(t, 5, list[1].Searches)
	require.Positive(t, list[1].Proven)
	require.Zero(t, list[1].Probes)
	require.Equal(t, list, run(1))
	require.NotEqual(t, list, run(2))
}
