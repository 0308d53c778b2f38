package gomoku

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

// Squares of a board.
const (
	empty = '.'
	black = 'x'
	white = 'o'
)

// Position is a position.
type Position struct {
	squares string // row by row from the bottom
	toMove  byte   // black or white
}

// Move is the number of a square: columns times row plus column.
type Move int

// Game is k in a row under some rules. It implements [games.Game],
// [games.Canonicalizer] and proof's Certifier.
type Game struct {
	rows, columns, k int
	exact            bool // more than k in a row do not win
	images           [][]int
	grid             grid
}

var (
	_ games.Game[Position, Move]    = (*Game)(nil)
	_ games.Canonicalizer[Position] = (*Game)(nil)
)

// Limits of the sizes of boards and lines in files.
const (
	minSide = 2
	maxSide = 20
	minK    = 3
)

// Open returns the game that spec names, such as "gomoku:size=7x7,k=4", and false if package
// games/gomoku has no such game or spells it differently.
func Open(spec string) (*Game, bool) {
	g, ok := parseGame(spec)
	if !ok || min(g.rows, g.columns) < minSide || g.k < minK {
		return nil, false
	}
	return g, true
}

// parseGame is Open, also for boards and lines that are too small to be games.
func parseGame(spec string) (*Game, bool) {
	_, options, _ := strings.Cut(spec, ":")
	g := &Game{rows: 15, columns: 15, k: 5}
	for option := range strings.SplitSeq(options, ",") {
		name, value, _ := strings.Cut(option, "=")
		switch name {
		case "size":
			rows, columns, _ := strings.Cut(value, "x")
			g.rows, _ = strconv.Atoi(rows)
			g.columns, _ = strconv.Atoi(columns)
		case "k":
			g.k, _ = strconv.Atoi(value)
		case "rule":
			g.exact = value == "exact"
		}
	}
	// If anything was misread, the name differs from spec.
	if min(g.rows, g.columns, g.k) < 1 || max(g.rows, g.columns, g.k) > maxSide || g.Name() != spec {
		return nil, false
	}
	g.images = g.symmetries()
	g.grid = newGrid(g.rows, g.columns)
	return g, true
}

// symmetries returns, for each symmetry of the board, the square that each square comes from.
func (g *Game) symmetries() (list [][]int) {
	for _, turned := range []bool{false, true} {
		for _, upsideDown := range []bool{false, true} {
			for _, mirrored := range []bool{false, true} {
				if turned && g.rows != g.columns {
					continue
				}
				var from []int
				for row := range g.rows {
					for column := range g.columns {
						r, c := row, column
						if turned {
							r, c = c, r
						}
						if upsideDown {
							r = g.rows - 1 - r
						}
						if mirrored {
							c = g.columns - 1 - c
						}
						from = append(from, r*g.columns+c)
					}
				}
				list = append(list, from)
			}
		}
	}
	return list
}

// Name implements [games.Game].
func (g *Game) Name() string {
	var unusual []string
	if g.rows != 15 || g.columns != 15 {
		unusual = append(unusual, fmt.Sprintf("size=%dx%d", g.rows, g.columns))
	}
	if g.k != 5 {
		unusual = append(unusual, fmt.Sprintf("k=%d", g.k))
	}
	if g.exact {
		unusual = append(unusual, "rule=exact")
	}
	if len(unusual) == 0 {
		return "gomoku"
	}
	return "gomoku:" + strings.Join(unusual, ",")
}

// PositionWork implements proof's PositionWorker.
func (g *Game) PositionWork() int { return 10 + g.rows*g.columns/2 }

// Start implements [games.Game].
func (g *Game) Start() Position {
	return Position{strings.Repeat(string(empty), g.rows*g.columns), black}
}

func opponent(side byte) byte {
	if side == black {
		return white
	}
	return black
}

// hasWon reports whether a side has k in a row, or more unless the rule is exact.
func (g *Game) hasWon(squares string, side byte) bool {
	stones := g.stonesOf(squares, side)
	return g.hasLine(&stones)
}

// Outcome implements [games.Game].
func (g *Game) Outcome(p Position) (games.Value, bool) {
	if g.hasWon(p.squares, opponent(p.toMove)) {
		return games.Loss(0), true
	}
	if strings.IndexByte(p.squares, empty) < 0 {
		return games.Draw, true
	}
	return games.Unfinished, false
}

// AppendMoves implements [games.Game].
func (g *Game) AppendMoves(dst []Move, p Position) []Move {
	if _, finished := g.Outcome(p); finished {
		return dst
	}
	for m := range len(p.squares) {
		if p.squares[m] == empty {
			dst = append(dst, Move(m))
		}
	}
	return dst
}

// Play implements [games.Game].
func (g *Game) Play(p Position, m Move) Position {
	return Position{p.squares[:m] + string(p.toMove) + p.squares[m+1:], opponent(p.toMove)}
}

