// Package tsume solves tsume-shogi: problems in which the attacker mates by
// giving check with every move, against any legal defence.
//
// It joins the rules of games/shogi and the search of dfpn with what is particular
// to these problems: the defender holds every piece that is not on the board and
// not in the attacker's hand; a position is the easier to mate the more the
// attacker holds; a piece that is dropped between a checking piece and the king
// only to be captured, with mate as before, is not counted in the length.
//
//	p, err := shogi.ParseSFEN("4k4/9/4P4/9/9/9/9/9/9 b G 1")
//	problem, err := tsume.NewProblem(p, tsume.Natural)
//	table, err := dfpn.NewTable(256 << 20)
//	solution, err := tsume.Solve(ctx, problem, table, tsume.Options{})
//
// A solution is a mate, or the proof that there is none, or neither if a limit of
// nodes or time was reached: an answer that is not certain is never given.
package tsume
