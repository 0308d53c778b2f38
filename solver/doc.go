// Package solver proves who wins a position, by proof-number search, and writes
// the proof down so that package proof can check it.
//
// # Questions
//
// A search asks whether one side, the attacker, can force a win from the root.
// The value is found by at most two questions: whether the side to move wins, and
// if not, whether the other side does. If neither can, the position is a draw. A
// yes is a proof that the attacker wins, a no one that his opponent holds.
//
// # Best first
//
// A node has a proof number, roughly how many leaves must still be won to prove
// that the attacker wins, and a disproof number for the contrary. The search
// follows them from the root to the leaf that helps most with either, expands it,
// and brings the numbers of all that depends on it up to date (Allis, van der
// Meulen, van den Herik 1994). Positions are nodes of a graph: mirror images
// are merged, and what is reached on several ways is one node. Sums would count
// such a node several times, so a node's numbers are the largest of its children's
// plus one for each of the others (weak proof-number search: Ueda, Hashimoto,
// Hashimoto, Iida 2008).
//
// A node keeps a small record for each move; a position gets its own only when it
// is expanded, and what is proven keeps nothing but the move that does it. When
// the tree has taken half of the memory that it may have, leaves are judged by a
// second search in the other half, which is then forgotten (PN²: Allis 1994).
//
// # Depth first
//
// The same numbers also guide a search that keeps only the way to the current
// position, and a table of bounded size: df-pn (Nagai 2002), by the engine of
// package dfpn. It never runs out of memory; for that it looks again at positions
// that it comes back to, or that the table has lost. Positions may come again: to
// come back to one does not help the attacker, so that to go round in circles is a
// draw.
//
// Best first is the method to begin with where both will do. Depth first is for
// games in which positions come again, and for searches that last so long that no
// tree would hold them.
//
// # Threats
//
// A [Brancher] sees more in a position than the rules say. It may
// leave out moves of the attacker: then a win is a win still, but that none was
// found says nothing, and the answer is unknown and never no. It may leave out
// moves of the defender only if they are known to lose. A no is said all the same
// if it does not rest on a position where something was left out; both methods keep
// that apart position by position.
//
// # Proofs
//
// The proof that is written leaves out nothing of the defender's: there every
// reply is answered, and what the search knew without looking is searched for. All
// positions are looked at anew, so that a proof does not rest on the hashes by
// which the table of a depth-first search finds them: if two of them were the same,
// a wrong answer could come of it, and no proof that passes a check.
//
// Where positions may come again, a win can be written down, by lengths that
// strictly fall. That a side holds for ever cannot ([ErrRepetition]).
package solver
