// Package gametest checks that a game keeps the promises of the contract in package
// games. A game that passes [Run] works with the engines.
//
// A game's own test needs little more than
//
//	func TestConformance(t *testing.T) { gametest.Run(t, New()) }
//	func FuzzText(f *testing.F)        { gametest.FuzzText(f, New()) }
//	func TestPerft(t *testing.T)       { gametest.Perft(t, New(), "startpos", 9, 72, 504) }
package gametest
