package record

import (
	"fmt"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// appendKIF appends the record to dst in the KIF format, in UTF-8. The start position
// is written as a handicap (手合割) or a diagram.
func appendKIF(dst []byte, r *Record) []byte {
	name := handicapOf(r.Start)
	if name != "" {
		dst = append(dst, "手合割："+name+"\n"...)
	} else {
		dst = append(dst, "手合割：その他\n"...)
		dst = r.Start.AppendBoard(dst)
	}
	dst = append(dst, "先手：A\n棋戦：x：y\n手数----指手---------消費時間--\n"...)
	b := shogi.NewBoard(r.Start)
	for i, m := range r.Moves {
		dst = fmt.Appendf(dst, "%4d ", i+1)
		dst = appendKIFMove(dst, b, m)
		dst = append(dst, '\n')
		b.Do(m)
	}
	if r.Mate {
		dst = fmt.Appendf(dst, "%4d 詰み\n", len(r.Moves)+1)
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
