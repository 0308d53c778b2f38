// Package gomocup speaks the protocol by which the managers of gomoku tournaments
// (Piskvork, Gomocup) talk to playing programs: lines of text on standard input
// and output.
//
// These commands are answered:
//
//	START n          a new game on n x n squares: OK, or ERROR
//	RECTSTART x,y    a new game on x columns and y rows
//	RESTART          a new game on the same board
//	BEGIN            move first: x,y
//	TURN x,y         the opponent has moved there: x,y
//	BOARD, x,y,f, …, DONE    a position (f: 1 own, 2 opponent's): x,y
//	TAKEBACK x,y     take a stone from the board: OK
//	INFO key value   rule 0 or 1 (exactly five) is obeyed; the rest is ignored
//	ABOUT            who this is
//	END              ends the session
//
// Coordinates are counted from 0 at the top left. Whatever is not understood is
// answered by UNKNOWN or ERROR with the reason, and changes nothing.
package gomocup
