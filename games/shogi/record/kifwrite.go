package record

import (
	"fmt"
	"strings"
	"time"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// AppendKIF appends the record to dst in the KIF format, in an encoding that it declares. The
// start position is written as a handicap (手合割) or a diagram. Variations (変化) come after
// the main line, in the order of [Record.Variations].
func (r *Record) AppendKIF(dst []byte, e Encoding) []byte {
	text := []byte(firstLine(e))
	for _, tag := range r.Tags {
		text = append(text, tag.Name+"："+tag.Value+"\n"...)
	}
	for c, name := range r.Names {
		if name != "" {
			text = append(text, playerNames[c]+"："+name+"\n"...)
		}
	}
	if name := handicapOf(r.Start); name != "" {
		text = append(text, "手合割："+name+"\n"...)
	} else {
		text = append(text, "手合割：その他\n"...)
		text = r.Start.AppendBoard(text)
	}
	text = append(text, "手数----指手---------消費時間--\n"...)
	b := shogi.NewBoard(r.Start)
	text = appendKIFMoves(text, b, r.Moves, r.Times, r.Comments)
	text = r.appendKIFEnding(text, b.Ply(), b.Turn())
	// Each variation leaves the line before it.
	for _, v := range ordered(r.Variations) {
		for b.Ply() > v.Ply {
			b.Undo()
		}
		text = fmt.Appendf(text, "\n変化：%d手\n", v.Ply+1)
		text = appendKIFMoves(text, b, v.Moves, nil, v.Comments)
		text, _ = appendKIFEnding(text, v.Ending, v.Result, b.Ply(), b.Turn())
	}
	return append(dst, e.encode(text)...)
}

// playerNames are the headers with the names of the players.
var playerNames = [2]string{"先手", "後手"}

// appendKIFMoves appends the moves of a line, which it makes on the board, and its comments.
func appendKIFMoves(dst []byte, b *shogi.Board, moves []shogi.Move, times []time.Duration, comments [][]string) []byte {
	var spent [2]time.Duration
	dst = appendKIFComment(dst, commentAt(comments, 0))
	for i, m := range moves {
		dst = fmt.Appendf(dst, "%4d ", b.Ply()+1)
		dst = appendKIFMove(dst, b, m)
		if times != nil {
			spent[b.Turn()] += times[i]
			dst = appendKIFTime(dst, times[i], spent[b.Turn()])
		}
		dst = append(dst, '\n')
		dst = appendKIFComment(dst, commentAt(comments, i+1))
		b.Do(m)
	}
	return dst
}

// appendKIFComment appends the lines of a comment, and bookmarks as what they are.
func appendKIFComment(dst []byte, lines []string) []byte {
	for _, text := range lines {
		if !strings.HasPrefix(text, "&") {
			dst = append(dst, '*')
		}
		dst = append(dst, text...)
		dst = append(dst, '\n')
	}
	return dst
}

// appendKIFTime appends the time of a move and the total of the player.
func appendKIFTime(dst []byte, d, total time.Duration) []byte {
	dst = fmt.Appendf(dst, "   (%2d:%02d", d/time.Minute, d%time.Minute/time.Second)
	if ms := d % time.Second / time.Millisecond; ms > 0 {
		dst = fmt.Appendf(dst, ".%03d", ms)
	}
	return fmt.Appendf(dst, "/%02d:%02d:%02d)", total/time.Hour, total%time.Hour/time.Minute, total%time.Minute/time.Second)
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
