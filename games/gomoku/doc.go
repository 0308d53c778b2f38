// Package gomoku implements gomoku and its relatives: k in a row on a board of m
// rows and n columns.
//
// # Rules
//
// Black, who begins, and White take turns to place a stone on an empty square. The
// first to have k stones in an unbroken line, along a row, a column or a diagonal,
// wins. A full board without such a line is a draw.
//
// The rule options are
//
//   - size: rows and columns, from 2x2 to 20x20; 15x15 by default;
//   - k: how many in a row win, from 3 to 20; 5 by default;
//   - rule: free (free-style: k or more in a row win) or exact (standard gomoku:
//     an overline of more than k does not win).
//
// With 3x3 and k=3 the game is tic-tac-toe.
//
// # Notation
//
// A square is its column, a letter from a on the left (i included), and its row, a
// number from 1 at the bottom: h8 is the centre of 15x15. Capitals are accepted.
//
// A position is written like a FEN, the top row first, with x for Black's stones,
// o for White's, and numbers for empty squares, then the side to move:
//
//	15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 o
//
// ParsePosition also accepts a dot for each empty square, in which case the slashes may be
// left out, and b or w for the side to move. Any numbers of stones are allowed. If the side
// to move is left out, it is Black, or White if Black has one stone more.
//
// [ParsePSQ] reads the files of the Piskvork manager, [Game.ParseBoard] the boards
// of the Gomocup protocol, and [Game.ParseMoveList] lists of moves such as h8i9g7. [Game.SGF] is how games are written in SGF.
//
// # Board
//
// A [Board] is for search: it places and removes stones, and counts the stones in the windows
// (k adjacent squares) that a side can still fill. Fives, fours and threes follow from these
// counts. Package solver/threat searches with it.
package gomoku
