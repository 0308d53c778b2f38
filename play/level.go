package play

// Levels is the number of strengths, from 1 (beginner) to Levels (strong).
const Levels = 10

// Level returns how a player of strength n, 1 to [Levels], searches and chooses its moves. Only the
// strongest may use a database of exact values: with one, even a beginner would hardly lose a won game. For the same
// reason those that choose at random, up to Levels-2, do not ask deciders; see [Query].
func Level(n int) (l Limits, c Choice, database bool) {
	if n == Levels {
		return Limits{Nodes: 1_000_000}, Choice{}, true
	}
	budget := Score(25 * (9 - n))
	if n == 1 {
		budget = 300 // with 200 it is as good as the next level in games of few moves
	}
	return Limits{Nodes: 20 << n}, Choice{Budget: budget}, false
}
