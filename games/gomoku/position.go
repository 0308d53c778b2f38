package gomoku

// Side is one of the two players.
type Side uint8

// The sides. Black begins.
const (
	Black Side = iota
	White
)

// Opponent returns the other side.
func (s Side) Opponent() Side { return s ^ 1 }

// String returns "black" or "white".
func (s Side) String() string { return [...]string{"black", "white"}[s] }

func (s Side) letter() byte { return "xo"[s] }

// Position is a position: the stones of both sides, and who is to move. The zero
// Position is the empty board with Black to move, on a board of any size.
type Position struct {
	stones [2]Set
	toMove Side
}

// ToMove returns the side to move.
func (p Position) ToMove() Side { return p.toMove }

// Stones returns the squares of a side's stones.
func (p Position) Stones(side Side) Set { return p.stones[side] }

// At returns the side whose stone is on s, and false if s is empty.
func (p Position) At(s Square) (Side, bool) {
	if p.stones[White].Has(s) {
		return White, true
	}
	return Black, p.stones[Black].Has(s)
}

// NullMove returns p with the other side to move. It is not a move of the game: a
// search makes it to find what a side threatens.
func (p Position) NullMove() Position {
	p.toMove = p.toMove.Opponent()
	return p
}

// NewPosition returns the position with the given stones and side to move. No
// square may be in both sets.
func NewPosition(black, white Set, toMove Side) Position {
	return Position{[2]Set{black, white}, toMove}
}

// hasLine reports whether a side's stones have a line that wins: k in a row, or
// more unless the rule is exact.
func (g *Game) hasLine(stones *Set) bool {
	for i, d := range directions {
		line := *stones
		line.Intersect(&g.room[i].k)
		if g.exact {
			// A line begins where no stone of the side comes before, and ends where none
			// comes after.
			before := stones.shiftedUp(d)
			before.Intersect(&g.room[i].before)
			line.RemoveAll(&before)
		}
		ahead, some := *stones, true
		for n := 1; n < g.k && some; n++ {
			some = line.meet(&ahead, d, g.words)
		}
		if !some {
			continue
		}
		if g.exact {
			after := g.room[i].after
			after.meet(&ahead, d, g.words)
			line.RemoveAll(&after)
		}
		if !line.Empty() {
			return true
		}
	}
	return false
}

// directions are the four directions of a line as distances of square numbers:
// along a row, along a column, and the diagonals up to the right and to the left.
var directions = [4]uint{1, stride, stride + 1, stride - 1}

// rowSteps and columnSteps are the same directions in rows and columns.
var rowSteps, columnSteps = [4]int{0, 1, 1, 1}, [4]int{1, 0, 1, -1}

// room has masks for one direction. A line of k squares that starts on a square of k stays on
// the board; the square before the line is on the board if the line starts on a square of
// before, and the square after it if the line starts on a square of after. Shifted sets run
// into the next row; the masks remove the false matches.
type room struct{ k, before, after Set }

func newRoom(g *Game, direction int) (r room) {
	onBoard := func(s Square, steps int) bool {
		return g.onBoard(s.Row()+steps*rowSteps[direction], s.Column()+steps*columnSteps[direction])
	}
	for s := range g.squares.All() {
		if onBoard(s, g.k-1) {
			r.k.Add(s)
		}
		if onBoard(s, -1) {
			r.before.Add(s)
		}
		if onBoard(s, g.k) {
			r.after.Add(s)
		}
	}
	return r
}
