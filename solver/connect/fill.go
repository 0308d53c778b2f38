package connect

import "github.com/yomikiri/yomikiri/games"

// Stones that change nothing: see docs/monotone.md (Hayward and van Rijswijck 2006).

// deadTable says for a square and the stones beside it whether a stone there can matter. Its index has a
// digit in base 3 for each neighbor: 0 if it is empty, 1 or 2 for a stone of a side.
type deadTable struct {
	beside []uint8
	dead   []bool
}

var powers = [...]uint16{1, 3, 9, 27, 81, 243, 729, 2187}

// newDeadTable returns the table of a square. A stone cannot matter if, however the empty neighbors are
// filled, all neighbors of one side hang together without it.
func (f *field) newDeadTable(square int) (t deadTable) {
	if f.beside[square].Len() >= len(powers) {
		return t
	}
	for near := f.beside[square]; !near.Empty(); near = near.Rest() {
		t.beside = append(t.beside, uint8(near.First()))
	}
	t.dead = make([]bool, powers[len(t.beside)])
	for code := len(t.dead) - 1; code >= 0; code-- {
		var stones [2]games.Squares
		empty := -1
		for i, near := range t.beside {
			if digit := code / int(powers[i]) % 3; digit > 0 {
				stones[digit-1] = stones[digit-1].With(int(near))
			} else {
				empty = int(powers[i])
			}
		}
		if empty >= 0 {
			t.dead[code] = t.dead[code+empty] && t.dead[code+2*empty]
		} else {
			t.dead[code] = f.together(0, square, stones[0])
		}
	}
	return t
}

// together reports whether stones beside a square, and the edges of their side that it is on, hang together
// without it.
func (f *field) together(side, square int, stones games.Squares) bool {
	var edge games.Squares // on the same edge as the square
	for _, e := range f.edges[side] {
		if e.Has(square) {
			edge = edge.Or(e)
		}
	}
	reached := edge.And(stones)
	if edge.Empty() && !stones.Empty() {
		reached = reached.With(stones.First())
	}
	for {
		more := f.spread(reached).And(stones)
		if !edge.Empty() {
			more = more.Or(edge.And(stones))
		}
		if more == reached {
			return reached == stones
		}
		reached = more
	}
}

// pair is two squares that a side has captured: if the other side plays on one, a stone on the other makes
// that dead. needs are the stones of the side for which this is so.
type pair struct {
	squares [2]uint8
	needs   games.Squares
}

func (p *pair) set() games.Squares {
	return games.Squares{}.With(int(p.squares[0])).With(int(p.squares[1]))
}

// The contents of a square; that of a stone is 1 more than its side.
const (
	emptySquare = 0
	deadSquare  = 3
)

// fill puts stones of a side on the squares that it has captured, and stones of both sides on dead squares,
// so that neither can use them. The position after that has the same winner.
func (f *field) fill(at games.Placement, pairs *[2][]pair) games.Placement {
	pairs[0], pairs[1] = pairs[0][:0], pairs[1][:0]
	var squares [games.MaxSquares]uint8
	for side := range at.Stones {
		for stones := at.Stones[side]; !stones.Empty(); stones = stones.Rest() {
			squares[stones.First()] |= uint8(1 + side)
		}
	}
	empty := f.board.Minus(at.Stones[0]).Minus(at.Stones[1])
	for changed := true; changed; {
		changed = false
		for left := empty; !left.Empty(); left = left.Rest() {
			square := left.First()
			if f.tables[square].isDead(&squares, 1) || f.tables[square].isDead(&squares, 2) {
				squares[square], changed = deadSquare, true
				one := games.Squares{}.With(square)
				empty = empty.Minus(one)
				at.Stones[0], at.Stones[1] = at.Stones[0].Or(one), at.Stones[1].Or(one)
			}
		}
		for left := empty; !left.Empty(); left = left.Rest() {
			a := left.First()
			if !empty.Has(a) {
				continue
			}
			for near := f.beside[a].And(left); !near.Empty() && empty.Has(a); near = near.Rest() {
				b := near.First()
				for side := range pairs {
					if empty.Has(b) && f.captured(&squares, a, b, side) {
						p := pair{squares: [2]uint8{uint8(a), uint8(b)}}
						both := p.set()
						p.needs = f.beside[a].Or(f.beside[b]).And(at.Stones[side].Minus(at.Stones[1-side]))
						pairs[side] = append(pairs[side], p)
						squares[a], squares[b], changed = uint8(1+side), uint8(1+side), true
						at.Stones[side], empty = at.Stones[side].Or(both), empty.Minus(both)
					}
				}
			}
		}
	}
	return at
}

// captured reports whether a side has captured two empty squares. Dead squares are the other side's.
func (f *field) captured(squares *[games.MaxSquares]uint8, a, b, side int) bool {
	own, other := uint8(1+side), uint8(2-side)
	squares[b] = own
	captured := f.tables[a].isDead(squares, other)
	squares[b] = emptySquare
	if captured {
		squares[a] = own
		captured = f.tables[b].isDead(squares, other)
		squares[a] = emptySquare
	}
	return captured
}

// isDead reports whether a square is dead if those that are dead have a stone.
func (t *deadTable) isDead(squares *[games.MaxSquares]uint8, dead uint8) bool {
	code := uint16(0)
	for i, near := range t.beside {
		digit := squares[near&(games.MaxSquares-1)]
		if digit == deadSquare {
			digit = dead
		}
		code += uint16(digit) * powers[i]
	}
	return len(t.dead) > 0 && t.dead[code]
}
