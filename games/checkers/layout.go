package checkers

import (
	"strconv"

	"github.com/yomikiri/yomikiri/games"
)

const (
	kindMan  = "man"
	kindKing = "king"
)

// layoutOf describes the board as Black, who begins, sees it: square 1 is in the row nearest
// to him, on his right. Only the dark squares have names, their numbers.
func layoutOf(g *geometry) games.Layout {
	l := games.Layout{
		Style: games.Grid, Columns: make([]string, g.side), Rows: make([]string, g.side),
		Squares: make([]string, g.side*g.side),
		Kinds:   []games.PieceKind{{Name: kindMan, Text: "m"}, {Name: kindKing, Text: "K", Promoted: true}},
	}
	for i := range l.Squares {
		if bit := g.fromTop(i); bit != 0 {
			l.Squares[i] = strconv.Itoa(g.square(bit, false))
		}
	}
	return l
}

// fromTop returns square i of the layout, as Black sees the board, or 0 if it is light.
func (g *geometry) fromTop(i int) board {
	row, column := g.side-1-i/g.side, g.side-1-i%g.side
	if row%2 == column%2 {
		return 0
	}
	return 1 << (rowStart(row) + column/2)
}

// Layout implements [games.Describer].
func (g *Game) Layout() games.Layout { return g.layout }

// Board implements [games.Describer]: side 1 is Black.
func (g *Game) Board(p Position) games.Board {
	b := games.Board{Turn: 1 + colour(p.white), Pieces: []games.Piece{}}
	if p.white {
		p = g.turnedPosition(p)
	}
	for i, name := range g.layout.Squares {
		bit := g.fromTop(i)
		if (p.own|p.opposite)&bit == 0 {
			continue
		}
		piece := games.Piece{Kind: kindMan, Side: 1, Square: name}
		if p.kings&bit != 0 {
			piece.Kind = kindKing
		}
		if p.opposite&bit != 0 {
			piece.Side = 2
		}
		b.Pieces = append(b.Pieces, piece)
	}
	return b
}

// SetUp implements [games.Describer].
func (g *Game) SetUp(b games.Board) (Position, error) {
	squares, _, err := g.layout.Place(b)
	if err != nil {
		return Position{}, err
	}
	var p Position
	for i, piece := range squares {
		bit := g.fromTop(i)
		switch piece.Side {
		case 1:
			p.own |= bit
		case 2:
			p.opposite |= bit
		}
		if piece.Kind == kindKing {
			p.kings |= bit
		}
	}
	if b.Turn == 2 {
		p = g.turnedPosition(p)
	}
	if err := g.check(&p); err != nil {
		return Position{}, err
	}
	return p, nil
}

// Trace implements [games.Describer]: all squares on which the piece lands.
func (g *Game) Trace(p Position, m Move) games.Trace {
	var t games.Trace
	for _, at := range m.appendRoute(nil) {
		t.Squares = append(t.Squares, strconv.Itoa(g.square(at, p.white)))
	}
	return t
}
