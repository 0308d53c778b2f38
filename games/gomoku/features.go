package gomoku

import (
	_ "embed"
	"math/bits"
	"sync"

	"github.com/yomikiri/yomikiri/games"
)

var _ games.Features[Position] = (*Game)(nil)

// The features are the live windows of a side with stones in them, by how many stones they
// lack, and the squares where the opponent could make a straight four. Whose windows they are
// matters, since a window is worth more to the side to move.
const (
	mostLacking = 4

	featureOwn      = 0                        // 1 to mostLacking stones lack
	featureOpposite = featureOwn + mostLacking //
	featureStraight = featureOpposite + mostLacking
	featureMover    = featureStraight + 1
	features        = featureMover + 1
)

//go:embed weights.bin
var weightsFile []byte

var featureSet = sync.OnceValue(func() *games.FeatureSet {
	s := &games.FeatureSet{
		Version: "gomoku-1", Size: features,
		Weights: []float32{
			400, 70, 14, 4,
			400, 30, 8, 3,
			featureStraight: 60, featureMover: 20,
		},
		// A move that is shown to lose gives away at most what there was. Below an even estimate the position is likely
		// to be lost already, which takes more effort to show.
		Calibration: games.Calibration{Doubt: 0.5, Confirm: 64},
	}
	s.Embed(weightsFile)
	return s
})

// FeatureSet implements [games.Features]. Docs/learning.md says how the weights were learned.
func (g *Game) FeatureSet() *games.FeatureSet { return featureSet() }

// AppendFeatures implements [games.Features].
func (g *Game) AppendFeatures(dst []games.Feature, p Position) []games.Feature {
	b := g.NewBoard(p)
	var n [features]int32
	b.count(p.toMove, &n)
	for i, count := range n {
		if count != 0 {
			dst = append(dst, games.Feature{Number: int32(i), Count: count})
		}
	}
	return dst
}

// count counts the features for the side to move.
func (b *Board) count(toMove Side, n *[features]int32) {
	for lacking := 1; lacking <= min(mostLacking, b.layout.k-1); lacking++ {
		n[featureOwn+lacking-1] = int32(b.Windows(toMove, b.layout.k-lacking).Len())
		n[featureOpposite+lacking-1] = -int32(b.Windows(toMove.Opponent(), b.layout.k-lacking).Len())
	}
	straight := b.straights(toMove.Opponent())
	n[featureStraight] = -int32(straight.Len())
	n[featureMover] = 1
}

// straights returns the squares where a stone of the side makes a line possible on two squares
// at once, so that one reply does not do.
func (b *Board) straights(side Side) (set Set) {
	var once Set
	var completed [MaxSquares]Square // by a stone on the other gap, for squares in once
	for i, w := range b.Windows(side, b.layout.k-2) {
		for ; w != 0; w &= w - 1 {
			first, last := b.Gaps(64*i + bits.TrailingZeros64(w))
			for range 2 {
				if !once.Has(first) {
					once.Add(first)
					completed[first] = last
				} else if completed[first] != last {
					set.Add(first)
				}
				first, last = last, first
			}
		}
	}
	return set
}
