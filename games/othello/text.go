package othello

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

// square returns the name of the square with a bit.
func (g *Game) square(bit int) string {
	return string([]byte{'a' + byte(bit%8), '1' + byte(bit/8)})
}

// colours returns the discs of X and of O.
func (p Position) colours() (x, o uint64) {
	if p.white {
		return p.opposite, p.own
	}
	return p.own, p.opposite
}

// seen returns the position with these discs as the side to move sees it.
func seen(x, o uint64, white bool) Position {
	if white {
		return Position{o, x, true}
	}
	return Position{own: x, opposite: o}
}

// Turn returns the side to move: 0 for X, 1 for O.
func (p Position) Turn() int {
	if p.white {
		return 1
	}
	return 0
}

func (p Position) mark(square uint64) byte {
	switch x, o := p.colours(); {
	case x&square != 0:
		return 'X'
	case o&square != 0:
		return 'O'
	}
	return '-'
}

// bit returns the bit of the i-th square of the board, row by row.
func (g *Game) bit(i int) uint64 { return 1 << (i/g.columns*8 + i%g.columns) }

// AppendPosition implements [games.Game].
func (g *Game) AppendPosition(dst []byte, p Position) []byte {
	for i := range g.rows * g.columns {
		dst = append(dst, p.mark(g.bit(i)))
	}
	if p.white {
		return append(dst, " O"...)
	}
	return append(dst, " X"...)
}

// ParsePosition implements [games.Game].
func (g *Game) ParsePosition(text string) (Position, error) {
	none := Position{}
	board, side, _ := strings.Cut(text, " ")
	if want := g.rows * g.columns; len(board) != want {
		return none, fmt.Errorf("position %q: want %d squares, got %d", text, want, len(board))
	}
	var x, o uint64
	for i := range len(board) {
		switch board[i] {
		case 'X':
			x |= g.bit(i)
		case 'O':
			o |= g.bit(i)
		case '-', '.':
		default:
			return none, fmt.Errorf("position %q: square %s: %q, want X, O or - for empty", text, g.layout.Squares[i], board[i])
		}
	}
	if side != "X" && side != "O" {
		return none, fmt.Errorf("position %q: the side to move is %q, want a blank and X or O after the squares", text, side)
	}
	p := seen(x, o, side == "O")
	if err := g.check(p); err != nil {
		return none, fmt.Errorf("position %q: %w", text, err)
	}
	return p, nil
}

// AppendMove implements [games.Game].
func (g *Game) AppendMove(dst []byte, _ Position, m Move) []byte {
	if m == Pass {
		return append(dst, passText...)
	}
	return append(dst, g.square(int(m))...)
}

// ParseMove implements [games.MoveParser]: capitals are read too.
func (g *Game) ParseMove(p Position, text string) (Move, error) {
	return games.FindMove(g, p, text, func(name string) bool { return strings.EqualFold(name, text) })
}

// AppendBoard implements [games.Drawer].
func (g *Game) AppendBoard(dst []byte, p Position) []byte {
	label := func() {
		dst = append(dst, ' ')
		for column := range g.columns {
			dst = append(dst, ' ', 'a'+byte(column))
		}
		dst = append(dst, '\n')
	}
	label()
	for row := range g.rows {
		dst = append(dst, '1'+byte(row))
		for column := range g.columns {
			dst = append(dst, ' ', p.mark(1<<(8*row+column)))
		}
		dst = append(dst, '\n')
	}
	x, o := p.colours()
	side := "X"
	if p.white {
		side = "O"
	}
	return fmt.Appendf(dst, "X %d, O %d, %s to move\n", bits.OnesCount64(x), bits.OnesCount64(o), side)
}
