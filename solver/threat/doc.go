// Package threat proves wins in gomoku by threats, and uses threats to speed up
// proof-number search.
//
// # Searches
//
// From fast to thorough:
//
//   - [Searcher.VCF]: victory by continuous fours. Each four leaves the defender one
//     reply. The search is complete.
//   - [Searcher.ThreatSpace]: fours and threes, by threat-space search (Allis, van den
//     Herik & Huntjens, "Go-Moku solved by new search techniques", 1993). All replies
//     that parry a threat are placed at once; a win found in this way is checked against
//     each reply. It is fast, and may miss wins.
//   - [VCT]: victory by continuous threats, by df-pn over the attacker's threats. It
//     finds every such win if its limits allow.
//   - [Prover]: attacks that also have quiet moves, by proof-number search
//     ([solver.Attack]). The attacker's win after a null move of the defender is found
//     by threats or, after a quiet move, by the same search: then the null move is a
//     node of the tree, and the replies follow when it is proven.
//
// [NewDecider] returns what decides positions before they are judged: wins of either side by
// threats. [NewBrancher] returns the brancher with which
// [solver.Solver] finds the value of a position: wins by threats, replies that cannot
// matter, and positions that the defender holds by a pairing or by weights.
//
// # Null moves and relevance zones
//
// Which replies matter is found by a null move: if the attacker wins after it by a
// tree, only replies in the tree's relevance zone ([Tree.Zone]) can have an effect
// (Thomsen, "Lambda-search in game trees, with application to Go", 2000; VCT is a
// lambda search of order 2). And a win against one reply answers all replies outside
// its own zone too.
//
// # Trees
//
// A win is returned as a [Tree], with an answer to every reply, and
// [Prover.WriteProof] writes it as a file for package proof. Trees are built from the
// search results by searching each position again, so they do not rest on hashes. If a
// search finds nothing, the attacker may still win, except where its verdict is
// [Refuted]: then there is no win of the kind searched for.
//
// # Invariants
//
// Built with the tag verifyclaims, the package verifies each claim as it is made (a
// win, a zone, an answer that serves another reply, a position held), by full-width
// search on small boards, and panics if one is false. The short tests run in this way too.
package threat
