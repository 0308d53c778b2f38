package shogi

import "strings"

// AppendCSA appends the record to dst in the CSA format, version 2.2, in UTF-8.
// Headers for which CSA has no name become comments, and so does an ending for
// which it has none.
func (r *Record) AppendCSA(dst []byte) []byte {
	dst = append(dst, "'CSA encoding=UTF-8\nV2.2\n"...)
	for _, h := range r.Headers {
		dst = append(dst, csaHeader(h.Name)...)
		dst = append(dst, h.Value...)
		dst = append(dst, '\n')
	}
	dst = r.Start.appendCSA(dst)
	b := NewBoard(r.Start)
	for _, m := range r.Moves {
		dst = b.appendCSAMove(dst, m)
		dst = append(dst, '\n')
		b.Do(m)
	}
	switch name := endingNames[r.End].csa; {
	case name != "":
		dst = append(dst, "%"+name+"\n"...)
	case r.End == IllegalMoveBefore:
		dst = append(dst, "%"+csaSign(b.Turn().Other())+"ILLEGAL_ACTION\n"...)
	case r.End != Open:
		dst = append(dst, "'"+r.End.String()+"\n"...)
	}
	return dst
}

// csaHeader returns what CSA writes before the value of a header.
func csaHeader(name string) string {
	switch name {
	case playerNames[Black]:
		return "N+"
	case playerNames[White]:
		return "N-"
	}
	for _, h := range csaHeaders {
		if h.kif == name {
			return "$" + h.csa + ":"
		}
	}
	if name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" {
		return "$" + name + ":"
	}
	return "'" + name + "："
}

func csaSign(c Color) string { return [...]string{"+", "-"}[c] }

// appendCSA appends a position and the side to move.
func (p *Position) appendCSA(dst []byte) []byte {
	usual := Start()
	if p.board == usual.board && p.hands == usual.hands {
		return append(dst, "PI\n"+csaSign(p.turn)+"\n"...)
	}
	for rank := 1; rank <= 9; rank++ {
		dst = append(dst, 'P', '0'+byte(rank))
		for file := 9; file >= 1; file-- {
			piece := p.board[SquareAt(file, rank)]
			if piece == NoPiece {
				dst = append(dst, " * "...)
				continue
			}
			dst = append(dst, csaSign(piece.Color())+csaNames[piece.Kind()]...)
		}
		dst = append(dst, '\n')
	}
	for c := Black; c <= White; c++ {
		if p.hands[c] == 0 {
			continue
		}
		dst = append(dst, "P"+csaSign(c)...)
		for _, k := range handOrder {
			dst = append(dst, strings.Repeat("00"+csaNames[k], p.hands[c].Count(k))...)
		}
		dst = append(dst, '\n')
	}
	return append(dst, csaSign(p.turn)+"\n"...)
}

// appendCSAMove appends a move with the piece that arrives.
func (b *Board) appendCSAMove(dst []byte, m Move) []byte {
	dst = append(dst, csaSign(b.turn)...)
	to := m.To()
	k := m.Dropped()
	if m.IsDrop() {
		dst = append(dst, "00"...)
	} else {
		from := m.From()
		k = b.squares[from].Kind()
		dst = append(dst, '0'+byte(from.File()), '0'+byte(from.Rank()))
		if m.Promotes() {
			k += Promoted
		}
	}
	dst = append(dst, '0'+byte(to.File()), '0'+byte(to.Rank()))
	return append(dst, csaNames[k]...)
}
