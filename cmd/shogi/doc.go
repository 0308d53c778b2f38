// Package shogi is what the program has for shogi alone: the command tsume, which solves and judges mate problems,
// usi, bench tsume, and the records of games in KIF, KI2, CSA and USI. [Extra] is what it has beyond other games;
// [Commands] and [Benches] go into the list of games.
//
// The Universal Shogi Interface is here with both sides. The command usi is an engine for a GUI (usi.go for the
// protocol and mates, usi_play.go for moves). [StartClient] starts an engine, as match does for a player @usi, in any
// game: positions and moves are those of the game's notation.
package shogi
