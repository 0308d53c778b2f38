package shogi

// Color is a player. Black (sente) moves first, towards rank a; White (gote) moves
// towards rank i.
type Color uint8

// The players.
const (
	Black Color = iota
	White
)

// Other returns the opponent.
func (c Color) Other() Color { return c ^ 1 }

// String returns "black" or "white".
func (c Color) String() string { return [...]string{"black", "white"}[c] }

// Japanese returns 先手 or 後手.
func (c Color) Japanese() string { return [...]string{"先手", "後手"}[c] }

// Square is a square of the board, 0 to 80. Squares are numbered file by file
// from Black's right: 1a is 0, 1b is 1, 2a is 9, 9i is 80.
type Square uint8

// NoSquare means no square, for example for a missing king.
const NoSquare Square = 81

const squares = 81

// SquareAt returns the square on a file, 1 to 9, and a rank, 1 (a) to 9 (i).
func SquareAt(file, rank int) Square { return Square((file-1)*9 + rank - 1) }

// File returns the file of s, 1 to 9.
func (s Square) File() int { return int(s)/9 + 1 }

// Rank returns the rank of s, 1 (a) to 9 (i).
func (s Square) Rank() int { return int(s)%9 + 1 }

// String returns the square as USI writes it, such as "7g", and "-" for
// [NoSquare].
func (s Square) String() string {
	if s >= squares {
		return "-"
	}
	return string(appendSquare(nil, s))
}

func appendSquare(dst []byte, s Square) []byte {
	return append(dst, '0'+byte(s.File()), 'a'+byte(s.Rank()-1))
}

// FileFor returns the file of s as c counts, 1 on the right.
func (s Square) FileFor(c Color) int {
	if c == White {
		return 10 - s.File()
	}
	return s.File()
}

// RankFor returns the rank of s as c counts, 1 for the far rank.
func (s Square) RankFor(c Color) int {
	if c == White {
		return 10 - s.Rank()
	}
	return s.Rank()
}

// InZone reports whether s lies in the promotion zone of c.
func (s Square) InZone(c Color) bool { return s.RankFor(c) <= 3 }
