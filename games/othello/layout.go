package othello

import (
	"math/bits"

	"github.com/yomikiri/yomikiri/games"
)

const kindDisc = "disc"

func newLayout(rows, columns int) games.Layout {
	return games.NewLayout(games.Grid, games.Labels(columns, 'a', 1), games.Labels(rows, '1', 1),
		games.PieceKind{Name: kindDisc, Text: "●"})
}

// Layout implements [games.Describer].
func (g *Game) Layout() games.Layout { return g.layout }

// Board implements [games.Describer]: X is side 1.
func (g *Game) Board(p Position) games.Board {
	b := games.Board{Turn: 1, Pieces: []games.Piece{}}
	if p.white {
		b.Turn = 2
	}
	for i, name := range g.layout.Squares {
		switch p.mark(g.bit(i)) {
		case 'X':
			b.Pieces = append(b.Pieces, games.Piece{Kind: kindDisc, Side: 1, Square: name})
		case 'O':
			b.Pieces = append(b.Pieces, games.Piece{Kind: kindDisc, Side: 2, Square: name})
		}
	}
	return b
}

// SetUp implements [games.Describer].
func (g *Game) SetUp(b games.Board) (Position, error) {
	squares, _, err := g.layout.Place(b)
	if err != nil {
		return Position{}, err
	}
	var x, o uint64
	for i, piece := range squares {
		switch piece.Side {
		case 1:
			x |= g.bit(i)
		case 2:
			o |= g.bit(i)
		}
	}
	p := seen(x, o, b.Turn == 2)
	if err := g.check(p); err != nil {
		return Position{}, err
	}
	return p, nil
}

// Trace implements [games.Describer]. A pass is a click on a square in the middle, which no other
// move has.
func (g *Game) Trace(_ Position, m Move) games.Trace {
	if m == Pass {
		m = Move(bits.TrailingZeros64(g.middle))
	}
	return games.Trace{Squares: []string{g.square(int(m))}}
}
