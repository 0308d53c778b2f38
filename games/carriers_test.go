package games_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// TestCarriers compares carriers with a list of them that is gone through. Those left out demand all that one found does.
func TestCarriers(t *testing.T) {
	type carrier struct{ stones, squares games.Squares }
	for _, c := range []struct{ board, some, few int }{{9, 4, 2}, {49, 6, 3}, {121, 12, 8}, {games.MaxSquares, 90, 60}} {
		rng := rand.New(rand.NewPCG(1, uint64(c.board)))
		random := func(squares int) (set games.Squares) {
			for range rng.IntN(squares + 1) {
				set = set.With(rng.IntN(c.board))
			}
			return set
		}
		var tree games.Carriers
		list := []carrier{{}} // numbers begin with 1
		fits := func(number uint32, own, other games.Squares) bool {
			x := &list[number]
			return x.stones.Minus(own).Empty() && x.squares.And(other).Empty()
		}
		require.Zero(t, tree.Find(random(c.board), games.Squares{}))
		for len(list) < 1000 {
			x := carrier{stones: random(c.few)}
			if len(list)%3 == 0 { // one like another
				x = list[rng.IntN(len(list))]
			}
			x.squares = x.stones.Or(x.squares).Or(random(c.some))
			tree.Add(x.stones, x.squares, uint32(len(list)))
			list = append(list, x)
			own := random(c.some * 2)
			other := random(c.some).Minus(own)
			found := tree.Find(own, other)
			require.True(t, found == 0 || fits(found, own, other))
			all := map[uint32]bool{}
			tree.All(own, other, func(number uint32) bool {
				require.True(t, fits(number, own, other))
				require.False(t, all[number])
				all[number] = true
				return true
			})
			require.Equal(t, found != 0, len(all) > 0)
			for number := range list[1:] {
				number := uint32(number + 1)
				if all[number] || !fits(number, own, other) {
					continue
				}
				less := false
				for smaller := range all {
					less = less || list[smaller].stones.Minus(list[number].stones).Empty() && list[smaller].squares.Minus(list[number].squares).Empty()
				}
				require.True(t, less, "%v is missing", list[number])
			}
		}
	}
}
