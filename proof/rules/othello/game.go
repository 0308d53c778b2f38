package othello

import (
	"fmt"
	"strings"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
)

// Position is a position. Squares are numbered row by row from the top left.
type Position struct {
	board [64]byte // X, O or -; 0 beyond the last square
	turn  byte     // X or O
}

// Move is the number of a square, or pass.
type Move int8

const pass Move = -1

// Game is Othello on a board of some size. It implements [games.Game],
// [games.Canonicalizer] and [games.Scorer].
type Game struct {
	name          string
	rows, columns int
	toWinner      bool // who gets the squares that stay empty
	search        *search
}

var (
	_ games.Game[Position, Move]    = (*Game)(nil)
	_ games.Canonicalizer[Position] = (*Game)(nil)
	_ games.Scorer[Position, Move]  = (*Game)(nil)
	_ proof.PlainSearcher[Position] = (*Game)(nil)
)

// Open returns the game with the given name, or false if it is another game.
func Open(name string) (*Game, bool) {
	g := &Game{name: name, rows: 8, columns: 8}
	rest, ok := strings.CutPrefix(name, "othello")
	if !ok || rest == "" {
		g.search = newSearch(g)
		return g, ok
	}
	if rest, ok = strings.CutPrefix(rest, ":"); !ok {
		return nil, false
	}
	size, empty, both := strings.Cut(rest, ",")
	if value, ok := strings.CutPrefix(size, "size="); ok {
		if len(value) != 3 || value[1] != 'x' || !strings.Contains("468", value[:1]) || !strings.Contains("468", value[2:]) || value == "8x8" {
			return nil, false
		}
		g.rows, g.columns = int(value[0]-'0'), int(value[2]-'0')
	} else if empty = size; both {
		return nil, false
	} else {
		both = true
	}
	g.toWinner = both && empty == "empty=winner"
	g.search = newSearch(g)
	return g, g.toWinner || !both
}

// Name implements [games.Game].
func (g *Game) Name() string { return g.name }

// PositionWork implements proof's PositionWorker. Each empty square is tried in eight directions.
func (g *Game) PositionWork() int { return 500 }

func other(side byte) byte { return 'X' + 'O' - side }

// Start implements [games.Game].
func (g *Game) Start() Position {
	p := Position{turn: 'X'}
	for square := range g.rows * g.columns {
		p.board[square] = '-'
	}
	row, column := g.rows/2, g.columns/2
	p.board[(row-1)*g.columns+column-1] = 'O'
	p.board[(row-1)*g.columns+column] = 'X'
	p.board[row*g.columns+column-1] = 'X'
	p.board[row*g.columns+column] = 'O'
	return p
}

// turned returns the squares whose discs a disc of a side on a square turns over, none if the
// move is not allowed.
func (g *Game) turned(p *Position, square int, side byte) (list []int) {
	if p.board[square] != '-' {
		return nil
	}
	for y := -1; y <= 1; y++ {
		for x := -1; x <= 1; x++ {
			if y == 0 && x == 0 {
				continue
			}
			var line []int
			row, column := square/g.columns+y, square%g.columns+x
			for row >= 0 && row < g.rows && column >= 0 && column < g.columns {
				at := row*g.columns + column
				if p.board[at] == side {
					list = append(list, line...)
				}
				if p.board[at] != other(side) {
					break
				}
				line = append(line, at)
				row, column = row+y, column+x
			}
		}
	}
	return list
}

// canMove reports whether a side can put a disc.
func (g *Game) canMove(p *Position, side byte) bool {
	for square := range g.rows * g.columns {
		if len(g.turned(p, square, side)) > 0 {
			return true
		}
	}
	return false
}

// Outcome implements [games.Game].
func (g *Game) Outcome(p Position) (games.Value, bool) {
	if g.canMove(&p, p.turn) || g.canMove(&p, other(p.turn)) {
		return games.Unfinished, false
	}
	own, opposite, empty := 0, 0, 0
	for _, disc := range p.board[:g.rows*g.columns] {
		switch disc {
		case p.turn:
			own++
		case '-':
			empty++
		default:
			opposite++
		}
	}
	if g.toWinner && own > opposite {
		own += empty
	}
	if g.toWinner && own < opposite {
		opposite += empty
	}
	return games.Score(own - opposite), true
}

