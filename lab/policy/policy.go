package policy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play/learn"
)

// ErrNoMoveFeatures is returned for a game that has no [games.MoveFeatures].
var ErrNoMoveFeatures = errors.New("the game has no features of moves")

// Model says what the weights of a [Policy] mean. A move's sum is that of the weights of its features.
type Model string

// The models.
const (
	// Realization: a move is played with the probability 1/(1+exp(-sum)) if it is possible, whatever the
	// other moves (Tsuruoka, Yokoyama and Chikayama, "Game-tree search algorithm based on realization
	// probability", ICGA Journal 25 (2002)).
	Realization Model = "realization"
	// Strengths: a move is chosen with a probability proportional to exp(sum), the product of the strengths of
	// its features (Coulom, "Computing Elo ratings of move patterns in the game of Go", ICGA Journal 30 (2007)).
	Strengths Model = "strengths"
)

// Policy says how probable moves are.
type Policy struct {
	Set   *games.MoveFeatureSet
	Model Model
	// Weights are those of all features, group by group, and for [Realization] one more that every move
	// has; in units of 1/256.
	Weights []float32
}

const scale = 256

// Fit fits a policy of a model to choices. Strengths take of the configuration the games held out, the parts and the progress.
func Fit(ctx context.Context, x *Choices, m Model, c learn.Config) (*Policy, error) {
	switch m {
	case Realization:
		p, _, err := FitRealization(ctx, x, c)
		return p, err
	case Strengths:
		return FitStrengths(ctx, x, Config{HeldOut: c.HeldOut, Parts: c.Parts, Progress: c.Progress})
	}
	return nil, fmt.Errorf("%w %q: want %s or %s", ErrModel, m, Strengths, Realization)
}

// ErrModel is returned for the name of a model that there is not.
var ErrModel = errors.New("no model")

// PolicySet returns the features of a policy, as a file of weights names them.
func PolicySet(s *games.MoveFeatureSet, m Model) *games.FeatureSet {
	size := s.Size()
	if m == Realization {
		size++
	}
	return &games.FeatureSet{Version: s.Version + " " + string(m), Size: size}
}

// Write writes the policy to a file, and how it was made.
func (p *Policy) Write(w io.Writer, origin string) error {
	return games.WriteWeights(w, PolicySet(p.Set, p.Model), p.Weights, origin)
}

// ReadPolicy reads a policy from a file. Errors are those of [games.ReadWeights].
func ReadPolicy(file []byte, s *games.MoveFeatureSet) (*Policy, error) {
	var errs []error
	for _, m := range []Model{Strengths, Realization} {
		weights, _, err := games.ReadWeights(bytes.NewReader(file), PolicySet(s, m))
		if err == nil {
			return &Policy{s, m, weights}, nil
		}
		errs = append(errs, err)
	}
	return nil, errs[0]
}

// MoveFeaturesOf returns the features of a game's moves. It fails with [ErrNoMoveFeatures] if there are none.
func MoveFeaturesOf[P, M comparable](g games.Game[P, M]) (games.MoveFeatures[P, M], error) {
	f, ok := games.As[games.MoveFeatures[P, M]](g)
	if !ok {
		return nil, fmt.Errorf("%s: %w", g.Name(), ErrNoMoveFeatures)
	}
	return f, nil
}

// Chooser computes the probabilities of moves. It may be used by several goroutines.
type Chooser struct {
	model   Model
	groups  int
	begin   []int32   // the index in factors before the first feature of each group, which is for none
	factors []float64 // exp of the weights
	all     float64   // of every move
}

// Chooser returns what computes the probabilities.
func (p *Policy) Chooser() *Chooser {
	c := &Chooser{model: p.Model, groups: len(p.Set.Sizes), all: 1}
	at := 0
	for _, size := range p.Set.Sizes {
		c.begin = append(c.begin, int32(len(c.factors)))
		c.factors = append(c.factors, 1)
		for range size {
			c.factors = append(c.factors, factor(p.Weights[at]))
			at++
		}
	}
	if p.Model == Realization {
		c.all = factor(p.Weights[at])
	}
	return c
}

func factor(weight float32) float64 { return math.Exp(float64(weight) / scale) }

// AppendChances appends, for each of the moves of a position with the given features, a number that is
// proportional to the probability that it is chosen. For [Realization] it is the probability of the model. It returns their sum too.
func (c *Chooser) AppendChances(dst []float64, features []int32) (chances []float64, sum float64) {
	for ; len(features) >= c.groups; features = features[c.groups:] {
		product := c.all
		for i, f := range features[:c.groups] {
			product *= c.factors[c.begin[i]+f+1]
		}
		if c.model == Realization {
			product /= 1 + product
		}
		sum += product
		dst = append(dst, product)
	}
	return dst, sum
}
