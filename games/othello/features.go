package othello

import (
	"math/bits"

	"github.com/yomikiri/yomikiri/games"
)

var _ games.Features[Position] = (*Game)(nil)

// The features of a side, in each of three phases of the game.
const (
	featureMobility = iota // its moves
	featureFrontier        // its discs beside an empty square, where the opponent may move
	featureCorner          // its discs in corners
	featureDiagonal        // those on the diagonal beside an empty corner
	featureBeside          // those on the edge beside an empty corner
	featureEdge            // those on the rest of the edge
	featureDisc            // all of its discs
	featureMover           // it is to move
	kinds

	phases = 3
)

// The weights are made by hand.
var featureSet = games.FeatureSet{
	Calibration: games.Calibration{Doubt: 0.1, Confirm: 256},
	Version:     "othello-1",
	Size:        phases * kinds,
	Weights: []float32{
		60, -25, 600, -250, -120, 20, -20, 50,
		60, -20, 500, -200, -100, 40, 0, 50,
		30, -5, 300, -80, -50, 50, 60, 0,
	},
	Material: make([]float32, phases*kinds),
}

// FeatureSet implements [games.Features].
func (g *Game) FeatureSet() *games.FeatureSet { return &featureSet }

// AppendFeatures implements [games.Features].
func (g *Game) AppendFeatures(dst []games.Feature, p Position) []games.Feature {
	occupied := p.own | p.opposite
	phase := bits.OnesCount64(occupied) * phases / (g.rows*g.columns + 1)
	first := int32(phase * kinds)
	add := func(kind int32, own, opposite uint64) {
		if n := bits.OnesCount64(own) - bits.OnesCount64(opposite); n != 0 {
			dst = append(dst, games.Feature{Number: first + kind, Count: int32(n)})
		}
	}
	add(featureMobility, g.moves(p.own, p.opposite), g.moves(p.opposite, p.own))
	on := func(kind int32, squares uint64) { add(kind, p.own&squares, p.opposite&squares) }
	near := around(g.corners &^ occupied)
	on(featureFrontier, around(g.board&^occupied))
	on(featureCorner, g.corners)
	on(featureDiagonal, near&^g.edge)
	on(featureBeside, near&g.edge)
	on(featureEdge, g.edge&^near&^g.corners)
	on(featureDisc, occupied)
	return append(dst, games.Feature{Number: first + featureMover, Count: 1})
}
