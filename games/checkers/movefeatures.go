package checkers

import (
	"math/bits"

	"github.com/yomikiri/yomikiri/games"
)

var _ games.MoveFeatures[Position, Move] = (*Game)(nil)

const mostCaptured = 3

// The groups of features of a move.
var moveFeatureSet = games.MoveFeatureSet{Version: "checkers-moves-1", Sizes: []int32{
	3 * (mostCaptured + 1), // a man, one that is crowned or a king; pieces captured
	2 * boardBits,          // a man or king and its square
	2 * boardBits,          // a man or king and the square that it leaves
	2 * 2,                  // whether the opponent could capture before, and can afterwards
}}

// MoveFeatureSet implements [games.MoveFeatures].
func (g *Game) MoveFeatureSet() *games.MoveFeatureSet { return &moveFeatureSet }

// AppendMoveFeatures implements [games.MoveFeatures].
func (g *Game) AppendMoveFeatures(dst []int32, p Position, _ *Move, moves []Move) []int32 {
	passed := g.turnedPosition(p)
	before := 2 * hasAny(g.jumpers(&passed))
	var route []board
	for _, m := range moves {
		route = m.appendRoute(route[:0])
		from, to := route[0], route[len(route)-1]
		king := hasAny(from & p.kings)
		piece := 2 * king
		if king == 0 {
			piece = hasAny(to & g.last)
		}
		q := g.Play(p, m)
		dst = append(dst, piece*(mostCaptured+1)+int32(min(m.captures(), mostCaptured)),
			king*boardBits+int32(bits.TrailingZeros64(to)), king*boardBits+int32(bits.TrailingZeros64(from)),
			before+hasAny(g.jumpers(&q)))
	}
	return dst
}

func hasAny(b board) int32 { return min(ones(b), 1) }
