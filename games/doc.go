// Package games is the contract between games and the engines that solve them.
//
// A game is a Go type that implements [Game]: its rules and its notation. Games do not depend
// on engines, and engines depend on this contract only, not on any game. Everything else is
// optional: each capability is a separate interface. An engine checks for it once, when it is
// built, and does without it if it can.
//
//   - [Indexer] numbers the positions for retrograde analysis and databases. Without
//     it [Number] does so, for up to 2^28 reachable positions.
//   - [Expander] and [Retractor] give successors and predecessors of a batch of
//     numbered positions; they make an analysis fast. [Counter] counts those that need no number.
//   - [Settler] finds results of many positions at once, where every move leads to the tier before.
//   - [Canonicalizer] names the position that stands for all its mirror images.
//   - [Layerer] says that a game always ends.
//   - [Monotone] says that an extra stone never hurts, and [Connection] how a side wins then.
//   - [Features] describe a position for an evaluation, [Tactics] and [Passer] how to search with it, and
//     [MoveFeatures] moves, for the probability that they are played.
//   - [CursorMaker] makes cursors, for searches of many positions.
//   - [Influence] counts the pieces that attack each square.
//   - [Scorer] gives a game scores instead of wins and losses as values.
//   - [Describer] describes boards and moves as data, for the explorer.
//   - [Drawer] draws a board, [MoveParser] reads moves, and [Finisher] shows the last
//     move of a game that counts as over before it is made.
//
// # Values
//
// A [Value] is what perfect play gives to the side to move: a win, draw or loss with
// the number of plies to the end, or a net score. Larger is better for the side to
// move, whatever the order, so engines compare plain integers.
//
// # Positions and indices
//
// Retrograde engines handle indices, not positions: 64-bit numbers that an [Indexer]
// gives to positions. The indices of a game form one range that is cut into tiers in
// dependency order: a move leads into its own tier or an earlier one. A tier begins with
// its open part, where a position may be unfinished. The positions after it are all
// finished, and an engine stores nothing for them. A [Universe] is the index side of a
// game as an engine sees it; [UniverseOf] makes one.
//
// # Families
//
// A [Family] is a game with all its rule variants. [Family.Open] turns a text such as
// "dobutsu:drops=none" into a game with these rules. A program lists the families that
// it offers; see packages app and cmd.
//
// Package gametest checks a game against every promise of the contract.
package games
