package app

import (
	"bytes"
	"fmt"
	"os"
	"slices"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
)

// Weights is a file of weights, as bytes, since the features are known only later. Without a name it
// stands for the weights that a game comes with.
type Weights struct {
	name string
	data []byte
}

// Names of weights that are not files.
const (
	MadeWeights     = "made"     // those made by hand
	MaterialWeights = "material" // those of the pieces alone
)

// ReadWeights reads weights from a file, or remembers one of the names above.
func ReadWeights(name string) (f Weights, err error) {
	f.name = name
	if name == "" || name == MadeWeights || name == MaterialWeights {
		return f, nil
	}
	if f.data, err = os.ReadFile(name); err != nil {
		return f, InputError{fmt.Errorf("weights: %w", err)}
	}
	return f, nil
}

// Of returns the evaluation of a game with these weights.
func (f Weights) Of(g *Game) (*play.Evaluation, error) {
	e, err := g.Evaluation()
	switch {
	case err != nil:
		return nil, InputError{err}
	case f.name == MadeWeights:
		e.Weights = slices.Clone(e.Set.ByHand())
	case f.name == MaterialWeights:
		if e.Weights = slices.Clone(e.Set.Material); e.Weights == nil {
			return nil, InputError{fmt.Errorf("%s has no material: want weights=made, or a file", g.Name())}
		}
	case f.name != "":
		if e.Weights, _, err = games.ReadWeights(bytes.NewReader(f.data), e.Set); err != nil {
			return nil, InputError{fmt.Errorf("%s: %w", f.name, err)}
		}
	}
	return e, nil
}
