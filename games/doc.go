// Package games is the contract between games and the engines that solve them.
//
// A game is a Go type that implements [Game]: it knows its rules, its notation
// and nothing else. An engine knows the contract and no game. Between the two
// lie optional capabilities, each an interface of its own that an engine looks
// for once, when it is built:
//
//   - [Indexer] numbers the positions; needed for retrograde analysis and
//     endgame databases.
//   - [Expander] and [Retractor] give successors and predecessors of a batch of
//     numbered positions. Without them an engine falls back on the moves of
//     [Game], which is slower, and on reverse edges kept in memory.
//   - [Canonicalizer] names the one position that stands for all its mirror
//     images.
//   - [Drawer] draws a board for people.
//   - [Finisher] lists the moves that end the game from a position which the
//     rules count as finished although a move is still to be made, such as
//     taking a king.
//   - [Layerer] says that a game always ends, and [Threats] see more in a position
//     than its rules say at once; for proof-number search.
//   - [Orderer] says that values are scores and not distances.
//
// # Values
//
// A [Value] is what perfect play gives to the side to move: won, drawn or lost
// with the number of plies to the end, or a net score. Larger is better for the
// side to move, whatever the order, so engines compare plain integers.
//
// # Positions and indices
//
// Retrograde engines never handle positions: they work on indices, 64-bit
// numbers that an [Indexer] gives to positions. Indices of a game form one range
// that is cut into tiers in dependency order: a move leads into its own tier
// or an earlier one. A tier begins with its open part, where a position may
// still be unfinished; behind it may lie positions that are all finished, for
// which an engine stores nothing.
//
// [UniverseOf] bundles the index side of a game for an engine.
//
// # Registry
//
// Games register themselves with [Register] under a name; [Open] turns a text
// such as "dobutsu" or "dobutsu:drops=none" into a game with these rules. What it
// returns hides the types of position and move behind any, so that a command
// can be written once for all games; engines that need speed use the game's own
// types or indices.
//
// Package gametest checks a game against every promise of the contract.
package games
