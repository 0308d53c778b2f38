package record

import (
	"strings"

	"github.com/yomikiri/yomikiri/games/shogi"
)

const (
	kanjiDigits = "一二三四五六七八九"
	wideDigits  = "１２３４５６７８９"
)

// digit returns the digit n, from 1, of kanjiDigits or wideDigits.
func digit(digits string, n int) string { return digits[3*(n-1) : 3*n] }

func kindOf(letter rune) (shogi.Kind, bool) {
	switch letter {
	case '王':
		return shogi.King, true
	case '竜':
		return shogi.Dragon, true
	case '仝':
		return shogi.PromotedLance, true
	case '今':
		return shogi.PromotedKnight, true
	case '个':
		return shogi.PromotedPawn, true
	}
	for k := shogi.Pawn; k <= shogi.Dragon; k++ {
		if k.Kanji() == string(letter) {
			return k, true
		}
	}
	return shogi.NoKind, false
}

// parseNumber reads a number from 1 to 18, in Japanese or Arabic digits; "" is 1.
func parseNumber(text string) (int, bool) {
	n, tens := 0, false
	for i, letter := range []rune(text) {
		if letter == '十' && !tens && n < 10 {
			n, tens = 10*max(n, 1), true
			continue
		}
		d := digitOf(letter)
		switch {
		case tens && d > 0 && n%10 == 0: // as in 十八
			n += d
		case !tens && (d > 0 || i > 0 && strings.ContainsRune("0０〇", letter)) && n < 10: // as in 18 or 一八
			n = 10*n + d
		default:
			return 0, false
		}
	}
	if text == "" {
		n = 1
	}
	return n, n >= 1 && n <= 18
}

// parseHand reads the pieces in a hand, such as "飛　角二　歩十一" or "なし". rest is
// true for "残り全部", all other pieces. column is the position of an error, in characters.
func parseHand(text string) (hand shogi.Hand, rest bool, column int, err error) {
	letters := []rune(text)
	for at := 0; at < len(letters); {
		if strings.ContainsRune(blanks+"、,枚", letters[at]) {
			at++
			continue
		}
		first := at + 1 // of the number
		for first < len(letters) && strings.ContainsRune(blanks, letters[first]) {
			first++
		}
		if first == len(letters) || digitOf(letters[first]) == 0 && letters[first] != '十' {
			first = at + 1
		}
		end := first
		for end < len(letters) && (strings.ContainsRune("十0０〇", letters[end]) || digitOf(letters[end]) > 0) {
			end++
		}
		word := strings.TrimRight(string(letters[at:]), blanks)
		if at == 0 || hand == 0 {
			switch word {
			case "なし", "無し", "無", "-":
				return 0, false, 0, nil
			case "残り全部", "残りすべて", "残り", "残り全て":
				return 0, true, 0, nil
			}
		}
		k, ok := kindOf(letters[at])
		if !ok || k >= shogi.King {
			return 0, false, at + 1, errHandPiece.Error(letters[at])
		}
		n, ok := parseNumber(string(letters[first:end]))
		if !ok {
			return 0, false, first + 1, errHandNumber.Error(string(letters[first:end]))
		}
		if n+hand.Count(k) > k.InSet() {
			return 0, false, at + 1, errOneHand.Error(n+hand.Count(k), k, k.InSet())
		}
		for range n {
			hand = hand.With(k)
		}
		at = end
	}
	return hand, false, 0, nil
}

// parseRow reads a rank of a diagram, from the first bar. column is the position of an error,
// in characters.
func (s *setup) parseRow(text string, rank int) (column int, err error) {
	letters := []rune(text)
	at := 1 // after the bar
	for file := 9; file >= 1; file-- {
		c := shogi.Black
		if at+1 < len(letters) {
			switch mark := letters[at]; {
			case strings.ContainsRune("vVｖ", mark):
				c = shogi.White
				at++
			case strings.ContainsRune(" ^　", mark):
				at++
			case !isSquare(mark): // blanks may have been removed
				return at + 1, errRowMark.Error(mark)
			}
		}
		if at >= len(letters) || letters[at] == '|' {
			return len(letters) + 1, errRowSquares.Error(9 - file)
		}
		name := letters[at]
		if !isSquare(name) {
			return at + 1, errRowPiece.Error(name)
		}
		if k, ok := kindOf(name); ok {
			s.board[shogi.SquareAt(file, rank)] = shogi.PieceOf(c, k)
		}
		at++
	}
	if at < len(letters) && letters[at] != '|' && letters[at] != '｜' {
		return at + 1, errRowEnd.Error(letters[at])
	}
	return 0, nil
}

// isSquare reports whether a letter is what stands on a square of a diagram.
func isSquare(letter rune) bool {
	_, ok := kindOf(letter)
	return ok || strings.ContainsRune("・･.．　", letter)
}
