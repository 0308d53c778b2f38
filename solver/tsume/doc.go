// Package tsume solves tsume-shogi: problems in which the attacker mates by
// giving check with every move, against any legal defence.
//
// It combines the rules of games/shogi and the search of dfpn with what is special about
// these problems: the more the attacker holds, the less the defender does, and the easier is the
// mate; and a piece dropped between the checking piece and the
// king only to be captured, with mate as before, does not count in the length.
//
//	problem, err := tsume.ParseProblem("4k4/9/4P4/9/9/9/9/9/9 b G 1", tsume.Reading{})
//	table, err := dfpn.NewTable(256 << 20)
//	solution, err := tsume.Solve(ctx, problem, table, tsume.Options{})
//
// The answer is a proven mate, or a proof that there is none, or unknown if a limit was
// reached.
//
// [NewDecider] looks for mates in the positions of games, where most have none: by the side to move, and by its
// opponent.
package tsume
