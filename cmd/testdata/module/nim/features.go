package nim

import "github.com/yomikiri/yomikiri/games"

// The features are the heaps that have an odd and an even number of stones. A player who knows more
// would count the nim-sum.
var featureSet = games.FeatureSet{Version: "nim-1", Size: 2, Weights: []float32{20, -20}}

// FeatureSet implements [games.Features].
func (Game) FeatureSet() *games.FeatureSet { return &featureSet }

// AppendFeatures implements [games.Features].
func (Game) AppendFeatures(dst []games.Feature, p Position) []games.Feature {
	for _, stones := range p {
		if stones > 0 {
			dst = append(dst, games.Feature{Number: int32(1 - stones%2), Count: 1})
		}
	}
	return dst
}
