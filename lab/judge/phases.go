package judge

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/yomikiri/yomikiri/lab/interval"
	"github.com/yomikiri/yomikiri/play/measure"
)

// Phases are where the phases of games meet.
type Phases struct {
	Games      []Phased
	Threshold  float64   // of the dissonance, at the end of the opening
	Dissonance []float64 // mean of the side to move, by ply
	Reached    []int     // how many games have a position at a ply
}

// Phased is a game of some plies, with its phases.
type Phased struct {
	Plies int
	measure.Phases
}

// Phases measures the phases of games; the opening ends at ply book at the earliest.
func (j *Judge[P, M]) Phases(ctx context.Context, list []Played[P, M], book int) (*Phases, error) {
	r := &Phases{}
	for _, played := range list {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		p := played.From
		var all [][2]float64
		for i := range len(played.Moves) + 1 {
			own, opposite, columns, ok := measure.Influence(j.Game, p)
			if !ok {
				return nil, fmt.Errorf("%s has no board of squares", j.Game.Name())
			}
			if r.Threshold == 0 {
				r.Threshold = measure.OpeningEnds(columns, len(own)/columns)
			}
			e := [2]float64{measure.EvidenceOf(own, columns).E, measure.EvidenceOf(opposite, columns).E}
			if i == len(r.Reached) {
				r.Dissonance, r.Reached = append(r.Dissonance, 0), append(r.Reached, 0)
			}
			r.Reached[i]++
			r.Dissonance[i] += (e[0] - r.Dissonance[i]) / float64(r.Reached[i])
			if i%2 == 1 {
				e[0], e[1] = e[1], e[0]
			}
			all = append(all, e)
			if i < len(played.Moves) {
				p = j.Game.Play(p, played.Moves[i])
			}
		}
		r.Games = append(r.Games, Phased{len(played.Moves), measure.PhasesOf(all, r.Threshold, book)})
	}
	return r, nil
}

// Middle returns the plies at which the middle game begins, of the games that have one.
func (r *Phases) Middle() []float64 {
	return r.numbers(func(g Phased) float64 { return float64(g.Middle) }, func(g Phased) bool { return g.Middle > 0 })
}

// End returns the plies at which the endgame begins, of the games that have one.
func (r *Phases) End() []float64 {
	return r.numbers(func(g Phased) float64 { return float64(g.End) }, Phased.ends)
}

// Between returns how much of the rest of the game after the opening is over when the endgame
// begins, from 0 to 1, of the games that have an endgame.
func (r *Phases) Between() []float64 {
	return r.numbers(func(g Phased) float64 { return float64(g.End-g.Middle) / float64(g.Plies-g.Middle) }, Phased.ends)
}

func (g Phased) ends() bool { return g.End > 0 }

func (r *Phases) numbers(of func(Phased) float64, has func(Phased) bool) (list []float64) {
	for _, g := range r.Games {
		if has(g) {
			list = append(list, of(g))
		}
	}
	return list
}

// ByLength returns the games in groups of nearly one size, the shortest games first.
func (r *Phases) ByLength(groups int) []*Phases {
	sorted := slices.Clone(r.Games)
	slices.SortStableFunc(sorted, func(a, b Phased) int { return a.Plies - b.Plies })
	var list []*Phases
	for i := range groups {
		list = append(list, &Phases{Games: sorted[i*len(sorted)/groups : (i+1)*len(sorted)/groups], Threshold: r.Threshold})
	}
	return list
}

// Quantile returns a quantile of numbers, one a game, with its interval. All are NaN for no numbers.
func Quantile(numbers []float64, q float64, seed uint64) interval.Interval {
	return interval.Of(len(numbers), nil, Draws, seed, func(drawn []int) float64 {
		list := make([]float64, len(drawn))
		for k, i := range drawn {
			list[k] = numbers[i]
		}
		if len(list) == 0 {
			return math.NaN()
		}
		slices.Sort(list)
		return list[min(int(q*float64(len(list))), len(list)-1)]
	})
}

// Mean returns the mean of a number over positions, with its interval.
func Mean(samples []Sample, seed uint64, of func(s *Sample) float64) interval.Interval {
	return interval.Of(len(samples), func(i int) int { return samples[i].Game }, Draws, seed, func(drawn []int) (sum float64) {
		for _, i := range drawn {
			sum += of(&samples[i])
		}
		return sum / float64(len(drawn))
	})
}

// Draws is how often games are drawn for an interval.
const Draws = 1000
