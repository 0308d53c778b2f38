package games

import "strconv"

// AppendRows appends a board row by row as in FEN: the text at each square, a number for each
// run of squares without text, and / between rows.
func AppendRows(dst []byte, rows, columns int, at func(row, column int) string) []byte {
	for row := range rows {
		if row > 0 {
			dst = append(dst, '/')
		}
		empty := 0
		for column := range columns {
			text := at(row, column)
			if text == "" {
				empty++
				continue
			}
			dst = append(appendEmpty(dst, empty), text...)
			empty = 0
		}
		dst = appendEmpty(dst, empty)
	}
	return dst
}

func appendEmpty(dst []byte, squares int) []byte {
	if squares == 0 {
		return dst
	}
	return strconv.AppendInt(dst, int64(squares), 10)
}
