package shogi

import "github.com/yomikiri/yomikiri/games"

var (
	_ games.CursorMaker[Position, Move] = Game{}
	_ games.Exchanger[Move]             = (*cursor)(nil)
)

// cursor is a [games.Cursor] on a board. It keeps the sum of the weights.
type cursor struct {
	board Board
	table *evaluationTable // nil without weights
	sums  sums
	past  []sums // before each move and pass
}

// sums are the parts of the evaluation.
type sums struct {
	// beside are, by side, the pieces beside its king as that side sees them. That of Black
	// includes the material on the board.
	beside [2]int32
	hands  int32 // as Black sees them
}

// pieceWeights are the weights of pieces beside a king, by square and piece.
type pieceWeights [squares][32]int16

// evaluationTable has the weights as they are wanted, so that a move changes a sum by as many
// numbers as it changes squares.
type evaluationTable struct {
	// beside is by king; the last is for a missing one. Those of Black include the material.
	beside [2][squares + 1]pieceWeights
	hand   [handKinds][18 + 1]int32 // of the n-th piece
	turn   int32
}

func newEvaluationTable(weights []int16) *evaluationTable {
	t := &evaluationTable{turn: int32(weights[turnFeature])}
	for k := Pawn; k < handKinds; k++ {
		for n := 1; n <= inAll[k]; n++ {
			t.hand[k][n] = int32(weights[handNumber(k, n)])
		}
	}
	for king := range Square(squares + 1) {
		for c := Black; c <= White; c++ {
			for k := Pawn; k < kinds; k++ {
				piece := PieceOf(c, k)
				material := int16(0)
				if k != King {
					material = weights[boardFeature+int(k)]
				}
				if c == White {
					material = -material
				}
				for s := range Square(squares) {
					t.beside[Black][king][s][piece] = material
					if king == NoSquare {
						continue
					}
					for side := Black; side <= White; side++ {
						if piece != PieceOf(side, King) {
							t.beside[side][king][s][piece] += weights[kingNumber(side, king, piece, s)]
						}
					}
				}
			}
		}
	}
	return t
}

// NewCursor implements [games.CursorMaker]. Where a side must give check, cursors are stacks of
// positions.
func (g Game) NewCursor(weights []int16) games.Cursor[Position, Move] {
	if g.checking {
		return games.NewStack(g, weights)
	}
	c := new(cursor)
	if weights != nil {
		c.table = newEvaluationTable(weights)
	}
	c.Set(g.Start())
	return c
}

func (c *cursor) Set(p Position) {
	c.board.Set(p)
	c.past = c.past[:0]
	if c.table == nil {
		return
	}
	c.sums = sums{beside: [2]int32{c.sum(Black), c.sum(White)}}
	for k := Pawn; k < handKinds; k++ {
		for side, sign := range [2]int32{1, -1} {
			for n := range p.hands[side].Count(k) {
				c.sums.hands += sign * c.table.hand[k][n+1]
			}
		}
	}
}

// sum returns what the pieces on the board weigh beside the king of a side.
func (c *cursor) sum(side Color) (sum int32) {
	beside := &c.table.beside[side][c.board.king[side]]
	for x := c.board.occupied(); !x.Empty(); x = x.rest() {
		s := x.First()
		sum += int32(beside[s][c.board.squares[s]&31])
	}
	return sum
}

func (c *cursor) Position() Position { return c.board.Position() }

func (c *cursor) Key() uint64 {
	b := &c.board
	x := (uint64(b.hands[Black])<<32 | uint64(b.hands[White])) * 0x9e3779b97f4a7c15
	x = (x ^ x>>32) * 0xbf58476d1ce4e5b9
	return b.key ^ x ^ x>>29
}

func (c *cursor) Outcome() (games.Value, bool) {
	if c.board.hasMoves() {
		return games.Unfinished, false
	}
	return games.Loss(0), true
}

func (c *cursor) AppendMoves(dst []Move) []Move { return c.board.AppendMoves(dst) }

