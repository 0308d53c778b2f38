package checkers

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// byHand counts what the weights made by hand judge, square by square.
func byHand(g *Game, p Position) int {
	q := g.turnedPosition(p)
	sum := 3
	for sign, p := range map[int]*Position{1: &p, -1: &q} {
		side := 2 * g.perSide(p)
		for bit := range boardBits {
			square := board(1) << bit
			switch {
			case p.own&square == 0:
			case p.kings&square != 0:
				side += 140
			default:
				side += 100
				row := 0
				for ; square&g.first == 0; row++ {
					square = (square>>stepLeft | square>>stepRight) & g.valid
				}
				side += 3 * row
				if row == 0 && p.opposite&^p.kings != 0 {
					side += 6
				}
			}
		}
		sum += sign * side
	}
	return sum
}

// perSide counts the pieces that can step.
func (g *Game) perSide(p *Position) int { return int(ones(g.steppers(p))) }

// TestMadeByHand compares the evaluation by the weights made by hand with a plain count.
func TestMadeByHand(t *testing.T) {
	for _, spec := range []string{"checkers", "checkers:size=6x6", "checkers:size=4x4"} {
		g := open(t, spec)
		cursor := games.NewCursor(g, g.FeatureSet().Folded(g.FeatureSet().ByHand()))
		rng := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			p := g.Start()
			for range 80 {
				moves := g.AppendMoves(nil, p)
				if len(moves) == 0 {
					break
				}
				cursor.Set(p)
				require.Equal(t, byHand(g, p), cursor.Evaluate(), "%s", g.AppendPosition(nil, p))
				p = g.Play(p, moves[rng.IntN(len(moves))])
			}
		}
	}
}
