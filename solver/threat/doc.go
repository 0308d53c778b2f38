// Package vct finds victories by continuous threats in gomoku: wins in which each
// move of the attacker is a four or a three, or stops a four of the defender and
// keeps up a threat.
//
// The search is df-pn, by the engine of package dfpn. Three things keep it small:
//
//   - The attacker's moves are his threats. What is not found in this way may
//     still be a win by quiet moves.
//   - A move counts as a threat if the attacker would have a victory by
//     continuous fours, were the defender to pass; this win is found by package
//     gomoku.
//   - The defender's replies are the empty squares of the zone of that win: a
//     stone on any other has no effect on it.
//
// A win is returned as a tree that holds an answer to every reply, with which it
// can be played, checked and written down without this package. It is built from
// the table of the search by looking at each position anew, so it does not rest
// on hashes.
//
// Threats as the moves of the attacker: Allis, van den Herik & Huntjens, "Go-Moku
// solved by new search techniques", 1993. Replies found by letting the defender
// pass: Thomsen, "Lambda-search in game trees, with application to Go", 2000, where
// this is a lambda search of order 2.
package threat
