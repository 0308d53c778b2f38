// Package hex implements Hex on boards from 3×3 to 11×11.
//
// # Rules
//
// The board is a rhombus of hexagons. Player x begins; the players put stones on empty squares by
// turns. Whoever connects his two edges by a chain of his stones wins: x the top and the bottom, o
// the left and the right. One of them always does. A square has six neighbours: those beside it in
// its row and its column, the one above to the right and the one below to the left.
//
// With the option swap=yes, o may answer the first stone by the move "swap", and takes it over:
// the stone becomes one of o's on the square with row and column exchanged, which is its place seen
// from the other side. Then x is to move.
//
// # Notation
//
// A position is its rows from the top with / between them, x, o or . for an empty square, then a
// blank and the side to move, as in "..x/.o./... x". A move is its square, the column first and
// rows numbered from the top, or "swap". [Game.SGF] is how games are written in SGF.
package hex
