package awari

import "github.com/yomikiri/yomikiri/games"

const kindStone = "stone"

var layout = games.Layout{
	Style:    games.Pits,
	Columns:  make([]string, pits),
	Rows:     make([]string, 2),
	Squares:  []string{"f", "e", "d", "c", "b", "a", "A", "B", "C", "D", "E", "F"},
	Kinds:    []games.PieceKind{{Name: kindStone, Text: "●"}},
	Relative: true,
}

// pitAt returns the pit at a square of the layout, and its side: 1 for the mover.
func pitAt(square int) (pit, side int) {
	if square < pits {
		return 2*pits - 1 - square, 2
	}
	return square - pits, 1
}

// Layout implements [games.Describer].
func (g *Game) Layout() games.Layout { return layout }

// Board implements [games.Describer].
func (g *Game) Board(p Position) games.Board {
	b := games.Board{Turn: 1, Pieces: []games.Piece{}}
	stones := p.Pits()
	for i, name := range layout.Squares {
		if pit, side := pitAt(i); stones[pit] > 0 {
			b.Pieces = append(b.Pieces, games.Piece{Kind: kindStone, Side: side, Square: name, Count: stones[pit]})
		}
	}
	return b
}

// SetUp implements [games.Describer].
func (g *Game) SetUp(b games.Board) (Position, error) {
	squares, _, err := layout.Place(b)
	if err != nil {
		return Position{}, err
	}
	var stones [2 * pits]int
	total := 0
	for i, piece := range squares {
		pit, _ := pitAt(i)
		stones[pit] = piece.Count
		total += piece.Count
	}
	if total > g.stones {
		return Position{}, tooMany(total, g)
	}
	return positionOf(stones), nil
}

// Trace implements [games.Describer].
func (g *Game) Trace(_ Position, m Move) games.Trace {
	return games.Trace{Squares: []string{pitNames[m : m+1]}}
}
