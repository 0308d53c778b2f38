package policy

import (
	"context"
	"math"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play/learn"
)

// FitRealization fits the probability that a move is played if it is possible to choices: L1 logistic regression with
// [learn.Fit], an example for each move.
func FitRealization(ctx context.Context, x *Choices, c learn.Config) (*Policy, *learn.Fitted, error) {
	s := PolicySet(x.set, Realization)
	e, err := learn.NewExamples(s)
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
			e.Add(learn.Example{Group: choice.group, Loss: learn.Result, Features: features, Target: target, Weight: 1, Part: choice.part})
		}
	}
	// All weights but that of every move begin at 0: a move of n is played.
	c.From = make([]float32, s.Size)
	if others := x.Moves() - x.Len(); others > 0 {
		c.From[bias] = float32(scale * math.Log(float64(x.Len())/float64(others)))
	}
	f, err := learn.Fit(ctx, e, c)
	if err != nil {
		return nil, nil, err
	}
	return &Policy{Set: x.set, Model: Realization, Weights: f.Weights}, f, nil
}
