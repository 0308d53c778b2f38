package shogi

import "github.com/yomikiri/yomikiri/games"

var _ games.Influence[Position] = Game{}

// AttackCounts returns for each square how many pieces of c attack it. Whether a square is
// empty, and whose piece stands on it, makes no difference, but pieces stop sliders.
func (b *Board) AttackCounts(c Color) (counts [squares]uint8) {
	occupied := b.occupied()
	for x := b.color[c&1]; !x.Empty(); x = x.rest() {
		s := x.First()
		for to := attacksOf(b.squares[s], s, occupied); !to.Empty(); to = to.rest() {
			counts[to.First()]++
		}
	}
	return counts
}

// Influence implements [games.Influence].
func (Game) Influence(p Position) (own, opposite []uint8) {
	b := NewBoard(p)
	us, them := b.AttackCounts(p.turn), b.AttackCounts(p.turn.Other())
	for i := range squares {
		own = append(own, us[fromTop(i)])
		opposite = append(opposite, them[fromTop(i)])
	}
	return own, opposite
}

// Columns implements [games.Influence].
func (Game) Columns() int { return 9 }
