package variant

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkHeld expands and retracts positions of a game whose captures fill hands: runs of neighbours, as retrograde analysis
// meets them.
func BenchmarkHeld(b *testing.B) {
	g := *open(b, "dobutsu").core
	g.takeable = true
	x, err := g.newTables("dobutsu", nil, true)
	require.NoError(b, err)
	last := x.blocks[len(x.blocks)-1]
	rng := rand.New(rand.NewPCG(1, 1))
	var indices []uint64
	for len(indices) < 1<<14 {
		index := rng.Uint64N(last.start + last.size)
		for range 256 {
			if p, ok := x.Position(index); ok {
				if _, finished := x.Outcome(p); !finished {
					indices = append(indices, index)
				}
			}
			index++
		}
	}
	benchmarkTables(b, x, indices)
}
