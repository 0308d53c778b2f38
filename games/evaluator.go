package games

// Evaluator is OPTIONAL: it estimates how good a position is. Without it a depth-limited
// search has only the values that the rules and databases prove.
type Evaluator[P comparable] interface {
	// Evaluate returns a score of the unfinished position p for the side to move,
	// between -[MaxScore] and MaxScore; 0 means even.
	Evaluate(p P) int

	// Quiet reports whether the score of an unfinished position can be trusted
	// because nothing is about to be captured. If not, a search looks further.
	Quiet(p P) bool
}
