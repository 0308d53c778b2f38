package plain

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// A game is won by stones in a row. Squares are numbered row by row from the top left.
type game struct {
	gomoku     bool // with numbers and the side to move in texts, and certificates
	falls      bool // a stone falls down its column: Connect Four
	exact      bool // more than k in a row are no line
	rows, cols int
	k          int
	moves      []string // the move to each square
	images     [][]int  // for each symmetry: which square comes to each square
	windows    []window // all of them
}

// A window is k squares in a row. The two at its ends may be -1, off the board.
type window struct{ squares, ends []int }

// A position is a board, with x, o or empty for each square, and the side to move, x or o.
type position struct {
	board []byte
	mover byte
}

const empty = '.'

// other returns the other side.
func other(side byte) byte { return 'x' + 'o' - side }

// newGame returns the game that a header names.
func newGame(text string) *game {
	name, list, given := strings.Cut(text, ":")
	options, ok := map[string]map[string]string{ // defaults
		"gomoku":    {"size": "15x15", "k": "5", "rule": "free"},
		"connect4":  {"size": "6x7"},
		"tictactoe": {},
	}[name]
	demand(ok, ErrUnsuited, "no plain rules for %.100q; there are some for gomoku, tictactoe and connect4", text)
	if given {
		seen := map[string]bool{}
		for option := range strings.SplitSeq(list, ",") {
			key, value, _ := strings.Cut(option, "=")
			_, known := options[key]
			demand(known && !seen[key], ErrUnsuited, "no plain rules for %.100q: option %q", text, option)
			options[key], seen[key] = value, true
		}
	}
	g := &game{rows: 3, cols: 3, k: 3}
	if size, ok := options["size"]; ok {
		rows, cols, _ := strings.Cut(size, "x")
		g.rows, g.cols = number(rows), number(cols)
	}
	most := 20
	switch name {
	case "gomoku":
		g.gomoku, g.k, g.exact = true, number(options["k"]), options["rule"] == "exact"
		ok = g.k >= 3 && g.k <= 20 && (g.exact || options["rule"] == "free")
	case "connect4":
		g.falls, g.k, most = true, 4, 15
		ok = (g.rows+1)*g.cols <= 63
	}
	ok = ok && min(g.rows, g.cols) >= 2 && max(g.rows, g.cols) <= most
	demand(ok, ErrUnsuited, "no plain rules for %.100q", text)

	for i := range g.rows * g.cols {
		y, x := i/g.cols, i%g.cols
		move := string(rune('a' + x))
		if !g.falls {
			move += strconv.Itoa(g.rows - y)
		}
		g.moves = append(g.moves, move)
		for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
			at := func(n int) int { return g.square(y+n*d[0], x+n*d[1]) }
			w := window{ends: []int{at(-1), at(g.k)}}
			for n := range g.k {
				w.squares = append(w.squares, at(n))
			}
			if !slices.Contains(w.squares, -1) {
				g.windows = append(g.windows, w)
			}
		}
	}
	g.symmetric(func(y, x int) int { return g.square(y, x) })
	if !g.falls {
		g.symmetric(func(y, x int) int { return g.square(g.rows-1-y, x) })
	}
	if !g.falls && g.rows == g.cols {
		g.symmetric(func(y, x int) int { return g.square(x, y) })
		g.symmetric(func(y, x int) int { return g.square(x, g.rows-1-y) })
	}
	return g
}

// symmetric adds a symmetry, and the same after left and right are exchanged.
func (g *game) symmetric(to func(y, x int) int) {
	var image, mirrored []int
	for i := range g.rows * g.cols {
		y, x := i/g.cols, i%g.cols
		image, mirrored = append(image, to(y, x)), append(mirrored, to(y, g.cols-1-x))
	}
	g.images = append(g.images, image, mirrored)
}

// number returns the number that a text of digits is, and -1 for any other.
func number(text string) int {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return -1
	}
	return int(n)
}

// square returns the square in a row and column, -1 off the board.
func (g *game) square(y, x int) int {
	if y < 0 || y >= g.rows || x < 0 || x >= g.cols {
		return -1
	}
	return y*g.cols + x
}

// named returns the square that a text names.
func (g *game) named(text string) int {
	s := slices.Index(g.moves, text)
	must(s >= 0, "%.100q is no square", text)
	return s
}

