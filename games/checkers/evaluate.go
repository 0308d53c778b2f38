package checkers

import (
	"math/bits"

	"github.com/yomikiri/yomikiri/games"
)

var _ games.Evaluator[Position] = (*Game)(nil)

// weights are the terms of the evaluation, in hundredths of a man.
var weights = struct {
	man, king int
	advanced  int // for each row that a man has advanced
	step      int // for each piece that can move
	firstRow  int // for each man in the first row, while the opponent has men
	mover     int // for the side to move
}{man: 100, king: 140, advanced: 3, step: 2, firstRow: 6, mover: 3}

// Evaluate implements [games.Evaluator].
func (g *Game) Evaluate(p Position) int {
	q := g.turnedPosition(p)
	return g.evaluateSide(&p) - g.evaluateSide(&q) + weights.mover
}

// evaluateSide returns what the pieces of the side to move are worth.
func (g *Game) evaluateSide(p *Position) int {
	men := p.own &^ p.kings
	score := weights.man*bits.OnesCount64(men) + weights.king*bits.OnesCount64(p.own&p.kings) +
		weights.step*bits.OnesCount64(g.steppers(p))
	for left, row := men&^g.first, 1; left != 0; row++ {
		in := left & (1<<rowStart(row+1) - 1)
		score += weights.advanced * row * bits.OnesCount64(in)
		left &^= in
	}
	if p.opposite&^p.kings != 0 {
		score += weights.firstRow * bits.OnesCount64(men&g.first)
	}
	return score
}

// Quiet implements [games.Evaluator]: the side to move has nothing to capture.
func (g *Game) Quiet(p Position) bool { return g.jumpers(&p) == 0 }
