package games

// Class is a range of indices of positions with the same pieces on the board and the same side to move.
type Class struct {
	Name   string // such as KQvKR: the first side's pieces, then the second's
	Side   int    // 1 or 2: whose move it is
	Both   bool   // the same positions with sides exchanged have no indices of their own
	Pieces int
	Start  uint64
	Size   uint64
}

// Labelled is the result of a [Classed] for a batch of positions. Its memory is reused from batch to batch.
type Labelled struct {
	// Status has an entry for each position of the batch, as in [Expansion].
	Status []Value
	// Ways has for each position how many there are when like pieces are told apart: with n like pieces n! unless a symmetry
	// of the board that maps the position to itself exchanges some of them.
	Ways []uint32
}

// Classed is OPTIONAL: the indices of a game are by classes of material.
type Classed interface {
	// Classes returns the classes in the order of their indices. Positions of none, such as those with a capture in passing,
	// are between them.
	Classes() []Class
	// Label replaces the contents of out with what it says of the positions with the given indices. It retains neither
	// argument and is safe for concurrent use.
	Label(indices []uint64, out *Labelled)
}
