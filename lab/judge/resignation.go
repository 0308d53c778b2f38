package judge

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/yomikiri/yomikiri/play"
)

// Sample is a position in which a player resigned or did not.
type Sample struct {
	Game     int // positions of one game depend on each other
	Resigned bool
	Score    play.Score // for the player
	Up, Down float64    // as in [Difficulty]
}

// Predictor is a number by which to tell whether a player resigns, larger where it is likelier.
type Predictor struct {
	Name string
	Of   func(s *Sample) float64
}

// The predictors. With one predictor the model is that of Takeuchi and Iida, who divide the score by
// the logarithm of the branching factor.
var (
	ByScore = Predictor{"score", func(s *Sample) float64 { return -float64(s.Score) }}
	ByUp    = Predictor{"score/ln b*", func(s *Sample) float64 { return -float64(s.Score) / math.Log(s.Up) }}
	ByDown  = Predictor{"score*ln b* of the other window", func(s *Sample) float64 { return -float64(s.Score) * math.Log(s.Down) }}
	Up      = Predictor{"-ln b*", func(s *Sample) float64 { return -math.Log(s.Up) }}
	Down    = Predictor{"ln b* of the other window", func(s *Sample) float64 { return math.Log(s.Down) }}
)

// Resignation is a model of when a player resigns: the probability is that of a normal distribution
// below a weighted sum of predictors.
type Resignation struct {
	Predictors []Predictor
	Constant   float64
	Weights    []float64
}

// Normal returns the mean and the deviation of the distribution of a model with one predictor x:
// the probability is ½(1 + erf((x − mean)/(√2 deviation))).
func (r *Resignation) Normal() (mean, deviation float64) {
	return -r.Constant / r.Weights[0], 1 / r.Weights[0]
}

// Probability returns how likely the player resigns.
func (r *Resignation) Probability(s *Sample) float64 {
	sum := r.Constant
	for i, p := range r.Predictors {
		sum += r.Weights[i] * p.Of(s)
	}
	return distuv.UnitNormal.CDF(sum)
}

// ErrOneKind is returned for samples of which all are resignations, or none.
var ErrOneKind = errors.New("want some of both kinds")

// FitResignation returns the model that makes the samples most likely. It fails if all are of one kind,
// or a predictor is the same for all.
func FitResignation(samples []Sample, predictors ...Predictor) (*Resignation, error) {
	resigned := 0
	for i := range samples {
		if samples[i].Resigned {
			resigned++
		}
	}
	if resigned == 0 || resigned == len(samples) {
		return nil, fmt.Errorf("the player resigns in %d of %d positions: %w", resigned, len(samples), ErrOneKind)
	}
	// Predictors are scaled, so that all weights are of one size.
	means, deviations := make([]float64, len(predictors)), make([]float64, len(predictors))
	rows := make([][]float64, len(samples))
	for j, p := range predictors {
		column := make([]float64, len(samples))
		for i := range samples {
			column[i] = p.Of(&samples[i])
		}
		means[j], deviations[j] = stat.MeanStdDev(column, nil)
		if !(deviations[j] > 0) || math.IsInf(deviations[j], 0) {
			return nil, fmt.Errorf("%s is the same in all positions, or infinite", p.Name)
		}
		for i := range rows {
			rows[i] = append(rows[i], (column[i]-means[j])/deviations[j])
		}
	}
	at := func(x, row []float64) float64 {
		sum := x[0]
		for j, v := range row {
			sum += x[j+1] * v
		}
		return sum
	}
	problem := optimize.Problem{
		Func: func(x []float64) (loss float64) {
			for i, row := range rows {
				loss -= logNormal(signed(at(x, row), samples[i].Resigned))
			}
			return loss / float64(len(rows))
		},
		Grad: func(grad, x []float64) {
			clear(grad)
			for i, row := range rows {
				sum := at(x, row)
				step := -1.0
				if !samples[i].Resigned {
					step = 1
				}
				step *= hazard(signed(sum, samples[i].Resigned)) / float64(len(rows))
				grad[0] += step
				for j, v := range row {
					grad[j+1] += step * v
				}
			}
		},
	}
	found, err := optimize.Minimize(problem, make([]float64, len(predictors)+1), nil, &optimize.BFGS{})
	if err != nil && found == nil {
		return nil, err
	}
	r := &Resignation{Predictors: predictors, Constant: found.X[0]}
	for j := range predictors {
		w := found.X[j+1] / deviations[j]
		r.Weights = append(r.Weights, w)
		r.Constant -= w * means[j]
	}
	return r, nil
}

