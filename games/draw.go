package games

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// DrawerOf returns g if it is a [Drawer]. Of a [Describer] it returns one that draws its boards, and
// of other games nil.
func DrawerOf[P, M comparable](g Game[P, M]) Drawer[P] {
	if d, ok := As[Drawer[P]](g); ok {
		return d
	}
	if d, ok := As[Describer[P, M]](g); ok {
		return describedDrawer[P, M]{d}
	}
	return nil
}

type describedDrawer[P, M comparable] struct{ Describer[P, M] }

func (d describedDrawer[P, M]) AppendBoard(dst []byte, p P) []byte {
	layout := d.Layout()
	return layout.AppendBoard(dst, d.Board(p))
}

// AppendBoard appends a drawing of b as lines of text, as side 1 sees the board. Empty squares are
// dots. Pieces are the text of their kind, in capitals for side 1 and small letters for side 2, or, if
// that text is not made of letters A to Z, after + and -; if there is one kind only, x and o. Pits
// show how many stones they have. Rows of hexagons lean to the right. Lines for the hands and the
// side to move follow.
func (l *Layout) AppendBoard(dst []byte, b Board) []byte {
	width := 1
	for _, k := range l.Kinds {
		width = max(width, utf8.RuneCountInString(l.pieceText(Piece{Kind: k.Name, Side: 1})))
	}
	if l.Style == Pits {
		width = 2
	}
	texts := map[string]string{}
	hands := [2][]string{}
	for _, piece := range b.Pieces {
		text := l.pieceText(piece)
		if piece.Square != "" {
			texts[piece.Square] = text
			continue
		}
		if piece.Count > 1 {
			text += "×" + strconv.Itoa(piece.Count)
		}
		if side := piece.Side - 1; side == 0 || side == 1 {
			hands[side] = append(hands[side], text)
		}
	}
	margin := 0
	for _, label := range l.Rows {
		margin = max(margin, utf8.RuneCountInString(label))
	}
	lean := 0
	line := func(label string, cell func(column int) string) {
		var text strings.Builder
		fmt.Fprintf(&text, "%*s", lean+margin, label)
		if l.Style == Hexagons {
			lean++
		}
		for c := range l.Columns {
			fmt.Fprintf(&text, " %*s", width, cell(c))
		}
		dst = append(append(dst, strings.TrimRight(text.String(), " ")...), '\n')
	}
	for r, label := range l.Rows {
		line(label, func(c int) string {
			switch name := l.Squares[r*len(l.Columns)+c]; {
			case name == "":
				return ""
			case texts[name] != "":
				return texts[name]
			case l.Style == Pits:
				return "0"
			}
			return "."
		})
	}
	if strings.Join(l.Columns, "") != "" {
		line("", func(c int) string { return l.Columns[c] })
	}
	for side, list := range hands {
		if len(list) > 0 {
			dst = fmt.Appendf(dst, "side %d in hand: %s\n", side+1, strings.Join(list, " "))
		}
	}
	if !l.Relative {
		dst = fmt.Appendf(dst, "side %d to move\n", b.Turn)
	}
	return dst
}

// pieceText returns the text that stands for a piece in a drawing.
func (l *Layout) pieceText(piece Piece) string {
	if l.Style == Pits {
		return strconv.Itoa(max(piece.Count, 1))
	}
	second := piece.Side == 2
	if len(l.Kinds) == 1 {
		if second {
			return "o"
		}
		return "x"
	}
	text := piece.Kind
	for _, k := range l.Kinds {
		if k.Name == piece.Kind {
			text = k.Text
		}
	}
	letters := strings.Trim(strings.ToUpper(text), "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
	switch {
	case letters && second:
		return strings.ToLower(text)
	case letters:
		return strings.ToUpper(text)
	case second:
		return "-" + text
	}
	return "+" + text
}
