package learn

import (
	"context"
	"math"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
)

// FitRealization fits the probability that a move is played if it is possible to choices: L1 logistic regression with
// [Fit], an example for each move.
func FitRealization(ctx context.Context, x *Choices, c Config) (*play.Policy, *Fitted, error) {
	s := play.PolicySet(x.set, play.Realization)
	e, err := NewExamples(s)
	if err != nil {
		return nil, nil, err
	}
	bias := int32(s.Size - 1)
	var features []games.Feature
	for i, choice := range x.list {
		for k := x.first(i); k < choice.end; k++ {
			features = append(features[:0], games.Feature{Number: bias, Count: 1})
			for _, n := range x.row(k) {
				if n > 0 {
					features = append(features, games.Feature{Number: int32(n) - 1, Count: 1})
				}
			}
			target := float32(0)
			if k == choice.played {
				target = 1
			}
			e.Add(Example{Group: choice.group, Loss: Result, Features: features, Target: target, Weight: 1})
		}
	}
	// All weights but that of every move begin at 0: a move of n is played.
	c.From = make([]float32, s.Size)
	if others := x.Moves() - x.Len(); others > 0 {
		c.From[bias] = float32(scale * math.Log(float64(x.Len())/float64(others)))
	}
	f, err := Fit(ctx, e, c)
	if err != nil {
		return nil, nil, err
	}
	return &play.Policy{Set: x.set, Model: play.Realization, Weights: f.Weights}, f, nil
}