func signed(x float64, positive bool) float64 {
	if positive {
		return x
	}
	return -x
}

// logNormal returns the logarithm of the normal distribution below x.
func logNormal(x float64) float64 {
	if x < -30 { // the distribution is too close to 0 there
		return -x*x/2 - math.Log(-x*math.Sqrt(2*math.Pi))
	}
	return math.Log(distuv.UnitNormal.CDF(x))
}

// hazard returns the derivative of logNormal.
func hazard(x float64) float64 {
	if x < -30 {
		return -x
	}
	return distuv.UnitNormal.Prob(x) / distuv.UnitNormal.CDF(x)
}

// Quality says how well probabilities fit what happened.
type Quality struct {
	// Precision is the share of resignations among the positions with a probability of at least
	// one half, and Recall the share of these positions among resignations.
	Precision, Recall float64
	// Before and Resigned are the mean probabilities in positions without and with a resignation.
	Before, Resigned float64
	// Likelihood is the mean logarithm of the probability of what happened.
	Likelihood float64
	// Area is the area under the curve of true against false positives: the chance that of
	// two positions, one of each kind, that with the resignation has the higher probability.
	Area float64
}

// QualityOf compares probabilities with samples.
func QualityOf(samples []Sample, probability []float64) Quality {
	var q Quality
	var hits, calls, resigned int
	for i := range samples {
		p := probability[i]
		q.Likelihood += math.Log(max(signed(p-0.5, samples[i].Resigned)+0.5, 1e-12))
		if p >= 0.5 {
			calls++
		}
		if !samples[i].Resigned {
			q.Before += p
			continue
		}
		resigned++
		q.Resigned += p
		if p >= 0.5 {
			hits++
		}
	}
	q.Precision, q.Recall = float64(hits)/float64(calls), float64(hits)/float64(resigned)
	q.Before /= float64(len(samples) - resigned)
	q.Resigned /= float64(resigned)
	q.Likelihood /= float64(len(samples))
	outcomes := make([]bool, len(samples))
	for i := range samples {
		outcomes[i] = samples[i].Resigned
	}
	q.Area = Area(probability, outcomes)
	return q
}

// Area returns the chance that of two cases, one that happened and one that did not, the one that did
// has the larger score; ties count half.
func Area(scores []float64, happened []bool) float64 {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case scores[a] < scores[b]:
			return -1
		case scores[a] > scores[b]:
			return 1
		}
		return 0
	})
	below, wins, yes := 0.0, 0.0, 0.0
	for i := 0; i < len(order); {
		j, no, tied := i, 0.0, 0.0
		for ; j < len(order) && scores[order[j]] == scores[order[i]]; j++ {
			if happened[order[j]] {
				tied++
			} else {
				no++
			}
		}
		wins += tied * (below + no/2)
		below, yes, i = below+no, yes+tied, j
	}
	return wins / (yes * below)
}

// CrossValidate returns the probability of each sample by models that were fitted to others: games
// are dealt into folds, and each fold is judged by a model of the rest.
func CrossValidate(samples []Sample, folds int, predictors ...Predictor) ([]float64, error) {
	if folds < 2 {
		return nil, errors.New("want at least 2 folds")
	}
	p := make([]float64, len(samples))
	for fold := range folds {
		var rest []Sample
		for i := range samples {
			if samples[i].Game%folds != fold {
				rest = append(rest, samples[i])
			}
		}
		r, err := FitResignation(rest, predictors...)
		if err != nil {
			return nil, fmt.Errorf("fold %d: %w", fold+1, err)
		}
		for i := range samples {
			if samples[i].Game%folds == fold {
				p[i] = r.Probability(&samples[i])
			}
		}
	}
	return p, nil
}
