package gomokutest

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/yomikiri/yomikiri/games"
)

// MaxSquares is the largest number of squares of a board.
const MaxSquares = 63

// Rules are the rules of a game on a board of at most [MaxSquares].
type Rules struct {
	Rows, Columns, K int
	Exact            bool // more than K in a row do not win
}

// Spec returns the name of the game.
func (r Rules) Spec() string {
	spec := fmt.Sprintf("gomoku:size=%dx%d", r.Rows, r.Columns)
	if r.K != 5 {
		spec += fmt.Sprintf(",k=%d", r.K)
	}
	if r.Exact {
		spec += ",rule=exact"
	}
	return spec
}

// Position has a bit for each stone: row, from the bottom, times columns, plus column.
type Position struct {
	// Mover has the stones of the side to move, Other those of the other side.
	Mover, Other uint64
	// White says that White is to move.
	White bool
}

// Text returns the position in the notation of package gomoku.
func (r Rules) Text(p Position) string {
	black, white, toMove := p.Mover, p.Other, "x"
	if p.White {
		black, white, toMove = white, black, "o"
	}
	return string(games.AppendRows(nil, r.Rows, r.Columns, func(row, column int) string {
		switch bit := r.bit(r.Rows-1-row, column); {
		case black&bit != 0:
			return "x"
		case white&bit != 0:
			return "o"
		}
		return ""
	})) + " " + toMove
}

// Value says who wins a position.
type Value int

// The values, for the side to move.
const (
	Loss Value = iota - 1
	Draw
	Win
)

// ErrTooHard says that a position needs more nodes than allowed.
var ErrTooHard = errors.New("more nodes than allowed")

// line is K squares in a row and, under the exact rule, the squares next to them.
type line struct{ squares, ends uint64 }

// Solver decides positions. It belongs to one goroutine.
type Solver struct {
	rules Rules
	lines []line
	known map[[2]uint64]bool
	keep  int // maximum size of known that is kept for the next question
	nodes int
	most  int
}

// NewSolver returns a solver that visits at most the given number of nodes for a question.
func NewSolver(r Rules, nodes int) *Solver { return &Solver{rules: r, lines: r.lines(), most: nodes} }

// Keep lets the solver reuse results, of at most the given number of positions, for
// later questions.
func (s *Solver) Keep(positions int) { s.keep = positions }

// bit returns the bit of a square, 0 off the board.
func (r Rules) bit(row, column int) uint64 {
	if row < 0 || row >= r.Rows || column < 0 || column >= r.Columns {
		return 0
	}
	return 1 << (row*r.Columns + column)
}

func (r Rules) board() uint64 { return 1<<(r.Rows*r.Columns) - 1 }

func (r Rules) lines() (list []line) {
	for row := range r.Rows {
		for column := range r.Columns {
			for _, d := range directions {
				l := line{squares: r.stretch(row, column, d, r.K)}
				if bits.OnesCount64(l.squares) < r.K {
					continue
				}
				if r.Exact {
					l.ends = r.bit(row-d[0], column-d[1]) | r.bit(row+r.K*d[0], column+r.K*d[1])
				}
				list = append(list, l)
			}
		}
	}
	return list
}

var directions = [4][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}}

// stretch returns the n squares in direction d from the given one, without those off the
// board.
func (r Rules) stretch(row, column int, d [2]int, n int) (squares uint64) {
	for i := range n {
		squares |= r.bit(row+i*d[0], column+i*d[1])
	}
	return squares
}

func hasLine(lines []line, side uint64) bool {
	for _, l := range lines {
		if side&l.squares == l.squares && side&l.ends == 0 {
			return true
		}
	}
	return false
}

// Value returns the value of a position in which nobody has won.
func (s *Solver) Value(p Position) (Value, error) {
	switch won, err := s.Wins(p, true); {
	case err != nil:
		return Draw, err
	case won:
		return Win, nil
	}
	switch won, err := s.Wins(p, false); {
	case err != nil:
		return Draw, err
	case won:
		return Loss, nil
	}
	return Draw, nil
}

// Wins reports whether the side to move, or if mover is false the other side, can force
// a win.
func (s *Solver) Wins(p Position, mover bool) (won bool, err error) {
	if s.nodes > s.most || s.known == nil || len(s.known) > s.keep {
		s.known = map[[2]uint64]bool{} // results of a search that was cut short are unsure
	}
	s.nodes = 0
	won = s.wins(p.Mover, p.Other, mover)
	if s.nodes > s.most {
		return false, ErrTooHard
	}
	return won, nil
}

// lineSquares returns the squares of the lines that a side can still make and, under the exact
// rule, those next to them; the empty squares of lines that lack two stones; and those of lines
// that lack one.
func (s *Solver) lineSquares(side, other uint64) (live, fours, fives uint64) {
	for i := range s.lines {
		l := &s.lines[i]
		if l.squares&other|l.ends&side != 0 {
			continue
		}
		live |= l.squares | l.ends
		left := l.squares &^ side
		switch rest := left & (left - 1); {
		case rest == 0:
			fives |= left
		case rest&(rest-1) == 0:
			fours |= left
		}
	}
	return live, fours, fives
}

// wins reports whether the attacker can force a win. If attacking is true, the attacker is to
// move. It tries moves that threaten a line, or could stop one, first. Of the squares that
// neither side can use it tries only one: a move there amounts to a pass.
func (s *Solver) wins(mover, other uint64, attacking bool) bool {
	key := [2]uint64{mover, other}
	if attacking {
		key[0] = ^key[0]
	}
	if won, ok := s.known[key]; ok {
		return won
	}
	own, fours, fives := s.lineSquares(mover, other)
	if fives != 0 {
		return attacking
	}
	others, parries, threats := s.lineSquares(other, mover)
	if attacking && own == 0 || !attacking && others == 0 {
		return false
	}
	empty := s.rules.board() &^ mover &^ other
	moves := empty
	if threats != 0 {
		if threats&(threats-1) != 0 {
			return !attacking
		}
		moves = threats
	}
	if moves == 0 {
		return false // the board is full
	}
	if s.nodes++; s.nodes > s.most {
		return false // Wins fails
	}
	dead := empty &^ own &^ others
	if first := dead & moves & -(dead & moves); first != 0 {
		moves = moves&^dead | first
	}
	won := !attacking
	urgent := moves & (fours | parries)
	for _, list := range [...]uint64{urgent, moves &^ urgent} {
		for ; list != 0 && won != attacking; list &= list - 1 {
			won = s.wins(other, mover|list&-list, !attacking)
		}
	}
	s.known[key] = won
	return won
}
