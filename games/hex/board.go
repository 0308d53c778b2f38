package hex

import (
	"math/bits"

	"github.com/yomikiri/yomikiri/games"
)

// On a board with n rows the square in a row and column, from 0, is number n*row + column.

// up and down move the bits of a set by fewer than 64 numbers.
func up(s games.Squares, n int) games.Squares {
	return games.Squares{s[0] << n, s[1]<<n | s[0]>>(64-n)}
}

func down(s games.Squares, n int) games.Squares {
	return games.Squares{s[0]>>n | s[1]<<(64-n), s[1] >> n}
}

// less orders sets.
func less(s, t games.Squares) bool { return s[1] < t[1] || s[1] == t[1] && s[0] < t[0] }

// turned returns the image of a set on the board turned by half a turn.
func (g *Game) turned(s games.Squares) games.Squares {
	s = games.Squares{bits.Reverse64(s[1]), bits.Reverse64(s[0])}
	n := 128 - g.n*g.n
	if n >= 64 {
		s, n = games.Squares{s[1]}, n-64
	}
	return down(s, n)
}

// beside returns the neighbours of the squares of a set.
func (g *Game) beside(s games.Squares) games.Squares {
	notFirst := up(s, 1).Or(down(s, g.n-1)).Minus(g.edges[o][0])
	notLast := down(s, 1).Or(up(s, g.n-1)).Minus(g.edges[o][1])
	return notFirst.Or(notLast).Or(up(s, g.n)).Or(down(s, g.n)).And(g.board)
}

// flood returns the squares of through that are connected with those of from in it.
func (g *Game) flood(from, through games.Squares) games.Squares {
	reached := from.And(through)
	for {
		next := g.beside(reached).And(through).Or(reached)
		if next == reached {
			return reached
		}
		reached = next
	}
}

// connects reports whether stones of a side connect its edges.
func (g *Game) connects(side int, stones games.Squares) bool {
	return !g.flood(g.edges[side][0], stones).And(g.edges[side][1]).Empty()
}

// distance returns how many stones a side needs to connect its edges if the opponent passes, or
// n*n if it cannot.
func (g *Game) distance(side int, stones, opposite games.Squares) int {
	free := g.board.Minus(opposite)
	reached := g.flood(g.edges[side][0], stones)
	next := g.edges[side][0].Or(g.beside(reached)).And(free)
	for n := 0; ; n++ {
		if !reached.And(g.edges[side][1]).Empty() {
			return n
		}
		grown := reached.Or(next)
		if grown == reached {
			return g.n * g.n
		}
		reached = grown.Or(g.flood(g.beside(grown), stones))
		next = g.beside(reached).And(free)
	}
}
