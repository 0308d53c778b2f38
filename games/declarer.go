package games

// Declarer is OPTIONAL: it is for games in which a player may declare a win instead of making a
// move, such as shogi with a king in the opponent's camp. What such a position is worth otherwise
// does not depend on it, so solvers ignore it.
type Declarer[P comparable] interface {
	// Declares reports whether the side to move may declare a win in the unfinished position p.
	Declares(p P) bool
}
