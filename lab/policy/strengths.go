package policy

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/yomikiri/yomikiri/play/learn"
)

// Config configures [FitStrengths]. Zero fields have the values of [Default].
type Config struct {
	// Prior is how many wins, and losses, against a feature of strength 1 each feature begins with.
	Prior float64
	// Passes is the most times that all choices are gone through for all features, and Gain the gain in the mean
	// logarithm of the probability, priors included, below which the fit ends.
	Passes int
	Gain   float64
	// HeldOut holds out one group of games of every HeldOut; 0 means as in [Default], and -1 none.
	HeldOut int
	// Parts, if not nil, are how much choices count, by the parts of the data.
	Parts []float64
	// Progress, if not nil, is called after each pass with the mean logarithm of the probability of the
	// moves played.
	Progress func(learn.Epoch)
}

// Default is a configuration that suits most fits.
var Default = Config{Prior: 1, Passes: 200, Gain: 1e-6, HeldOut: learn.Default.HeldOut}

// FitStrengths fits the strengths of features to choices: the product of the strengths of a move's features is
// proportional to the probability that it is chosen, a Bradley-Terry model of competitions between teams. It uses
// minorization-maximization (Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32
// (2004); Coulom, "Computing Elo ratings of move patterns in the game of Go", ICGA Journal 30 (2007)), the features
// of a group together. The likelihood of the moves and priors grows in each pass. If ctx ends it returns
// its error.
func FitStrengths(ctx context.Context, x *Choices, c Config) (*Policy, error) {
	d := &Default
	c.Prior = cmp.Or(c.Prior, d.Prior)
	c.Passes = cmp.Or(c.Passes, d.Passes)
	c.Gain = cmp.Or(c.Gain, d.Gain)
	c.HeldOut = cmp.Or(c.HeldOut, d.HeldOut)
	if n := x.Parts(); c.Parts != nil && len(c.Parts) < n {
		return nil, fmt.Errorf("there are weights for %d parts of the data, want %d", len(c.Parts), n)
	}
	f := newStrengths(x, &c)
	if f.all == 0 {
		return nil, fmt.Errorf("%w: there are %d positions with a choice, all of them held out or without weight", learn.ErrExamples, x.Len())
	}
	before := math.Inf(-1)
	for pass := range c.Passes {
		for group := range x.groups {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			f.improve(group)
		}
		now, likelihood := f.likelihood()
		if c.Progress != nil {
			c.Progress(learn.Epoch{Number: pass + 1, Train: -likelihood})
		}
		if now-before < c.Gain {
			break
		}
		before = now
	}
	p := &Policy{Set: x.set, Model: Strengths, Weights: make([]float32, len(f.strength)-1)}
	for i, s := range f.strength[1:] {
		p.Weights[i] = float32(math.RoundToEven(scale * math.Log(s)))
	}
	return p, nil
}

// strengths is the state of a fit.
type strengths struct {
	*Choices
	*Config
	all      float64   // weight of the positions
	strength []float64 // of features from 1 on; that of 0, none, is 1
	wins     []float64 // how often a move with the feature was played
	chances  []float64 // of moves: the product of their strengths
	sums     []float64 // of moves with a feature, the chances divided by those of all moves of the position
}

func newStrengths(x *Choices, c *Config) *strengths {
	n := x.set.Size() + 1
	f := &strengths{Choices: x, Config: c, strength: make([]float64, n), wins: make([]float64, n), sums: make([]float64, n), chances: make([]float64, x.Moves())}
	for i := range f.strength {
		f.strength[i] = 1
	}
	for i := range f.chances {
		f.chances[i] = 1
	}
	for i := range x.list {
		if f.learns(i) {
			w := f.weight(i)
			f.all += w
			for _, n := range x.row(x.list[i].played) {
				f.wins[n] += w
			}
		}
	}
	return f
}

func (f *strengths) learns(i int) bool {
	return f.HeldOut < 0 || !learn.Held(f.list[i].group, f.HeldOut)
}

// weight returns how much a choice counts. A negative one, as the mean of a distribution may be, counts as none.
func (f *strengths) weight(i int) float64 {
	if f.Config.Parts == nil {
		return 1
	}
	return max(f.Config.Parts[f.list[i].part], 0)
}

// improve changes the strengths of the features of a group.
func (f *strengths) improve(group int) {
	begin := f.begin[group] + 1
	end := begin + f.set.Sizes[group]
	clear(f.sums)
	for i := range f.list {
		if !f.learns(i) {
			continue
		}
		first, last := f.first(i), f.list[i].end
		all := 0.0
		for _, s := range f.chances[first:last] {
			all += s
		}
		for k := first; k < last; k++ {
			f.sums[f.moves[k*f.groups+group]] += f.weight(i) * f.chances[k] / all
		}
	}
	ratios := make([]float64, len(f.strength))
	ratios[0] = 1
	for n := begin; n < end; n++ {
		s := f.strength[n]
		improved := (f.wins[n] + f.Prior) / (f.sums[n]/s + 2*f.Prior/(1+s))
		ratios[n] = improved / s
		f.strength[n] = improved
	}
	for k := range f.chances {
		f.chances[k] *= ratios[f.moves[k*f.groups+group]]
	}
}

// likelihood returns the mean logarithm of the probability of the moves played, with priors and without.
func (f *strengths) likelihood() (all, moves float64) {
	for i := range f.list {
		if !f.learns(i) {
			continue
		}
		sum := 0.0
		for _, s := range f.chances[f.first(i):f.list[i].end] {
			sum += s
		}
		moves += f.weight(i) * math.Log(f.chances[f.list[i].played]/sum)
	}
	for _, s := range f.strength[1:] {
		all += f.Prior * (math.Log(s) - 2*math.Log1p(s))
	}
	return (all + moves) / f.all, moves / f.all
}
