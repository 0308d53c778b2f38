package match

import (
	"fmt"
	"math"
)

// Tally counts pairs of games by the points of the first player in both together, in half
// points: 0 for two losses to 4 for two wins.
type Tally [5]int

// Pairs returns the number of pairs.
func (t Tally) Pairs() int {
	n := 0
	for _, k := range t {
		n += k
	}
	return n
}

// Score returns the first player's points a game, 0 to 1, and the standard error of that, which
// counts pairs and not games, since those of a pair depend on each other through the opening.
func (t Tally) Score() (mean, deviation float64) {
	n := float64(t.Pairs())
	if n == 0 {
		return 0.5, math.Inf(1)
	}
	for i, k := range t {
		mean += float64(k) * float64(i) / 4
	}
	mean /= n
	square := 0.0
	for i, k := range t {
		d := float64(i)/4 - mean
		square += float64(k) * d * d
	}
	// One pair of each kind beside those played keeps the variance of few pairs from being 0.
	if n < 2 || square == 0 {
		for i := range t {
			d := float64(i)/4 - mean
			square += d * d / 5
		}
	}
	return mean, math.Sqrt(square/max(n-1, 1)) / math.Sqrt(n)
}

// Interval returns the first player's points a game, and half of the interval that holds the true
// ones in 95 of 100 matches.
func (t Tally) Interval() (mean, half float64) {
	mean, deviation := t.Score()
	return mean, normal95 * deviation
}

// Elo is a difference of strength in Elo points, with an interval that holds the true one in 95 of
// 100 matches. Its ends may be infinite.
type Elo struct{ Low, Elo, High float64 }

func (e Elo) String() string { return fmt.Sprintf("%+.0f [%+.0f, %+.0f]", e.Elo, e.Low, e.High) }

// normal95 is how many standard errors are on each side of an interval of 95 %.
const normal95 = 1.959964

// Elo returns by how much the first player is stronger.
func (t Tally) Elo() Elo {
	mean, half := t.Interval()
	return Elo{eloOf(mean - half), eloOf(mean), eloOf(mean + half)}
}

func eloOf(score float64) float64 {
	switch {
	case score <= 0:
		return math.Inf(-1)
	case score >= 1:
		return math.Inf(1)
	}
	return 400 * math.Log10(score/(1-score))
}

func scoreOf(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// SPRT is a sequential probability ratio test (Wald 1945): it ends a match as soon as the games
// show whether the first player is stronger by Elo1 or only by Elo0. The zero SPRT never does.
type SPRT struct {
	Elo0, Elo1 float64
	Error      float64 // the chance of a wrong answer; 0 means 0.05
}

// Verdict is what a test has found.
type Verdict int

// The verdicts.
const (
	Open Verdict = iota
	Weaker
	Stronger
)

// String returns "open", "elo0" or "elo1": the hypothesis that is accepted.
func (v Verdict) String() string { return [...]string{"open", "elo0", "elo1"}[v] }

// Test returns the logarithm of the likelihood ratio of the two hypotheses, by the normal
// approximation for pairs, and the verdict.
func (s SPRT) Test(t Tally) (ratio float64, v Verdict) {
	if s.Elo0 == s.Elo1 || t.Pairs() < 2 {
		return 0, Open
	}
	mean, deviation := t.Score()
	s0, s1 := scoreOf(s.Elo0), scoreOf(s.Elo1)
	ratio = (s1 - s0) * (2*mean - s0 - s1) / (2 * deviation * deviation)
	miss := s.Error
	if miss == 0 {
		miss = 0.05
	}
	switch bound := math.Log((1 - miss) / miss); {
	case ratio >= bound:
		v = Stronger
	case ratio <= -bound:
		v = Weaker
	}
	return ratio, v
}
