package rules

import (
	"math/bits"
	"strings"
)

// othello is Othello with a quick search.
type othello struct {
	scored
	search *search
}

// A search of many positions of Othello has the board as two sets of squares: that in column c and row r has
// bit 8c + r, so that squares in the order of their bits are in the order of their names. Its
// results are those of [proof.Searcher] with the plain rules, in the same number of positions.
type search struct {
	rows, columns int
	toWinner      bool // who gets the squares that stay empty
	all           uint64
	rays          [64][8]uint64 // the squares beyond each one: four directions of rising bits, then of falling ones
	diagonals     [64][2]uint64 // the squares on both, without the one itself
	looked        uint64
	most          uint64
	replies       []reply // of all positions of the line
}

// reply is a move, and the position after it as the side sees it that is to move then.
type reply struct {
	own, opposite, moves uint64
	count                int8 // of the moves; a pass is one
	passes               bool
}

func newSearch(g *Game) *search {
	s := &search{rows: 8, columns: 8, toWinner: strings.Contains(g.name, "empty=winner")}
	if _, size, ok := strings.Cut(g.name, "size="); ok {
		s.rows, s.columns = int(size[0]-'0'), int(size[2]-'0')
	}
	bit := func(row, column int) uint64 {
		if row < 0 || row >= s.rows || column < 0 || column >= s.columns {
			return 0
		}
		return 1 << (8*column + row)
	}
	for column := range s.columns {
		for row := range s.rows {
			s.all |= bit(row, column)
			for i, d := range [8][2]int{{1, 0}, {-1, 1}, {0, 1}, {1, 1}, {-1, 0}, {1, -1}, {0, -1}, {-1, -1}} {
				for y, x := row+d[0], column+d[1]; bit(y, x) != 0; y, x = y+d[0], x+d[1] {
					s.rays[8*column+row][i] |= bit(y, x)
				}
			}
			r := &s.rays[8*column+row]
			s.diagonals[8*column+row] = [2]uint64{r[1] | r[5], r[3] | r[7]}
		}
	}
	return s
}

// SearchPlainly implements [proof.PlainSearcher].
func (g othello) SearchPlainly(p Position, points int, most uint64) (reached bool, positions uint64, settled bool) {
	s := *g.search
	s.most = most
	var own, opposite uint64
	board, mover := p.Board()
	for square, disc := range []byte(board) {
		bit := uint64(1) << (square%s.columns*8 + square/s.columns)
		switch disc {
		case mover:
			own |= bit
		case '-':
		default:
			opposite |= bit
		}
	}
	if moves := s.moves(own, opposite); moves != 0 {
		reached, settled = s.visit(own, opposite, moves, points)
	} else if s.looked++; s.looked <= most {
		reached, settled = s.visit(opposite, own, s.moves(opposite, own), 1-points)
		reached = !reached
	}
	return reached, s.looked, settled
}

// visit reports whether the side of own gets some points in a position in which it can put a disc.
func (s *search) visit(own, opposite, moves uint64, points int) (reached, settled bool) {
	if s.looked += uint64(bits.OnesCount64(moves)); s.looked > s.most {
		return false, false
	}
	empty := s.all &^ (own | opposite)
	switch bits.OnesCount64(empty) {
	case 1:
		return s.filled(own, moves) >= points, true
	case 2:
		return s.visitTwo(own, opposite, moves, points)
	}
	from := len(s.replies)
	for left := moves; left != 0; left &= left - 1 {
		square := bits.TrailingZeros64(left)
		turned := s.turned(own, opposite, square)
		r := reply{own: opposite &^ turned, opposite: own | turned | 1<<square}
		r.moves = s.moves(r.own, r.opposite)
		if r.count = int8(bits.OnesCount64(r.moves)); r.count == 0 {
			if r.moves = s.moves(r.opposite, r.own); r.moves != 0 {
				r.count, r.passes = 1, true
			}
		}
		at := len(s.replies)
		s.replies = append(s.replies, r)
		for ; at > from && s.replies[at-1].count > r.count; at-- {
			s.replies[at] = s.replies[at-1]
		}
		s.replies[at] = r
	}
	to := len(s.replies)
	for settled = true; from < to && settled && !reached; from++ {
		r := s.replies[from]
		switch {
		case r.count == 0:
			reached = s.score(r.opposite, r.own) >= points
		case r.passes:
			if s.looked++; s.looked > s.most {
				settled = false
				break
			}
			reached, settled = s.visit(r.opposite, r.own, r.moves, points)
		default:
			reached, settled = s.visit(r.own, r.opposite, r.moves, 1-points)
			reached = settled && !reached
		}
	}
	s.replies = s.replies[:to-bits.OnesCount64(moves)]
	return reached, settled
}

