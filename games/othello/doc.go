// Package othello implements Othello, also called Reversi, on 8×8 squares and on smaller
// boards.
//
// # Rules
//
// The four squares in the middle begin with two discs of each side, and X, the player of the
// black discs, moves first. A move puts a disc on an empty square so that a straight line of the
// opponent's discs lies between it and another of the mover's; all such lines are turned over.
// Whoever has no move passes, and nobody else may. The game is over when nobody can move.
//
// The value is the difference of the discs, for the side to move. Squares that are empty at the
// end count for nobody, as in the literature on small boards; with the option empty=winner they
// count for the side with more discs, as in tournaments.
//
// # Notation
//
// A position is its squares row by row from the top left, X, O or - for an empty one, then a
// blank and the side to move. The start on 4×4 is
//
//	-----OX--XO----- X
//
// An empty square may also be written as a dot. A move is its square, the column first and rows
// numbered from the top, as in f5; a pass is "pass".
//
// [Game.ParseTranscript] reads games as f5d6c3, and [ParseGGF] those in GGF.
//
// Colours do not matter to the value, so the canonical position has X to move.
package othello
