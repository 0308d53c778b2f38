package gomoku

import (
	"strconv"

	"github.com/yomikiri/yomikiri/games"
)

const kindStone = "stone"

func (g *Game) Layout() games.Layout {
	labels := make([]string, g.rows)
	for i := range labels {
		labels[i] = strconv.Itoa(g.rows - i)
	}
	return games.NewLayout(games.Lines, games.Labels(g.columns, 'a', 1), labels,
		games.PieceKind{Name: kindStone, Text: "●"})
}

// fromTop returns square i of the layout, which counts from the top.
func (g *Game) fromTop(i int) Square { return SquareAt(g.rows-1-i/g.columns, i%g.columns) }

func (g *Game) Board(p Position) games.Board {
	b := games.Board{Turn: 1 + int(p.toMove), Pieces: []games.Piece{}}
	for i := range g.rows * g.columns {
		s := g.fromTop(i)
		if side, ok := p.At(s); ok {
			b.Pieces = append(b.Pieces, games.Piece{Kind: kindStone, Side: 1 + int(side), Square: s.String()})
		}
	}
	return b
}

func (g *Game) SetUp(b games.Board) (Position, error) {
	layout := g.Layout()
	squares, _, err := layout.Place(b)
	if err != nil {
		return Position{}, err
	}
	p := Position{toMove: Side(b.Turn - 1)}
	for i, piece := range squares {
		if piece.Side != 0 {
			p.stones[piece.Side-1].Add(g.fromTop(i))
		}
	}
	if err := g.check(p); err != nil {
		return Position{}, err
	}
	return p, nil
}

func (g *Game) Trace(_ Position, s Square) games.Trace {
	return games.Trace{Squares: []string{s.String()}}
}
