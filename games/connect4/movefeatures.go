package connect4

import (
	"math/bits"

	"github.com/yomikiri/yomikiri/games"
)

var _ games.MoveFeatures[Position, Move] = (*Game)(nil)

// The groups of features of a move. Threats are as in [Game.FeatureSet].
var moveFeatureSet = games.MoveFeatureSet{Version: "connect4-moves-1", Sizes: []int32{
	6,                          // wins; prevents a win or not, and what it allows on the square above
	9,                          // the threats that it makes
	9,                          // the threats that the opponent would make there
	nearRows * nearColumns * 2, // its square, by side
	mostApart + 1,              // columns from the last move
	5 * 5,                      // discs of both sides around it
}}

const mostApart = 4

// MoveFeatureSet implements [games.MoveFeatures].
func (g *Game) MoveFeatureSet() *games.MoveFeatureSet { return &moveFeatureSet }

// AppendMoveFeatures implements [games.MoveFeatures].
func (g *Game) AppendMoveFeatures(dst []int32, p Position, last *Move, moves []Move) []int32 {
	opposite := p.last()
	own := p.discs &^ opposite
	side := int32(0)
	if !p.xToMove() {
		side = 1
	}
	playable := g.playable(p)
	wins, losses := g.fours(own), g.fours(opposite)
	for _, m := range moves {
		disc := playable & g.column(int(m))
		above := disc << 1 & g.full
		effect := games.NoFeature
		switch prevents := disc&losses != 0; {
		case disc&wins != 0:
			effect = 0
		case above&losses != 0: // the opponent wins
			effect = 1
			if prevents {
				effect = 2
			}
		case above&wins != 0: // the opponent can take a square on which we would win
			effect = 3
			if prevents {
				effect = 4
			}
		case prevents:
			effect = 5
		}
		after := playable&^disc | above
		apart := games.NoFeature
		if last != nil {
			apart = int32(min(max(int(m)-int(*last), int(*last)-int(m)), mostApart))
		}
		row, around := bits.TrailingZeros64(disc)%(g.rows+1), g.around(disc)
		dst = append(dst, effect,
			g.threats(g.fours(own|disc)&^wins&^p.discs, after, side),
			g.threats(g.fours(opposite|disc)&^losses&^p.discs, after, 1-side),
			near(row, min(int(m), g.columns-1-int(m)))*2+side, apart,
			int32(5*min(bits.OnesCount64(around&own), 4)+min(bits.OnesCount64(around&opposite), 4)))
	}
	return dst
}

// threats returns a number for threats of a side: how many can be carried out at once, up to two, and whether
// one of the others is good (see the coarse features).
func (g *Game) threats(threats, playable uint64, side int32) int32 {
	if threats == 0 {
		return games.NoFeature
	}
	n := 3 * int32(min(bits.OnesCount64(threats&playable), 2))
	switch good := g.bottom * (0x5555 << side & (1<<g.rows - 1)); {
	case threats&^playable == 0:
		return n
	case threats&^playable&good == 0:
		return n + 1
	}
	return n + 2
}

// around returns the squares around that of disc.
func (g *Game) around(disc uint64) (squares uint64) {
	for _, step := range g.directions() {
		squares |= disc<<step | disc>>step
	}
	return squares
}
