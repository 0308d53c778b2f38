// Package solver proves who wins a position, by proof-number search, and writes a proof
// that package proof can check.
//
//	s, err := solver.New(game, nil, game.Start(), solver.Config{})
//	result, err := s.Solve(ctx)
//
// # Questions
//
// A search asks whether one side, the attacker, can force a win from the root. At most two
// questions find the value: whether the side to move wins and, if not, whether the other
// side does. If neither can, the position is a draw.
//
// # Best first
//
// A node has a proof number, a lower bound on the leaves that must still be won to prove
// that the attacker wins, and a disproof number, likewise for disproving it. The search
// follows them from the root to the most-proving leaf, expands it, and updates its
// ancestors (Allis, van der Meulen, van den Herik 1994). Positions are nodes of a graph:
// mirror images and transpositions are merged. A sum would count such nodes several times,
// so a number is the largest of the children's plus one for each of the others (weak
// proof-number search: Ueda, Hashimoto, Hashimoto, Iida 2008).
//
// A move is a small record until its position is expanded; a solved node keeps only the
// move that solves it. When the tree takes half of its memory, leaves are evaluated by
// second-level searches in the other half (PN²: Allis 1994).
//
// Several goroutines search one position in the order of a single one: one of them leads, and the
// others expand leaves that it is likely to reach ([NewBackends]).
//
// # Depth first
//
// Df-pn (Nagai 2002, package dfpn) keeps the current path and a table of fixed size. It
// never runs out of memory, but expands positions again. Positions may repeat, which does
// not help the attacker. Use it for such games, and for searches too long for a tree.
//
// # Carriers
//
// Where an extra stone never hurts and a side wins by a connection ([games.Connection]), best first
// is another search: depth first, with a table of what each win needs. Such a win holds in every
// position that has it. Virtual connections (Anshelevich 2002) settle positions without a search.
// docs/monotone.md has the argument.
//
// # Threats
//
// A [Brancher] adds knowledge beyond the rules. It may leave out moves of the
// attacker; a win is still a win, but a failure that rests on such a position leaves the
// answer unknown. It may leave out moves of the defender only if they are known to lose.
//
// # Jobs
//
// A [Job] is a question for a [Backend], with the names of positions and moves, so that
// another process can do it. The [Answer] has a proof if the [Outcome] is settled: a fragment,
// which may rest on other fragments. Package manager makes jobs of one large search. Packages
// threat and alphabeta have other back ends.
//
// # Proofs
//
// A proof answers every reply of the defender. To write it, each position is searched
// again: a hash collision can cause a wrong answer, but not a proof that
// passes the check.
//
// Where positions may repeat, only wins can be written here, with lengths that strictly fall
// along every line ([ErrRepetition]). That a side holds there is proven by a tree of
// positions, see package manager.
package solver
