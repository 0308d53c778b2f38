package gomoku

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games/sgf"
)

// NumberSGF is the number of gomoku in SGF.
const NumberSGF = "4"

// SGF returns how the game is written in SGF: a square is two letters, column and row from the top, and also read as in
// moves.
func (g *Game) SGF() *sgf.Dialect[Position, Square] {
	return &sgf.Dialect[Position, Square]{
		Game: g, Number: NumberSGF, Rows: g.rows, Columns: g.columns, Sizes: "2 to 20", Largest: 20, Rules: g.options(),
		Turn: func(p Position) int { return int(p.toMove) },
		Square: func(value string) (string, error) {
			s, err := g.sgfSquare(value)
			return s.String(), err
		},
		Value: func(move string) string {
			s, err := g.parseSquare(move)
			if err != nil {
				panic(err) // it is a move of the game
			}
			return g.sgfText(s)
		},
	}
}

// sgfSquare reads a square.
func (g *Game) sgfSquare(text string) (Square, error) {
	if len(text) == 2 {
		column, row := int(text[0]|0x20)-'a', int(text[1]|0x20)-'a'
		if column >= 0 && column < g.columns && row >= 0 && row < g.rows {
			return SquareAt(g.rows-1-row, column), nil
		}
	}
	if s, err := g.parseSquare(text); err == nil {
		return s, nil
	}
	return 0, fmt.Errorf("want two letters, aa at the top left to %s", g.sgfText(SquareAt(0, g.columns-1)))
}

// sgfText is a square in SGF.
func (g *Game) sgfText(s Square) string {
	return string([]byte{'a' + byte(s.Column()), 'a' + byte(g.rows-1-s.Row())})
}

// OptionsSGF returns the options of the rules that a record in SGF names. Without a size the board is 15x15.
func OptionsSGF(r *sgf.Record) []string {
	list := []string{optionSize + "=15x15"}
	if columns, rows := r.Size(); columns != "" {
		list[0] = fmt.Sprintf("%s=%sx%s", optionSize, rows, columns)
	}
	rules, _ := r.Root.Value("RU")
	for option := range strings.SplitSeq(rules, ",") {
		name, value, _ := strings.Cut(strings.Trim(option, sgf.Blanks), "=")
		_, k := parseNumber(value, minK, maxK)
		if name == optionK && k || name == optionRule && (value == ruleExact || value == ruleFree) {
			list = append(list, name+"="+value)
		}
	}
	return list
}

// options returns the options of the rules that are not usual, for RU.
func (g *Game) options() string {
	var list []string
	if g.k != 5 {
		list = append(list, optionK+"="+strconv.Itoa(g.k))
	}
	if g.exact {
		list = append(list, optionRule+"="+ruleExact)
	}
	return strings.Join(list, ",")
}
