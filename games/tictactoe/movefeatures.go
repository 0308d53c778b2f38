package tictactoe

import "github.com/yomikiri/yomikiri/games"

var _ games.MoveFeatures[Position, Move] = Game{}

// The features of a move say whether it wins, prevents a win or makes two lines to win on, and on which kind of
// square it is: edge, corner or middle.
var moveFeatureSet = games.MoveFeatureSet{Version: "tictactoe-moves-1", Sizes: []int32{3, 3}}

// MoveFeatureSet implements [games.MoveFeatures].
func (Game) MoveFeatureSet() *games.MoveFeatureSet { return &moveFeatureSet }

// AppendMoveFeatures implements [games.MoveFeatures].
func (Game) AppendMoveFeatures(dst []int32, p Position, _ *Move, moves []Move) []int32 {
	own, opposite := p.o, p.x
	if p.xToMove() {
		own, opposite = p.x, p.o
	}
	for _, m := range moves {
		effect, square := games.NoFeature, int32(1-m%2) // odd squares are on the edge
		if m == 4 {
			square = 2
		}
		switch bit := uint16(1) << m; {
		case hasWon(own | bit):
			effect = 0
		case hasWon(opposite | bit):
			effect = 1
		case threats(own|bit, opposite) > 1:
			effect = 2
		}
		dst = append(dst, effect, square)
	}
	return dst
}

// threats counts the empty squares on which a mark would win.
func threats(own, opposite uint16) (n int) {
	for square := range 9 {
		if bit := uint16(1) << square; (own|opposite)&bit == 0 && hasWon(own|bit) {
			n++
		}
	}
	return n
}
