package play

import (
	"errors"
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// ErrNoFeatures is returned for a game that has no [games.Features].
var ErrNoFeatures = errors.New("the game has no evaluation, since it has no games.Features")

// Evaluation holds the weights of a game's features.
type Evaluation struct {
	Set     *games.FeatureSet
	Weights []float32 // Set.Size + Set.Coarse of them
}

// EvaluationOf returns the evaluation that a game comes with. It fails with [ErrNoFeatures] if
// there is none.
func EvaluationOf[P, M comparable](g games.Game[P, M]) (*Evaluation, error) {
	f, ok := g.(games.Features[P])
	if !ok {
		return nil, fmt.Errorf("%s: %w", g.Name(), ErrNoFeatures)
	}
	set := f.FeatureSet()
	if len(set.Weights) != set.Size+set.Coarse {
		return nil, fmt.Errorf("%s has %d weights, want one for each of its %d features", g.Name(), len(set.Weights), set.Size+set.Coarse)
	}
	return &Evaluation{set, slices.Clone(set.Weights)}, nil
}
