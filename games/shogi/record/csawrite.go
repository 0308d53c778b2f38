package record

import (
	"fmt"
	"strings"
	"time"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// AppendCSA appends the record to dst in the CSA format, version 2.2, in UTF-8. The format has no variations, and no
// words for some endings.
func (r *Record) AppendCSA(dst []byte) []byte {
	dst = append(dst, "'CSA encoding=UTF-8\nV2.2\n"...)
	for c, name := range r.Names {
		if name != "" {
			dst = append(dst, "N"+csaSign(shogi.Color(c))+csaText(name)+"\n"...)
		}
	}
	for _, tag := range r.Tags {
		name := tag.Name
		for csa, kif := range csaTags {
			if kif == name {
				name = csa
			}
		}
		dst = append(dst, "$"+name+":"+csaText(tag.Value)+"\n"...)
	}
	dst = appendCSAPosition(dst, &r.Start)
	dst = appendCSAComment(dst, commentAt(r.Comments, 0))
	b := shogi.NewBoard(r.Start)
	for i, m := range r.Moves {
		dst = appendCSAMove(dst, b, m)
		dst = append(dst, '\n')
		if r.Times != nil {
			dst = fmt.Appendf(dst, "T%d", r.Times[i]/time.Second)
			if ms := r.Times[i] % time.Second / time.Millisecond; ms > 0 {
				dst = fmt.Appendf(dst, ".%03d", ms)
			}
			dst = append(dst, '\n')
		}
		dst = appendCSAComment(dst, commentAt(r.Comments, i+1))
		b.Do(m)
	}
	if r.Ending == Illegal && r.Result == winOf(b.Turn()) {
		return append(dst, "%"+csaSign(b.Turn().Other())+"ILLEGAL_ACTION\n"...)
	}
	for _, e := range endings {
		if e.csa != "" && e.ending == r.Ending && resultOf(e.means, b.Turn()) == r.Result {
			return append(dst, "%"+e.csa+"\n"...)
		}
	}
	return dst
}

// CSAMoves returns a line of play as text in the CSA format, after other moves from a position.
func CSAMoves(from shogi.Position, before, line []shogi.Move) string {
	b := shogi.NewBoard(from)
	for _, m := range before {
		b.Do(m)
	}
	var text []byte
	for i, m := range line {
		if i > 0 {
			text = append(text, ' ')
		}
		text = appendCSAMove(text, b, m)
		b.Do(m)
	}
	return string(text)
}

// appendCSAComment appends the lines of a comment, as those that programs keep.
func appendCSAComment(dst []byte, lines []string) []byte {
	for _, text := range lines {
		dst = append(dst, "'*"+text+"\n"...)
	}
	return dst
}

// csaText returns the value of a header with commas that end no statement.
func csaText(text string) string {
	if statement, rest := cutStatement("N+" + text); rest != "" || len(statement) != len("N+"+text) {
		return strings.ReplaceAll(text, ",", "，")
	}
	return text
}

func csaSign(c shogi.Color) string { return [...]string{"+", "-"}[c] }

// appendCSAPosition appends a position and the side to move.
func appendCSAPosition(dst []byte, p *shogi.Position) []byte {
	usual, own := setupOf(shogi.Start()), setupOf(*p)
	if own.board == usual.board && own.hands == usual.hands {
		return append(dst, "PI\n"+csaSign(own.turn)+"\n"...)
	}
	for rank := 1; rank <= 9; rank++ {
		dst = append(dst, 'P', '0'+byte(rank))
		for file := 9; file >= 1; file-- {
			piece := own.board[shogi.SquareAt(file, rank)]
			if piece == shogi.NoPiece {
				dst = append(dst, " * "...)
				continue
			}
			dst = append(dst, csaSign(piece.Color())+csaNames[piece.Kind()]...)
		}
		dst = append(dst, '\n')
	}
	for c := shogi.Black; c <= shogi.White; c++ {
		dst = append(dst, "P"+csaSign(c)...)
		for _, k := range [...]shogi.Kind{shogi.Rook, shogi.Bishop, shogi.Gold, shogi.Silver, shogi.Knight, shogi.Lance, shogi.Pawn} {
			dst = append(dst, strings.Repeat("00"+csaNames[k], own.hands[c].Count(k))...)
		}
		dst = append(dst, '\n')
	}
	return append(dst, csaSign(own.turn)+"\n"...)
}

// appendCSAMove appends a move with the piece that arrives.
func appendCSAMove(dst []byte, b *shogi.Board, m shogi.Move) []byte {
	dst = append(dst, csaSign(b.Turn())...)
	to := m.To()
	k := m.Dropped()
	if m.IsDrop() {
		dst = append(dst, "00"...)
	} else {
		from := m.From()
		k = b.At(from).Kind()
		dst = append(dst, '0'+byte(from.File()), '0'+byte(from.Rank()))
		if m.Promotes() {
			k += shogi.Promoted
		}
	}
	dst = append(dst, '0'+byte(to.File()), '0'+byte(to.Rank()))
	return append(dst, csaNames[k]...)
}
