// Package checkers implements checkers, also called English draughts, on 8×8 squares and
// on smaller boards.
//
// # Rules
//
// The pieces stand on the dark squares. Black begins with men on the three rows nearest to
// him, two on 6×6 and one on 4×4, White on the opposite ones; Black moves first. A man steps
// diagonally forward to an empty square, a king also backward. A piece captures by jumping
// over an adjacent piece of the opponent to the empty square behind it, a man only forward.
// A player who can capture must do so. He may choose any route, but must go on as long as the
// piece can capture. Captured pieces are removed. A man that reaches the last row becomes a
// king and ends the move. A player who cannot move has lost. Repetition is a draw.
//
// # Notation
//
// Positions and moves are written as in PDN. Dark squares are numbered from Black's side,
// 1 to 32 on 8×8; a position is the side to move, White's squares and Black's, with K
// before kings:
//
//	B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12
//	W:WK3,18:BK30,K31
//
// Ranges such as 21-32 are read too, and numbers of moves such as :H0:F1 at the end are
// skipped. A move is the square that the piece leaves and the one it goes to, 11-15; a capture
// lists all squares on which the piece lands, 22x15x8. Squares in between may be left out if
// only one capture fits, or if all that fit lead to the same position. [Game.ParsePDN] reads
// whole games and [Game.AppendPDN] writes them; docs/checkers.md says what is read.
//
// # Index
//
// The option pieces limits the number of pieces, so that the positions can be numbered: at
// most ten pieces on 8×8, all on smaller boards. A position is seen from the side to move;
// colours do not matter. There is a tier for each material, such as KM-K, whichever side is
// to move. Tiers are ordered by number of pieces, then by number of men, since a man may
// become a king. All positions in which the side to move has no piece share index 0, in a
// tier of their own.
//
// In a tier the positions in which the side named first is to move come first. The positions
// of a side are ordered by
//
//  1. the number of the mover's men in the first row, then these men,
//  2. the mover's other men, then the opponent's men on the squares left to them,
//  3. the mover's kings, then the opponent's, on the squares left.
//
// The rank of a set of squares is the sum of C(s_i, i), where s_i is the number of its i-th
// square, counting the free squares from 0. There are no holes: docs/checkers.md has the
// numbers.
package checkers
