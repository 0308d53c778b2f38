package variant

import (
	"github.com/yomikiri/yomikiri/games"
)

// cursor is a stack of boards. It finds the legal moves of a board once.
type cursor struct {
	game    *core
	hasher  *games.Hasher[Position]
	weights []int16
	worth   []int32 // of each kind, for the order of captures
	path    []frame
	depth   int
}

// frame is a position of the path.
type frame struct {
	board board
	moves []Move // the legal moves, if known
	known bool
	ended result
}

// NewCursor implements [games.CursorMaker].
func (g *Game) NewCursor(weights []int16) games.Cursor[Position, Move] {
	c := &cursor{game: g.core, hasher: games.NewHasher(g), weights: weights}
	for k := range g.kinds {
		worth := int32(g.worth(k))
		if g.kinds[k].slot == king {
			worth = 10_000
		}
		c.worth = append(c.worth, max(worth, -worth))
	}
	c.Set(g.start)
	return c
}

func (c *cursor) now() *frame { return &c.path[c.depth] }

// push makes room for another frame.
func (c *cursor) push() *frame {
	c.depth++
	if c.depth == len(c.path) {
		c.path = append(c.path, frame{})
	}
	return c.now()
}

func (f *frame) reset() { f.moves, f.known, f.ended = f.moves[:0], false, noResult }

// look finds out whether the game is over, and the legal moves.
func (f *frame) look() {
	if f.known {
		return
	}
	f.known = true
	if f.ended = f.board.ended(); f.ended != noResult {
		return
	}
	if f.moves = f.board.legalMoves(f.moves[:0]); len(f.moves) == 0 {
		f.ended = f.board.stuck()
	}
}

// Set implements [games.Cursor].
func (c *cursor) Set(p Position) {
	c.depth = -1
	f := c.push()
	f.reset()
	f.board = *c.game.newBoard(&p)
}

// Position implements [games.Cursor].
func (c *cursor) Position() Position { return c.now().board.Position }

// Key implements [games.Cursor].
func (c *cursor) Key() uint64 { return c.hasher.Hash(&c.now().board.Position) }

// Outcome implements [games.Cursor].
func (c *cursor) Outcome() (games.Value, bool) {
	f := c.now()
	if f.look(); f.ended != noResult {
		return f.ended.value(), true
	}
	return games.Unfinished, false
}

// AppendMoves implements [games.Cursor].
func (c *cursor) AppendMoves(dst []Move) []Move {
	f := c.now()
	f.look()
	return append(dst, f.moves...)
}

// rank returns the rank of a move: captures of much by little first, then promotions.
func (c *cursor) rank(b *board, m Move) int32 {
	rank := int32(0)
	switch {
	case m.kind == enPassant:
		rank = 1000
	case b.captures(m):
		rank = 1000 + 8*c.worth[b.kind(int(m.to))] - c.worth[b.kind(int(m.from))]
	}
	switch m.kind {
	case promotion:
		rank += 10 + c.worth[m.piece]
	case piecePromotion:
		rank += 10
	}
	return max(rank, 0)
}

// AppendTactical implements [games.Cursor].
func (c *cursor) AppendTactical(moves []Move, ranks []int32) ([]Move, []int32) {
	f := c.now()
	f.look()
	for _, m := range f.moves {
		if r := c.rank(&f.board, m); r > 0 {
			moves, ranks = append(moves, m), append(ranks, r)
		}
	}
	return moves, ranks
}

// AppendRanks implements [games.Cursor].
func (c *cursor) AppendRanks(dst []int32, moves []Move) []int32 {
	b := &c.now().board
	for _, m := range moves {
		dst = append(dst, c.rank(b, m))
	}
	return dst
}

// Forced implements [games.Cursor]: in check, or with a single move.
func (c *cursor) Forced() bool {
	f := c.now()
	f.look()
	return len(f.moves) == 1 || f.board.checked(int(f.board.turn))
}

// Do implements [games.Cursor].
func (c *cursor) Do(m Move) (gain int) {
	from := c.depth
	f := c.push()
	f.reset()
	f.board = c.path[from].board
	f.board.apply(m)
	return 0
}

// Pass implements [games.Cursor]. Without drops it refuses where few pieces are left, since having to move may be bad
// there.
func (c *cursor) Pass() bool {
	b := &c.now().board
	r := c.game.rules
	us := int(b.turn)
	quietGame := r.checkmate == loss && r.extinction != win && !r.mustCapture && r.stalemate != win && r.walling == "none"
	if !quietGame || b.checked(us) || b.sides[us].count() < 4 {
		return false
	}
	from := c.depth
	f := c.push()
	f.reset()
	f.board = c.path[from].board
	f.board.turn = uint8(1 - us)
	f.board.passing, f.board.passed, f.board.last = set{}, noSquare, other
	if f.board.ended() != noResult {
		c.depth--
		return false
	}
	return true
}

// Undo implements [games.Cursor].
func (c *cursor) Undo() { c.depth-- }

// Repetition implements [games.Cursor].
func (c *cursor) Repetition(int) games.Value { return games.Draw }

// Evaluate implements [games.Cursor].
func (c *cursor) Evaluate() int {
	if c.weights == nil {
		return 0
	}
	g := c.game
	b := &c.now().board
	us := int(b.turn)
	hands := len(g.kinds) * g.squares
	sum := int(c.weights[hands+len(g.kinds)])
	for k := range g.kinds {
		for side := range 2 {
			sign := 1
			if side != us {
				sign = -1
			}
			for men := b.of(side, k); !men.empty(); {
				sum += sign * int(c.weights[g.feature(k, side, men.pop())])
			}
		}
		sum += int(c.weights[hands+k]) * (int(b.hands[us][k]) - int(b.hands[1-us][k]))
	}
	return sum
}
