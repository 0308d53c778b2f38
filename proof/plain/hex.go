package plain

import "strings"

// Hex. A move is the square to which it puts a stone, or swap.
type hex struct {
	grid
	swap   bool
	beside [][]int // the neighbours of each square
	turned image   // by half a turn
}

const swap Move = 1 << 10

func newHex(o map[string]string) (*hex, bool) {
	n, _ := size(o["size"])
	g := &hex{grid: grid{n, n}, swap: o["swap"] == "yes"}
	names := " 3x3 4x4 5x5 6x6 7x7 8x8 9x9 10x10 11x11 "
	if !strings.Contains(names, " "+o["size"]+" ") || !g.swap && o["swap"] != "no" {
		return nil, false
	}
	for s := range n * n {
		var beside []int
		for _, d := range [][2]int{{0, -1}, {0, 1}, {-1, 0}, {1, 0}, {-1, 1}, {1, -1}} {
			beside = append(beside, g.line(s, d[0], d[1], 1)...)
		}
		g.beside, g.turned = append(g.beside, beside), append(g.turned, n*n-1-s)
	}
	return g, true
}

// connected returns whether a side has a chain from edge to edge.
func (g *hex) connected(board string, side byte) bool {
	last, left := g.rows-1, []int(nil) // squares of chains from the first edge
	seen := make([]bool, len(board))
	reach := func(s int) {
		if board[s] == side && !seen[s] {
			seen[s], left = true, append(left, s)
		}
	}
	for i := range g.rows {
		if side == 'x' {
			reach(i)
		} else {
			reach(i * g.cols)
		}
	}
	for len(left) > 0 {
		s := left[len(left)-1]
		if left = left[:len(left)-1]; side == 'x' && s/g.cols == last || side == 'o' && s%g.cols == last {
			return true
		}
		for _, next := range g.beside[s] {
			reach(next)
		}
	}
	return false
}

func (g *hex) Result(p Position) (result int, over bool) {
	return -1, g.connected(p.board, other(p.mover))
}

func (g *hex) Moves(p Position) (moves []Move) {
	for s := range len(p.board) {
		if p.board[s] == empty {
			moves = append(moves, Move(s))
		}
	}
	if g.swap && p.mover == 'o' && strings.Count(p.board, "x") == 1 && !strings.Contains(p.board, "o") {
		moves = append(moves, swap)
	}
	return moves
}

func (g *hex) Text(_ Position, m Move) string {
	if m == swap {
		return "swap"
	}
	return g.name(int(m))
}

func (g *hex) Play(p Position, m Move) Position {
	if m == swap {
		s := strings.Index(p.board, "x")
		p.board = with(with(p.board, empty, s), 'o', g.square(s%g.cols, s/g.cols))
	} else {
		p.board = with(p.board, p.mover, int(m))
	}
	p.mover = other(p.mover)
	return p
}

func (g *hex) Canonical(p Position) Position {
	p.board = min(p.board, g.turned.of(p.board))
	return p
}

func (g *hex) Format(p Position) string { return g.slashed(p.board) + " " + string(p.mover) }

func (g *hex) parse(text string) Position {
	board, mover, _ := strings.Cut(text, " ")
	p := Position{board: strings.ReplaceAll(board, "/", ""), mover: 'x'}
	if mover == "o" {
		p.mover = 'o'
	}
	must(len(p.board) == g.rows*g.cols && strings.Trim(p.board, "xo.") == "", "%.1000q is no position", text)
	spelled(g, p, text)
	x, o, last := strings.Count(p.board, "x"), strings.Count(p.board, "o"), other(p.mover)
	if g.swap {
		right := x == o || o == x+1 // without a swap, or with one
		if p.mover == 'o' {
			right = x == o+1 || x == o && x > 0
		}
		must(right, "%.1000q has wrong numbers of stones", text)
	}
	must(!g.connected(p.board, p.mover), "%.1000q: the side to move has connected its edges", text)
	lasted := !g.connected(p.board, last)
	for s := range len(p.board) {
		lasted = lasted || p.board[s] == last && !g.connected(with(p.board, empty, s), last)
	}
	must(lasted, "%.1000q: the game was over before", text)
	return p
}
