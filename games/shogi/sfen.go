package shogi

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

const startSFEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

// ParseSFEN reads a position in SFEN: the board rank by rank from rank a, each from
// file 9; the side to move, b or w; the hands; and optionally the number of the next
// move, which is checked but not kept. It refuses what [NewPosition] refuses, and
// errors name the place.
func ParseSFEN(text string) (Position, error) {
	p, err := parseSFEN(strings.Fields(text))
	if err != nil {
		return Position{}, fmt.Errorf("SFEN %q: %w", shorten(text), err)
	}
	return p, nil
}

// shorten keeps errors readable when the text is very long.
func shorten(text string) string {
	const longest = 300
	if len(text) > longest {
		return strings.ToValidUTF8(text[:longest], "") + "..."
	}
	return text
}

func parseSFEN(fields []string) (Position, error) {
	var p Position
	if len(fields) < 3 || len(fields) > 4 {
		return p, errFields.Error(len(fields), startSFEN)
	}
	if err := p.parseBoard(fields[0]); err != nil {
		return p, err
	}
	switch fields[1] {
	case "b":
	case "w":
		p.turn = White
	default:
		return p, errSide.Error(fields[1])
	}
	if err := p.parseHands(fields[2]); err != nil {
		return p, err
	}
	if len(fields) == 4 {
		if n, err := strconv.Atoi(fields[3]); err != nil || n < 0 {
			return p, errNumber.Error(fields[3])
		}
	}
	return p, p.check()
}

// kindOfLetter returns the kind of an upper-case letter in USI.
func kindOfLetter(letter rune) (Kind, bool) {
	if letter == '.' {
		return NoKind, false
	}
	at := strings.IndexRune(usiLetters, letter)
	return Kind(max(at, 0)), at > 0
}

// pieceOfLetter reads an unpromoted piece, Black's in upper case.
func pieceOfLetter(letter rune) (Piece, bool) {
	c := Black
	if letter >= 'a' && letter <= 'z' {
		c = White
		letter -= 'a' - 'A'
	}
	k, ok := kindOfLetter(letter)
	return PieceOf(c, k), ok
}

func (p *Position) parseBoard(text string) error {
	ranks := strings.Split(text, "/")
	if len(ranks) != 9 {
		return errRanks.Error(len(ranks))
	}
	for i, line := range ranks {
		name := 'a' + rune(i)
		file := 9
		promoted := false
		for at, letter := range []rune(line) {
			if !promoted && letter >= '1' && letter <= '9' {
				file -= int(letter - '0')
				continue
			}
			if !promoted && letter == '+' {
				promoted = true
				continue
			}
			piece, ok := pieceOfLetter(letter)
			if !ok {
				return errLetter.Error(name, at+1, letter)
			}
			if promoted {
				if !piece.Kind().CanPromote() {
					return errNoPromoted.Error(name, at+1, piece.Kind())
				}
				piece += Piece(Promoted)
				promoted = false
			}
			if file > 0 {
				p.board[SquareAt(file, i+1)] = piece
			}
			file--
		}
		if promoted {
			return errPlus.Error(name)
		}
		if file != 0 {
			return errSquares.Error(name, 9-file)
		}
	}
	return nil
}

func (p *Position) parseHands(text string) error {
	if text == "-" {
		return nil
	}
	number, digits := 0, 0
	for at, letter := range []rune(text) {
		if letter >= '0' && letter <= '9' && (letter != '0' || digits > 0) && digits < 2 {
			number = 10*number + int(letter-'0')
			digits++
			continue
		}
		piece, ok := pieceOfLetter(letter)
		k := piece.Kind()
		if !ok || k == King {
			return errHandLetter.Error(text, at+1, letter)
		}
		if digits == 0 {
			number = 1
		}
		hand := &p.hands[piece.Color()]
		if hand.Count(k)+number > inAll[k] {
			return errHandAt.Error(text, at+1, tooManyInHand(hand.Count(k)+number, k))
		}
		*hand += Hand(number) * handOne[k]
		number, digits = 0, 0
	}
	if digits > 0 {
		return errHandEnd.Error(text)
	}
	return nil
}

func tooManyInHand(n int, k Kind) error {
	return errOneHand.Error(n, k, inAll[k])
}

// AppendSFEN appends the position to dst in SFEN, without the number of the
// move.
func (p *Position) AppendSFEN(dst []byte) []byte {
	dst = games.AppendRows(dst, 9, 9, func(row, column int) string {
		return pieceText(p.board[SquareAt(9-column, row+1)])
	})
	if p.turn == White {
		dst = append(dst, " w "...)
	} else {
		dst = append(dst, " b "...)
	}
	if p.hands[Black]|p.hands[White] == 0 {
		return append(dst, '-')
	}
	return p.hands[White].appendSFEN(p.hands[Black].appendSFEN(dst, Black), White)
}

func (h Hand) appendSFEN(dst []byte, c Color) []byte {
	for _, k := range handOrder {
		n := h.Count(k)
		if n > 1 {
			dst = strconv.AppendInt(dst, int64(n), 10)
		}
		if n > 0 {
			dst = append(dst, pieceText(PieceOf(c, k))...)
		}
	}
	return dst
}

// String returns the hand as in SFEN, such as G2P, "" if it is empty.
func (h Hand) String() string { return string(h.appendSFEN(nil, Black)) }

// pieceText returns a piece as SFEN writes it, "" for an empty square.
func pieceText(piece Piece) string {
	k := piece.Kind()
	if k == NoKind {
		return ""
	}
	text := usiLetters[k.Unpromoted():][:1]
	if piece.Color() == White {
		text = strings.ToLower(text)
	}
	if k.isPromoted() {
		text = "+" + text
	}
	return text
}

// SFEN returns the position in SFEN, without the number of the move.
func (p *Position) SFEN() string { return string(p.AppendSFEN(nil)) }
