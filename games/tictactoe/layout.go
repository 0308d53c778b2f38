package tictactoe

import "github.com/yomikiri/yomikiri/games"

const kindMark = "mark"

var layout = func() games.Layout {
	l := games.NewLayout(games.Grid, games.Labels(3, 'a', 1), games.Labels(3, '3', -1),
		games.PieceKind{Name: kindMark, Text: "x"})
	l.Derived = true
	return l
}()

// fromTop returns square i of the layout, which counts from the top.
func fromTop(i int) Move { return Move(3*(2-i/3) + i%3) }

func (Game) Layout() games.Layout { return layout }

func (Game) Board(p Position) games.Board {
	b := games.Board{Turn: 2, Pieces: []games.Piece{}}
	if p.xToMove() {
		b.Turn = 1
	}
	for i, name := range layout.Squares {
		switch p.mark(int(fromTop(i))) {
		case 'x':
			b.Pieces = append(b.Pieces, games.Piece{Kind: kindMark, Side: 1, Square: name})
		case 'o':
			b.Pieces = append(b.Pieces, games.Piece{Kind: kindMark, Side: 2, Square: name})
		}
	}
	return b
}

func (Game) SetUp(b games.Board) (Position, error) {
	squares, _, err := layout.Place(b)
	if err != nil {
		return Position{}, err
	}
	var p Position
	for i, piece := range squares {
		switch piece.Side {
		case 1:
			p.x |= 1 << fromTop(i)
		case 2:
			p.o |= 1 << fromTop(i)
		}
	}
	if err := p.check(); err != nil {
		return Position{}, err
	}
	return p, nil
}

func (g Game) Trace(p Position, m Move) games.Trace {
	return games.Trace{Squares: []string{string(g.AppendMove(nil, p, m))}}
}
