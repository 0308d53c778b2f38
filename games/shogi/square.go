package shogi

// Color is a player. Black (sente) moves first in a game from the start
// position and towards rank a; White (gote) towards rank i.
type Color uint8

// The players.
const (
	Black Color = iota
	White
)

// Other returns the opponent.
func (c Color) Other() Color { return c ^ 1 }

// String returns "black" or "white".
func (c Color) String() string {
	if c == White {
		return "white"
	}
	return "black"
}

// Square is a square of the board, 0 to 80. Squares are numbered file by file
// from Black's right: 1a is 0, 1b is 1, 2a is 9, 9i is 80.
type Square uint8

// NoSquare stands where there is no square, such as that of a missing king.
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

// rankFrom returns the rank of s as c counts, 0 for the far rank.
func rankFrom(c Color, s Square) int {
	if c == White {
		return 9 - s.Rank()
	}
	return s.Rank() - 1
}
