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
	looked        uint64
	most          uint64
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
	if own|opposite|moves == s.all && moves&(moves-1) == 0 && bits.OnesCount64(s.all&^(own|opposite)) == 1 {
		turned := s.turned(own, opposite, bits.TrailingZeros64(moves))
		return s.score(own|turned|moves, opposite&^turned) >= points, true
	}
	var few [32]reply // no game has many more moves, but a file may name any position
	list := few[:0]
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
		at := len(list)
		list = append(list, r)
		for ; at > 0 && list[at-1].count > r.count; at-- {
			list[at] = list[at-1]
		}
		list[at] = r
	}
	for i := range list {
		r := &list[i]
		switch {
		case r.count == 0:
			reached, settled = s.score(r.opposite, r.own) >= points, true
		case r.passes:
			if s.looked++; s.looked > s.most {
				return false, false
			}
			reached, settled = s.visit(r.opposite, r.own, r.moves, points)
		default:
			reached, settled = s.visit(r.own, r.opposite, r.moves, 1-points)
			reached = !reached
		}
		if reached || !settled {
			return reached, settled
		}
	}
	return false, true
}

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
func (s *search) turned(own, opposite uint64, square int) (list uint64) {
	rays := &s.rays[square&63]
	for _, ray := range rays[:4] {
		stop := ray &^ opposite
		stop &= -stop // the first square that is not the opponent's, if any
		if stop&own != 0 {
			list |= ray & (stop - 1)
		}
	}
	for _, ray := range rays[4:] {
		if stop := uint64(1<<63) >> bits.LeadingZeros64(ray&^opposite); stop&own != 0 {
			list |= ray &^ (stop | (stop - 1))
		}
	}
	return list
}

// notEnds is all rows but the first and the last of eight: from a disc there a line goes on up or down.
const notEnds = 0x7e7e_7e7e_7e7e_7e7e

// moves returns the squares on which the side of own can put a disc.
func (s *search) moves(own, opposite uint64) (list uint64) {
	for i, shift := range [4]uint{1, 7, 8, 9} {
		between := opposite
		if i != 2 {
			between &= notEnds
		}
		up, down := between&(own<<shift), between&(own>>shift)
		for range 5 { // lines of up to six discs
			up |= between & (up << shift)
			down |= between & (down >> shift)
		}
		list |= up<<shift | down>>shift
	}
	return list & s.all &^ (own | opposite)
}
