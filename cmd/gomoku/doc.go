// Package gomoku is what the program has for gomoku alone: the command gomoku, which finds wins by fours and threes,
// gomocup, and games in PSQ. [Extra] is what it has beyond other games; [Commands] go into the list of games.
//
// The Gomocup protocol is here with both sides. [Serve] is a player for the manager of a tournament, and gomocup.go
// describes the protocol. [StartClient] starts such a player, as match does for a player @gomocup, in any game in which
// a move puts one stone on a square board.
package gomoku
