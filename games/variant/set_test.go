package variant

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOrder compares the numbers of squares in a set with counting.
func TestOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		all := set{rng.Uint64() & rng.Uint64(), rng.Uint64() & rng.Uint64() >> 8}
		n := 0
		for left := all; !left.empty(); n++ {
			s := left.pop()
			require.Equal(t, n, all.below(s))
			require.Equal(t, s, all.nth(n))
		}
		require.Equal(t, -1, all.nth(n))
		require.Equal(t, -1, all.nth(n+rng.IntN(60)))
	}
}
