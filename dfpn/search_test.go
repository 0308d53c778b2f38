package dfpn_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
)

// TestGraphs compares searches of random graphs with cycles with the oracle: with
// and without hands, limits of length, groups, tables where entries are replaced
// all the time, and several goroutines.
func TestGraphs(t *testing.T) {
	graphs := 4000
	if testing.Short() {
		graphs = 800
	}
	outcomes := map[dfpn.Outcome]int{}
	for seed := range uint64(graphs) {
		rng := rand.New(rand.NewPCG(seed, 1))
		g := newGraph(rng, 6+2*rng.IntN(12), 1+rng.IntN(4), seed%2 == 0)
		distances := g.distances()
		size := int64(4 * 64)
		if seed%3 == 0 {
			size = 1 << 16
		}
		table, err := dfpn.NewTable(size)
		require.NoError(t, err)
		for range 8 {
			root := state{rng.IntN(len(g.or)), 0}
			if g.hands {
				root.hand = makeHand(rng.IntN(most+1), rng.IntN(most+1))
			}
			config := dfpn.Config{Threads: 1, Nodes: 200_000}
			if rng.IntN(2) == 0 {
				config.Limit = uint16(1 + rng.IntN(9))
			}
			if rng.IntN(4) == 0 {
				config.Threads = 4
			}
			if rng.IntN(4) == 0 {
				table.Clear()
			}
			group := rng.IntN(2) == 0
			r, err := dfpn.Solve(t.Context(), table, func() dfpn.Cursor {
				return &walker{g: g, at: []state{root}, group: group}
			}, config)
			require.NoError(t, err)
			outcomes[r.Outcome]++
			if config.Threads == 1 {
				require.NotEqual(t, dfpn.Unknown, r.Outcome, "seed %d, root %v", seed, root)
			}
			limit := never - 1
			if config.Limit > 0 {
				limit = int(config.Limit)
			}
			d := distances[root]
			switch r.Outcome {
			case dfpn.Proven:
				require.LessOrEqual(t, d, int(r.Length), "seed %d, root %v", seed, root)
				require.LessOrEqual(t, int(r.Length), limit)
			case dfpn.Disproven:
				if d < never {
					require.Greater(t, d, int(r.Length), "seed %d, root %v", seed, root)
				}
				if config.Limit == 0 {
					require.EqualValues(t, dfpn.Unlimited, r.Length)
				} else {
					require.GreaterOrEqual(t, r.Length, config.Limit)
				}
			}
		}
	}
	t.Log(outcomes)
	// Goroutines that take each other's entries out of a table of four lines may use
	// up the nodes allowed.
	require.LessOrEqual(t, outcomes[dfpn.Unknown], graphs/1000, "of %v", outcomes)
}
