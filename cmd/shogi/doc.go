// Package shogi is what the program has for shogi alone: the command tsume, which solves and judges mate problems,
// usi, bench tsume, and the records of games in KIF, KI2, CSA and USI. [Extra] is what it has beyond other games;
// [Commands] and [Benches] go into the list of games.
//
// The command usi is an engine for a GUI over the Universal Shogi Interface (usi.go for the protocol and mates,
// usi_play.go for moves). What that has in common with UCI, and the other side of both, is in package uci.
package shogi
