// Package tictactoe is three in a row on three by three squares, the smallest game:
// docs/adding-a-game.md walks through it.
//
// A position is written row by row from row 3 down to row 1, with x and o for
// the players' marks and . for an empty square, as in "x.o/.x./..o". Player x
// begins, so the marks tell whose turn it is. A move is its square, a1 to c3,
// the column first.
package tictactoe
