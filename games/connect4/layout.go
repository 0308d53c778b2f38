package connect4

import (
	"math/bits"
	"strconv"

	"github.com/yomikiri/yomikiri/games"
)

const kindDisc = "disc"

func newLayout(rows, columns int) games.Layout {
	labels := make([]string, rows)
	for i := range labels {
		labels[i] = strconv.Itoa(rows - i)
	}
	l := games.NewLayout(games.Columns, games.Labels(columns, 'a', 1), labels,
		games.PieceKind{Name: kindDisc, Text: "●"})
	l.Derived = true
	return l
}

// fromTop returns the bit of square i of the layout, which counts from the top.
func (g *Game) fromTop(i int) uint64 { return g.square(g.rows-1-i/g.columns, i%g.columns) }

func (g *Game) Layout() games.Layout { return g.layout }

func (g *Game) Board(p Position) games.Board {
	b := games.Board{Turn: 2, Pieces: []games.Piece{}}
	if p.xToMove() {
		b.Turn = 1
	}
	for i, name := range g.layout.Squares {
		switch p.mark(g.fromTop(i)) {
		case 'x':
			b.Pieces = append(b.Pieces, games.Piece{Kind: kindDisc, Side: 1, Square: name})
		case 'o':
			b.Pieces = append(b.Pieces, games.Piece{Kind: kindDisc, Side: 2, Square: name})
		}
	}
	return b
}

func (g *Game) SetUp(b games.Board) (Position, error) {
	squares, _, err := g.layout.Place(b)
	if err != nil {
		return Position{}, err
	}
	var p Position
	for i, piece := range squares {
		switch piece.Side {
		case 1:
			p.x |= g.fromTop(i)
			p.discs |= g.fromTop(i)
		case 2:
			p.discs |= g.fromTop(i)
		}
	}
	if err := g.check(p); err != nil {
		return Position{}, err
	}
	return p, nil
}

// Trace implements [games.Describer]: the square where the disc comes to rest.
func (g *Game) Trace(p Position, m Move) games.Trace {
	row := bits.OnesCount64(p.discs & g.column(int(m)))
	return games.Trace{Squares: []string{g.layout.Squares[(g.rows-1-row)*g.columns+int(m)]}}
}