// Canonical implements [games.Canonicalizer]: the image whose squares come first in string
// order.
func (g *Game) Canonical(p Position) Position {
	best := 0 // the board as it is
	for number := 1; number < len(g.images); number++ {
		if less(p.squares, g.images[number], g.images[best]) {
			best = number
		}
	}
	if best == 0 {
		return p
	}
	var squares [maxSide * maxSide]byte
	for to, from := range g.images[best] {
		squares[to] = p.squares[from]
	}
	return Position{string(squares[:len(p.squares)]), p.toMove}
}

// less reports whether image a of a board comes before image b.
func less(squares string, a, b []int) bool {
	for i := range a {
		if x, y := squares[a[i]], squares[b[i]]; x != y {
			return x < y
		}
	}
	return false
}

// AppendPosition implements [games.Game].
func (g *Game) AppendPosition(dst []byte, p Position) []byte {
	for row := g.rows - 1; row >= 0; row-- {
		gap := 0
		for column := range g.columns {
			if square := p.squares[row*g.columns+column]; square != empty {
				if gap > 0 {
					dst = strconv.AppendInt(dst, int64(gap), 10)
				}
				dst, gap = append(dst, square), 0
				continue
			}
			gap++
		}
		if gap > 0 {
			dst = strconv.AppendInt(dst, int64(gap), 10)
		}
		if row > 0 {
			dst = append(dst, '/')
		}
	}
	return append(dst, ' ', p.toMove)
}

// ParsePosition implements [games.Game]. It reads what AppendPosition writes and
// no other spelling.
func (g *Game) ParsePosition(text string) (Position, error) {
	board, toMove, _ := strings.Cut(text, " ")
	if toMove != string(black) && toMove != string(white) {
		return Position{}, fmt.Errorf("position %q: side to move %q, want x or o", text, toMove)
	}
	if rows := strings.Count(board, "/") + 1; rows != g.rows {
		return Position{}, fmt.Errorf("position %q: want %d rows, got %d", text, g.rows, rows)
	}
	var room [maxSide * maxSide]byte
	squares := room[:0]
	for end := len(board); end >= 0; { // the first row of squares is the last one of the text
		begin := strings.LastIndexByte(board[:end], '/')
		row := board[begin+1 : end]
		var err error
		if squares, err = g.parseRow(squares, row); err != nil {
			return Position{}, fmt.Errorf("position %q: row %q: %w", text, row, err)
		}
		end = begin
	}
	p := Position{string(squares), toMove[0]}
	if g.hasWon(p.squares, p.toMove) {
		return Position{}, fmt.Errorf("position %q: the side to move has won already", text)
	}
	return p, nil
}

// emptyRow is the longest row without a stone.
var emptyRow = strings.Repeat(string(empty), maxSide)

// parseRow appends the squares of a row.
func (g *Game) parseRow(dst []byte, row string) ([]byte, error) {
	before := len(dst)
	for i := 0; i < len(row); i++ {
		switch {
		case row[i] == black || row[i] == white:
			dst = append(dst, row[i])
		case row[i] >= '1' && row[i] <= '9':
			end, gap := i, 0
			for end < len(row) && row[end] >= '0' && row[end] <= '9' {
				gap = min(10*gap+int(row[end]-'0'), maxSide+1)
				end++
			}
			if gap > g.columns {
				return nil, fmt.Errorf("%s empty squares, but a row has %d", row[i:end], g.columns)
			}
			dst = append(dst, emptyRow[:gap]...)
			i = end - 1
		default:
			return nil, fmt.Errorf("%q, want x, o or a number of empty squares without a leading zero", row[i])
		}
	}
	if n := len(dst) - before; n != g.columns {
		return nil, fmt.Errorf("want %d squares, got %d", g.columns, n)
	}
	return dst, nil
}

// AppendMove implements [games.Game].
func (g *Game) AppendMove(dst []byte, _ Position, m Move) []byte {
	dst = append(dst, 'a'+byte(int(m)%g.columns))
	return strconv.AppendInt(dst, int64(int(m)/g.columns+1), 10)
}

// ParseMove implements [games.Game].
func (g *Game) ParseMove(p Position, text string) (Move, error) {
	m, err := g.parseSquare(text)
	if err == nil && p.squares[m] != empty {
		err = fmt.Errorf("the square is not empty")
	}
	if v, finished := g.Outcome(p); err == nil && finished {
		err = fmt.Errorf("the game is over (%v)", v)
	}
	if err != nil {
		return 0, fmt.Errorf("move %q: %w", text, err)
	}
	return m, nil
}

func (g *Game) parseSquare(text string) (Move, error) {
	row, wrong := 0, len(text) < 2 || len(text) > 3 || text[1] == '0'
	for i := 1; i < len(text) && !wrong; i++ {
		digit := text[i] - '0'
		row, wrong = 10*row+int(digit), digit > 9
	}
	if wrong || row > g.rows || text[0] < 'a' || int(text[0]-'a') >= g.columns {
		return 0, fmt.Errorf("%q is no square of the board", text)
	}
	return Move((row-1)*g.columns + int(text[0]-'a')), nil
}
