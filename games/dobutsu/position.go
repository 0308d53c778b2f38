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

// side is what one player owns.
type side struct {
	board [kinds]uint32  // squares by kind, a bit each
	hand  [kindHen]uint8 // how many in hand, by kind
}

func (s *side) all() uint32 {
	return s.board[kindElephant] | s.board[kindGiraffe] | s.board[kindChick] | s.board[kindHen] | s.board[kindLion]
}

// kindAt returns the kind on the square of bit, which the side must occupy.
func (s *side) kindAt(bit uint32) kind {
	for k := kindElephant; k < kinds; k++ {
		if s.board[k]&bit != 0 {
			return k
		}
	}
	panic("dobutsu: no animal on the square")
}

// Position is a position of the game. The zero Position is not valid; get one from
// [Game.Start] or [Game.ParsePosition].
type Position struct {
	mine, theirs side // the side to move and its opponent
	gote         bool // gote is to move
}

// swapped returns p with the opponent to move.
func (b *board) swapped(p Position) Position {
	q := Position{mine: p.theirs, theirs: p.mine, gote: !p.gote}
	q.transform(b.turn)
	return q
}

func (p *Position) transform(move func(uint32) uint32) {
	for k := range kinds {
		p.mine.board[k] = move(p.mine.board[k])
		p.theirs.board[k] = move(p.theirs.board[k])
	}
}

// attackers returns the squares of the side's animals that can step onto a square.
func (b *board) attackers(s *side, to int) uint32 {
	set := uint32(0)
	for k := range kinds {
		set |= s.board[k] & b.stepsTo[k][to]
	}
	return set
}

func (s *side) lion() int { return bits.TrailingZeros32(s.board[kindLion]) }
