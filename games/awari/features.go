package awari

import (
	_ "embed"
	"sync"

	"github.com/yomikiri/yomikiri/games"
)

var (
	_ games.Features[Position]      = (*Game)(nil)
	_ games.Tactics[Position, Move] = (*Game)(nil)
)

// The features of a side: the stones in each of its pits, how many pits are empty, can be
// captured, or hold enough stones to be sown all around, and to be the side to move.
const (
	featureStones = 0
	featureEmpty  = pits + iota
	featureWeak
	featureHouse
	featureMover
	features
)

const house = 12 // stones that come around to the pit before that which is sown

//go:embed weights.bin
var weightsFile []byte

var featureSet = sync.OnceValue(func() *games.FeatureSet {
	s := &games.FeatureSet{
		Version: "awari-1", Size: features,
		Weights:  []float32{8, 8, 8, 8, 8, 8, featureEmpty: -10, featureWeak: -25, featureHouse: 30, featureMover: 10},
		Material: make([]float32, features),
	}
	s.Embed(weightsFile)
	return s
})

// FeatureSet implements [games.Features]. Docs/learning.md says how the weights were learned.
func (g *Game) FeatureSet() *games.FeatureSet { return featureSet() }

// AppendFeatures implements [games.Features].
func (g *Game) AppendFeatures(dst []games.Feature, p Position) []games.Feature {
	dst = appendRow(dst, p.own, 1)
	dst = appendRow(dst, p.opposite, -1)
	return append(dst, games.Feature{Number: featureMover, Count: 1})
}

func appendRow(dst []games.Feature, r row, sign int32) []games.Feature {
	for pit := range pits {
		n := r.pit(pit)
		if n > 0 {
			dst = append(dst, games.Feature{Number: int32(featureStones + pit), Count: sign * int32(n)})
		}
		switch {
		case n == 0:
			dst = append(dst, games.Feature{Number: featureEmpty, Count: sign})
		case n <= 2:
			dst = append(dst, games.Feature{Number: featureWeak, Count: sign})
		case n >= house:
			dst = append(dst, games.Feature{Number: featureHouse, Count: sign})
		}
	}
	return dst
}

// AppendRanks implements [games.Tactics]: the stones that a move captures.
func (g *Game) AppendRanks(dst []int32, p Position, moves []Move) []int32 {
	for _, m := range moves {
		dst = append(dst, int32(max(g.Gain(p, m), 0)))
	}
	return dst
}

// Forced implements [games.Tactics]. No threat has to be answered.
func (g *Game) Forced(Position) bool { return false }
