package shogi

// Board is a position on which moves are done and undone, for searches. It belongs
// to one goroutine and must not be copied. [NewBoard] returns one.
//
// A king may be missing: then its side is never in check.
type Board struct {
	squares  [squares]Piece
	turn     Color
	king     [2]Square
	hands    [2]Hand
	key      uint64
	checkers Bitboard // pieces that give check to the side to move
	color    [2]Bitboard
	roles    [2][roles]Bitboard
	history  []undo
	keys     *Keys
}

// undo is what [Board.Undo] cannot recompute.
type undo struct {
	key      uint64
	checkers Bitboard
	hands    [2]Hand
	move     Move
	captured Piece
}

// NewBoard returns a board with the legal position p.
func NewBoard(p Position) *Board { return NewBoardWithKeys(p, fixedKeys) }

// NewBoardWithKeys returns a board with the legal position p that computes [Board.Key] from keys.
func NewBoardWithKeys(p Position, keys *Keys) *Board {
	b := &Board{keys: keys}
	b.Set(p)
	return b
}

// Set puts the legal position p on the board and forgets the moves done.
func (b *Board) Set(p Position) {
	keys := b.keys
	if keys == nil {
		keys = fixedKeys
	}
	*b = Board{squares: p.board, turn: p.turn, hands: p.hands, king: [2]Square{NoSquare, NoSquare}, history: b.history[:0], keys: keys}
	for s, piece := range p.board {
		if piece == NoPiece {
			continue
		}
		c, k := piece.Color(), piece.Kind()
		b.toggle(c, k, squareBit[s])
		b.key ^= keys.pieces[piece&31][s]
		if k == King {
			b.king[c] = Square(s)
		}
	}
	if b.turn == White {
		b.key ^= keys.white
	}
	if king := b.king[b.turn]; king != NoSquare {
		b.checkers = b.attackers(b.turn.Other(), king, b.occupied())
	}
}

// Position returns the position on the board.
func (b *Board) Position() Position { return Position{b.squares, b.turn, b.hands} }

// Turn returns the side to move.
func (b *Board) Turn() Color { return b.turn }

// At returns the piece on a square.
func (b *Board) At(s Square) Piece { return b.squares[s] }

// Hand returns the pieces that c holds.
func (b *Board) Hand(c Color) Hand { return b.hands[c] }

// King returns the square of c's king, or [NoSquare].
func (b *Board) King(c Color) Square { return b.king[c] }

// InCheck reports whether the side to move is in check.
func (b *Board) InCheck() bool { return !b.checkers.Empty() }

// Checkers returns the pieces that give check to the side to move, at most two.
func (b *Board) Checkers() Bitboard { return b.checkers }

// Ply returns the number of moves done and not undone since [Board.Set].
func (b *Board) Ply() int { return len(b.history) }

// LastMove returns the last move done, or [NoMove] if there is none or it was a pass.
func (b *Board) LastMove() Move {
	if len(b.history) == 0 {
		return NoMove
	}
	return b.history[len(b.history)-1].move
}

func (b *Board) occupied() Bitboard { return b.color[0].or(b.color[1]) }

// toggle puts a piece on the squares of bit, or takes it away.
func (b *Board) toggle(c Color, k Kind, bit Bitboard) {
	b.color[c&1].flip(bit)
	b.roles[c&1][roleOf[k&15]].flip(bit)
	if k >= Horse {
		b.roles[c&1][roleCrowned].flip(bit)
	}
}

// Do makes the legal move m.
func (b *Board) Do(m Move) {
	us, them := b.turn, b.turn^1
	to := m.To()
	b.history = append(b.history, undo{b.key, b.checkers, b.hands, m, NoPiece})
	keys := b.keys
	key := b.key ^ keys.white
	var kind Kind
	if m.IsDrop() {
		kind = m.Dropped()
		b.hands[us] -= handOne[kind&7]
	} else {
		from := m.From()
		piece := b.squares[from]
		kind = piece.Kind()
		if captured := b.squares[to]; captured != NoPiece {
			b.history[len(b.history)-1].captured = captured
			b.toggle(them, captured.Kind(), squareBit[to])
			key ^= keys.pieces[captured&31][to]
			b.hands[us] += handOne[captured&7]
		}
		b.toggle(us, kind, squareBit[from])
		key ^= keys.pieces[piece&31][from]
		b.squares[from] = NoPiece
		if m.Promotes() {
			kind += Promoted
		} else if kind == King {
			b.king[us] = to
		}
	}
	piece := PieceOf(us, kind)
	b.squares[to] = piece
	b.toggle(us, kind, squareBit[to])
	b.key = key ^ keys.pieces[piece&31][to]
	b.turn = them
	b.checkers = b.checkersAfter(us, m, piece)
}

