// Package proof writes, reads and checks proof files: certificates of the value of a position
// that can be checked with nothing but the rules of the game.
//
// # What is proven
//
// A [Claim] says that one side wins, or that it holds, which means that the other side cannot
// force a win. One or two claims express the value of a position: it is a win if the side to
// move wins, and a draw if both sides hold.
//
// The side that a claim is about is its claimant. A proof is an AND/OR graph. At
// an [Or] node the claimant is to move and the proof has one move; at an [And]
// node the opponent is to move and the proof lists no moves: the checker generates all
// replies. Each reply must lead to
//
//   - a position that the rules decide in the claimant's favour, or
//   - one from which the claimant can reach such a position at once, or
//   - a node of the proof.
//
// A [Certified] node ends the graph early: a certificate specific to the game, such as a
// pairing of squares, shows that the claim holds there. A game that can check certificates is
// a [Certifier].
//
// # Why a circular argument is impossible
//
// A node comes after the nodes that it refers to, so references only point backwards. The
// rank of a node is larger than the ranks of its children; for a win it is an upper bound on
// the number of plies to the end.
//
// Where positions can repeat, a side may hold by going round in circles. A claim to hold may
// therefore rest on [Ahead] nodes, which later nodes prove. For a win that would be circular,
// and such a file is refused.
//
// # Databases
//
// A proof may rest on a [Database], named by its checksum. The positions in it count as
// finished. Its values are trusted: package db/verify checks databases.
//
// # Positions
//
// A position is stored as its text in the game's notation, never as a hash. A node stands for
// a position and all its mirror images, and any of these may be stored. The checker has its
// game find the canonical one.
//
// # Memory
//
// A node states how many references to it will follow. [Check] forgets a node after the last
// of them. So, however long the file is, it needs memory only for the nodes that still have
// references to come.
//
// # Values
//
// What a checked proof says about each of its positions is collected in [Values], for judges.
//
// # Play
//
// A [Graph] looks up the nodes of a file, and a [Player] plays by proof files without a
// search. To play by certificates too, it needs a game that is a [Follower].
//
// docs/proof-format.md draws the format. This package imports no engine: the checker of a
// proof shares at most the rules of the game with the engine that found it. Package proof/plain is
// a second checker, with rules of its own, and package proof/rules lets this one check by them.
package proof
