package gomoku

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yomikiri/yomikiri/games"
)

func (g *Game) AppendPosition(dst []byte, p Position) []byte {
	dst = games.AppendRows(dst, g.rows, g.columns, func(row, column int) string {
		if side, ok := p.At(SquareAt(g.rows-1-row, column)); ok {
			return string(side.letter())
		}
		return ""
	})
	return append(dst, ' ', p.toMove.letter())
}

func (g *Game) ParsePosition(text string) (Position, error) {
	p, err := g.parsePosition(text)
	if err == nil {
		err = g.check(p)
	}
	if err != nil {
		return Position{}, fmt.Errorf("position %q: %w", text, err)
	}
	return p, nil
}

func (g *Game) parsePosition(text string) (p Position, err error) {
	fields := strings.Fields(text)
	if len(fields) != 1 && len(fields) != 2 {
		return p, fmt.Errorf("want 2 fields, got %d: the rows and the side to move", len(fields))
	}
	if err = g.parseBoard(&p, fields[0]); err != nil {
		return p, err
	}
	if len(fields) == 1 {
		p.toMove, err = p.turn()
		return p, err
	}
	switch fields[1] {
	case "x", "b":
		p.toMove = Black
	case "o", "w":
		p.toMove = White
	default:
		return p, fmt.Errorf("side to move %q, want x (black) or o (white)", fields[1])
	}
	return p, nil
}

// turn derives the side to move from the numbers of stones.
func (p *Position) turn() (Side, error) {
	switch x, o := p.stones[Black].Len(), p.stones[White].Len(); x - o {
	case 0:
		return Black, nil
	case 1:
		return White, nil
	default:
		return Black, fmt.Errorf("%d x and %d o: the side to move is unclear; add x or o after the rows", x, o)
	}
}

// parseBoard reads a board with / between rows, or square by square without.
func (g *Game) parseBoard(p *Position, text string) error {
	rows := strings.Split(text, "/")
	if len(rows) == 1 {
		if len(text) != g.rows*g.columns {
			return fmt.Errorf("want %d rows of %d squares, %d in all; got %d", g.rows, g.columns, g.rows*g.columns, len(text))
		}
		rows = nil
		for row := range slices.Chunk([]byte(text), g.columns) {
			rows = append(rows, string(row))
		}
	}
	if len(rows) != g.rows {
		return fmt.Errorf("want %d rows with / between, got %d", g.rows, len(rows))
	}
	for i, row := range rows {
		number, column := g.rows-i, 0
		for rest := row; rest != ""; {
			letters := strings.TrimLeft(rest, "0123456789")
			if digits := rest[:len(rest)-len(letters)]; digits != "" {
				n, ok := parseNumber(digits, 1, MaxSide)
				if !ok || digits[0] == '0' {
					return fmt.Errorf("row %d: %q is not a number of empty squares (1 to %d)", number, digits, g.columns)
				}
				column, rest = column+n, letters
				continue
			}
			if column < g.columns && !p.put(SquareAt(number-1, column), rest[0]) {
				letter, _ := utf8.DecodeRuneInString(rest)
				return fmt.Errorf("row %d, square %d: %q, want x, o, a dot, or a number of empty squares", number, column+1, letter)
			}
			column, rest = column+1, rest[1:]
		}
		if column != g.columns {
			return fmt.Errorf("row %d: want %d squares, got %d", number, g.columns, column)
		}
	}
	return nil
}

// put places the stone that a letter stands for, if any. It reports whether the
// letter is valid.
func (p *Position) put(s Square, letter byte) bool {
	switch letter {
	case 'x', 'X':
		p.stones[Black].Add(s)
	case 'o', 'O':
		p.stones[White].Add(s)
	case '.', '-':
	default:
		return false
	}
	return true
}

// check refuses positions in which play went on after the end.
func (g *Game) check(p Position) error {
	if !g.hasLine(&p.stones[p.toMove]) {
		return nil
	}
	more := " or more"
	if g.exact {
		more = ""
	}
	return fmt.Errorf("%v is to move, but has %d%s in a row already", p.toMove, g.k, more)
}

func (g *Game) AppendMove(dst []byte, _ Position, s Square) []byte { return s.appendText(dst) }

func (g *Game) ParseMove(p Position, text string) (Square, error) {
	s, err := g.parseSquare(text)
	if err == nil {
		if v, finished := g.Outcome(p); finished {
			err = fmt.Errorf("the game is over (%v)", v)
		} else if _, taken := p.At(s); taken {
			err = errors.New("the square is not empty")
		}
	}
	if err != nil {
		return 0, fmt.Errorf("move %q: %w", text, err)
	}
	return s, nil
}

func (g *Game) parseSquare(text string) (Square, error) {
	if len(text) >= 2 && text[1] != '0' && text[1] != '+' {
		column := int(text[0]|0x20) - 'a'
		if row, ok := parseNumber(text[1:], 1, g.rows); ok && column >= 0 && column < g.columns {
			return SquareAt(row-1, column), nil
		}
	}
	return 0, fmt.Errorf("want a square, a1 to %v", SquareAt(g.rows-1, g.columns-1))
}

var _ games.Game[Position, Square] = (*Game)(nil)