// lacks returns how many stones a side needs to make a line of a window, -1 if it cannot.
func (g *game) lacks(w *window, board []byte, side byte) int {
	n := g.k
	for _, s := range w.squares {
		switch board[s] {
		case side:
			n--
		case other(side):
			return -1
		}
	}
	for _, s := range w.ends {
		if g.exact && s >= 0 && board[s] == side {
			return -1
		}
	}
	return n
}

// within returns whether a side has a line with n more stones on any squares. With n = 0 it
// has one.
func (g *game) within(n int, board []byte, side byte) bool {
	for i := range g.windows {
		if lacks := g.lacks(&g.windows[i], board, side); lacks >= 0 && lacks <= n {
			return true
		}
	}
	return false
}

// finished returns whether a position is finished, and who has won, 0 for nobody.
func (g *game) finished(p position) (winner byte, over bool) {
	if g.within(0, p.board, other(p.mover)) {
		return other(p.mover), true
	}
	return 0, !slices.Contains(p.board, empty)
}

// hangs returns whether there is an empty square below a square to which stones fall.
func (g *game) hangs(board []byte, s int) bool {
	return g.falls && s+g.cols < len(board) && board[s+g.cols] == empty
}

// free returns the squares to which the side to move can move.
func (g *game) free(p position) (squares []int) {
	for s := range p.board {
		if p.board[s] == empty && !g.hangs(p.board, s) {
			squares = append(squares, s)
		}
	}
	return squares
}

// play returns the position after a move.
func play(p position, s int) position { return position{with(p.board, p.mover, s), other(p.mover)} }

// with returns a board with something else on some squares.
func with(board []byte, stone byte, squares ...int) []byte {
	board = bytes.Clone(board)
	for _, s := range squares {
		board[s] = stone
	}
	return board
}

// canonical returns a text that a position shares with its images and no other position.
func (g *game) canonical(p position) string {
	least := ""
	for _, image := range g.images {
		var b []byte
		for _, s := range image {
			b = append(b, p.board[s])
		}
		if least == "" || string(b) < least {
			least = string(b)
		}
	}
	return least + string(p.mover)
}

// In texts of gomoku numbers stand for empty squares, the largest that is possible.
var numbers, squares = func() (numbers, squares *strings.Replacer) {
	var to, from []string
	for n := 20; n > 0; n-- {
		row := strings.Repeat(string(empty), n)
		to, from = append(to, row, strconv.Itoa(n)), append(from, strconv.Itoa(n), row)
	}
	return strings.NewReplacer(to...), strings.NewReplacer(from...)
}()

// format returns the text of a position.
func (g *game) format(p position) string {
	var rows []string
	for row := range slices.Chunk(p.board, g.cols) {
		rows = append(rows, string(row))
	}
	text := strings.Join(rows, "/")
	if g.gomoku {
		text = numbers.Replace(text) + " " + string(p.mover)
	}
	return text
}

// parse returns the position of a text, which is spelled as by format.
func (g *game) parse(text string) position {
	board, mover, _ := strings.Cut(text, " ")
	p := position{[]byte(strings.ReplaceAll(squares.Replace(board), "/", "")), 'x'}
	x, o := strings.Count(board, "x"), strings.Count(board, "o")
	if g.gomoku && mover == "o" || !g.gomoku && x > o {
		p.mover = 'o'
	}
	ok := len(p.board) == g.rows*g.cols && g.format(p) == text && (g.gomoku || x == o || x == o+1)
	for s, stone := range p.board {
		ok = ok && strings.ContainsRune("xo.", rune(stone)) && (stone == empty || !g.hangs(p.board, s))
	}
	must(ok && !g.within(0, p.board, p.mover), "%.1000q is no position", text)
	must(!g.falls || !g.within(0, p.board, other(p.mover)) || g.lasted(p), "%.1000q: the game was over before", text)
	return p
}

// lasted returns whether some stone on top of a column has made all lines.
func (g *game) lasted(p position) bool {
	for s, stone := range p.board {
		top := s < g.cols || p.board[s-g.cols] == empty
		if top && stone == other(p.mover) && !g.within(0, with(p.board, empty, s), stone) {
			return true
		}
	}
	return false
}
