package gomoku

import "fmt"

func (g *Game) AppendBoard(dst []byte, p Position) []byte {
	return g.AppendMarked(dst, p, nil)
}

// AppendMarked draws the board like AppendBoard, with a mark for each empty
// square that marks has.
func (g *Game) AppendMarked(dst []byte, p Position, marks map[Square]byte) []byte {
	for row := g.rows - 1; row >= 0; row-- {
		dst = fmt.Appendf(dst, "%2d", row+1)
		for column := range g.columns {
			s := SquareAt(row, column)
			letter := byte('.')
			if side, ok := p.At(s); ok {
				letter = side.letter()
			} else if mark, ok := marks[s]; ok {
				letter = mark
			}
			dst = append(dst, ' ', letter)
		}
		dst = append(dst, '\n')
	}
	dst = append(dst, "  "...)
	for column := range g.columns {
		dst = append(dst, ' ', 'a'+byte(column))
	}
	return append(dst, '\n')
}
