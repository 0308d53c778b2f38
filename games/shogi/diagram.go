package shogi

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The Japanese names of the pieces, one character each as in diagrams.
var diagramNames = [kinds]string{
	Pawn: "歩", Lance: "香", Knight: "桂", Silver: "銀", Bishop: "角", Rook: "飛", Gold: "金", King: "玉",
	PromotedPawn: "と", PromotedLance: "杏", PromotedKnight: "圭", PromotedSilver: "全", Horse: "馬", Dragon: "龍",
}

// kindOfCharacter reads a character of a diagram.
func kindOfCharacter(letter rune) (Kind, bool) {
	switch letter {
	case '王':
		return King, true
	case '竜':
		return Dragon, true
	case '仝':
		return PromotedSilver, true
	}
	for k := Pawn; k < kinds; k++ {
		if first, _ := utf8.DecodeRuneInString(diagramNames[k]); first == letter {
			return k, true
		}
	}
	return NoKind, false
}

const (
	kanjiDigits = "一二三四五六七八九"
	wideDigits  = "１２３４５６７８９"
	edge        = "+---------------------------+\n"
)

// nth returns the character number n, from 1, of a string of characters of three
// bytes each.
func nth(text string, n int) string { return text[3*(n-1) : 3*n] }

// playerNames are the players as diagrams name them.
var playerNames = [2]string{"先手", "後手"}

// AppendBoard appends a diagram of the position to dst, as KIF records have it:
// White's hand, the board with White's pieces marked by v, Black's hand, and
// whose turn it is.
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
			dst = append(dst, diagramNames[piece.Kind()]...)
		}
		dst = append(dst, '|')
		dst = append(dst, nth(kanjiDigits, rank)...)
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
	between := ""
	for _, k := range handOrder {
		n := p.hands[c].Count(k)
		if n == 0 {
			continue
		}
		dst = append(dst, between...)
		dst = append(dst, diagramNames[k]...)
		if n > 10 {
			dst = append(dst, "十"...)
			n -= 10
		}
		if n == 10 {
			dst = append(dst, "十"...)
		} else if n > 1 || p.hands[c].Count(k) > 1 {
			dst = append(dst, nth(kanjiDigits, n)...)
		}
		between = "　"
	}
	return append(dst, '\n')
}

// parseKanjiNumber reads a number from 1 to 18 in Japanese; nothing stands for 1.
func parseKanjiNumber(text string) (int, bool) {
	if text == "" {
		return 1, true
	}
	n := 0
	rest, ten := strings.CutPrefix(text, "十")
	if ten {
		n = 10
		if rest == "" {
			return n, true
		}
	}
	at := strings.Index(kanjiDigits, rest)
	if at < 0 || utf8.RuneCountInString(rest) != 1 {
		return 0, false
	}
	n += at/3 + 1
	return n, n <= 18
}

// parseHand reads the pieces in a hand, such as "飛　角二　歩十一" or "なし". It
// returns rest as true for "残り全部", all pieces that are nowhere else. An error
// comes with the number of the character where it is.
func parseHand(text string) (hand Hand, rest bool, column int, err error) {
	letters := []rune(text)
	for at := 0; at < len(letters); {
		if letters[at] == ' ' || letters[at] == '　' {
			at++
			continue
		}
		end := at + 1
		for end < len(letters) && strings.ContainsRune("十"+kanjiDigits, letters[end]) {
			end++
		}
		word := strings.TrimRight(string(letters[at:]), " 　")
		if at == 0 || hand == 0 {
			switch word {
			case "なし":
				return 0, false, 0, nil
			case "残り全部", "残りすべて":
				return 0, true, 0, nil
			}
		}
		k, ok := kindOfCharacter(letters[at])
		if !ok || k >= King {
			return 0, false, at + 1, fmt.Errorf("%q is no piece in hand (飛, 角, 金, 銀, 桂, 香 or 歩), want なし if there is none", letters[at])
		}
		n, ok := parseKanjiNumber(string(letters[at+1 : end]))
		if !ok {
			return 0, false, at + 2, fmt.Errorf("%q is no number from 一 to 十八", string(letters[at+1:end]))
		}
		if n += hand.Count(k); n > inAll[k] {
			return 0, false, at + 1, fmt.Errorf("%d of the kind %s in one hand, but a set has %d", n, k, inAll[k])
		}
		hand += Hand(n-hand.Count(k)) * handOne[k]
		at = end
	}
	return hand, false, 0, nil
}

// parseRow reads a rank of a diagram, the text between and behind the bars. An
// error comes with the number of the character where it is.
func (p *Position) parseRow(text string, rank int) (column int, err error) {
	letters := []rune(text)
	at := 1 // behind the bar
	for file := 9; file >= 1; file-- {
		if at+1 >= len(letters) {
			return len(letters) + 1, fmt.Errorf("the row ends after %d squares, want 9 of two characters each", 9-file)
		}
		mark, name := letters[at], letters[at+1]
		c := Black
		switch mark {
		case ' ', '^':
		case 'v', 'V':
			c = White
		default:
			return at + 1, fmt.Errorf("%q, want a space before Black's pieces and empty squares and v before White's", mark)
		}
		if name != '・' && name != '.' {
			k, ok := kindOfCharacter(name)
			if !ok {
				return at + 2, fmt.Errorf("%q is no piece (玉 飛 角 金 銀 桂 香 歩 龍 馬 全 圭 杏 と) and no empty square (・)", name)
			}
			p.board[SquareAt(file, rank)] = PieceOf(c, k)
		}
		at += 2
	}
	if at < len(letters) && letters[at] != '|' {
		return at + 1, fmt.Errorf("%q, want | behind nine squares", letters[at])
	}
	return 0, nil
}
