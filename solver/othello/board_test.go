package othello

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/othello"
)

// TestStable plays random games to the end from every position of random games: no disc that was
// stable is turned over. Most positions near the end have some, and a full board has no others.
func TestStable(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range []string{"4x4", "4x6", "4x8", "6x6", "8x8"} {
		g, err := othello.Family.Open("othello:size=" + size)
		require.NoError(t, err)
		b := newBoard(g)
		found := 0
		step := func(own, opposite uint64) (uint64, uint64, bool) {
			moves := b.moves(own, opposite)
			if moves == 0 {
				return opposite, own, b.moves(opposite, own) != 0
			}
			for range rng.IntN(bits.OnesCount64(moves)) {
				moves &= moves - 1
			}
			square := bits.TrailingZeros64(moves)
			turned := b.flips(own, opposite, square)
			return opposite &^ turned, own | turned | 1<<square, true
		}
		for range 40 {
			own, opposite := b.game.Start().Sets()
			for on := true; on; {
				mine, theirs := b.stable(opposite, own), b.stable(own, opposite)
				require.Zero(t, mine&^own|theirs&^opposite)
				found += bits.OnesCount64(mine | theirs)
				for range 20 {
					o, p := own, opposite
					turn := false
					for more := true; more; turn = !turn {
						o, p, more = step(o, p)
					}
					if turn {
						o, p = p, o
					}
					require.Zero(t, mine&^o|theirs&^p, "%s: own %x opposite %x", size, own, opposite)
				}
				own, opposite, on = step(own, opposite)
			}
			if own|opposite == b.all {
				require.Equal(t, opposite, b.stable(own, opposite))
			}
		}
		require.Positive(t, found)
		t.Log(size, found)
	}
}
