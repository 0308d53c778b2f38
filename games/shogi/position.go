package shogi

import (
	"slices"
)

// Position is a position as a comparable value: the board, the hands and the side
// to move, without the moves that led there. The zero Position is an empty board.
type Position struct {
	board [squares]Piece
	turn  Color
	hands [2]Hand
}

// NewPosition returns a position. It refuses those that the rules exclude: more
// pieces of a kind than a set has, two unpromoted pawns of a side on a file, pieces
// that could never move, the side not to move in check, no king at all. One king may
// be missing, and so may other pieces.
func NewPosition(board [81]Piece, hands [2]Hand, turn Color) (Position, error) {
	p := Position{board, turn, hands}
	if err := p.check(); err != nil {
		return Position{}, err
	}
	return p, nil
}

// Parts returns what [NewPosition] makes the position of.
func (p *Position) Parts() (board [81]Piece, hands [2]Hand, turn Color) {
	return p.board, p.hands, p.turn
}

// Turn returns the side to move.
func (p *Position) Turn() Color { return p.turn }

// At returns the piece on a square.
func (p *Position) At(s Square) Piece { return p.board[s] }

// Hand returns the pieces that c holds.
func (p *Position) Hand(c Color) Hand { return p.hands[c] }

// King returns the square of c's king, or [NoSquare].
func (p *Position) King(c Color) Square {
	for s, piece := range p.board {
		if piece == PieceOf(c, King) {
			return Square(s)
		}
	}
	return NoSquare
}

// Missing returns the pieces of a set that are neither on the board nor in a hand, without kings.
func (p *Position) Missing() Hand {
	rest := fullHand - p.hands[Black] - p.hands[White]
	for _, piece := range p.board {
		if k := piece.Kind().Unpromoted(); k != NoKind && k != King {
			rest = rest.Without(k)
		}
	}
	return rest
}

// WithRest returns p with the missing pieces of a set in c's hand, as the defender has
// them in a mate problem. No king is added.
func (p Position) WithRest(c Color) Position {
	p.hands[c] += p.Missing()
	return p
}

// Start returns the position in which a game begins.
func Start() Position {
	p, err := ParseSFEN(startSFEN)
	if err != nil {
		panic(err)
	}
	return p
}

// fullHand is a whole set without the kings.
const fullHand Hand = 18 | 4<<6 | 4<<10 | 4<<14 | 4<<18 | 2<<22 | 2<<25

// check refuses what [NewPosition] refuses.
func (p *Position) check() error {
	var count [King + 1]int
	var kings [2]int
	var pawns [2][10]int // unpromoted, by file
	for s, piece := range p.board {
		k := piece.Kind()
		if k == NoKind {
			continue
		}
		if k >= kinds || piece >= 32 {
			return errNotPiece.Error(piece, Square(s))
		}
		count[k.Unpromoted()]++
		c := piece.Color()
		if k == King {
			kings[c]++
		}
		if k == Pawn {
			pawns[c][Square(s).File()]++
		}
		bit := squareBit[s]
		if (k == Pawn || k == Lance) && bit.meets(farRank[c]) || k == Knight && bit.meets(farRanks[c]) {
			return errDeadPiece.Error(c, k, Square(s))
		}
	}
	for c := Black; c <= White; c++ {
		if kings[c] > 1 {
			return errKings.Error(c, kings[c])
		}
		if file := slices.IndexFunc(pawns[c][:], func(n int) bool { return n > 1 }); file > 0 {
			return errTwoPawns.Error(c, file)
		}
		for k := Pawn; k <= Gold; k++ {
			count[k] += p.hands[c].Count(k)
		}
	}
	if kings[Black]+kings[White] == 0 {
		return errNoKing.Error()
	}
	for k := Pawn; k <= Gold; k++ {
		if count[k] > inAll[k] {
			return errTooMany.Error(count[k], k, inAll[k])
		}
	}
	var b Board
	b.Set(*p)
	if king := b.king[p.turn.Other()]; king != NoSquare {
		if from := b.attackers(p.turn, king, b.occupied()); !from.Empty() {
			return errInCheck.Error(p.turn.Other(), from.First(), p.turn)
		}
	}
	return nil
}
