package variant

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// BenchmarkSettle settles runs of positions of each tier of Amazons with eight pieces, as if a third of the tier before were lost.
func BenchmarkSettle(b *testing.B) {
	f, err := Read("walled.ini", strings.NewReader("[four:amazons]\nmaxRank = 4\nmaxFile = d\nstartFen = 1qq1/q2q/Q2Q/1QQ1 w - - 0 1\n[five:amazons]\nmaxRank = 5\nmaxFile = d\nstartFen = 1qq1/q2q/4/Q2Q/1QQ1 w - - 0 1\n"), BuiltIn())
	require.NoError(b, err)
	for _, name := range []string{"four", "five"} {
		g, err := f.Game(name)
		require.NoError(b, err)
		x, err := g.newWalled(name)
		require.NoError(b, err)
		rng := rand.New(rand.NewPCG(1, 1))
		var out games.Settled
		for i, t := range x.tiers {
			var lost []uint64
			if i > 0 {
				lost = make([]uint64, x.tiers[i-1].Size/64+1)
				for i := range lost {
					lost[i] = rng.Uint64() & rng.Uint64()
				}
			}
			const run = 4096
			b.Run(name+" "+t.Name, func(b *testing.B) {
				for range b.N {
					x.Settle(t.Start+rng.Uint64N(t.Size-run), run, lost, &out)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/run, "ns/position")
			})
		}
	}
}
