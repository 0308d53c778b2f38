package connect4

import (
	"fmt"
	"strings"
)

// IsDigits reports whether a text is a game as [Game.ParseDigits] reads it, whose moves need not be legal.
func IsDigits(text string) bool { return text != "" && strings.Trim(text, "123456789") == "" }

// ParseDigits reads a game as the digits of its columns, 1 for the leftmost, such as 4455352. If a move is wrong, it returns
// those before.
func (g *Game) ParseDigits(text string) (moves []Move, err error) {
	p := g.Start()
	for i, digit := range text {
		column := int(digit - '1')
		v, finished := g.Outcome(p)
		switch {
		case digit < '1' || column >= min(g.columns, 9):
			return moves, fmt.Errorf("move %d: %q: want a column, 1 to %d", i+1, digit, min(g.columns, 9))
		case finished:
			return moves, fmt.Errorf("move %d: %c: the game is over (%v)", i+1, digit, v)
		case p.discs&g.column(column) == g.column(column):
			return moves, fmt.Errorf("move %d: %c: the column is full", i+1, digit)
		}
		moves = append(moves, Move(column))
		p = g.Play(p, Move(column))
	}
	return moves, nil
}

// AppendDigits appends a game from the start position as [Game.ParseDigits] reads it.
func AppendDigits(dst []byte, moves []Move) []byte {
	for _, m := range moves {
		dst = append(dst, '1'+byte(m))
	}
	return dst
}
