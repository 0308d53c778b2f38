package record

import (
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// AppendKIF appends the record to dst in the KIF format, in UTF-8. The start position
// is written as a handicap (手合割) or a diagram. Variations (変化) come after the main
// line.
func (r *Record) AppendKIF(dst []byte) []byte {
	name := handicapOf(r.Start)
	if name != "" {
		dst = append(dst, "手合割："+name+"\n"...)
	} else {
		dst = append(dst, "手合割：その他\n"...)
		dst = r.Start.AppendBoard(dst)
	}
	if r.Remark != "" {
		dst = append(dst, "備考："+r.Remark+"\n"...)
	}
	dst = append(dst, "手数----指手---------消費時間--\n"...)
	b := shogi.NewBoard(r.Start)
	dst = appendKIFLine(dst, b, r.Moves, r.Mate, "")
	// Each variation leaves the line before it, so they come from the last move to the
	// first.
	variations := slices.Clone(r.Variations)
	slices.SortStableFunc(variations, func(v, w Variation) int { return w.Ply - v.Ply })
	for _, v := range variations {
		for b.Ply() > v.Ply {
			b.Undo()
		}
		dst = fmt.Appendf(dst, "\n変化：%d手\n", v.Ply+1)
		dst = appendKIFLine(dst, b, v.Moves, r.Mate, v.Comment)
		for range v.Moves {
			b.Undo()
		}
	}
	return dst
}

// appendKIFLine appends the moves of a line, which it makes on the board.
func appendKIFLine(dst []byte, b *shogi.Board, moves []shogi.Move, mate bool, comment string) []byte {
	for i, m := range moves {
		dst = fmt.Appendf(dst, "%4d ", b.Ply()+1)
		dst = appendKIFMove(dst, b, m)
		dst = append(dst, '\n')
		if i == 0 && comment != "" {
			dst = append(dst, "*"+comment+"\n"...)
		}
		b.Do(m)
	}
	if mate {
		dst = fmt.Appendf(dst, "%4d 詰み\n", b.Ply()+1)
	}
	return dst
}

// handicapOf returns the 手合割 that begins with p, "" if there is none.
func handicapOf(p shogi.Position) string {
	for _, h := range handicaps {
		if q, _ := handicap(h.name); q == p {
			return h.name
		}
	}
	return ""
}

// appendKIFMove appends a move in KIF: with its origin, 打 after every drop, and
// nothing for a move without promotion.
func appendKIFMove(dst []byte, b *shogi.Board, m shogi.Move) []byte {
	to := m.To()
	if last := b.LastMove(); last != shogi.NoMove && last.To() == to {
		dst = append(dst, "同　"...)
	} else {
		dst = append(dst, digit(wideDigits, to.File())...)
		dst = append(dst, digit(kanjiDigits, to.Rank())...)
	}
	if m.IsDrop() {
		dst = append(dst, moveNames[m.Dropped()]...)
		return append(dst, "打"...)
	}
	from := m.From()
	dst = append(dst, moveNames[b.At(from).Kind()]...)
	if m.Promotes() {
		dst = append(dst, "成"...)
	}
	return fmt.Appendf(dst, "(%d%d)", from.File(), from.Rank())
}
