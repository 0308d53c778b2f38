package interval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Interval is a value and the interval that has the true one in 95 of 100 cases.
type Interval struct {
	Low   float64 `json:"low"`
	Value float64 `json:"value"`
	High  float64 `json:"high"`
}

func (v Interval) String() string { return fmt.Sprintf("%.3f [%.3f, %.3f]", v.Value, v.Low, v.High) }

// Of returns a statistic of n samples, with the interval that holds it in 95 of 100 draws of
// the same number of games, with replacement. game returns the game of a sample; if it is nil, each is
// a game of its own. statistic gets the numbers of samples.
func Of(n int, game func(i int) int, draws int, seed uint64, statistic func(drawn []int) float64) Interval {
	byGame := map[int][]int{}
	var games, all []int
	for i := range n {
		g := i
		if game != nil {
			g = game(i)
		}
		if byGame[g] == nil {
			games = append(games, g)
		}
		byGame[g], all = append(byGame[g], i), append(all, i)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	var values []float64
	for range draws {
		var drawn []int
		for range games {
			drawn = append(drawn, byGame[games[rng.IntN(len(games))]]...)
		}
		if v := statistic(drawn); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	v := Interval{math.NaN(), statistic(all), math.NaN()}
	if len(values) > 0 {
		slices.Sort(values)
		v.Low, v.High = stat.Quantile(0.025, stat.Empirical, values, nil), stat.Quantile(0.975, stat.Empirical, values, nil)
	}
	return v
}
