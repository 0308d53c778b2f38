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
		flush := func() {
			if empty > 0 {
				dst, empty = strconv.AppendInt(dst, int64(empty), 10), 0
			}
		}
		for column := range columns {
			if text := at(row, column); text != "" {
				flush()
				dst = append(dst, text...)
			} else {
				empty++
			}
		}
		flush()
	}
	return dst
}
