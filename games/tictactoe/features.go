package tictactoe

import (
	"math/bits"

	"github.com/yomikiri/yomikiri/games"
)

var _ games.Features[Position] = Game{}

// The features are the lines that only one side has marks on, by the number of its marks.
var featureSet = games.FeatureSet{Version: "tictactoe-1", Size: 3, Weights: []float32{0, 30, 100}}

// FeatureSet implements [games.Features].
func (Game) FeatureSet() *games.FeatureSet { return &featureSet }

// AppendFeatures implements [games.Features].
func (Game) AppendFeatures(dst []games.Feature, p Position) []games.Feature {
	own, opposite := p.o, p.x
	if p.xToMove() {
		own, opposite = p.x, p.o
	}
	for _, line := range wins {
		switch {
		case opposite&line == 0:
			dst = append(dst, games.Feature{Number: int32(bits.OnesCount16(own & line)), Count: 1})
		case own&line == 0:
			dst = append(dst, games.Feature{Number: int32(bits.OnesCount16(opposite & line)), Count: -1})
		}
	}
	return dst
}
