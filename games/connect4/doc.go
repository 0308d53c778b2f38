// Package connect4 is Connect Four on boards of any size: discs fall into columns, and
// the first to have four in a row, in any direction, wins. A full board is a draw. It
// is the fast game of docs/capabilities.md.
//
// A position is written row by row from the top, with x and o for discs and . for an
// empty square, as in "..../..../.o../.xx." on 4×4. Player x begins, so the discs tell
// whose turn it is. A move is its column, a to g on the usual board.
//
// # Index
//
// Every move adds a disc, so the positions with the same number of discs are a tier,
// the full board first. In a tier with d discs a position is numbered by the heights
// of its columns and then by which of the d discs, read column by column from the
// bottom, are x's:
//
//	index = start of the tier + rank of heights × C(d, number of x) + rank of colours
//
// Of a position and its mirror image only one has an index, the one whose bits in [Position]
// are the smaller number. The index of the other is a hole, as are the indices of positions
// in which the game was over before the last move.
//
// [Game.ParseDigits] reads a game as the digits of its columns.
package connect4