// AppendMoves implements [games.Game].
func (g *Game) AppendMoves(dst []Move, p Position) []Move {
	before := len(dst)
	for square := range g.rows * g.columns {
		if len(g.turned(&p, square, p.turn)) > 0 {
			dst = append(dst, Move(square))
		}
	}
	if len(dst) == before && g.canMove(&p, other(p.turn)) {
		dst = append(dst, pass)
	}
	return dst
}

// Play implements [games.Game].
func (g *Game) Play(p Position, m Move) Position {
	if m != pass {
		for _, square := range g.turned(&p, int(m), p.turn) {
			p.board[square] = p.turn
		}
		p.board[m] = p.turn
	}
	p.turn = other(p.turn)
	return p
}

// Gain implements [games.Scorer]: only the discs at the end count.
func (g *Game) Gain(Position, Move) int { return 0 }

// Remaining implements [games.Scorer].
func (g *Game) Remaining(Position) int { return g.rows * g.columns }

// Canonical implements [games.Canonicalizer]: the image that comes first as a text, after the
// colours are exchanged if O is to move.
func (g *Game) Canonical(p Position) Position {
	if p.turn == 'O' {
		for square, disc := range p.board[:g.rows*g.columns] {
			if disc != '-' {
				p.board[square] = other(disc)
			}
		}
		p.turn = 'X'
	}
	least := p
	for image := range 8 {
		if image >= 4 && g.rows != g.columns {
			break
		}
		q := p
		for square := range g.rows * g.columns {
			row, column := square/g.columns, square%g.columns
			if image&1 != 0 {
				row = g.rows - 1 - row
			}
			if image&2 != 0 {
				column = g.columns - 1 - column
			}
			if image&4 != 0 {
				row, column = column, row
			}
			q.board[row*g.columns+column] = p.board[square]
		}
		if string(q.board[:]) < string(least.board[:]) {
			least = q
		}
	}
	return least
}

// AppendPosition implements [games.Game].
func (g *Game) AppendPosition(dst []byte, p Position) []byte {
	return append(append(dst, p.board[:g.rows*g.columns]...), ' ', p.turn)
}

// ParsePosition implements [games.Game]. It reads a position as AppendPosition writes it, and
// refuses any other spelling.
func (g *Game) ParsePosition(text string) (Position, error) {
	var p Position
	squares := g.rows * g.columns
	if len(text) != squares+2 || text[squares] != ' ' || strings.Trim(text[:squares], "XO-") != "" || strings.Trim(text[squares+1:], "XO") != "" {
		return p, fmt.Errorf("position %q: want %d squares, each X, O or -, a blank, and X or O", text, squares)
	}
	copy(p.board[:], text[:squares])
	p.turn = text[squares+1]
	if square := g.alone(&p); square >= 0 {
		return p, fmt.Errorf("position %q: square %s: the middle has four discs, and all others are connected with it", text, g.AppendMove(nil, p, Move(square)))
	}
	return p, nil
}

// alone returns an empty square in the middle, or one with a disc that no chain of discs connects
// with the middle, and -1 if there is none.
func (g *Game) alone(p *Position) int {
	var reached [64]bool
	var visit func(row, column int)
	visit = func(row, column int) {
		if row < 0 || row >= g.rows || column < 0 || column >= g.columns {
			return
		}
		square := row*g.columns + column
		if reached[square] || p.board[square] == '-' {
			return
		}
		reached[square] = true
		for y := row - 1; y <= row+1; y++ {
			for x := column - 1; x <= column+1; x++ {
				visit(y, x)
			}
		}
	}
	visit(g.rows/2, g.columns/2)
	for square := range g.rows * g.columns {
		row, column := square/g.columns, square%g.columns
		middle := (row == g.rows/2 || row == g.rows/2-1) && (column == g.columns/2 || column == g.columns/2-1)
		if !reached[square] && (middle || p.board[square] != '-') {
			return square
		}
	}
	return -1
}

// AppendMove implements [games.Game].
func (g *Game) AppendMove(dst []byte, _ Position, m Move) []byte {
	if m == pass {
		return append(dst, "pass"...)
	}
	return append(dst, 'a'+byte(int(m)%g.columns), '1'+byte(int(m)/g.columns))
}
