package hex

import (
	"math"

	"github.com/yomikiri/yomikiri/games"
)

var (
	_ games.Connection[Position, Move] = (*Game)(nil)
	_ games.Symmetric                  = (*Game)(nil)
)

// Monotone implements [games.Monotone]. A stone that may be taken over can hurt.
func (g *Game) Monotone() bool { return !g.swap }

// Settled reports whether no swap is possible from a position on: the game is then [games.Monotone], whatever the rules.
func (g *Game) Settled(p Position) bool {
	return !g.swap || p.swapped() || p.stones[x].Len()+p.stones[o].Len() > 1
}

// Placement implements [games.Monotone].
func (g *Game) Placement(p Position) games.Placement {
	return games.Placement{Stones: p.stones, ToMove: int(p.toMove)}
}

// Images implements [games.Symmetric]: the board may be turned by half a turn.
func (g *Game) Images(p games.Placement) []games.Placement {
	turned := games.Placement{Stones: [2]games.Squares{g.turned(p.Stones[x]), g.turned(p.Stones[o])}, ToMove: p.ToMove}
	return []games.Placement{p, turned}
}

// Place implements [games.Connection].
func (g *Game) Place(p games.Placement) Position {
	return Position{p.Stones, uint64(p.ToMove)}
}

// Square implements [games.Connection].
func (g *Game) Square(m Move) int { return int(m) }

// Beside implements [games.Connection].
func (g *Game) Beside(square int) games.Squares { return g.beside(games.Squares{}.With(square)) }

// Edges implements [games.Connection].
func (g *Game) Edges(side int) [2]games.Squares { return g.edges[side] }

// Weigh implements [games.Connection]: a square weighs as much as the currents through it, if the
// board is a circuit between the edges of a side, for both sides (Anshelevich 2002).
func (g *Game) Weigh(p Position, weights *[games.MaxSquares]float64) {
	*weights = [games.MaxSquares]float64{}
	for side := range p.stones {
		g.current(side, p.stones[side], p.stones[1-side], weights)
	}
}

// The resistance of a stone; that of an empty square is 1.
const stoneResistance = 0.02

// leak keeps the equations of squares that are cut off solvable.
const leak = 1e-9

// current adds the share of the current between the edges of a side that flows through each square.
// The potentials are the solution of a system of equations; squares more than a row apart are not
// connected, so its matrix is banded, and elimination goes row by row.
func (g *Game) current(side int, own, other games.Squares, weights *[games.MaxSquares]float64) {
	const most = 11                                // columns
	var matrix [games.MaxSquares][most + 1]float64 // at i and d the entry of i and i-d
	var potential [games.MaxSquares]float64
	resistance := func(square int) float64 {
		if own.Has(square) {
			return stoneResistance
		}
		return 1
	}
	squares := g.n * g.n
	// conductances calls f for each connection of a square with those before it.
	conductances := func(i int, f func(j int, c float64)) {
		for _, near := range g.next[i] {
			if j := int(near); j < i && !other.Has(j) {
				f(j, 1/(resistance(i)+resistance(j)))
			}
		}
	}
	for i := range squares {
		if other.Has(i) {
			matrix[i][0] = 1
			continue
		}
		matrix[i][0] += leak
		for end, edge := range g.edges[side] {
			if edge.Has(i) {
				matrix[i][0] += 1 / resistance(i)
				potential[i] += float64(1-end) / resistance(i)
			}
		}
		conductances(i, func(j int, c float64) {
			matrix[i][0] += c
			matrix[j][0] += c
			matrix[i][i-j] -= c
		})
	}
	for j := range squares {
		for i := j + 1; i <= j+g.n && i < squares; i++ {
			factor := matrix[i][i-j] / matrix[j][0]
			if factor == 0 {
				continue
			}
			for k := j + 1; k <= i; k++ {
				matrix[i][i-k] -= factor * matrix[k][k-j]
			}
			potential[i] -= factor * potential[j]
		}
	}
	for i := squares - 1; i >= 0; i-- {
		for k := i + 1; k <= i+g.n && k < squares; k++ {
			potential[i] -= matrix[k][k-i] * potential[k]
		}
		potential[i] /= matrix[i][0]
	}
	total := 0.0
	var through [games.MaxSquares]float64
	for i := range squares {
		if other.Has(i) {
			continue
		}
		for end, edge := range g.edges[side] {
			if edge.Has(i) {
				c := math.Abs(float64(1-end)-potential[i]) / resistance(i)
				through[i] += c
				total += c
			}
		}
		conductances(i, func(j int, c float64) {
			c *= math.Abs(potential[i] - potential[j])
			through[i] += c
			through[j] += c
		})
	}
	if total > 0 {
		for i := range squares {
			weights[i] += through[i] / total
		}
	}
}
