package weigh

import (
	"math"
	"math/rand/v2"
)

// Distribution is a normal distribution of weights that are independent of each other.
type Distribution struct {
	Mean, Deviation []float64
}

// NewDistribution returns the one with the mean 1 and one deviation for all weights.
func NewDistribution(parts int, deviation float64) Distribution {
	d := Distribution{make([]float64, parts), make([]float64, parts)}
	for i := range parts {
		d.Mean[i], d.Deviation[i] = 1, deviation
	}
	return d
}

// Draw draws weights. Negative ones become 0, and their mean is made 1.
func (d *Distribution) Draw(rng *rand.Rand) []float64 {
	w, sum := make([]float64, len(d.Mean)), 0.0
	for i := range w {
		w[i] = max(d.Mean[i]+d.Deviation[i]*rng.NormFloat64(), 0)
		sum += w[i]
	}
	for i := range w {
		if sum == 0 {
			w[i] = 1
		} else {
			w[i] *= float64(len(w)) / sum
		}
	}
	return w
}

// Update moves the distribution by a share of the way towards the individuals that won. ranked are the weights
// of all individuals, best first, at least two. The mean moves towards the sum of the two best minus the worst,
// and each deviation towards that of the given number of best ones.
func (d *Distribution) Update(ranked [][]float64, share float64, best int) {
	first, second, worst := ranked[0], ranked[1], ranked[len(ranked)-1]
	ranked = ranked[:min(best, len(ranked))]
	for i := range d.Mean {
		d.Mean[i] = (1-share)*d.Mean[i] + share*(first[i]+second[i]-worst[i])
		mean, square := 0.0, 0.0
		for _, w := range ranked {
			mean += w[i] / float64(len(ranked))
		}
		for _, w := range ranked {
			square += (w[i] - mean) * (w[i] - mean)
		}
		d.Deviation[i] = (1-share)*d.Deviation[i] + share*math.Sqrt(square/float64(len(ranked)))
	}
}
