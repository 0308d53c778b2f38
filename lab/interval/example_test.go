package interval_test

import (
	"fmt"

	"github.com/yomikiri/yomikiri/lab/interval"
)

// Two of four games were won. Six samples of each say no more than one would.
func Example() {
	won := []float64{1, 1, 0, 0}
	const samples = 6 // of a game
	share := interval.Of(samples*len(won), func(i int) int { return i / samples }, 1000, 1, func(drawn []int) float64 {
		sum := 0.0
		for _, i := range drawn {
			sum += won[i/samples]
		}
		return sum / float64(len(drawn))
	})
	fmt.Println(share)
	// Output: 0.500 [0.000, 1.000]
}
