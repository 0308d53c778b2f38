package variant

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// BenchmarkTables expands and retracts positions of a class of four pieces.
func BenchmarkTables(b *testing.B) {
	g := open(b, "chess")
	x, err := g.newTables("chess:pieces=KQvKR", []material{g.army(b, "KQvKR")}, false)
	require.NoError(b, err)
	tier := x.Tiers()[len(x.Tiers())-1]
	rng := rand.New(rand.NewPCG(1, 1))
	indices := make([]uint64, 1<<14)
	for i := range indices {
		indices[i] = tier.Start + rng.Uint64N(tier.Size)
	}
	benchmarkTables(b, x, indices)
}

func benchmarkTables(b *testing.B, x *Tables, indices []uint64) {
	for _, c := range []struct {
		name   string
		expand func([]uint64, *games.Expansion)
	}{{"Expand", x.Expand}, {"Count", x.Count}} {
		b.Run(c.name, func(b *testing.B) {
			var out games.Expansion
			for b.Loop() {
				c.expand(indices, &out)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(indices)), "ns/position")
			b.ReportMetric(float64(out.Moves)/float64(len(indices)), "moves/position")
			b.ReportMetric(float64(len(out.Successors))/float64(len(indices)), "listed/position")
		})
	}
	b.Run("Retract", func(b *testing.B) {
		var out games.Predecessors
		for b.Loop() {
			x.Retract(indices, &out)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(indices)), "ns/position")
		b.ReportMetric(float64(len(out.Indices))/float64(len(indices)), "unmoves/position")
	})
}

// BenchmarkBuiltIn reads the variants that are built in, as each start of the program does.
func BenchmarkBuiltIn(b *testing.B) {
	for b.Loop() {
		_, err := Read("builtin.ini", bytes.NewReader(builtinText), nil)
		require.NoError(b, err)
	}
}