// checkersAfter returns the pieces of us that give check after the move m of the
// piece, which has been made. Only that piece and a slider that it hid can give check.
func (b *Board) checkersAfter(us Color, m Move, piece Piece) Bitboard {
	king := b.king[us^1]
	if king == NoSquare {
		return Bitboard{}
	}
	var checkers Bitboard
	occupied := b.occupied()
	if hits(piece, m.To(), king, occupied) {
		checkers = squareBit[m.To()]
	}
	if m.IsDrop() {
		return checkers
	}
	return checkers.or(b.discovered(us, m.From(), king, occupied))
}

// hits reports whether a piece attacks a square.
func hits(piece Piece, from, to Square, occupied Bitboard) bool {
	r := relation[from][to]
	return reach[piece&31]>>(r&31)&1 != 0 && (r < far || !between(from, to).meets(occupied))
}

// discovered returns the slider of us that gives check after a piece has moved away from the
// square left.
func (b *Board) discovered(us Color, left, king Square, occupied Bitboard) Bitboard {
	d := direction(relation[king][left] & 15)
	if d >= directions {
		return Bitboard{}
	}
	seen := ray[d][king].and(occupied)
	if !seen.meets(b.color[us]) {
		return Bitboard{}
	}
	s := nearest(d, seen)
	if hidden := b.squares[s]; hidden.Color() != us || reach[hidden&31]>>(far+d^1)&1 == 0 {
		return Bitboard{}
	}
	return squareBit[s]
}

// Pass gives the turn to the opponent. The side to move must not be in check.
func (b *Board) Pass() {
	b.history = append(b.history, undo{b.key, b.checkers, b.hands, NoMove, NoPiece})
	b.key ^= b.keys.white
	b.turn ^= 1
}

// Undo takes back the last move or pass that was done and not undone.
func (b *Board) Undo() {
	last := &b.history[len(b.history)-1]
	b.history = b.history[:len(b.history)-1]
	them := b.turn
	us := them ^ 1
	b.turn = us
	b.key, b.checkers, b.hands = last.key, last.checkers, last.hands
	m := last.move
	if m == NoMove {
		return
	}
	to := m.To()
	piece := b.squares[to]
	kind := piece.Kind()
	b.toggle(us, kind, squareBit[to])
	b.squares[to] = NoPiece
	if m.IsDrop() {
		return
	}
	from := m.From()
	if m.Promotes() {
		kind -= Promoted
	} else if kind == King {
		b.king[us] = from
	}
	b.squares[from] = PieceOf(us, kind)
	b.toggle(us, kind, squareBit[from])
	if last.captured != NoPiece {
		b.squares[to] = last.captured
		b.toggle(them, last.captured.Kind(), squareBit[to])
	}
}

// attackers returns the pieces of c that attack a square, with sliders stopped
// by the given occupation.
func (b *Board) attackers(c Color, s Square, occupied Bitboard) Bitboard {
	set, step := &b.roles[c&1], &steps[c&1^1][s]
	x := set[rolePawn].and(step[rolePawn]).
		or(set[roleKnight].and(step[roleKnight])).
		or(set[roleSilver].and(step[roleSilver])).
		or(set[roleGold].and(step[roleGold])).
		or(set[roleCrowned].and(step[roleCrowned]))
	if ray[c&1^1][s].meets(set[roleLance]) {
		x = x.or(lanceAttacks(c^1, s, occupied).and(set[roleLance]))
	}
	if bishopLines[s].meets(set[roleBishop]) {
		x = x.or(bishopAttacks(s, occupied).and(set[roleBishop]))
	}
	if rookLines[s].meets(set[roleRook]) {
		x = x.or(rookAttacks(s, occupied).and(set[roleRook]))
	}
	return x
}

// blockers returns each piece that is the only one between a slider of c and the square s. If
// the other side's king is on s, blockers of c can give a discovered check, and the others
// are pinned.
func (b *Board) blockers(c Color, s Square, occupied Bitboard) Bitboard {
	set := &b.roles[c&1]
	sliders := ray[c&1^1][s].and(set[roleLance]).
		or(bishopLines[s].and(set[roleBishop])).
		or(rookLines[s].and(set[roleRook]))
	var x Bitboard
	for ; !sliders.Empty(); sliders = sliders.rest() {
		if hidden := between(s, sliders.First()).and(occupied); hidden.single() {
			x = x.or(hidden)
		}
	}
	return x
}

// pinned returns the pieces of us that may only move on the line of their king.
func (b *Board) pinned(us Color, occupied Bitboard) Bitboard {
	king := b.king[us]
	if king == NoSquare {
		return Bitboard{}
	}
	return b.blockers(us^1, king, occupied).and(b.color[us])
}
