// Package measure says more about a position than how good it is: how hard it is to play
// ([Branching]), whether a player would resign ([Resignation]), and in which phase the game
// stands ([Evidence]). Its functions are pure: of search results and counts of attacks. Package lab/judge fits and compares
// models of resignation.
//
// They are the measures of three papers, for any game:
//
//   - Takeuchi and Iida, 「将棋における投了局面の識別」, IPSJ Journal 55 (2014): the effective
//     branching factor of a search for moves that are better than even, and the probability
//     of resignation that follows from it
//   - Esaki and Hashiyama, 「証拠理論を用いた将棋の進行状況の分類」 (2005): the phases of a game by
//     Dempster-Shafer theory
//   - Nakao (2013), whose random choice of moves is [play.Choice]
//
// Whether a measure says what its authors found is checked on games whose values are all known; see
// docs/judging.md and the pages it links to.
package measure
