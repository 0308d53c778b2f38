package gomoku

import "github.com/yomikiri/yomikiri/games"

var _ games.MoveFeatures[Position, Square] = (*Game)(nil)

const (
	mostWindows = 3 // that are told apart in number
	mostApart   = 4
	mostInside  = 4
)

// The groups of features of a move.
var moveFeatureSet = games.MoveFeatureSet{Version: "gomoku-moves-1", Sizes: []int32{
	(mostLacking + 1) * mostWindows, // stones that its best live windows lack then, and how many there are
	(mostLacking + 1) * mostWindows, // the same for a stone of the opponent there
	2 * (mostApart + 1),             // squares from the last move; on a line with it
	mostInside + 1,                  // squares to the edge
}}

// MoveFeatureSet implements [games.MoveFeatures].
func (g *Game) MoveFeatureSet() *games.MoveFeatureSet { return &moveFeatureSet }

// AppendMoveFeatures implements [games.MoveFeatures].
func (g *Game) AppendMoveFeatures(dst []int32, p Position, last *Square, moves []Square) []int32 {
	b := g.NewBoard(p)
	for _, s := range moves {
		apart := games.NoFeature
		if last != nil {
			rows, columns := span(s.Row(), last.Row()), span(s.Column(), last.Column())
			apart = 2 * int32(min(max(rows, columns), mostApart))
			if rows == 0 || columns == 0 || rows == columns {
				apart++
			}
		}
		edge := min(s.Row(), s.Column(), g.rows-1-s.Row(), g.columns-1-s.Column())
		dst = append(dst, b.bestWindows(s, p.toMove), b.bestWindows(s, p.toMove.Opponent()), apart, int32(min(edge, mostInside)))
	}
	return dst
}

// bestWindows returns a number for the live windows of a side with the empty square s that have most of its stones.
func (b *Board) bestWindows(s Square, side Side) int32 {
	most, count := -1, 0
	for _, w := range b.Through(s) {
		switch n := b.StonesIn(w, side); {
		case n > most:
			most, count = n, 1
		case n == most:
			count++
		}
	}
	if most < 0 {
		return games.NoFeature
	}
	return int32(min(b.layout.k-1-most, mostLacking)*mostWindows + min(count, mostWindows) - 1)
}

// span returns how far apart two numbers are.
func span(a, b int) int { return max(a-b, b-a) }
