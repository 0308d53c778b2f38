package gomoku

import (
	"math/bits"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

var (
	_ games.CursorMaker[Position, Square] = (*Game)(nil)
	_ games.Cursor[Position, Square]      = (*cursor)(nil)
	_ games.Selector[Square]              = (*cursor)(nil)
)

// cursor is a position for searches that play.
type cursor struct {
	board   *Board
	toMove  Side
	path    []Square // the moves made; NoSquare for a pass
	near    []Set    // the squares near stones, after each move
	weights [features]int32
	worth   [MaxSquares]int32 // buffer
}

// NewCursor implements [games.CursorMaker].
func (g *Game) NewCursor(weights []int16) games.Cursor[Position, Square] {
	c := &cursor{board: g.NewBoard(g.Start()), near: make([]Set, 1)}
	for i, w := range weights {
		c.weights[i] = int32(w)
	}
	return c
}

func (c *cursor) Set(p Position) {
	c.board.Set(p)
	c.toMove, c.path, c.near = p.toMove, c.path[:0], append(c.near[:0], Set{})
	for side := range p.stones {
		for s := range p.stones[side].All() {
			c.near[0].AddAll(&c.board.layout.around[s])
		}
	}
}

func (c *cursor) Position() Position { return c.board.Position(c.toMove) }

// whiteToMove distinguishes positions with the same stones.
const whiteToMove = 0x9e3779b97f4a7c15

func (c *cursor) Key() uint64 { return c.board.key[0] ^ uint64(c.toMove)*whiteToMove }

func (c *cursor) Outcome() (games.Value, bool) {
	if c.board.HasWon(c.toMove.Opponent()) {
		return games.Loss(0), true
	}
	if empty := c.board.EmptySquares(); empty.Empty() {
		return games.Draw, true
	}
	return games.Unfinished, false
}

func (c *cursor) AppendMoves(dst []Square) []Square {
	return c.board.game.AppendMoves(dst, c.Position())
}

// AppendPromising implements [games.Selector]: the squares that make a line; or else those that
// prevent one; or else the squares near stones, the most valuable first.
func (c *cursor) AppendPromising(dst []Square) []Square {
	if c.board.HasWon(c.toMove.Opponent()) {
		return dst
	}
	found := c.lines()
	if found.Empty() {
		return c.appendNear(dst)
	}
	found.Each(func(s Square) { dst = append(dst, s) })
	return dst
}

// lines returns the squares where the side to move makes a line, or if there is none those where
// its opponent does.
func (c *cursor) lines() Set {
	if set := c.board.Fives(c.toMove); !set.Empty() {
		return set
	}
	return c.board.Fives(c.toMove.Opponent())
}

// mostNear is the number of squares near stones that promise something.
const mostNear = 20

func (c *cursor) appendNear(dst []Square) []Square {
	b := c.board
	near := c.near[len(c.near)-1]
	near.RemoveAll(&b.stones[Black])
	near.RemoveAll(&b.stones[White])
	if near.Empty() { // no stone at all, or no empty square
		if empty := b.EmptySquares(); !empty.Empty() {
			dst = append(dst, SquareAt(b.game.rows/2, b.game.columns/2))
		}
		return dst
	}
	c.value()
	first := len(dst)
	near.Each(func(s Square) { dst = append(dst, s) })
	list := dst[first:]
	slices.SortStableFunc(list, func(s, t Square) int { return int(c.worth[t] - c.worth[s]) })
	return dst[:first+min(len(list), mostNear)]
}

// value sets the worth of the squares near stones: what the windows are worth that a stone there
// would fill or block.
func (c *cursor) value() {
	b := c.board
	clear(c.worth[:])
	for lacking := 2; lacking <= min(mostLacking, b.layout.k-1); lacking++ {
		for _, side := range [2]Side{c.toMove, c.toMove.Opponent()} {
			worth := int32(1) << (2 * (mostLacking - lacking) * 2)
			if side == c.toMove {
				worth += worth / 2
			}
			for i, w := range b.Windows(side, b.layout.k-lacking) {
				for ; w != 0; w &= w - 1 {
					number := 64*i + bits.TrailingZeros64(w)
					for gaps := b.EmptyBits(number); gaps != 0; gaps &= gaps - 1 {
						c.worth[b.WindowSquare(number, bits.TrailingZeros32(gaps))] += worth
					}
				}
			}
		}
	}
}

// The ranks of tactical moves.
const (
	rankStraight = 1 + iota // a straight four
	rankBlock               // prevents a line
	rankLine
)

// ranks returns the squares of each rank.
func (c *cursor) ranks() (sets [rankLine + 1]Set) {
	sets[rankLine] = c.board.Fives(c.toMove)
	sets[rankBlock] = c.board.Fives(c.toMove.Opponent())
	sets[rankStraight] = c.board.straights(c.toMove)
	return sets
}

func rankOf(sets *[rankLine + 1]Set, s Square) int32 {
	for rank := rankLine; rank > 0; rank-- {
		if sets[rank].Has(s) {
			return int32(rank)
		}
	}
	return 0
}

func (c *cursor) AppendRanks(dst []int32, moves []Square) []int32 {
	sets := c.ranks()
	for _, s := range moves {
		dst = append(dst, rankOf(&sets, s))
	}
	return dst
}

func (c *cursor) AppendTactical(moves []Square, ranks []int32) ([]Square, []int32) {
	sets := c.ranks()
	var all Set
	for i := range sets {
		all.AddAll(&sets[i])
	}
	all.Each(func(s Square) { moves, ranks = append(moves, s), append(ranks, rankOf(&sets, s)) })
	return moves, ranks
}

// Forced implements [games.Cursor]: one side could make a line at once.
func (c *cursor) Forced() bool {
	set := c.lines()
	return !set.Empty()
}

func (c *cursor) Do(s Square) (gain int) {
	near := c.near[len(c.near)-1]
	near.AddAll(&c.board.layout.around[s])
	c.board.Place(s, c.toMove)
	c.path, c.near, c.toMove = append(c.path, s), append(c.near, near), c.toMove.Opponent()
	return 0
}

// Pass implements [games.Cursor]. A stone is never a disadvantage.
func (c *cursor) Pass() bool {
	if c.Forced() {
		return false
	}
	c.path, c.near, c.toMove = append(c.path, NoSquare), append(c.near, c.near[len(c.near)-1]), c.toMove.Opponent()
	return true
}

func (c *cursor) Undo() {
	last := len(c.path) - 1
	c.toMove = c.toMove.Opponent()
	if s := c.path[last]; s != NoSquare {
		c.board.Remove(s, c.toMove)
	}
	c.path, c.near = c.path[:last], c.near[:last+1]
}

func (c *cursor) Evaluate() int {
	var n [features]int32
	c.board.count(c.toMove, &n)
	sum := int32(0)
	for i, w := range c.weights {
		sum += w * n[i]
	}
	return int(sum)
}

// Repetition implements [games.Cursor]. Positions never repeat.
func (c *cursor) Repetition(int) games.Value { return games.Draw }
