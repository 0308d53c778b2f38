// Package gomoku is an independent implementation of the rules of k in a row on a board of m
// rows and n columns, for checking proofs: a position is a string of squares, and lines are
// looked for in sets of bits. It shares no code with package games/gomoku, whose patterns were
// used to find the proof.
//
// It also checks certificates: pairings, for claims to hold, and winning trees with
// relevance zones, for claims to win or to hold. docs/proof-format.md explains both, and
// [Game.Follow] plays by them.
//
// [Open] accepts the game "gomoku" with all rule options of package games/gomoku.
package gomoku
