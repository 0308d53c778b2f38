package app

import (
	"bytes"
	"crypto/sha256"
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

// Digest tells weights of one content from others; those that a program has are told by their name.
func (f Weights) Digest() string {
	if f.data == nil {
		return f.name
	}
	sum := sha256.Sum256(f.data)
	return fmt.Sprintf("%x", sum[:16])
}

// Of returns the evaluation of a game with these weights.
func (f Weights) Of(g *Game) (*play.Evaluation, error) {
	e, err := g.Evaluation()
	if err != nil {
		return nil, InputError{err}
	}
	return f.For(g.Name(), e)
}

// For returns the evaluation of the game with a name, of which e is one, with these weights.
func (f Weights) For(game string, e *play.Evaluation) (*play.Evaluation, error) {
	made := &play.Evaluation{Set: e.Set, Weights: e.Weights}
	switch {
	case f.name == MadeWeights:
		made.Weights = slices.Clone(e.Set.ByHand())
	case f.name == MaterialWeights:
		if made.Weights = slices.Clone(e.Set.Material); made.Weights == nil {
			return nil, InputError{fmt.Errorf("%s has no material: want the weights made, or a file", game)}
		}
	case f.name != "":
		var err error
		if made.Weights, _, err = games.ReadWeights(bytes.NewReader(f.data), e.Set); err != nil {
			return nil, InputError{fmt.Errorf("%s, as weights of %s: %w", f.name, game, err)}
		}
	}
	return made, nil
}
