package checkers

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// AppendMove implements [games.Game].
func (g *Game) AppendMove(dst []byte, _ Position, m Move) []byte {
	separator := byte('x')
	if g.between(m.squares[0], m.squares[1]) == off {
		separator = '-'
	}
	for i, square := range m.squares[:m.count] {
		if i > 0 {
			dst = append(dst, separator)
		}
		dst = strconv.AppendInt(dst, int64(square)+1, 10)
	}
	return dst
}

// AppendPosition implements [games.Game].
func (g *Game) AppendPosition(dst []byte, p Position) []byte {
	own, _ := p.sides()
	dst = append(dst, own-crown, ':', 'W')
	dst = appendPieces(dst, &p, white)
	dst = append(dst, ':', 'B')
	return appendPieces(dst, &p, black)
}

func appendPieces(dst []byte, p *Position, side byte) []byte {
	begin := len(dst)
	for square, piece := range p.board {
		if piece|crown != side {
			continue
		}
		if len(dst) > begin {
			dst = append(dst, ',')
		}
		if piece != side {
			dst = append(dst, 'K')
		}
		dst = strconv.AppendInt(dst, int64(square)+1, 10)
	}
	return dst
}

// ParsePosition implements [games.Game]. It reads a position as AppendPosition writes it, and
// refuses any other spelling.
func (g *Game) ParsePosition(text string) (Position, error) {
	p, err := g.parse(text)
	if err == nil {
		err = g.check(&p)
	}
	// If anything was misread, the text differs.
	if err == nil {
		if again := string(g.AppendPosition(nil, p)); again != text {
			err = fmt.Errorf("read as %q", again)
		}
	}
	if err != nil {
		return Position{}, fmt.Errorf("position %q: %w", text, err)
	}
	return p, nil
}

func (g *Game) parse(text string) (p Position, err error) {
	fields := strings.Split(text, ":")
	if len(fields) != 3 || fields[1] == "" || fields[2] == "" {
		return p, errors.New("want the side to move, White's squares and Black's, such as B:W21,K22:B1")
	}
	p.white = fields[0] == "W"
	for i, man := range []byte{white, black} {
		list := fields[i+1][1:]
		for number := range strings.SplitSeq(list, ",") {
			piece := man
			if digits, isKing := strings.CutPrefix(number, "K"); isKing {
				number, piece = digits, man-crown
			}
			n, err := strconv.Atoi(number)
			switch {
			case list == "":
			case err != nil || n < 1 || n > g.squares:
				return p, fmt.Errorf("square %q: want a number from 1 to %d", number, g.squares)
			default:
				p.board[n-1] = piece
			}
		}
	}
	return p, nil
}

// check refuses positions that the rules exclude.
func (g *Game) check(p *Position) error {
	count := map[byte]int{}
	for square, piece := range p.board {
		if piece == 0 {
			continue
		}
		count[piece|crown]++
		if g.crowned(piece, byte(square)) != piece {
			return fmt.Errorf("the man on %d would be a king", square+1)
		}
	}
	_, other := p.sides()
	switch {
	case count[other] == 0:
		return errors.New("the side that has just moved has no piece")
	case max(count[black], count[white]) > g.army:
		return fmt.Errorf("a side has more than %d pieces", g.army)
	case count[black]+count[white] > g.pieces:
		return fmt.Errorf("%d pieces are on the board, %s has at most %d", count[black]+count[white], g.name, g.pieces)
	}
	return nil
}
