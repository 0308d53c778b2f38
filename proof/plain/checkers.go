package plain

import (
	"slices"
	"strconv"
	"strings"
)

// Checkers. A board has the dark squares in the order of their numbers: b and w for men, B and W
// for kings. A move is the numbers of the squares on which the piece stands, the last one in the
// lowest six bits.
type checkers struct {
	squares, army, pieces int        // of the board; the most of a side, and of both
	row                   int        // dark squares in a row
	steps                 [][4][]int // from each square in each direction: those that follow, two at most
}

// jumped stands for a piece that was jumped over.
const jumped = 'x'

func newCheckers(o map[string]string) (*checkers, bool) {
	side, _ := size(o["size"])
	if !slices.Contains([]string{"4x4", "6x6", "8x8"}, o["size"]) {
		return nil, false
	}
	g := &checkers{squares: side * side / 2, army: (side/2 - 1) * side / 2, row: side / 2, pieces: number(o["pieces"])}
	if o["pieces"] == "all" {
		g.pieces = 24
	}
	whole := grid{side, side}
	for s := range g.squares {
		y := s / g.row
		at := whole.square(y, 2*(s%g.row)+1-y%2)
		var steps [4][]int
		for i, d := range [4][2]int{{1, -1}, {1, 1}, {-1, -1}, {-1, 1}} {
			for _, to := range whole.line(at, d[0], d[1], 2) {
				steps[i] = append(steps[i], to/2)
			}
		}
		g.steps = append(g.steps, steps)
	}
	return g, g.pieces >= 2 && g.pieces <= 24
}

// directions are those of each piece.
var directions = [256][]int{'b': {0, 1}, 'w': {2, 3}, 'B': {0, 1, 2, 3}, 'W': {0, 1, 2, 3}}

// small returns a piece as a man.
func small(piece byte) byte { return piece | 32 }

// crowned returns what a piece is on a square.
func (g *checkers) crowned(piece byte, s int) byte {
	if piece == 'b' && s >= g.squares-g.row || piece == 'w' && s < g.row {
		return piece &^ 32
	}
	return piece
}

// captures adds the captures of a piece that stands on a square, after those of m. If it can go
// no further, that is m itself, unless it has captured nothing.
func (g *checkers) captures(moves []Move, board []byte, piece byte, s int, m Move) []Move {
	before := len(moves)
	for _, d := range directions[piece] {
		line := g.steps[s][d]
		if len(line) < 2 || small(board[line[0]]) != 'b'+'w'-small(piece) || board[line[1]] != empty || g.crowned(piece, s) != piece {
			continue
		}
		taken := board[line[0]]
		board[line[0]] = jumped
		moves = g.captures(moves, board, piece, line[1], m<<6|Move(line[1]+1))
		board[line[0]] = taken
	}
	if len(moves) == before && m > 63 {
		moves = append(moves, m)
	}
	return moves
}

func (g *checkers) Moves(p Position) (moves []Move) {
	board := []byte(p.board)
	for s, piece := range board {
		if small(piece) == small(p.mover) {
			board[s] = empty // so that a king may come back
			moves = g.captures(moves, board, piece, s, Move(s+1))
			board[s] = piece
		}
	}
	if len(moves) > 0 {
		return moves
	}
	for s, piece := range board {
		for _, d := range directions[piece] {
			if line := g.steps[s][d]; small(piece) == small(p.mover) && len(line) > 0 && board[line[0]] == empty {
				moves = append(moves, Move(s+1)<<6|Move(line[0]+1))
			}
		}
	}
	return moves
}

func (g *checkers) Result(p Position) (result int, over bool) { return -1, len(g.Moves(p)) == 0 }

// route returns the numbers of the squares of a move.
func route(m Move) (squares []int) {
	for ; m > 0; m >>= 6 {
		squares = append(squares, int(m&63))
	}
	slices.Reverse(squares)
	return squares
}

// over returns the square that a capture between two squares jumps over, -1 for a step.
func (g *checkers) over(from, to int) int {
	for _, line := range g.steps[from] {
		if len(line) == 2 && line[1] == to {
			return line[0]
		}
	}
	return -1
}

func (g *checkers) Text(_ Position, m Move) string {
	squares, text, separator := route(m), "", "-"
	if g.over(squares[0]-1, squares[1]-1) >= 0 {
		separator = "x"
	}
	for _, n := range squares {
		text += separator + strconv.Itoa(n)
	}
	return text[1:]
}

func (g *checkers) Play(p Position, m Move) Position {
	squares := route(m)
	board, at := []byte(p.board), squares[0]-1
	piece := board[at]
	board[at] = empty
	for _, n := range squares[1:] {
		if over := g.over(at, n-1); over >= 0 {
			board[over] = empty
		}
		at = n - 1
	}
	board[at] = g.crowned(piece, at)
	p.board, p.mover = string(board), 'B'+'W'-p.mover
	return p
}

var colours = strings.NewReplacer("b", "w", "w", "b", "B", "W", "W", "B")

func (g *checkers) Canonical(p Position) Position {
	if p.mover == 'W' {
		board := []byte(colours.Replace(p.board))
		slices.Reverse(board)
		p.board, p.mover = string(board), 'B'
	}
	return p
}

func (g *checkers) Format(p Position) string {
	text := string(p.mover)
	for _, king := range []byte("WB") {
		text += ":" + string(king)
		for s, piece := range []byte(p.board) {
			if piece == king {
				text += "K"
			}
			if small(piece) == small(king) {
				text += strconv.Itoa(s+1) + ","
			}
		}
		text = strings.TrimSuffix(text, ",")
	}
	return text
}

func (g *checkers) parse(text string) Position {
	p, king := Position{board: strings.Repeat(string(empty), g.squares), mover: 'B'}, byte(0)
	if strings.HasPrefix(text, "W") {
		p.mover = 'W'
	}
	for _, field := range strings.FieldsFunc(text, func(r rune) bool { return r == ':' || r == ',' }) {
		if field[0] == 'W' || field[0] == 'B' {
			king, field = field[0], field[1:]
		}
		piece := small(king)
		if strings.HasPrefix(field, "K") {
			piece, field = king, field[1:]
		}
		if n := number(field); n >= 1 && n <= g.squares {
			must(g.crowned(piece, n-1) == piece, "%.1000q: a man would be a king", text)
			p.board = with(p.board, piece, n-1)
		}
	}
	spelled(g, p, text)
	b, w := strings.Count(strings.ToLower(p.board), "b"), strings.Count(strings.ToLower(p.board), "w")
	must(max(b, w) <= g.army && b+w <= g.pieces && (p.mover == 'B' || b > 0) && (p.mover == 'W' || w > 0), "%.1000q has a wrong number of pieces", text)
	return p
}
