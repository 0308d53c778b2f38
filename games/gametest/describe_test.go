package gametest_test

import "github.com/yomikiri/yomikiri/games"

var layout = func() games.Layout {
	l := games.NewLayout(games.Columns, games.Labels(width, 'a', 1), games.Labels(height, '3', -1),
		games.PieceKind{Name: "disc", Text: "o"})
	l.Derived = true
	return l
}()

func (columns) Layout() games.Layout { return layout }

func (g columns) Board(p board) games.Board {
	b := games.Board{Turn: 1, Pieces: []games.Piece{}}
	if x, o := g.discs(p); x > o && !g.oneSided {
		b.Turn = 2
	}
	for i, square := range layout.Squares {
		side := 1
		switch p[i%width][height-1-i/width] {
		case '.':
			continue
		case 'o':
			side = 2
		}
		b.Pieces = append(b.Pieces, games.Piece{Kind: "disc", Side: side, Square: square})
	}
	return b
}

func (g columns) SetUp(b games.Board) (board, error) {
	squares, _, err := layout.Place(b)
	if err != nil {
		return board{}, err
	}
	p := g.Start()
	for i, piece := range squares {
		if piece.Side > 0 {
			p[i%width][height-1-i/width] = "xo"[piece.Side-1]
		}
	}
	if g.trusting {
		return p, nil
	}
	if g.mirrored {
		p[0], p[width-1] = p[width-1], p[0]
	}
	return g.ParsePosition(string(g.AppendPosition(nil, p)))
}

func (g columns) Trace(_ board, m int) games.Trace {
	if g.lost {
		return games.Trace{Squares: []string{"z1"}}
	}
	return games.Trace{Squares: layout.Squares[m : m+1]}
}
