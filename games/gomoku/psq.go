package gomoku

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Record is a game as the Piskvork manager saves it in a PSQ file.
type Record struct {
	Rows, Columns int
	Moves         []Square // Black's first
}

// ParsePSQ reads a PSQ file: a line with the size of the board, such as
//
//	Piskvorky 15x15, 11:11, 0
//
// (columns x rows), then a line x,y,milliseconds for each move, x and y counted
// from 1 at the top left, then the players, which are not read. The board must be
// 2 to 20 squares wide and high. Errors name the line.
func ParsePSQ(text string) (*Record, error) {
	r := new(Record)
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if number == 1 {
			if err := r.parseHeader(line); err != nil {
				return nil, fmt.Errorf("PSQ line 1: %w", err)
			}
			continue
		}
		if line == "" || line[0] < '0' || line[0] > '9' {
			break
		}
		if err := r.parseMove(line); err != nil {
			return nil, fmt.Errorf("PSQ line %d: %q: %w", number, line, err)
		}
	}
	if number == 0 {
		return nil, errors.New("PSQ line 1: want the size of the board, as in Piskvorky 15x15, 11:11, 0")
	}
	return r, nil
}

func (r *Record) parseHeader(line string) error {
	fields := strings.Fields(line)
	if len(fields) < 2 || !strings.HasPrefix(fields[0], "Piskvork") {
		return fmt.Errorf("%q: want the size of the board, as in Piskvorky 15x15, 11:11, 0", line)
	}
	size := strings.TrimSuffix(fields[1], ",")
	var ok bool
	if r.Columns, r.Rows, ok = readSize(size); !ok {
		return fmt.Errorf("size of the board %q: want columns x rows, 2 to 20 each", size)
	}
	return nil
}

func (r *Record) parseMove(line string) error {
	fields := strings.Split(line, ",")
	if len(fields) != 3 {
		return errors.New("want x,y,milliseconds")
	}
	x, xOK := parseNumber(fields[0], 1, r.Columns)
	y, yOK := parseNumber(fields[1], 1, r.Rows)
	if !xOK || !yOK {
		return fmt.Errorf("want x from 1 to %d and y from 1 to %d", r.Columns, r.Rows)
	}
	if _, err := strconv.Atoi(fields[2]); err != nil {
		return fmt.Errorf("%q is not a number of milliseconds", fields[2])
	}
	r.Moves = append(r.Moves, SquareAt(r.Rows-y, x-1))
	return nil
}

// Replay returns the position after the moves of a record. It fails if the board has
// another size, or at the first illegal move.
func (g *Game) Replay(r *Record) (Position, error) {
	p := g.Start()
	if r.Rows != g.rows || r.Columns != g.columns {
		return p, fmt.Errorf("the record has a board of %d rows and %d columns, want %d and %d", r.Rows, r.Columns, g.rows, g.columns)
	}
	for i, m := range r.Moves {
		if v, finished := g.Outcome(p); finished {
			return p, fmt.Errorf("move %d, %v: the game is over (%v)", i+1, m, v)
		}
		if _, taken := p.At(m); taken {
			return p, fmt.Errorf("move %d, %v: the square is not empty", i+1, m)
		}
		p = g.Play(p, m)
	}
	return p, nil
}

// ParseBoard reads a position as the Gomocup protocol sends it: a line x,y,field for
// each stone, x and y counted from 0 at the top left, field 1 for the side to move
// and 2 for the other. DONE ends it; BOARD may begin it. The side to move is White if
// it has fewer stones than the other, otherwise Black. Errors name the line.
func (g *Game) ParseBoard(text string) (Position, error) {
	var stones [2]Set // of the side to move, and of the other
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		switch {
		case strings.EqualFold(line, "DONE"):
			return g.boardOf(stones)
		case line == "" || number == 1 && strings.EqualFold(line, "BOARD"):
			continue
		}
		if err := g.addStone(&stones, line); err != nil {
			return Position{}, fmt.Errorf("BOARD line %d: %q: %w", number, line, err)
		}
	}
	return Position{}, fmt.Errorf("BOARD line %d: want DONE", number+1)
}

func (g *Game) addStone(stones *[2]Set, line string) error {
	fields := strings.Split(line, ",")
	if len(fields) != 3 {
		return errors.New("want x,y,field, or DONE")
	}
	s, err := g.ParseCoordinates(fields[0] + "," + fields[1])
	if err != nil {
		return err
	}
	number := strings.TrimSpace(fields[2])
	if number == "3" {
		return errors.New("field 3 is for games that go on after five and for renju, which are not played: want 1 (own stone) or 2 (opponent's)")
	}
	field, ok := parseNumber(number, 1, 2)
	if !ok {
		return fmt.Errorf("field %q, want 1 (own stone) or 2 (opponent's)", fields[2])
	}
	if stones[0].Has(s) || stones[1].Has(s) {
		return errors.New("the square is not empty")
	}
	stones[field-1].Add(s)
	return nil
}

func (g *Game) boardOf(stones [2]Set) (Position, error) {
	p := NewPosition(stones[0], stones[1], Black)
	if stones[0].Len() < stones[1].Len() {
		p = NewPosition(stones[1], stones[0], White)
	}
	if err := g.check(p); err != nil {
		return Position{}, err
	}
	return p, nil
}

// ParseCoordinates reads a square as the Gomocup protocol writes it: x,y, counted
// from 0 at the top left.
func (g *Game) ParseCoordinates(text string) (Square, error) {
	first, second, ok := strings.Cut(text, ",")
	x, xOK := parseNumber(strings.TrimSpace(first), 0, g.columns-1)
	y, yOK := parseNumber(strings.TrimSpace(second), 0, g.rows-1)
	if !ok || !xOK || !yOK {
		return 0, fmt.Errorf("%q: want x,y with x from 0 to %d and y from 0 to %d", text, g.columns-1, g.rows-1)
	}
	return SquareAt(g.rows-1-y, x), nil
}

// AppendCoordinates appends a square as the Gomocup protocol writes it.
func (g *Game) AppendCoordinates(dst []byte, s Square) []byte {
	dst = strconv.AppendInt(dst, int64(s.Column()), 10)
	dst = append(dst, ',')
	return strconv.AppendInt(dst, int64(g.rows-1-s.Row()), 10)
}
