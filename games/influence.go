package games

// Influence is OPTIONAL: it counts how many pieces attack each square of a board of rows and
// columns, from which package play/measure tells the phase of a game.
type Influence[P comparable] interface {
	// Influence returns for each square, row by row from the top, how many pieces of the side
	// to move and of its opponent attack it. Whether the square is empty, and whose piece
	// stands on it, makes no difference.
	Influence(p P) (own, opposite []uint8)

	// Columns returns the number of columns of the board.
	Columns() int
}
