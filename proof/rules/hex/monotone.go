package hex

import "github.com/yomikiri/yomikiri/games"

var _ games.Monotone[Position] = (*Game)(nil)

// Monotone implements [games.Monotone].
func (g *Game) Monotone() bool { return !g.swap }

// Placement implements [games.Monotone]: x is side 0.
func (g *Game) Placement(p Position) (q games.Placement) {
	for row := range g.n {
		for column := range g.n {
			switch square := g.n*row + column; p.board[row][column] {
			case 'x':
				q.Stones[0] = q.Stones[0].With(square)
			case 'o':
				q.Stones[1] = q.Stones[1].With(square)
			}
		}
	}
	if p.turn == 'o' {
		q.ToMove = 1
	}
	return q
}
