package threat

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gomoku"
)

// TestDrawnKeys searches for a victory by continuous threats. What is found is in the table under keys of
// its seed, which each process draws, and not under those that everybody knows.
func TestDrawnKeys(t *testing.T) {
	g := newGame(t, gomoku.Rules{Rows: 5, Columns: 5, K: 4})
	s, err := NewVCT(g, VCTConfig{TableSize: 1 << 16})
	require.NoError(t, err)
	require.NotEqual(t, games.FixedSeed, s.table.Seed())
	for _, s := range []*VCT{s, s.share()} {
		s.Reset()
		_, verdict, err := s.Search(t.Context(), g.Start())
		require.NoError(t, err)
		require.Equal(t, Refuted, verdict)
		known := func(seed games.Seed) bool {
			c := newVCTCursor(g, seed)
			c.set(g.Start())
			r, err := dfpn.Solve(t.Context(), s.table, func() dfpn.Cursor { return c }, dfpn.Config{})
			require.NoError(t, err)
			return r.Nodes == 0
		}
		require.True(t, known(s.table.Seed()))
		require.False(t, known(games.FixedSeed))
	}
}
