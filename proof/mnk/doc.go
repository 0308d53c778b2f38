// Package mnk is the rules of k in a row on a board of m rows and n columns a
// second time, as plainly as they can be written, for the checker of proof files.
// It shares no code with package gomoku, whose fast patterns found the proof: a
// board is a string of squares, and a win is looked for square by square.
//
// It also checks certificates: pairings, for claims to hold, and winning trees
// with zones, for claims to win. docs/proof-format.md explains both.
package mnk
