package othello

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/games/sgf"
)

// NumberSGF is the number of Othello in SGF.
const NumberSGF = "2"

// passes are how programs write a pass; the first is how we do.
var passes = []string{"PA", "", "pass", "ps", "--", "tt"}

// isPass reports whether a text is a pass.
func isPass(text string) bool {
	return slices.ContainsFunc(passes, func(pass string) bool { return strings.EqualFold(text, pass) })
}

const passText = "pass"

// SGF returns how the game is written in SGF: a square is as in moves, f5, as Edax writes it, and also read as two letters,
// column and row from the top. Passes may be left out.
func (g *Game) SGF() *sgf.Dialect[Position, Move] {
	return &sgf.Dialect[Position, Move]{
		Game: g, Number: NumberSGF, Rows: g.rows, Columns: g.columns, Sizes: "4, 6 or 8", Largest: 8,
		Turn:   func(p Position) int { return p.Turn() },
		Square: g.sgfSquare,
		Value: func(move string) string {
			if move == passText {
				return passes[0]
			}
			return move
		},
		Word: func(_ *sgf.Record, _ *sgf.Node, value string) (string, bool) {
			return passText, isPass(strings.Trim(value, sgf.Blanks))
		},
		Forced: func(p Position) (string, bool) { return passText, g.mustPass(p) },
	}
}

// mustPass reports whether the side to move has no other move than to pass.
func (g *Game) mustPass(p Position) bool {
	return g.moves(p.own, p.opposite) == 0 && g.moves(p.opposite, p.own) != 0
}

// sgfSquare reads a square.
func (g *Game) sgfSquare(text string) (string, error) {
	if len(text) == 2 {
		column, row := int(text[0]|0x20)-'a', int(text[1])-'1'
		if letter := text[1] | 0x20; letter >= 'a' && letter <= 'z' {
			row = int(letter - 'a')
		}
		if column >= 0 && column < g.columns && row >= 0 && row < g.rows {
			return g.square(8*row + column), nil
		}
	}
	return "", fmt.Errorf("want a square, a1 at the top left to %s, or PA for a pass", g.square(8*(g.rows-1)+g.columns-1))
}

// OptionsSGF returns the options of the rules that a record in SGF names.
func OptionsSGF(r *sgf.Record) []string {
	if columns, rows := r.Size(); columns != "" {
		return []string{optionSize + "=" + rows + "x" + columns}
	}
	return nil
}
