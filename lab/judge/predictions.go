package judge

import "github.com/yomikiri/yomikiri/lab/interval"

// Prediction is how well a number tells in which positions a player errs.
type Prediction struct {
	// Area is the chance that of two positions, one in which the player erred and one in which it did not, the first has
	// the larger number.
	Area interval.Interval
	// More is by how much Area exceeds that of the first of the numbers that are compared.
	More interval.Interval
}

// Predictions compares numbers that each position has, by whether a player erred there. Intervals are by position.
func Predictions(erred []bool, seed uint64, numbers ...[]float64) (list []Prediction) {
	area := func(of []float64, drawn []int) float64 {
		scores, happened := make([]float64, len(drawn)), make([]bool, len(drawn))
		for k, i := range drawn {
			scores[k], happened[k] = of[i], erred[i]
		}
		return Area(scores, happened)
	}
	for _, of := range numbers {
		list = append(list, Prediction{
			Area: interval.Of(len(erred), nil, Draws, seed, func(drawn []int) float64 { return area(of, drawn) }),
			More: interval.Of(len(erred), nil, Draws, seed, func(drawn []int) float64 { return area(of, drawn) - area(numbers[0], drawn) }),
		})
	}
	return list
}
