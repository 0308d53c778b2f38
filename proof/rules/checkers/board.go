package checkers

// The letters of pieces: b and w are men of Black and White, B and W their kings.
const (
	black = 'b'
	white = 'w'
	// jumped stands for a piece that was captured and is still on the board.
	jumped = 'x'
	// crown is the bit that is set in a man and not in a king.
	crown = 'b' - 'B'
)

// Position is a position. A square has the index of its number minus 1; an empty square is 0.
type Position struct {
	board [32]byte
	white bool // White is to move
}

// sides returns the men of the side to move and of the other side.
func (p *Position) sides() (own, other byte) {
	if p.white {
		return white, black
	}
	return black, white
}

// directions are the rows and columns of steps, those of Black's men first.
var directions = [4][2]int{{1, -1}, {1, 1}, {-1, -1}, {-1, 1}}

// directionsOf returns the first of a piece's directions and the end of them.
func directionsOf(piece byte) (first, end int) {
	switch piece {
	case black:
		return 0, 2
	case white:
		return 2, 4
	}
	return 0, 4
}

// off stands for a square off the board.
const off = 255

// steps returns the square to which each direction leads from each square, or off.
func steps(side int) (next [32][4]uint8) {
	for square := range next {
		row := square / (side / 2)
		column := 2*(square%(side/2)) + 1 - row%2
		for d, by := range directions {
			next[square][d] = off
			if r, c := row+by[0], column+by[1]; r >= 0 && r < side && c >= 0 && c < side {
				next[square][d] = uint8((r*side + c) / 2)
			}
		}
	}
	return next
}

// crowned returns what a piece becomes on a square.
func (g *Game) crowned(piece, square byte) byte {
	row := int(square) / (g.side / 2)
	if piece == black && row == g.side-1 || piece == white && row == 0 {
		return piece - crown
	}
	return piece
}
