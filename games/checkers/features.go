package checkers

import (
	_ "embed"
	"math/bits"
	"slices"
	"sync"

	"github.com/yomikiri/yomikiri/games"
)

var (
	_ games.Features[Position]      = (*Game)(nil)
	_ games.Tactics[Position, Move] = (*Game)(nil)
)

// The features of a side, seen from it. Men and kings are told apart by square, and by how many pieces are
// left: more than 13, more than 6, or fewer.
const (
	boardBits = 36
	stages    = 3
	diamonds  = 81 // empty, own or opposite, on a square, the two before it and the one two rows ahead

	featureMen      = int32(0)
	featureKings    = featureMen + stages*boardBits
	featureDiamonds = featureKings + stages*boardBits
	featureFirstRow = featureDiamonds + diamonds*boardBits // sets of men in the first row, while the opponent has men
	featureRunaway  = featureFirstRow + 16                 // men that nothing can stop, by rows to go
	featureStep     = featureRunaway + 8                   // pieces that can step
	featureMove     = featureStep + 1                      // the move, by stage, while both sides have as many pieces
	featureMover    = featureMove + stages                 // to be the side to move
	features        = featureMover + 1
)

// The coarse features.
const (
	coarseMan = features + iota
	coarseKing
	coarseDiamond // by what is on its squares
	allFeatures   = coarseDiamond + diamonds
)

//go:embed weights.bin
var weightsFile []byte

// featureSets are the features on the large board, for which weights were learned, and on any other.
var featureSets = sync.OnceValue(func() (sets [2]games.FeatureSet) {
	material := make([]float32, allFeatures)
	material[coarseMan], material[coarseKing] = 100, 140
	made := slices.Clone(material)
	made[featureStep], made[featureMover] = 2, 3
	for i := range int32(stages * boardBits) {
		made[featureMen+i] = 3 * float32(rowOf(i%boardBits))
	}
	for i := range int32(16) {
		made[featureFirstRow+i] = 6 * float32(bits.OnesCount32(uint32(i)))
	}
	for i := range sets {
		sets[i] = games.FeatureSet{
			Version: "checkers-2", Size: int(features), Coarse: int(allFeatures - features), AppendCoarse: appendCoarse, Weights: made,
			Material: material,
		}
	}
	sets[0].Embed(weightsFile)
	return sets
})

// rowOf returns the row of a bit of a board.
func rowOf(bit int32) int32 { return 2*(bit/9) + bit%9/4 }

func appendCoarse(dst []int32, feature int32) []int32 {
	switch {
	case feature < featureKings:
		return append(dst, coarseMan)
	case feature < featureDiamonds:
		return append(dst, coarseKing)
	case feature < featureFirstRow:
		return append(dst, coarseDiamond+(feature-featureDiamonds)%diamonds)
	}
	return dst
}

// FeatureSet implements [games.Features]. Docs/learning.md says how the weights were learned.
func (g *Game) FeatureSet() *games.FeatureSet {
	sets := featureSets()
	if g.side == 8 {
		return &sets[0]
	}
	return &sets[1]
}

// AppendFeatures implements [games.Features].
func (g *Game) AppendFeatures(dst []games.Feature, p Position) []games.Feature {
	stage := int32(0)
	switch n := ones(p.own | p.opposite); {
	case n <= 6:
		stage = 2
	case n <= 13:
		stage = 1
	}
	q := g.turnedPosition(p)
	dst = g.appendSide(dst, &p, stage, 1)
	dst = g.appendSide(dst, &q, stage, -1)
	if n := ones(g.steppers(&p)) - ones(g.steppers(&q)); n != 0 {
		dst = append(dst, games.Feature{Number: featureStep, Count: n})
	}
	if ones(p.own) == ones(p.opposite) {
		dst = append(dst, games.Feature{Number: featureMove + stage, Count: 2*(ones((p.own|p.opposite)&evenRows)&1) - 1})
	}
	return append(dst, games.Feature{Number: featureMover, Count: 1})
}

// evenRows are the first row and every second one from there. The side to move has the move if the
// pieces in them are odd in number.
const evenRows board = 0xf | 0xf<<9 | 0xf<<18 | 0xf<<27

// appendSide appends the features of the side to move.
func (g *Game) appendSide(dst []games.Feature, p *Position, stage, count int32) []games.Feature {
	men := p.own &^ p.kings
	for left := men; left != 0; left &= left - 1 {
		at := int32(bits.TrailingZeros64(left))
		dst = append(dst, games.Feature{Number: featureMen + stage*boardBits + at, Count: count})
		ahead, way := left&-left, board(0)
		for rows := ahead &^ g.last; rows != 0; rows &^= g.last {
			rows = (rows<<stepLeft | rows<<stepRight) & g.valid
			way |= rows
		}
		if way&p.opposite == 0 {
			dst = append(dst, games.Feature{Number: featureRunaway + int32(g.side) - 1 - rowOf(at), Count: count})
		}
	}
	for left := p.own & p.kings; left != 0; left &= left - 1 {
		at := int32(bits.TrailingZeros64(left))
		dst = append(dst, games.Feature{Number: featureKings + stage*boardBits + at, Count: count})
	}
	// Only squares with four on the board, and at least two pieces.
	for left := g.valid & (g.valid >> stepLeft) & (g.valid >> stepRight) & (g.valid >> (stepLeft + stepRight)); left != 0; left &= left - 1 {
		at := bits.TrailingZeros64(left)
		own, opposite := p.own>>at, p.opposite>>at
		const diamond = 1 | 1<<stepLeft | 1<<stepRight | 1<<(stepLeft+stepRight)
		if both := (own | opposite) & diamond; both&(both-1) == 0 {
			continue
		}
		number := digit(own, opposite, 0) + 3*digit(own, opposite, stepLeft) + 9*digit(own, opposite, stepRight) +
			27*digit(own, opposite, stepLeft+stepRight)
		dst = append(dst, games.Feature{Number: featureDiamonds + int32(at)*diamonds + number, Count: count})
	}
	if p.opposite&^p.kings != 0 {
		dst = append(dst, games.Feature{Number: featureFirstRow + int32(men&g.first), Count: count})
	}
	return dst
}

// digit is 0 for an empty square, 1 for one with a piece of the side and 2 for one of the opponent.
func digit(own, opposite board, at int) int32 { return int32(own>>at&1 + 2*(opposite>>at&1)) }

func ones(b board) int32 { return int32(bits.OnesCount64(b)) }

// AppendRanks implements [games.Tactics]: captures, then moves that crown a man.
func (g *Game) AppendRanks(dst []int32, p Position, moves []Move) []int32 {
	for _, m := range moves {
		rank := int32(2 * m.captures())
		if from := board(1) << m.from(); rank == 0 && from&^p.kings != 0 {
			direction := m.direction(0)
			if shifted(from, direction, stepOf(direction))&g.last != 0 {
				rank = 1
			}
		}
		dst = append(dst, rank)
	}
	return dst
}

// Forced implements [games.Tactics]: the side to move has to capture.
func (g *Game) Forced(p Position) bool { return g.jumpers(&p) != 0 }
