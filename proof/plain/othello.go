package plain

import "strings"

// Othello. A move is the square to which it puts a disc, or pass.
type othello struct {
	grid
	toWinner bool      // who gets the squares that stay empty
	lines    [][][]int // from each square, those in the eight directions
	middle   []int
	images   []image
}

const pass Move = 1 << 10

func newOthello(o map[string]string) (*othello, bool) {
	g := &othello{toWinner: o["empty"] == "winner"}
	g.rows, g.cols = size(o["size"])
	const sizes = " 4x4 4x6 4x8 6x4 6x6 6x8 8x4 8x6 8x8 "
	if !strings.Contains(sizes, " "+o["size"]+" ") || !g.toWinner && o["empty"] != "nobody" {
		return nil, false
	}
	for s := range g.rows * g.cols {
		var lines [][]int
		for _, d := range eight {
			lines = append(lines, g.line(s, d[0], d[1], 8))
		}
		g.lines = append(g.lines, lines)
	}
	s := g.square(g.rows/2, g.cols/2)
	g.middle, g.images = []int{s, s - 1, s - g.cols, s - g.cols - 1}, g.grid.images()
	return g, true
}

// turns returns the discs that a disc of a side on an empty square turns over.
func (g *othello) turns(board string, s int, side byte) (discs []int) {
	for _, line := range g.lines[s] {
		n := 0
		for n < len(line) && board[line[n]] == 'X'+'O'-side {
			n++
		}
		if n < len(line) && board[line[n]] == side {
			discs = append(discs, line[:n]...)
		}
	}
	return discs
}

// discs returns the squares on which a side can put a disc.
func (g *othello) discs(board string, side byte) (moves []Move) {
	for s := range len(board) {
		if board[s] == '-' && len(g.turns(board, s, side)) > 0 {
			moves = append(moves, Move(s))
		}
	}
	return moves
}

func (g *othello) Result(p Position) (result int, over bool) {
	if len(g.Moves(p)) > 0 {
		return 0, false
	}
	side := string(p.mover)
	empty, own := strings.Count(p.board, "-"), strings.Count(p.board, side)
	result = 2*own + empty - len(p.board)
	if g.toWinner && result > 0 {
		result += empty
	} else if g.toWinner && result < 0 {
		result -= empty
	}
	return result, true
}

func (g *othello) Moves(p Position) []Move {
	moves := g.discs(p.board, p.mover)
	if len(moves) == 0 && len(g.discs(p.board, 'X'+'O'-p.mover)) > 0 {
		return []Move{pass}
	}
	return moves
}

func (g *othello) Text(_ Position, m Move) string {
	if m == pass {
		return "pass"
	}
	return g.name(int(m))
}

func (g *othello) Play(p Position, m Move) Position {
	if m != pass {
		p.board = with(p.board, p.mover, append(g.turns(p.board, int(m), p.mover), int(m))...)
	}
	p.mover = 'X' + 'O' - p.mover
	return p
}

func (g *othello) Gain(Position, Move) int { return 0 }
func (g *othello) Left(p Position) int     { return len(p.board) }

func (g *othello) Canonical(p Position) Position {
	if p.mover == 'O' {
		p.board = strings.NewReplacer("X", "O", "O", "X").Replace(p.board)
		p.mover = 'X'
	}
	p.board = least(p.board, g.images)
	return p
}

func (g *othello) Format(p Position) string { return p.board + " " + string(p.mover) }

func (g *othello) parse(text string) Position {
	board, mover, _ := strings.Cut(text, " ")
	p := Position{board: board, mover: 'X'}
	if mover == "O" {
		p.mover = 'O'
	}
	must(len(board) == g.rows*g.cols && strings.Trim(board, "XO-") == "", "%.1000q is no position", text)
	spelled(g, p, text)
	reached, discs := make([]bool, len(board)), 0
	var visit func(s int)
	visit = func(s int) {
		if board[s] != '-' && !reached[s] {
			reached[s] = true
			discs++
			for _, line := range g.lines[s] {
				if len(line) > 0 {
					visit(line[0])
				}
			}
		}
	}
	for _, s := range g.middle {
		must(board[s] != '-', "%.1000q: a square of the middle is empty", text)
		visit(s)
	}
	must(discs == len(board)-strings.Count(board, "-"), "%.1000q: a disc is not connected with the middle", text)
	return p
}
