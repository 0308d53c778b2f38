package gomoku

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// fivesPlainly returns for each direction the squares where a side makes a winning
// line in this direction at once.
func fivesPlainly(g *Game, p Position, side Side, direction int) (set Set) {
	d := [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}}[direction]
	empty := g.EmptySquares(p)
	for s := range empty.All() {
		length := 1
		for _, sign := range []int{1, -1} {
			row, column := s.Row()+sign*d[0], s.Column()+sign*d[1]
			for row >= 0 && row < g.rows && column >= 0 && column < g.columns {
				if who, ok := p.At(SquareAt(row, column)); !ok || who != side {
					break
				}
				length++
				row, column = row+sign*d[0], column+sign*d[1]
			}
		}
		if length == g.k || length > g.k && !g.exact {
			set.Add(s)
		}
	}
	return set
}

// threatsPlainly lists what each move of a side threatens in each direction, by
// making it and a second one.
func threatsPlainly(g *Game, p Position, side Side) (list []string) {
	empty := g.EmptySquares(p)
	for gain := range empty.All() {
		for direction := range 4 {
			before := fivesPlainly(g, p, side, direction)
			q := p
			q.stones[side].Add(gain)
			fives := fivesPlainly(g, q, side, direction)
			through := onLine(g, gain, direction)
			fives.Intersect(&through)
			if !fives.Empty() {
				before.Intersect(&through)
				if before.Empty() {
					costs := slices.Collect(fives.All())
					if len(costs) > 1 {
						costs = nil
					}
					list = append(list, fmt.Sprint(gain, costs, true))
				}
				continue
			}
			if costs, ok := threePlainly(g, q, side, direction, through); ok {
				list = append(list, fmt.Sprint(gain, costs, false))
			}
		}
	}
	return list
}

func onLine(g *Game, s Square, direction int) (set Set) {
	d := [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}}[direction]
	for n := -MaxSide; n <= MaxSide; n++ {
		row, column := s.Row()+n*d[0], s.Column()+n*d[1]
		if row >= 0 && row < g.rows && column >= 0 && column < g.columns {
			set.Add(SquareAt(row, column))
		}
	}
	return set
}

// threePlainly returns the replies after which no move on the line has two places
// to complete a line, and whether there is such a move without a reply.
func threePlainly(g *Game, p Position, side Side, direction int, line Set) ([]Square, bool) {
	if !straightNext(g, p, side, direction, line) {
		return nil, false
	}
	var costs []Square
	empty := g.EmptySquares(p)
	line.Intersect(&empty)
	for reply := range line.All() {
		q := p
		q.stones[side.Opponent()].Add(reply)
		if !straightNext(g, q, side, direction, line) {
			costs = append(costs, reply)
		}
	}
	return costs, true
}

func straightNext(g *Game, p Position, side Side, direction int, line Set) bool {
	empty := g.EmptySquares(p)
	empty.Intersect(&line)
	for s := range empty.All() {
		q := p
		q.stones[side].Add(s)
		fives := fivesPlainly(g, q, side, direction)
		fives.Intersect(&line)
		if fives.Len() > 1 {
			return true
		}
	}
	return false
}

// TestThreatsAgainstPlain compares threats on boards where no three or four was
// there before: then all that a move makes on a line depends on it.
func TestThreatsAgainstPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, spec := range []string{"gomoku:size=9x9", "gomoku:size=9x9,rule=exact", "gomoku:size=8x9,k=4", "gomoku:size=7x7,k=4,rule=exact", "gomoku:size=12x11,k=6,rule=exact"} {
		g := open(t, spec)
		compared := 0
		for range 50 {
			p := middleGame(g, rng, 3+rng.IntN(16))
			b := g.NewBoard(p)
			for side := Black; side <= White; side++ {
				if !b.quiet(side) || slices.ContainsFunc([]int{0, 1, 2, 3}, func(direction int) bool {
					return straightNext(g, p, side, direction, g.squares)
				}) {
					continue
				}
				var got []string
				for _, threat := range b.AppendThreats(nil, side, nil) {
					costs := threat.Costs()
					slices.Sort(costs)
					got = append(got, fmt.Sprint(threat.Gain, costs, threat.Four))
				}
				compared += len(got)
				require.ElementsMatch(t, threatsPlainly(g, p, side), got, "%v: %s", side, g.AppendPosition(nil, p))
				require.Equal(t, p, b.Position(p.toMove))
			}
		}
		t.Log(spec, compared)
		require.Greater(t, compared, 30)
	}
}

// quiet reports whether no window of a side lacks one stone only.
func (b *Board) quiet(side Side) bool {
	var set Set
	b.AddGaps(side, b.layout.k-1, &set)
	return set.Empty()
}

// middleGame plays random moves near other stones until there are so many.
func middleGame(g *Game, rng *rand.Rand, stones int) Position {
	for {
		p := g.Play(g.Start(), SquareAt(g.rows/2, g.columns/2))
		for range stones - 1 {
			near := g.EmptySquares(p)
			around := surroundings(g, p)
			near.Intersect(&around)
			moves := slices.Collect(near.All())
			if _, finished := g.Outcome(p); finished || len(moves) == 0 {
				break
			}
			p = g.Play(p, moves[rng.IntN(len(moves))])
		}
		if _, finished := g.Outcome(p); !finished {
			return p
		}
	}
}

// surroundings returns the squares at most two away from a stone.
func surroundings(g *Game, p Position) (set Set) {
	for _, side := range p.stones {
		for s := range side.All() {
			for row := max(s.Row()-2, 0); row <= min(s.Row()+2, g.rows-1); row++ {
				for column := max(s.Column()-2, 0); column <= min(s.Column()+2, g.columns-1); column++ {
					set.Add(SquareAt(row, column))
				}
			}
		}
	}
	return set
}
