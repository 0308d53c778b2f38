package gomoku

// AppendBoard implements [games.Drawer].
func (g *Game) AppendBoard(dst []byte, p Position) []byte {
	return g.AppendMarked(dst, p, nil)
}

// AppendMarked draws the board like AppendBoard, with a mark for each empty
// square that marks has.
func (g *Game) AppendMarked(dst []byte, p Position, marks map[Square]byte) []byte {
	for row := g.rows - 1; row >= 0; row-- {
		dst = appendRowNumber(dst, row)
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

func appendRowNumber(dst []byte, row int) []byte {
	row++
	if row < 10 {
		return append(dst, ' ', '0'+byte(row))
	}
	return append(dst, '0'+byte(row/10), '0'+byte(row%10))
}
