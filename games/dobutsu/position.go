package dobutsu

import "math/bits"

// kind is a kind of animal.
type kind uint8

// The kinds. A hen is a promoted chick; the first three are those that can be
// in hand.
const (
	kindElephant kind = iota
	kindGiraffe
	kindChick
	kindHen
	kindLion
	kinds
)

const letters = "egchl"

// squares is the number of squares of the board. A square is numbered from the
// view of the side to move: 3*rank + file, rank 0 its home, file 0 on its left.
const squares = 12

const (
	allSquares uint16 = 1<<squares - 1
	homeRank   uint16 = 0o7
	farRank    uint16 = 0o7000
)

// side is what one player owns.
type side struct {
	board [kinds]uint16  // squares by kind, a bit each
	hand  [kindHen]uint8 // how many in hand, by kind
}

func (s *side) all() uint16 {
	return s.board[kindElephant] | s.board[kindGiraffe] | s.board[kindChick] | s.board[kindHen] | s.board[kindLion]
}

// kindAt returns the kind on the squares of bit, which the side must occupy.
func (s *side) kindAt(bit uint16) kind {
	for k := kindElephant; k < kinds; k++ {
		if s.board[k]&bit != 0 {
			return k
		}
	}
	panic("dobutsu: no animal on the square")
}

// Position is a position of the game. The zero Position is none; get one from
// [Game.Start] or [Game.ParsePosition].
type Position struct {
	mine, theirs side // the side to move and its opponent
	gote         bool // gote is to move
}

// swapped returns p with the opponent to move.
func (p Position) swapped() Position {
	q := Position{mine: p.theirs, theirs: p.mine, gote: !p.gote}
	q.transform(&turned)
	return q
}

func (p *Position) transform(t *[1 << squares]uint16) {
	for k := range kinds {
		p.mine.board[k] = t[p.mine.board[k]]
		p.theirs.board[k] = t[p.theirs.board[k]]
	}
}

// attackers returns the squares of the side's animals that can step onto a square.
func (s *side) attackers(to int) uint16 {
	return s.board[kindElephant]&stepsTo[kindElephant][to] |
		s.board[kindGiraffe]&stepsTo[kindGiraffe][to] |
		s.board[kindChick]&stepsTo[kindChick][to] |
		s.board[kindHen]&stepsTo[kindHen][to] |
		s.board[kindLion]&stepsTo[kindLion][to]
}

func (s *side) lion() int { return bits.TrailingZeros16(s.board[kindLion]) }

// Tables of the board. Steps are those of the side to move, forward being up.
var (
	steps    [kinds][squares]uint16 // where an animal can step from a square
	stepsTo  [kinds][squares]uint16 // from where one can step to a square
	turned   [1 << squares]uint16   // squares turned by 180 degrees
	mirrored [1 << squares]uint16   // squares with left and right exchanged
	flipped  [1 << squares]uint16   // squares with near and far exchanged: turned and mirrored
)

func init() {
	type step struct{ rank, file int }
	diagonal := []step{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}
	straight := []step{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
	moves := [kinds][]step{
		kindElephant: diagonal,
		kindGiraffe:  straight,
		kindChick:    {{1, 0}},
		kindHen:      append([]step{{1, 1}, {1, -1}}, straight...),
		kindLion:     append(append([]step{}, diagonal...), straight...),
	}
	for k, list := range moves {
		for from := range squares {
			for _, s := range list {
				rank, file := from/3+s.rank, from%3+s.file
				if rank < 0 || rank > 3 || file < 0 || file > 2 {
					continue
				}
				to := 3*rank + file
				steps[k][from] |= 1 << to
				stepsTo[k][to] |= 1 << from
			}
		}
	}
	for set := range turned {
		for sq := range squares {
			if set>>sq&1 != 0 {
				mirror := sq/3*3 + 2 - sq%3
				turned[set] |= 1 << (squares - 1 - sq)
				mirrored[set] |= 1 << mirror
				flipped[set] |= 1 << (squares - 1 - mirror)
			}
		}
	}
}
