package hex

import (
	"fmt"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

const most = 11 // rows and columns

// Position is a position.
type Position struct {
	board [most][most]byte // x, o or .; 0 off the board
	turn  byte             // x or o
}

// Move is a square, or a swap.
type Move struct {
	row, column int8
	swap        bool
}

// Game is Hex on a board of some size. It implements [games.Game] and
// [games.Canonicalizer].
type Game struct {
	name string
	n    int // rows and columns
	swap bool
}

var (
	_ games.Game[Position, Move]    = (*Game)(nil)
	_ games.Canonicalizer[Position] = (*Game)(nil)
)

// Open returns the game with the given name, or false if it is another game.
func Open(name string) (*Game, bool) {
	for n := 3; n <= most; n++ {
		for _, swap := range []bool{false, true} {
			var options []string
			if n != most {
				options = append(options, fmt.Sprintf("size=%dx%d", n, n))
			}
			if swap {
				options = append(options, "swap=yes")
			}
			if full := strings.Trim("hex:"+strings.Join(options, ","), ":"); full == name {
				return &Game{name, n, swap}, true
			}
		}
	}
	return nil, false
}

// Name implements [games.Game].
func (g *Game) Name() string { return g.name }

// PositionWork implements proof's PositionWorker: chains of the whole board are followed.
func (g *Game) PositionWork() int { return 20 * g.n * g.n }

func other(side byte) byte { return 'x' + 'o' - side }

// Start implements [games.Game].
func (g *Game) Start() Position {
	p := Position{turn: 'x'}
	for row := range g.n {
		for column := range g.n {
			p.board[row][column] = '.'
		}
	}
	return p
}

// around are the rows and columns from a square to its neighbours.
var around = [6][2]int{{-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}}

// connected reports whether a side has a chain from edge to edge: x from the first row to the
// last, o from the first column to the last.
func (g *Game) connected(p *Position, side byte) bool {
	var seen [most][most]bool
	var follow func(row, column int) bool
	follow = func(row, column int) bool {
		if row < 0 || row >= g.n || column < 0 || column >= g.n || seen[row][column] || p.board[row][column] != side {
			return false
		}
		seen[row][column] = true
		if side == 'x' && row == g.n-1 || side == 'o' && column == g.n-1 {
			return true
		}
		for _, by := range around {
			if follow(row+by[0], column+by[1]) {
				return true
			}
		}
		return false
	}
	for i := range g.n {
		if side == 'x' && follow(0, i) || side == 'o' && follow(i, 0) {
			return true
		}
	}
	return false
}

// count returns the stones of each side.
func (g *Game) count(p *Position) (x, o int) {
	for row := range g.n {
		for column := range g.n {
			switch p.board[row][column] {
			case 'x':
				x++
			case 'o':
				o++
			}
		}
	}
	return x, o
}

// Outcome implements [games.Game].
func (g *Game) Outcome(p Position) (games.Value, bool) {
	if g.connected(&p, other(p.turn)) {
		return games.Loss(0), true
	}
	return games.Unfinished, false
}

// AppendMoves implements [games.Game].
func (g *Game) AppendMoves(dst []Move, p Position) []Move {
	if _, finished := g.Outcome(p); finished {
		return dst
	}
	for row := range g.n {
		for column := range g.n {
			if p.board[row][column] == '.' {
				dst = append(dst, Move{row: int8(row), column: int8(column)})
			}
		}
	}
	if x, o := g.count(&p); g.swap && x == 1 && o == 0 && p.turn == 'o' {
		dst = append(dst, Move{swap: true})
	}
	return dst
}

// Play implements [games.Game].
func (g *Game) Play(p Position, m Move) Position {
	if m.swap {
		q := g.Start()
		for row := range g.n {
			for column := range g.n {
				if p.board[row][column] == 'x' {
					q.board[column][row] = 'o'
				}
			}
		}
		return q
	}
	p.board[m.row][m.column] = p.turn
	p.turn = other(p.turn)
	return p
}

// Canonical implements [games.Canonicalizer]: of the position and the one turned by half a turn
// the one whose text comes first.
func (g *Game) Canonical(p Position) Position {
	q := p
	for row := range g.n {
		for column := range g.n {
			q.board[g.n-1-row][g.n-1-column] = p.board[row][column]
		}
	}
	if string(g.AppendPosition(nil, q)) < string(g.AppendPosition(nil, p)) {
		return q
	}
	return p
}

// AppendPosition implements [games.Game].
func (g *Game) AppendPosition(dst []byte, p Position) []byte {
	for row := range g.n {
		if row > 0 {
			dst = append(dst, '/')
		}
		dst = append(dst, p.board[row][:g.n]...)
	}
	return append(dst, ' ', p.turn)
}

// ParsePosition implements [games.Game]. It reads a position as AppendPosition writes it, and
// refuses any other spelling.
func (g *Game) ParsePosition(text string) (Position, error) {
	var p Position
	rows := strings.Split(strings.TrimSuffix(strings.TrimSuffix(text, " x"), " o"), "/")
	if len(text) < 2 || len(rows) != g.n {
		return p, fmt.Errorf("position %q: want %d rows with / between, a blank, and x or o", text, g.n)
	}
	p.turn = text[len(text)-1]
	for i, row := range rows {
		if len(row) != g.n || strings.Trim(row, "xo.") != "" {
			return p, fmt.Errorf("position %q: row %d: want %d squares, x, o or . each", text, i+1, g.n)
		}
		copy(p.board[i][:], row)
	}
	if string(g.AppendPosition(nil, p)) != text {
		return p, fmt.Errorf("position %q: want one blank and x or o after the squares", text)
	}
	return p, g.check(&p)
}

// check refuses impossible positions. Without the swap rule numbers of stones need not balance.
func (g *Game) check(p *Position) error {
	text := g.AppendPosition(nil, *p)
	x, o := g.count(p)
	if p.turn == 'o' {
		o++ // then both cases want as many
	}
	swapped := o == x+1 && (p.turn == 'x' || x > 0)
	if g.swap && x != o && !swapped {
		return fmt.Errorf("position %q: wrong numbers of stones", text)
	}
	last := other(p.turn)
	if g.connected(p, p.turn) {
		return fmt.Errorf("position %q: the side to move has connected its edges", text)
	}
	if !g.connected(p, last) {
		return nil
	}
	for row := range g.n {
		for column := range g.n {
			q := *p
			if q.board[row][column] == last {
				if q.board[row][column] = '.'; !g.connected(&q, last) {
					return nil
				}
			}
		}
	}
	return fmt.Errorf("position %q: the game was over before the last move", text)
}

// AppendMove implements [games.Game].
func (g *Game) AppendMove(dst []byte, _ Position, m Move) []byte {
	if m.swap {
		return append(dst, "swap"...)
	}
	return fmt.Appendf(dst, "%c%d", 'a'+m.column, m.row+1)
}
