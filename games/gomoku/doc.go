// Package gomoku implements gomoku and its relatives: k in a row on a board of m
// rows and n columns.
//
// # Rules
//
// Black, who begins, and White place a stone on an empty square in turn. The first to
// have k stones in an unbroken line, along a row, a column or a diagonal, wins. A
// full board without such a line is a draw.
//
// The rule options are
//
//   - size: rows and columns, from 2x2 to 20x20; 15x15 is usual;
//   - k: how many in a row win, from 3 to 20; five are usual;
//   - rule: free (k or more stones in a row win, free-style) or exact (exactly k
//     win, standard gomoku; more than k are an overline, which does
//     not win).
//
// With 3x3 and k=3 the game is tic-tac-toe.
//
// # Notation
//
// A square is its column, a letter from a on the left (i included), and
// its row, a number from 1 at the bottom: h8 is the centre of the usual board.
// Capitals are accepted.
//
// A position is written like a FEN, the top row first, with x for Black's stones,
// o for White's, and numbers for empty squares, then the side to move:
//
//	15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 o
//
// Squares may also be written one by one, with a dot for each empty one, with or
// without the slashes between the rows, and the side to move as b or w. If it is
// left out, the numbers of stones decide: White's turn if Black has one more. With
// the side to move given, any numbers of stones are allowed.
//
// [ParsePSQ] reads the files of the Piskvork manager, [Game.ParseBoard] the boards
// of the Gomocup protocol.
//
// # Board
//
// A [Board] is for search: it places and removes stones, and knows the windows (k
// adjacent squares) that a side can still fill, by how many stones they have. From
// these it tells fives, fours and threes. Package solver/threat searches with it.
package gomoku
