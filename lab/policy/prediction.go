package policy

import (
	"math"

	"github.com/yomikiri/yomikiri/lab/interval"
	"github.com/yomikiri/yomikiri/play/learn"
)

// Prediction says how well a policy predicts the moves of games held out.
type Prediction struct {
	// First, Three and Five are the shares of moves played that it ranks first, or among the first three or
	// five. Of moves that it ranks equally, each order is as likely.
	First interval.Interval `json:"first"`
	Three interval.Interval `json:"three"`
	Five  interval.Interval `json:"five"`
	// LogLikelihood is the mean logarithm of the probabilities of the moves played.
	LogLikelihood interval.Interval `json:"log_likelihood"`
}

// tops are how many moves the shares of a [Prediction] count.
var tops = [3]int{1, 3, 5}

// Predict measures a policy in the choices of games held out; without one each move has the same probability. It
// also returns in how many positions. Intervals are by game.
func Predict(x *Choices, p *Policy, heldOut int, seed uint64) (*Prediction, int) {
	var chooser *Chooser
	if p != nil {
		chooser = p.Chooser()
	}
	var groups []int
	var shares [len(tops)][]float64
	var logs, chances []float64
	var features []int32
	for i, choice := range x.list {
		if !learn.Held(choice.group, heldOut) {
			continue
		}
		groups = append(groups, choice.group)
		features = x.appendFeatures(features[:0], i)
		sum := float64(choice.end - x.first(i))
		chances = chances[:0]
		if chooser != nil {
			chances, sum = chooser.AppendChances(chances, features)
		} else {
			for range int(sum) {
				chances = append(chances, 1)
			}
		}
		played := chances[choice.played-x.first(i)]
		logs = append(logs, math.Log(played/sum))
		better, equal := 0, 0
		for _, c := range chances {
			if c > played {
				better++
			} else if c == played {
				equal++
			}
		}
		for k, top := range tops {
			shares[k] = append(shares[k], min(max(float64(top-better)/float64(equal), 0), 1))
		}
	}
	if len(groups) == 0 {
		return nil, 0
	}
	mean := func(values []float64) interval.Interval {
		return interval.Of(len(values), func(i int) int { return groups[i] }, 400, seed, func(drawn []int) (sum float64) {
			for _, i := range drawn {
				sum += values[i]
			}
			return sum / float64(len(drawn))
		})
	}
	return &Prediction{mean(shares[0]), mean(shares[1]), mean(shares[2]), mean(logs)}, len(groups)
}

// appendFeatures appends the features of the moves of a position as [games.MoveFeatures] does.
func (x *Choices) appendFeatures(dst []int32, i int) []int32 {
	for k := x.first(i); k < x.list[i].end; k++ {
		for group, n := range x.row(k) {
			f := int32(n) - 1
			if n > 0 {
				f -= x.begin[group]
			}
			dst = append(dst, f)
		}
	}
	return dst
}
