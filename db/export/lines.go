package export

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"io"
	"strconv"
)

// lines is a [table] with a line of text for each row.
type lines struct {
	w       io.Writer
	columns []column
	// appendRow appends the cells of a row, which the buffer has in the order of the columns.
	appendRow func(dst []byte, row []cell) []byte
}

// checkEvery is after how many rows the encoding looks for an interrupt.
const checkEvery = 1 << 12

func (l *lines) encode(ctx context.Context, rows []row) (func() error, error) {
	var c cells
	var out []byte
	list := make([]cell, len(l.columns))
	for i, r := range rows {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		c.bytes = c.bytes[:0]
		for k := range l.columns {
			list[k] = l.columns[k].of(r, &c)
		}
		out = l.appendRow(out, list)
	}
	return func() error {
		_, err := l.w.Write(out)
		return err
	}, nil
}

func (l *lines) close() error { return nil }

// newCSV returns a table of comma-separated values as RFC 4180 has them, but that lines end with a newline alone. Bytes are
// hexadecimal. An empty cell that is alone in its row is quoted: readers skip empty lines.
func newCSV(w io.Writer, columns []column) (*lines, error) {
	var head []byte
	for i, c := range columns {
		if i > 0 {
			head = append(head, ',')
		}
		head = append(head, c.name...)
	}
	if _, err := w.Write(append(head, '\n')); err != nil {
		return nil, err
	}
	return &lines{w, columns, func(dst []byte, row []cell) []byte {
		for i, c := range row {
			if i > 0 {
				dst = append(dst, ',')
			}
			switch {
			case c.kind == number:
				dst = strconv.AppendInt(dst, c.number, 10)
			case c.kind == binary:
				dst = hex.AppendEncode(dst, c.bytes)
			case len(row) == 1 && len(c.bytes) == 0:
				dst = append(dst, `""`...)
			case bytes.ContainsAny(c.bytes, ",\"\r\n"):
				dst = append(dst, '"')
				dst = append(dst, bytes.ReplaceAll(c.bytes, []byte(`"`), []byte(`""`))...)
				dst = append(dst, '"')
			default:
				dst = append(dst, c.bytes...)
			}
		}
		return append(dst, '\n')
	}}, nil
}

// newJSONL returns a table of JSON objects. Bytes are hexadecimal.
func newJSONL(w io.Writer, columns []column) *lines {
	var names [][]byte
	for i, c := range columns {
		first := byte(',')
		if i == 0 {
			first = '{'
		}
		names = append(names, append([]byte{first}, strconv.Quote(c.name)+":"...))
	}
	return &lines{w, columns, func(dst []byte, row []cell) []byte {
		for i, c := range row {
			dst = append(dst, names[i]...)
			switch c.kind {
			case nothing:
				dst = append(dst, "null"...)
			case number:
				dst = strconv.AppendInt(dst, c.number, 10)
			case binary:
				dst = append(hex.AppendEncode(append(dst, '"'), c.bytes), '"')
			default:
				dst = appendString(dst, c.bytes)
			}
		}
		return append(dst, "}\n"...)
	}}
}

// appendString appends text as a JSON string.
func appendString(dst, text []byte) []byte {
	for _, b := range text {
		if b < ' ' || b > '~' || b == '"' || b == '\\' || b == '<' || b == '>' || b == '&' {
			quoted, _ := json.Marshal(string(text)) // a string never fails
			return append(dst, quoted...)
		}
	}
	return append(append(append(dst, '"'), text...), '"')
}
