package measure

import "github.com/yomikiri/yomikiri/games"

// Influence returns how many pieces of the side to move, and of its opponent, attack each square,
// row by row, and the number of columns. It uses the game's own [games.Influence]; without one
// a piece attacks the square that it stands on, as [games.Describer] says. It reports false for
// a game without a board of squares, and for one in which the pieces do not move: where they stand then
// only says how many there are.
func Influence[P, M comparable](g games.Game[P, M], p P) (own, opposite []uint8, columns int, ok bool) {
	if i, has := games.As[games.Influence[P]](g); has {
		own, opposite = i.Influence(p)
		return own, opposite, i.Columns(), true
	}
	d, has := games.As[games.Describer[P, M]](g)
	if !has {
		return nil, nil, 0, false
	}
	layout, board := d.Layout(), d.Board(p)
	if layout.Style == games.Pits || len(layout.Columns) == 0 || !moves(g, d) {
		return nil, nil, 0, false
	}
	squares, _, err := layout.Place(board)
	if err != nil {
		return nil, nil, 0, false
	}
	own, opposite = make([]uint8, len(squares)), make([]uint8, len(squares))
	for i, piece := range squares {
		switch {
		case piece.Kind == "":
		case piece.Side == board.Turn:
			own[i] = 1
		default:
			opposite[i] = 1
		}
	}
	return own, opposite, len(layout.Columns), true
}

// moves reports whether the game begins with a move of a piece from a square to another.
func moves[P, M comparable](g games.Game[P, M], d games.Describer[P, M]) bool {
	list := g.AppendMoves(nil, g.Start())
	return len(list) > 0 && len(d.Trace(g.Start(), list[0]).Squares) > 1
}
