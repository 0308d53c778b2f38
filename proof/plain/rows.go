package plain

import (
	"slices"
	"strconv"
	"strings"
)

// The games that are won by stones in a row: gomoku, tic-tac-toe and Connect Four. A move is the
// square to which it puts a stone.
type rows struct {
	grid
	gomoku  bool // with numbers and the side to move in texts, and certificates
	falls   bool // a stone falls down its column: Connect Four
	exact   bool // more than k in a row are no line
	k       int
	names   []string // of squares, with rows numbered from the bottom
	images  []image
	windows []window // all of them
}

// A window is k squares in a row. The two at its ends may be -1, off the board.
type window struct{ squares, ends []int }

// other returns the other side of x and o.
func other(side byte) byte { return 'x' + 'o' - side }

func newRows(name string, o map[string]string) (g *rows, ok bool) {
	g, ok = &rows{grid: grid{3, 3}, k: 3}, true
	most := 20
	if text, sized := o["size"]; sized {
		g.rows, g.cols = size(text)
	}
	switch name {
	case "gomoku":
		g.gomoku, g.k, g.exact = true, number(o["k"]), o["rule"] == "exact"
		ok = g.k >= 3 && g.k <= 20 && (g.exact || o["rule"] == "free")
	case "connect4":
		g.falls, g.k, most = true, 4, 15
		ok = (g.rows+1)*g.cols <= 63
	}
	if !ok || min(g.rows, g.cols) < 2 || max(g.rows, g.cols) > most {
		return nil, false
	}
	for s := range g.rows * g.cols {
		g.names = append(g.names, string(rune('a'+s%g.cols))+strconv.Itoa(g.rows-s/g.cols))
		for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
			at := func(n int) int { return g.square(s/g.cols+n*d[0], s%g.cols+n*d[1]) }
			w := window{ends: []int{at(-1), at(g.k)}}
			for n := range g.k {
				w.squares = append(w.squares, at(n))
			}
			if w.squares[g.k-1] >= 0 {
				g.windows = append(g.windows, w)
			}
		}
	}
	if g.images = g.grid.images(); g.falls {
		g.images = g.images[:2] // as it is, and mirrored
	}
	return g, true
}

// lacks returns how many stones a side needs to make a line of a window, -1 if it cannot.
func (g *rows) lacks(w *window, board string, side byte) int {
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
func (g *rows) within(n int, board string, side byte) bool {
	for i := range g.windows {
		if lacks := g.lacks(&g.windows[i], board, side); lacks >= 0 && lacks <= n {
			return true
		}
	}
	return false
}

func (g *rows) Result(p Position) (result int, over bool) {
	if g.within(0, p.board, other(p.mover)) {
		return -1, true
	}
	return 0, strings.IndexByte(p.board, empty) < 0
}

// hangs returns whether there is an empty square below a square to which stones fall.
func (g *rows) hangs(board string, s int) bool {
	return g.falls && s+g.cols < len(board) && board[s+g.cols] == empty
}

func (g *rows) Moves(p Position) (moves []Move) {
	for s := range len(p.board) {
		if p.board[s] == empty && !g.hangs(p.board, s) {
			moves = append(moves, Move(s))
		}
	}
	return moves
}

func (g *rows) Play(p Position, m Move) Position {
	p.board, p.mover = with(p.board, p.mover, int(m)), other(p.mover)
	return p
}

// named returns the square that a text names.
func (g *rows) named(text string) int {
	s := slices.Index(g.names, text)
	must(s >= 0, "%.100q is no square", text)
	return s
}

func (g *rows) Text(_ Position, m Move) string {
	if g.falls {
		return g.names[m][:1]
	}
	return g.names[m]
}

func (g *rows) Canonical(p Position) Position {
	p.board = least(p.board, g.images)
	return p
}

func (g *rows) Format(p Position) string {
	if g.gomoku {
		return numbers.Replace(g.slashed(p.board)) + " " + string(p.mover)
	}
	return g.slashed(p.board)
}

func (g *rows) parse(text string) Position {
	board, mover, _ := strings.Cut(text, " ")
	p := Position{board: strings.ReplaceAll(squares.Replace(board), "/", ""), mover: 'x'}
	x, o := strings.Count(board, "x"), strings.Count(board, "o")
	if g.gomoku && mover == "o" || !g.gomoku && x > o {
		p.mover = 'o'
	}
	ok := len(p.board) == g.rows*g.cols && strings.Trim(p.board, "xo.") == "" && (g.gomoku || x == o || x == o+1)
	for s := range len(p.board) {
		ok = ok && (p.board[s] == empty || !g.hangs(p.board, s))
	}
	must(ok && !g.within(0, p.board, p.mover), "%.1000q is no position", text)
	spelled(g, p, text)
	must(!g.falls || !g.within(0, p.board, other(p.mover)) || g.lasted(p), "%.1000q: the game was over before", text)
	return p
}

// lasted returns whether some stone on top of a column has made all lines.
func (g *rows) lasted(p Position) bool {
	for s := range len(p.board) {
		top := s < g.cols || p.board[s-g.cols] == empty
		if top && p.board[s] == other(p.mover) && !g.within(0, with(p.board, empty, s), other(p.mover)) {
			return true
		}
	}
	return false
}
