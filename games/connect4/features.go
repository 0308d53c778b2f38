package connect4

import (
	_ "embed"
	"math/bits"
	"sync"

	"github.com/yomikiri/yomikiri/games"
)

var (
	_ games.Features[Position]      = (*Game)(nil)
	_ games.Tactics[Position, Move] = (*Game)(nil)
)

// Features tell the sides apart, x and o, and have the same numbers for mirror images. A threat is an
// empty square on which a disc would make four. A line is four squares in a row without discs of the
// opponent, with one to three of the side.
const (
	nearRows, nearColumns = 6, 4 // rows above count as the last two, columns as the middle

	threatKinds    = 3 // lowest of a column, above one of the same side, above one of the opponent
	featureThreats = int32(0)
	featureLines   = featureThreats + nearRows*nearColumns*threatKinds*2
	featureMiddle  = featureLines + lineKinds*nearRows*nearColumns*3*2 // discs times how near they are to the middle column
	featureMover   = featureMiddle + 1                                 // x, then o
	features       = featureMover + 2

	lineKinds = 3 // up, across, aslant
)

// The coarse features. Players fill a column by turns, so x is the one to get squares of the first,
// third and fifth row from the bottom in the end, and o the others: such a threat is good.
const (
	coarseGoodThreat = features + iota
	coarseThreat
	coarsePair // lines with two discs
	allFeatures
)

//go:embed weights.bin
var weightsFile []byte

var featureSet = sync.OnceValue(func() *games.FeatureSet {
	made := make([]float32, allFeatures)
	made[coarseGoodThreat], made[coarseThreat], made[coarsePair] = 160, 70, 10
	made[featureMiddle], made[featureMover], made[featureMover+1] = 8, 10, 10
	s := &games.FeatureSet{
		Version: "connect4-2", Size: int(features), Coarse: int(allFeatures - features), AppendCoarse: appendCoarse, Weights: made,
		Calibration: games.Calibration{Doubt: 0.5, Confirm: 64},
	}
	s.Embed(weightsFile)
	return s
})

func appendCoarse(dst []int32, feature int32) []int32 {
	switch {
	case feature < featureLines:
		side, row := feature%2, feature/(2*threatKinds*nearColumns)
		if (row+side)%2 == 0 {
			return append(dst, coarseGoodThreat)
		}
		return append(dst, coarseThreat)
	case feature < featureMiddle && feature/2%3 == 1:
		return append(dst, coarsePair)
	}
	return dst
}

// FeatureSet implements [games.Features]. Docs/learning.md says how the weights were learned.
func (g *Game) FeatureSet() *games.FeatureSet { return featureSet() }

// AppendFeatures implements [games.Features].
func (g *Game) AppendFeatures(dst []games.Feature, p Position) []games.Feature {
	opposite := p.last()
	own := p.discs &^ opposite
	side := int32(0)
	if !p.xToMove() {
		side = 1
	}
	dst = g.appendLines(dst, own, p.discs, side, 1)
	dst = g.appendLines(dst, opposite, p.discs, 1-side, -1)
	ours, theirs := g.fours(own)&^p.discs, g.fours(opposite)&^p.discs
	dst = g.appendThreats(dst, ours, theirs, side, 1)
	dst = g.appendThreats(dst, theirs, ours, 1-side, -1)
	middle := 0
	for c := range g.columns {
		column := g.column(c)
		middle += min(c, g.columns-1-c) * (bits.OnesCount64(own&column) - bits.OnesCount64(opposite&column))
	}
	if middle != 0 {
		dst = append(dst, games.Feature{Number: featureMiddle, Count: int32(middle)})
	}
	return append(dst, games.Feature{Number: featureMover + side, Count: 1})
}

// near returns the number of a row and of a column that is so far from where its mirror image is.
func near(row, column int) int32 {
	if row >= nearRows {
		row = nearRows - 2 + row%2
	}
	return int32(row*nearColumns + min(column, nearColumns-1))
}

// appendThreats appends the threats of a side.
func (g *Game) appendThreats(dst []games.Feature, threats, opposite uint64, side, count int32) []games.Feature {
	for left := threats; left != 0; left &= left - 1 {
		at := bits.TrailingZeros64(left)
		c, row := at/(g.rows+1), at%(g.rows+1)
		below := g.column(c) & (1<<at - 1)
		kind := int32(0)
		switch {
		case below&opposite != 0:
			kind = 2
		case below&threats != 0:
			kind = 1
		}
		number := featureThreats + (near(row, min(c, g.columns-1-c))*threatKinds+kind)*2 + side
		dst = append(dst, games.Feature{Number: number, Count: count})
	}
	return dst
}

// appendLines appends the lines of a side.
func (g *Game) appendLines(dst []games.Feature, own, all uint64, side, count int32) []games.Feature {
	free := own | g.full&^all
	for direction, step := range g.directions() {
		open := free & (free >> step) & (free >> (2 * step)) & (free >> (3 * step)) // their first squares
		a, b, c, d := own, own>>step, own>>(2*step), own>>(3*step)
		open &= a | b | c | d
		for ; open != 0; open &= open - 1 {
			at := bits.TrailingZeros64(open)
			discs := int32(a>>at&1 + b>>at&1 + c>>at&1 + d>>at&1)
			first, row := at/(g.rows+1), at%(g.rows+1)
			kind, column := int32(2), first
			switch direction {
			case 0:
				kind, column = 0, min(first, g.columns-1-first)
			case 1: // down to the right, the mirror image of up to the right
				column, row = g.columns-4-first, row-3
			case 2:
				kind, column = 1, min(first, g.columns-4-first)
			}
			number := featureLines + ((kind*nearRows*nearColumns+near(row, column))*3+min(discs, 3)-1)*2 + side
			dst = append(dst, games.Feature{Number: number, Count: count})
		}
	}
	return dst
}

func (g *Game) directions() [4]int { return [...]int{1, g.rows, g.rows + 1, g.rows + 2} }

// fours returns the squares, empty or not, on which a disc would complete four.
func (g *Game) fours(own uint64) (squares uint64) {
	for _, step := range g.directions() {
		pair := own & (own >> step) // first squares of two in a row
		three := pair & (own >> (2 * step))
		squares |= three<<(3*step) | three>>step              // .xxx and xxx.
		squares |= (pair & (own >> (3 * step))) << (2 * step) // xx.x
		squares |= (own & (pair >> (2 * step))) << step       // x.xx
	}
	return squares & g.full
}

// playable returns the squares on which a disc comes to lie.
func (g *Game) playable(p Position) uint64 { return (p.discs + g.bottom) & g.full }

// AppendRanks implements [games.Tactics]: four in a row, then moves that prevent it.
func (g *Game) AppendRanks(dst []int32, p Position, moves []Move) []int32 {
	opposite := p.last()
	playable := g.playable(p)
	wins, losses := g.fours(p.discs&^opposite)&playable, g.fours(opposite)&playable
	for _, m := range moves {
		rank := int32(0)
		switch column := g.column(int(m)); {
		case wins&column != 0:
			rank = 2
		case losses&column != 0:
			rank = 1
		}
		dst = append(dst, rank)
	}
	return dst
}

// Forced implements [games.Tactics]: one side could make four at once.
func (g *Game) Forced(p Position) bool {
	opposite := p.last()
	return (g.fours(opposite)|g.fours(p.discs&^opposite))&g.playable(p) != 0
}
