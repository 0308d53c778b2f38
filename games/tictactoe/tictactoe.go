package tictactoe

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

// Family is the game, which has no rule options.
var Family = games.NewFamily(games.Info{
	Name:     "tictactoe",
	Title:    "Tic-tac-toe",
	Notation: "position: x.o/.x./..o (rows 3 to 1; x begins)\nmove: b2",
}, func(games.Rules) Game { return Game{} })

// Position is a position: the squares of each player. Bit 3*row + column is the square in
// that row and column.
type Position struct{ x, o uint16 }

// Move is the number of a square.
type Move uint8

// Game is tic-tac-toe.
type Game struct{}

var (
	_ games.Indexer[Position]         = Game{}
	_ games.Canonicalizer[Position]   = Game{}
	_ games.Drawer[Position]          = Game{}
	_ games.Layerer[Position]         = Game{}
	_ games.Describer[Position, Move] = Game{}
)

const full = 1<<9 - 1

// wins are the eight rows, columns and diagonals.
var wins = [8]uint16{0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124}

func hasWon(marks uint16) bool {
	for _, line := range wins {
		if marks&line == line {
			return true
		}
	}
	return false
}

func (p Position) xToMove() bool { return bits.OnesCount16(p.x) == bits.OnesCount16(p.o) }
func (Game) Name() string        { return "tictactoe" }
func (Game) Start() Position     { return Position{} }

func (Game) Outcome(p Position) (games.Value, bool) {
	switch {
	case hasWon(p.x) || hasWon(p.o): // by the move just made
		return games.Loss(0), true
	case p.x|p.o == full:
		return games.Draw, true
	}
	return games.Unfinished, false
}

func (g Game) AppendMoves(dst []Move, p Position) []Move {
	if _, finished := g.Outcome(p); finished {
		return dst
	}
	for empty := full &^ (p.x | p.o); empty != 0; empty &= empty - 1 {
		dst = append(dst, Move(bits.TrailingZeros16(empty)))
	}
	return dst
}

func (Game) Play(p Position, m Move) Position {
	if p.xToMove() {
		p.x |= 1 << m
	} else {
		p.o |= 1 << m
	}
	return p
}

// Layer implements [games.Layerer]: the number of marks.
func (Game) Layer(p Position) int { return bits.OnesCount16(p.x | p.o) }

func (Game) AppendPosition(dst []byte, p Position) []byte {
	for row := 2; row >= 0; row-- {
		for column := range 3 {
			dst = append(dst, p.mark(3*row+column))
		}
		if row > 0 {
			dst = append(dst, '/')
		}
	}
	return dst
}

func (p Position) mark(square int) byte {
	switch {
	case p.x>>square&1 != 0:
		return 'x'
	case p.o>>square&1 != 0:
		return 'o'
	}
	return '.'
}

func (Game) ParsePosition(text string) (Position, error) {
	var p Position
	rows := strings.Split(text, "/")
	if len(rows) != 3 {
		return p, fmt.Errorf("position %q: want 3 rows with / between, got %d", text, len(rows))
	}
	for i, row := range rows {
		if len(row) != 3 {
			return p, fmt.Errorf("position %q: row %d: want 3 squares, got %d", text, 3-i, len(row))
		}
		for column := range 3 {
			bit := uint16(1) << (3*(2-i) + column)
			switch row[column] {
			case 'x':
				p.x |= bit
			case 'o':
				p.o |= bit
			case '.':
			default:
				return p, fmt.Errorf("position %q: row %d, column %d: %q, want x, o or . for empty", text, 3-i, column+1, row[column])
			}
		}
	}
	if err := p.check(); err != nil {
		return p, fmt.Errorf("position %q: %w", text, err)
	}
	return p, nil
}

// check refuses impossible positions.
func (p Position) check() error {
	x, o := bits.OnesCount16(p.x), bits.OnesCount16(p.o)
	switch {
	case p.x&p.o != 0 || x != o && x != o+1:
		return fmt.Errorf("%d x and %d o, want equal numbers, or one x more", x, o)
	case hasWon(p.x) && x == o:
		return fmt.Errorf("x has three in a row, but o has made a move since")
	case hasWon(p.o) && x != o:
		return fmt.Errorf("o has three in a row, but x has made a move since")
	}
	return nil
}

func (Game) AppendMove(dst []byte, _ Position, m Move) []byte {
	return append(dst, 'a'+byte(m%3), '1'+byte(m/3))
}

func (g Game) ParseMove(p Position, text string) (Move, error) {
	if len(text) != 2 || text[0] < 'a' || text[0] > 'c' || text[1] < '1' || text[1] > '3' {
		return 0, fmt.Errorf("move %q: want a square, a1 to c3", text)
	}
	m := Move(3*(text[1]-'1') + text[0] - 'a')
	if v, finished := g.Outcome(p); finished {
		return 0, fmt.Errorf("move %q: the game is over (%v)", text, v)
	}
	if (p.x|p.o)>>m&1 != 0 {
		return 0, fmt.Errorf("move %q: the square is not empty", text)
	}
	return m, nil
}

func (Game) AppendBoard(dst []byte, p Position) []byte {
	const line = "  +---+---+---+\n"
	dst = append(dst, line...)
	for row := 2; row >= 0; row-- {
		dst = append(dst, '1'+byte(row))
		for column := range 3 {
			mark := p.mark(3*row + column)
			if mark == '.' {
				mark = ' '
			}
			dst = append(dst, " | "...)
			dst = append(dst, mark)
		}
		dst = append(dst, " |\n"+line...)
	}
	return append(dst, "    a   b   c\n"...)
}
