// Package proof writes, reads and checks proof files: certificates of the value
// of a position that anyone can check who knows the rules of the game.
//
// # What is proven
//
// A [Claim] is that one side wins, or that it holds: that the other side cannot
// force a win. The value of a position is one or two claims: a win is that the
// side to move wins, a draw is that both sides hold.
//
// The side that a claim is about is its claimant. A proof is an AND/OR graph. At
// an [Or] node the claimant is to move and the proof has one move; at an [And]
// node the opponent is to move and the proof has nothing to say: whoever checks
// it generates all replies. Each reply must lead to
//
//   - a position that the rules decide in the claimant's favour, or
//   - one in which the claimant can make such a position at once, or
//   - a node of the proof.
//
// A [Certified] node ends the graph early: a certificate that belongs to the game
// shows that the claim holds there, such as a pairing of squares. A game that can
// check certificates is a [Certifier].
//
// # Why a circular argument is impossible
//
// Nodes come after those that they refer to, so that references only point
// backwards, and every node has a rank that is larger than those of its children:
// for a win, an upper bound of the plies to its end.
//
// Where positions can come again a side may hold by going round in circles: a claim to
// hold may rest on nodes [Ahead], which later nodes prove. For a win that would be
// circular, and [Check] refuses it.
//
// # Databases
//
// A proof may rest on a [Database], named by its checksum. Positions that it has count as
// finished. What it says is trusted: package db/verify checks databases.
//
// # Positions
//
// A position is its text in the game's notation, never a hash. Nodes stand for a
// position and all its mirror images; any of them may be written. The game that
// checks finds the canonical one by itself.
//
// # Memory
//
// A node says how many references to it will come. [Check] forgets a node after
// the last, so that it needs memory for those only that are still to be referred
// to, however long the file is.
//
// # Play
//
// [Graph] walks through a file, and a [Player] plays by files, without a search. A game whose
// proofs have certificates is a [Follower].
//
// docs/proof-format.md draws the format. This package imports no engine: what
// checks a proof shares nothing with what found it but the rules of the game,
// and the packages below proof/rules have those of some games a second time.
package proof
