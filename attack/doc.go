// Package attack proves that a side wins in gomoku by moves that are not all
// threats: from positions with a few stones, where no victory by continuous
// threats exists yet.
//
// # Three levels
//
// Each level finds the defender's replies that matter by letting him pass: if the
// attacker wins then by a tree of the level below, only moves in that tree's zone
// have an effect (Thomsen, "Lambda-search in game trees, with application to Go",
// 2000).
//
//   - Continuous fours and threat-space search, and df-pn over threats behind them
//     (packages gomoku and vct), win by forcing moves alone.
//   - Proof-number search ([solver.Attack]) over moves of the attacker each of which
//     leaves him such a win if the defender passes, as Allis, van den Herik and
//     Huntjens did ("Go-Moku solved by new search techniques", 1996).
//   - A [Prover] tries moves of the attacker after which he wins in that way if the
//     defender passes, and proves each reply in the zone by proof-number search,
//     or in the same way again. A win against one reply answers all the
//     replies outside of its own zone too, which leaves few of them.
//
// # What is proven
//
// A win is returned as a [gomoku.Tree] with an answer to every reply. It is built
// from what the searches know by looking at each position anew. That nothing was
// found says nothing.
package attack
