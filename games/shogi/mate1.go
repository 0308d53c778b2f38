package shogi

// MateInOne returns a move of the side to move that mates, and false if there is
// none. It is exact and complete: it finds a mate whenever there is one.
func (b *Board) MateInOne() (Move, bool) {
	var list [MaxMoves]Move
	for _, m := range b.AppendChecks(list[:0]) {
		b.Do(m)
		mated := b.Mated()
		b.Undo()
		if mated {
			return m, true
		}
	}
	return NoMove, false
}
