// Package uci is the Universal Chess Interface, with both sides, and what its sibling for shogi, USI, shares with it.
//
// [Engine] is an engine for a GUI, of all games that it is given. [Session] reads commands while a search runs, for it and
// for the engine of USI in package shogi; [Option] is what setoption sets. [StartClient] starts the engine of another
// program for a match, in either protocol: positions and moves are those of the game's notation.
package uci
