package shogi

import "fmt"

// AppendKIF appends the record to dst in the KIF format, in UTF-8. Its start
// position is the name of a handicap (手合割) or a diagram.
func (r *Record) AppendKIF(dst []byte) []byte {
	name := handicapOf(r.Start)
	if name != "" {
		dst = append(dst, "手合割："+name+"\n"...)
	} else {
		dst = append(dst, "手合割：その他\n"...)
		dst = r.Start.AppendBoard(dst)
	}
	for _, h := range r.Headers {
		dst = append(dst, h.Name+"："+h.Value+"\n"...)
	}
	dst = append(dst, "手数----指手---------消費時間--\n"...)
	b := NewBoard(r.Start)
	for i, m := range r.Moves {
		dst = fmt.Appendf(dst, "%4d ", i+1)
		dst = b.appendKIFMove(dst, m)
		dst = append(dst, '\n')
		b.Do(m)
	}
	if r.End != Open {
		dst = fmt.Appendf(dst, "%4d %v\n", len(r.Moves)+1, r.End)
	}
	return dst
}

// handicapOf returns the 手合割 that begins with p, "" if there is none.
func handicapOf(p Position) string {
	for _, h := range handicaps {
		if q, _ := handicap(h.name); q == p {
			return h.name
		}
	}
	return ""
}

// appendKIFMove appends a move as KIF has it: with the square it comes from, 打
// behind every drop, and nothing where a piece does not promote.
func (b *Board) appendKIFMove(dst []byte, m Move) []byte {
	to := m.To()
	if last := b.LastMove(); last != NoMove && last.To() == to {
		dst = append(dst, "同　"...)
	} else {
		dst = append(dst, nth(wideDigits, to.File())...)
		dst = append(dst, nth(kanjiDigits, to.Rank())...)
	}
	if m.IsDrop() {
		dst = append(dst, moveNames[m.Dropped()]...)
		return append(dst, "打"...)
	}
	from := m.From()
	dst = append(dst, moveNames[b.squares[from].Kind()]...)
	if m.Promotes() {
		dst = append(dst, "成"...)
	}
	return fmt.Appendf(dst, "(%d%d)", from.File(), from.Rank())
}
