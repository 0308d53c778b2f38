package shogi

// Move is a move or a drop in 16 bits. The zero Move is [NoMove].
//
//	bit 15   bit 14     bits 7-13                  bits 0-6
//	drop     promotes   origin, or kind dropped    destination
type Move uint16

// NoMove means no move.
const NoMove Move = 0

// MaxMoves is the largest number of legal moves in any position.
const MaxMoves = 593

const (
	promoteFlag Move = 1 << 14
	dropFlag    Move = 1 << 15
)

// MoveOf returns the move of a piece between two squares.
func MoveOf(from, to Square, promote bool) Move {
	m := Move(from)<<7 | Move(to)
	if promote {
		m |= promoteFlag
	}
	return m
}

// DropOf returns the drop of a piece of the unpromoted kind k.
func DropOf(k Kind, to Square) Move { return dropFlag | Move(k)<<7 | Move(to) }

// To returns the destination.
func (m Move) To() Square { return Square(m & 127) }

// From returns the square that the piece leaves. m must not be a drop.
func (m Move) From() Square { return Square(m >> 7 & 127) }

// IsDrop reports whether m drops a piece from the hand.
func (m Move) IsDrop() bool { return m&dropFlag != 0 }

// Dropped returns the kind that m drops. m must be a drop.
func (m Move) Dropped() Kind { return Kind(m >> 7 & 15) }

// Promotes reports whether the moving piece promotes.
func (m Move) Promotes() bool { return m&promoteFlag != 0 }

// String returns the move as USI writes it, such as "7g7f", "8h2b+" or "P*5e",
// and "none" for [NoMove].
func (m Move) String() string { return string(m.AppendUSI(nil)) }

const usiLetters = ".PLNSBRGK"

// AppendUSI appends the move to dst as USI writes it.
func (m Move) AppendUSI(dst []byte) []byte {
	switch {
	case m == NoMove:
		return append(dst, "none"...)
	case m.IsDrop():
		dst = append(dst, usiLetters[m.Dropped()], '*')
		return appendSquare(dst, m.To())
	}
	dst = appendSquare(appendSquare(dst, m.From()), m.To())
	if m.Promotes() {
		dst = append(dst, '+')
	}
	return dst
}
