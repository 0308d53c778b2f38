// Package othello is an independent, deliberately simple implementation of the rules of
// Othello: a board is a list of squares, and a move walks along the eight lines from its square.
// It shares no code with package games/othello. The nodes of a proof are checked on these lists.
// Positions that a proof leaves to a search are searched on sets of squares, which are quicker; a test
// compares that search with the one on lists.
//
// [Open] accepts "othello" with the options size and empty as package games/othello has them.
package othello