// visitTwo is visit with two empty squares. After a move the opponent takes the other one, or passes and
// the side takes that too, or the game is over. Such a move comes first.
func (s *search) visitTwo(own, opposite, moves uint64, points int) (reached, settled bool) {
	empty := s.all &^ (own | opposite)
	var looks, scores [2]int
	for i, left := 0, moves; left != 0; i, left = i+1, left&(left-1) {
		square := bits.TrailingZeros64(left)
		turned := s.turned(own, opposite, square)
		mine, other, rest := own|turned|1<<square, opposite&^turned, empty&^(1<<square)
		switch {
		case s.turnedLast(other, rest) > 0:
			looks[i], scores[i] = 1, -s.filled(other, rest)
		case s.turnedLast(mine, rest) > 0:
			looks[i], scores[i] = 2, s.filled(mine, rest)
		default:
			looks[i], scores[i] = 0, s.score(mine, other)
		}
	}
	n := bits.OnesCount64(moves)
	if n == 2 && looks[0] > 0 && looks[1] == 0 {
		looks[0], looks[1], scores[0], scores[1] = looks[1], looks[0], scores[1], scores[0]
	}
	for i, score := range scores[:n] {
		if s.looked += uint64(looks[i]); s.looked > s.most {
			return false, false
		}
		if score >= points {
			return true, true
		}
	}
	return false, true
}

// filled returns the score if the side of own puts a disc on the only empty square.
func (s *search) filled(own, last uint64) int {
	return 2*(bits.OnesCount64(own|last)+s.turnedLast(own, last)) - s.rows*s.columns
}

// turnedLast returns how many discs a disc of own on the only empty square turns over.
func (s *search) turnedLast(own, last uint64) int {
	const first, gather = 0x0101_0101_0101_0101, 0x0102_0408_1020_4080 // the first row, and what makes it a byte
	square := bits.TrailingZeros64(last) & 63
	column, row := uint(square/8), uint(square%8)
	return int(lastTurned[row][uint8(own>>(8*column))]) + int(lastTurned[column][uint8(own>>row&first*gather>>56)]) +
		int(lastTurned[row][uint8(own&s.diagonals[square][0]*first>>56)]) + int(lastTurned[row][uint8(own&s.diagonals[square][1]*first>>56)])
}

// lastTurned has the discs that a disc turns over on a line of eight squares with no other empty square,
// by its place and the side's discs. A shorter line has none of these beyond its end.
var lastTurned = func() (table [8][256]int8) {
	for at := range table {
		for own := range table[at] {
			for _, step := range [2]int{-1, 1} {
				n := 0
				for i := at + step; i >= 0 && i < 8; i += step {
					if own>>i&1 != 0 {
						table[at][own] += int8(n)
						break
					}
					n++
				}
			}
		}
	}
	return table
}()

// score returns the score of a finished position for the side of own.
func (s *search) score(own, opposite uint64) int {
	x, o := bits.OnesCount64(own), bits.OnesCount64(opposite)
	if empty := bits.OnesCount64(s.all) - x - o; s.toWinner && x > o {
		x += empty
	} else if s.toWinner && x < o {
		o += empty
	}
	return x - o
}

// turned returns the discs that a disc of own on a square turns over.
func (s *search) turned(own, opposite uint64, square int) uint64 {
	r := &s.rays[square&63]
	return rising(own, opposite, r[0]) | rising(own, opposite, r[1]) | rising(own, opposite, r[2]) | rising(own, opposite, r[3]) |
		falling(own, opposite, r[4]) | falling(own, opposite, r[5]) | falling(own, opposite, r[6]) | falling(own, opposite, r[7])
}

// rising returns the discs turned over on a ray of rising bits: those before the first square that is not the
// opponent's, if that has a disc of own.
func rising(own, opposite, ray uint64) uint64 {
	stop := ray &^ opposite
	end := stop & -stop & own
	return ray & (end - (end|-end)>>63) // less one if there is an end
}

// falling is rising for a ray of falling bits.
func falling(own, opposite, ray uint64) uint64 {
	stop := ray &^ opposite
	end := uint64(1) << (bits.Len64(stop|1) - 1) & stop & own
	return ray & (-end << 1)
}

// notEnds is all rows but the first and the last of eight: from a disc there a line goes on up or down.
const notEnds = 0x7e7e_7e7e_7e7e_7e7e

// moves returns the squares on which the side of own can put a disc.
func (s *search) moves(own, opposite uint64) uint64 {
	between := opposite & notEnds
	list := up(own, between, 1) | down(own, between, 1) | up(own, between, 7) | down(own, between, 7) |
		up(own, opposite, 8) | down(own, opposite, 8) | up(own, between, 9) | down(own, between, 9)
	return list & s.all &^ (own | opposite)
}

// up returns the squares behind lines of up to six discs of between, in a direction of rising bits, that begin
// beside one of own.
func up(own, between uint64, shift uint) uint64 {
	line := between & (own << shift)
	line |= between & (line << shift)
	pairs := between & (between << shift)
	line |= pairs & (line << (2 * shift))
	line |= pairs & (line << (2 * shift))
	return line << shift
}

// down is up for a direction of falling bits.
func down(own, between uint64, shift uint) uint64 {
	line := between & (own >> shift)
	line |= between & (line >> shift)
	pairs := between & (between >> shift)
	line |= pairs & (line >> (2 * shift))
	line |= pairs & (line >> (2 * shift))
	return line >> shift
}
