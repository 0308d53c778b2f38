// Package shogi knows shogi on nine by nine squares: its rules, boards for
// searches, and the usual notations.
//
// A [Position] is a value: the board, the hands and the side to move. A [Board]
// is a position on which moves are done and undone, kept in bitboards; it
// generates legal moves, checks and evasions, and keeps a hash.
package shogi
