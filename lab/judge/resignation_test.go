package judge

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/yomikiri/yomikiri/lab/interval"
	"github.com/yomikiri/yomikiri/play"
)

// TestFitResignation recovers the parameters that samples were drawn with.
func TestFitResignation(t *testing.T) {
	const mean, deviation = 900.0, 350.0
	rng := rand.New(rand.NewPCG(1, 2))
	var samples []Sample
	for i := range 20_000 {
		s := Sample{Game: i / 2, Score: play.Score(-rng.IntN(2500)), Up: 1.5 + 3*rng.Float64(), Down: 1.5 + 3*rng.Float64()}
		s.Resigned = rng.NormFloat64()*deviation+mean < -float64(s.Score)/math.Log(s.Up)
		samples = append(samples, s)
	}
	r, err := FitResignation(samples, ByUp)
	require.NoError(t, err)
	m, d := r.Normal()
	require.InDelta(t, mean, m, 20)
	require.InDelta(t, deviation, d, 15)

	// By hand: −v/ln b* = 600/ln 2 = 865.6, and Φ((865.6 − m)/d).
	s := Sample{Score: -600, Up: 2}
	require.InDelta(t, 0.5*(1+math.Erf((600/math.Ln2-m)/(math.Sqrt2*d))), r.Probability(&s), 1e-9)

	// Nothing near is more likely.
	loss := func(m, d float64) (sum float64) {
		for i := range samples {
			p := distuv.Normal{Mu: m, Sigma: d}.CDF(ByUp.Of(&samples[i]))
			sum -= math.Log(max(signed(p-0.5, samples[i].Resigned)+0.5, 1e-300))
		}
		return sum
	}
	best := loss(m, d)
	for _, c := range [][2]float64{{1.01, 1}, {0.99, 1}, {1, 1.02}, {1, 0.98}} {
		require.Greater(t, loss(m*c[0], d*c[1]), best)
	}

	alone, err := CrossValidate(samples, 10, ByScore)
	require.NoError(t, err)
	both, err := CrossValidate(samples, 10, ByUp)
	require.NoError(t, err)
	a, b := QualityOf(samples, alone), QualityOf(samples, both)
	require.Greater(t, b.Likelihood, a.Likelihood+0.02)
	require.Greater(t, b.Area, a.Area)
	v := interval.Of(len(samples), func(i int) int { return samples[i].Game }, 200, 1, func(drawn []int) (gain float64) {
		for _, i := range drawn {
			gain += both[i] - alone[i]
		}
		return gain / float64(len(drawn))
	})
	require.Less(t, v.Low, v.High)

	_, err = FitResignation(samples[:1], ByScore)
	require.ErrorContains(t, err, "of both kinds")
}

func TestQualityOf(t *testing.T) {
	samples := []Sample{{Resigned: true}, {Resigned: true}, {}, {}}
	q := QualityOf(samples, []float64{0.9, 0.4, 0.6, 0.1})
	require.InDelta(t, 0.5, q.Precision, 1e-12)
	require.InDelta(t, 0.5, q.Recall, 1e-12)
	require.InDelta(t, 0.35, q.Before, 1e-12)
	require.InDelta(t, 0.65, q.Resigned, 1e-12)
	require.InDelta(t, 0.75, q.Area, 1e-12)
	require.InDelta(t, math.Log(0.9*0.4*0.4*0.9)/4, q.Likelihood, 1e-12)
	require.InDelta(t, 0.5, Area([]float64{1, 1, 1}, []bool{true, false, true}), 1e-12)
}
