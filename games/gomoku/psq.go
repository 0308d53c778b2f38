package gomoku

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Record is a game as the Piskvork manager saves it in a PSQ file.
type Record struct {
	Rows, Columns int
	Moves         []Square // Black's first
	Lines         []int    // of the text, from 1, on which the moves are
	Milliseconds  []int    // that the moves took, 0 where the text does not say; nil if it never does
	// Names are the players, Black first, on the two lines after the moves; empty if these lines are no names.
	Names [2]string
	// Unread is the first line after the end of the moves that looks like a move; 0 if none
	// does.
	Unread int
}

// ParsePSQ reads a PSQ file as Piskvork does: a line with the size of the board, such as
//
//	Piskvorky 15x15, 11:11, 0
//
// (columns x rows), then x,y,milliseconds or x,y for each move, x and y counted from 1 at the
// top left, on a line each. Anything else ends the moves: then come the players. The board must be 2 to 20 squares wide and high. Errors name the line. At a move off the
// board the record has the moves before it; without a size there is no record.
func ParsePSQ(text string) (*Record, error) {
	r := new(Record)
	header, rest, _ := strings.Cut(strings.TrimPrefix(text, "\ufeff"), "\n")
	if err := r.parseHeader(strings.TrimSpace(header)); err != nil {
		return nil, fmt.Errorf("PSQ line 1: %w", err)
	}
	number := 2
	for {
		move := psqMove.FindStringSubmatch(rest)
		if move == nil {
			break
		}
		number += strings.Count(move[0], "\n")
		if err := r.parseMove(move[1], move[2]); err != nil {
			return r, fmt.Errorf("PSQ line %d: %q: %w", number, strings.TrimSpace(move[0]), err)
		}
		r.Lines = append(r.Lines, number)
		if n, err := strconv.Atoi(move[3]); err == nil && n > 0 {
			r.Milliseconds = append(r.Milliseconds, make([]int, len(r.Moves)-len(r.Milliseconds))...)
			r.Milliseconds[len(r.Moves)-1] = n
		}
		rest = rest[len(move[0]):]
	}
	r.Names = psqNames(rest)
	for line := range strings.Lines(rest) {
		if psqMoveLine.MatchString(line) {
			r.Unread = number
			break
		}
		number++
	}
	return r, nil
}

var (
	psqHeader   = regexp.MustCompile(`^Piskvork[a-z]*\s*([0-9]*[xX][0-9]*|[^\s,]*)`)
	psqMove     = regexp.MustCompile(`^\s*(-?[0-9]+)[ \t]*,[ \t]*(-?[0-9]+)(?:[ \t]*,[ \t]*(-?[0-9.]+)?)?`)
	psqMoveLine = regexp.MustCompile(`^\s*[0-9]+\s*,(?:\s*[0-9]+\s*(?:,\s*-?[0-9.]*)?)?\s*$`) // or like the begin of one
)

// psqNames returns the names of the players at the beginning of a text.
func psqNames(text string) (names [2]string) {
	first, rest, _ := strings.Cut(strings.TrimLeft(text, " \t\r\n"), "\n")
	second, _, _ := strings.Cut(rest, "\n")
	for i, name := range []string{first, second} {
		name = strings.TrimSpace(name)
		if !psqName.MatchString(name) {
			return [2]string{}
		}
		names[i] = name
	}
	return names
}

// psqName is a line with a letter before any comma: neither a move nor a number.
var psqName = regexp.MustCompile(`^[^-,]*\pL`)

func (r *Record) parseHeader(line string) error {
	header := psqHeader.FindStringSubmatch(line)
	if header == nil {
		return fmt.Errorf("%q: want the size of the board, as in Piskvorky 15x15, 11:11, 0", line)
	}
	var ok bool
	if r.Columns, r.Rows, ok = readSize(strings.ToLower(header[1])); !ok {
		return fmt.Errorf("size of the board %q: want columns x rows, 2 to 20 each", header[1])
	}
	return nil
}

func (r *Record) parseMove(first, second string) error {
	x, xOK := parseNumber(first, 1, r.Columns)
	y, yOK := parseNumber(second, 1, r.Rows)
	if !xOK || !yOK {
		return fmt.Errorf("want x from 1 to %d and y from 1 to %d", r.Columns, r.Rows)
	}
	r.Moves = append(r.Moves, SquareAt(r.Rows-y, x-1))
	return nil
}

// IsPSQ reports whether a text begins like a PSQ file.
func IsPSQ(text string) bool {
	return strings.HasPrefix(strings.TrimPrefix(text, "\ufeff"), "Piskvork")
}

// Replay returns the moves of a record before the first illegal one, and an error that names
// that. It fails if the board has another size.
func (g *Game) Replay(r *Record) ([]Square, error) {
	if r.Rows != g.rows || r.Columns != g.columns {
		return nil, fmt.Errorf("the record has a board of %d rows and %d columns, want %d and %d", r.Rows, r.Columns, g.rows, g.columns)
	}
	p := g.Start()
	for i, m := range r.Moves {
		if v, finished := g.Outcome(p); finished {
			return r.Moves[:i], r.wrong(i, fmt.Errorf("the game is over (%v)", v))
		}
		if _, taken := p.At(m); taken {
			return r.Moves[:i], r.wrong(i, errors.New("the square is not empty"))
		}
		p = g.Play(p, m)
	}
	return r.Moves, nil
}

// wrong says what is wrong with a move.
func (r *Record) wrong(i int, err error) error {
	err = fmt.Errorf("move %d, %v: %w", i+1, r.Moves[i], err)
	if i < len(r.Lines) {
		err = fmt.Errorf("PSQ line %d: %w", r.Lines[i], err)
	}
	return err
}

// ParseBoard reads a position as the Gomocup protocol sends it: a line x,y,field for
// each stone, x and y counted from 0 at the top left, field 1 for the side to move
// and 2 for the other. DONE ends it; BOARD may begin it. The side to move is White if
// it has fewer stones than the other, otherwise Black. Errors name the line.
func (g *Game) ParseBoard(text string) (Position, error) {
	var stones [2]Set // of the side to move, and of the other
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
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