func (c *cursor) AppendTactical(moves []Move, ranks []int32) ([]Move, []int32) {
	b := &c.board
	first := len(moves)
	moves = b.AppendCaptures(moves)
	kept := moves[:first]
	for _, m := range moves[first:] {
		if !b.losing(m) {
			kept, ranks = append(kept, m), append(ranks, b.promise(m))
		}
	}
	return kept, ranks
}

// AppendRanks implements [games.Cursor]: the most valuable captures and promotions first, by the least
// valuable piece. Those that lose material are not tactical.
func (c *cursor) AppendRanks(dst []int32, moves []Move) []int32 {
	b := &c.board
	for _, m := range moves {
		rank := int32(0)
		if b.changesMaterial(m) {
			if rank = b.promise(m); b.losing(m) {
				rank -= 1 << 20
			}
		}
		dst = append(dst, rank)
	}
	return dst
}

// Losing reports whether a move loses material.
func (c *cursor) Losing(m Move) bool { return c.board.losing(m) }

// promise returns a positive rank for a capture or promotion.
func (b *Board) promise(m Move) int32 {
	k := b.squares[m.From()].Kind()
	gain := exchangeValue[b.squares[m.To()].Kind()&15]
	if m.Promotes() {
		gain += promotionValue[k&15]
	}
	return 16*gain - exchangeValue[k&15]/8 + 5_000
}

func (c *cursor) Forced() bool { return c.board.InCheck() }

func (c *cursor) Do(m Move) (gain int) {
	c.past = append(c.past, c.sums)
	if c.table == nil {
		c.board.Do(m)
		return 0
	}
	b := &c.board
	us, to := b.turn&1, m.To()
	sign := 1 - 2*int32(us)
	black, white := &c.table.beside[Black][b.king[Black]], &c.table.beside[White][b.king[White]]
	if m.IsDrop() {
		k := m.Dropped()
		piece := PieceOf(us, k) & 31
		c.sums.beside[Black] += int32(black[to][piece])
		c.sums.beside[White] += int32(white[to][piece])
		c.sums.hands -= sign * c.table.hand[k&7][b.hands[us].Count(k)]
		b.Do(m)
		return 0
	}
	from := m.From()
	piece := b.squares[from] & 31
	after := piece
	if m.Promotes() {
		after += Piece(Promoted)
	}
	c.sums.beside[Black] += int32(black[to][after&31]) - int32(black[from][piece])
	c.sums.beside[White] += int32(white[to][after&31]) - int32(white[from][piece])
	if captured := b.squares[to] & 31; captured != NoPiece {
		k := captured & 7
		c.sums.beside[Black] -= int32(black[to][captured])
		c.sums.beside[White] -= int32(white[to][captured])
		c.sums.hands += sign * c.table.hand[k][b.hands[us].Count(Kind(k))+1]
	}
	b.Do(m)
	if piece.Kind() == King {
		c.sums.beside[us] = c.sum(us)
	}
	return 0
}

func (c *cursor) Pass() bool {
	if c.board.InCheck() {
		return false
	}
	c.past = append(c.past, c.sums)
	c.board.Pass()
	return true
}

func (c *cursor) Undo() {
	last := len(c.past) - 1
	c.sums, c.past = c.past[last], c.past[:last]
	c.board.Undo()
}

func (c *cursor) Evaluate() int {
	if c.table == nil {
		return 0
	}
	v := c.sums.beside[Black] - c.sums.beside[White] + c.sums.hands
	if c.board.turn == White {
		v = -v
	}
	return int(v + c.table.turn)
}

// Repetition implements [games.Cursor]: a draw, but a side that gave check with all its moves since
// then has lost.
func (c *cursor) Repetition(plies int) games.Value {
	// The history holds the checkers of the positions before the current one.
	b := &c.board
	checked := [2]bool{b.InCheck(), true} // the side to move in all its positions, and its opponent
	for i := 1; i < plies; i++ {
		if b.history[len(b.history)-i].checkers.Empty() {
			checked[i%2] = false
		}
	}
	switch {
	case checked[0]:
		return games.Win(0)
	case checked[1]:
		return games.Loss(0)
	}
	return games.Draw
}
