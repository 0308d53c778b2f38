package hex

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games/sgf"
)

// NumberSGF is the number of Hex in SGF.
const NumberSGF = "11"

// The words for swaps. After swap-pieces the stone is White's, on the mirrored square, and Black is to move. After swap-sides
// the players have changed their colours: nothing happens on the board, and White is to move again. Some programs write swap, or
// swap-pieces, for it.
const (
	swapPieces = "swap-pieces"
	swapSides  = "swap-sides"
	swapText   = "swap"
)

// SGF returns how the game is written in SGF: Black is x, and a square is as in moves, and also read as two letters, column and
// row from the top.
func (g *Game) SGF() *sgf.Dialect[Position, Move] {
	return &sgf.Dialect[Position, Move]{
		Game: g, Number: NumberSGF, Rows: g.n, Columns: g.n, Sizes: "3 to 11", Largest: 11,
		Turn:   func(p Position) int { return int(p.toMove) },
		Square: g.sgfSquare,
		Value: func(move string) string {
			if move == swapText {
				return swapPieces
			}
			return move
		},
		Word: func(r *sgf.Record, n *sgf.Node, value string) (move string, is bool) {
			switch sort := sortOfSwap(r, n, value); sort {
			case swapPieces:
				return swapText, true
			default:
				return "", sort == swapSides
			}
		},
	}
}

// oldHexGui is the name of versions of HexGui that wrote swap-pieces for swap-sides.
var oldHexGui = regexp.MustCompile(`^HexGui:(?:0\.[0-9]|1\.0\.)($|[^0-9])`)

// sortOfSwap returns which of the swaps a value is, empty if it is none. Programs mix up the words, so the next move shows what is
// meant: the player who swaps moves again only after a swap of sides.
func sortOfSwap(r *sgf.Record, n *sgf.Node, value string) string {
	sort := strings.ToLower(strings.Trim(value, sgf.Blanks))
	switch sort {
	case swapSides:
		return sort
	case swapPieces, swapText:
	default:
		return ""
	}
	_, side, _ := n.Move()
	if len(n.Children) > 0 {
		if _, next, found := n.Children[0].Move(); found && next != side {
			return swapPieces
		} else if found {
			return swapSides
		}
	}
	if program, _ := r.Root.Value("AP"); sort == swapText || oldHexGui.MatchString(program) {
		return swapSides
	}
	return swapPieces
}

// sgfSquare reads a square.
func (g *Game) sgfSquare(text string) (string, error) {
	if len(text) >= 2 {
		column, row := int(text[0]|0x20)-'a', 0
		if letter := text[1] | 0x20; len(text) == 2 && letter >= 'a' && letter <= 'z' {
			row = 1 + int(letter-'a')
		} else if n, err := strconv.ParseUint(text[1:], 10, 8); err == nil && text[1] != '0' {
			row = int(n)
		}
		if column >= 0 && column < g.n && row >= 1 && row <= g.n {
			return g.layout.Squares[(row-1)*g.n+column], nil
		}
	}
	return "", fmt.Errorf("want a square, a1 at the top left to %s, or %s", g.layout.Squares[g.n*g.n-1], swapPieces)
}

// OptionsSGF returns the options of the rules that a record in SGF names: the size of the board, and the swap rule if a
// player uses it.
func OptionsSGF(r *sgf.Record) (list []string) {
	if columns, rows := r.Size(); columns != "" {
		list = append(list, optionSize+"="+rows+"x"+columns)
	}
	for n := r.Root; ; n = n.Children[0] {
		if value, _, found := n.Move(); found && sortOfSwap(r, n, value) == swapPieces {
			return append(list, optionSwap+"=yes")
		}
		if len(n.Children) == 0 {
			return list
		}
	}
}
