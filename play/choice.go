package play

// Choice says how the search chooses among the moves at the root. The zero Choice takes the best.
type Choice struct {
	// Jitter, if not 0, subtracts a random number in 1..Jitter from the best score so far
	// before the next move is compared with it (Nakao 2013). So a move may be chosen although
	// it is worse by less than Jitter.
	Jitter Score
	// Drift makes the score of a move that is chosen the best score so far even if it is
	// lower, as in the original: then several moves together may lose more than Jitter.
	Drift bool
	// Budget, if not 0, chooses at random among the moves that are worse than the best by at
	// most Budget. It excludes Jitter.
	Budget Score
	// Seed is that of the random numbers.
	Seed uint64
}

// random reports whether another move than the best may be chosen.
func (c Choice) random() bool { return c != Choice{Seed: c.Seed} }
