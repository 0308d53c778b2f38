package connect4

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// byHand counts what the weights made by hand judge, on a board of squares.
func byHand(g *Game, p Position) int {
	at := func(row, column int) int { // 1 for the side to move, -1 for the opponent, 2 beyond the board
		if row < 0 || row >= g.rows || column < 0 || column >= g.columns {
			return 2
		}
		switch bit := uint64(1) << (column*(g.rows+1) + row); {
		case p.discs&bit == 0:
			return 0
		case p.last()&bit != 0:
			return -1
		}
		return 1
	}
	sum := 10
	threats := map[[3]int]bool{} // side, row, column
	for row := range g.rows {
		for column := range g.columns {
			sum += 8 * at(row, column) * min(column, g.columns-1-column)
			for _, d := range [4][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
				counts, empty := map[int]int{}, [2]int{}
				for i := range 4 {
					r, c := row+i*d[0], column+i*d[1]
					counts[at(r, c)]++
					if at(r, c) == 0 {
						empty = [2]int{r, c}
					}
				}
				for _, side := range []int{1, -1} {
					switch {
					case counts[side] == 2 && counts[0] == 2:
						sum += 10 * side
					case counts[side] == 3 && counts[0] == 1:
						threats[[3]int{side, empty[0], empty[1]}] = true
					}
				}
			}
		}
	}
	for threat := range threats {
		side, row := threat[0], threat[1]
		if x := p.xToMove() == (side == 1); x == (row%2 == 0) {
			sum += 160 * side
		} else {
			sum += 70 * side
		}
	}
	return sum
}

// TestMadeByHand compares the evaluation by the weights made by hand with a plain count.
func TestMadeByHand(t *testing.T) {
	for _, spec := range []string{"connect4", "connect4:size=4x5", "connect4:size=7x3", "connect4:size=3x8"} {
		g, err := Family.Open(spec)
		require.NoError(t, err)
		cursor := games.NewCursor(g, g.FeatureSet().Folded(g.FeatureSet().ByHand()))
		rng := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			p := g.Start()
			for {
				if _, finished := g.Outcome(p); finished {
					break
				}
				cursor.Set(p)
				require.Equal(t, byHand(g, p), cursor.Evaluate(), "%s", g.AppendPosition(nil, p))
				moves := g.AppendMoves(nil, p)
				p = g.Play(p, moves[rng.IntN(len(moves))])
			}
		}
	}
}
