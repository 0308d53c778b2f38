package shogi

import "strings"

// kanji are the Japanese names of the kinds in diagrams, one character each.
var kanji = [kinds]string{
	Pawn: "歩", Lance: "香", Knight: "桂", Silver: "銀", Bishop: "角", Rook: "飛", Gold: "金", King: "玉",
	PromotedPawn: "と", PromotedLance: "杏", PromotedKnight: "圭", PromotedSilver: "全", Horse: "馬", Dragon: "龍",
}

// Kanji returns the character of the kind in diagrams, such as 玉, "" for [NoKind].
func (k Kind) Kanji() string { return kanji[k] }

// Japanese returns the kind as in texts.
func (k Kind) Japanese() string {
	switch k {
	case PromotedLance, PromotedKnight, PromotedSilver:
		return "成" + kanji[k.Unpromoted()]
	}
	return kanji[k]
}

const (
	kanjiDigits = "一二三四五六七八九"
	edge        = "+---------------------------+\n"
)

func kanjiDigit(n int) string { return kanjiDigits[3*(n-1) : 3*n] }

// playerNames are the players in diagrams.
var playerNames = [2]string{"先手", "後手"}

// AppendBoard appends a diagram of the position to dst, as in KIF files: White's
// hand, the board with a v before White's pieces, Black's hand, and the side to
// move.
func (p *Position) AppendBoard(dst []byte) []byte {
	dst = p.appendHand(dst, White)
	dst = append(dst, "  ９ ８ ７ ６ ５ ４ ３ ２ １\n"+edge...)
	for rank := 1; rank <= 9; rank++ {
		dst = append(dst, '|')
		for file := 9; file >= 1; file-- {
			piece := p.board[SquareAt(file, rank)]
			switch {
			case piece == NoPiece:
				dst = append(dst, " ・"...)
				continue
			case piece.Color() == White:
				dst = append(dst, 'v')
			default:
				dst = append(dst, ' ')
			}
			dst = append(dst, kanji[piece.Kind()]...)
		}
		dst = append(dst, '|')
		dst = append(dst, kanjiDigit(rank)...)
		dst = append(dst, '\n')
	}
	dst = append(dst, edge...)
	dst = p.appendHand(dst, Black)
	dst = append(dst, playerNames[p.turn]...)
	return append(dst, "番\n"...)
}

func (p *Position) appendHand(dst []byte, c Color) []byte {
	dst = append(dst, playerNames[c]...)
	dst = append(dst, "の持駒："...)
	if p.hands[c] == 0 {
		return append(dst, "なし\n"...)
	}
	return append(append(dst, p.hands[c].Kanji()...), '\n')
}

// Kanji returns the hand as in diagrams, such as 金　歩二, "" if it is empty.
func (h Hand) Kanji() string {
	var parts []string
	for _, k := range handOrder {
		n := h.Count(k)
		if n == 0 {
			continue
		}
		part := kanji[k]
		if n >= 10 {
			part += "十"
		}
		if n%10 > 0 && n > 1 {
			part += kanjiDigit(n % 10)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "　")
}
