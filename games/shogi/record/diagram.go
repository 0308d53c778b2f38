package record

import (
	"fmt"
	"strings"
	"unicode/utf8"

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
		return shogi.PromotedSilver, true
	}
	for k := shogi.Pawn; k <= shogi.Dragon; k++ {
		if k.Kanji() == string(letter) {
			return k, true
		}
	}
	return shogi.NoKind, false
}

// parseKanjiNumber reads a number from 1 to 18 in Japanese; "" is 1.
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

// parseHand reads the pieces in a hand, such as "飛　角二　歩十一" or "なし". rest is
// true for "残り全部", all other pieces. column is the position of an error, in characters.
func parseHand(text string) (hand shogi.Hand, rest bool, column int, err error) {
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
		k, ok := kindOf(letters[at])
		if !ok || k >= shogi.King {
			return 0, false, at + 1, fmt.Errorf("%q is not a piece in hand (飛, 角, 金, 銀, 桂, 香 or 歩), want なし if there is none", letters[at])
		}
		n, ok := parseKanjiNumber(string(letters[at+1 : end]))
		if !ok {
			return 0, false, at + 2, fmt.Errorf("%q is not a number from 一 to 十八", string(letters[at+1:end]))
		}
		if n+hand.Count(k) > k.InSet() {
			return 0, false, at + 1, fmt.Errorf("%d of the kind %s in one hand, but a set has %d", n+hand.Count(k), k, k.InSet())
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
		if at+1 >= len(letters) {
			return len(letters) + 1, fmt.Errorf("want 9 squares of two characters each, got %d", 9-file)
		}
		mark, name := letters[at], letters[at+1]
		c := shogi.Black
		switch mark {
		case ' ', '^':
		case 'v', 'V':
			c = shogi.White
		default:
			return at + 1, fmt.Errorf("%q, want a space before Black's pieces and empty squares and v before White's", mark)
		}
		if name != '・' && name != '.' {
			k, ok := kindOf(name)
			if !ok {
				return at + 2, fmt.Errorf("%q is not a piece (玉 飛 角 金 銀 桂 香 歩 龍 馬 全 圭 杏 と) or an empty square (・)", name)
			}
			s.board[shogi.SquareAt(file, rank)] = shogi.PieceOf(c, k)
		}
		at += 2
	}
	if at < len(letters) && letters[at] != '|' {
		return at + 1, fmt.Errorf("%q, want | after nine squares", letters[at])
	}
	return 0, nil
}
