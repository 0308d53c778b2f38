// Package plain checks proof files. It is small enough to be read in a sitting or two, and written
// from docs/proof-format.md alone: it imports nothing of this module, does one thing after the
// other, and has no tables but those of the rules. Package proof is the checker for daily
// use. Whoever doubts it, reads this one.
//
// Read it in this order. game.go says what the rules of a game are, reads the names of games, and
// has the boards, symmetries and hands that several games share. Each game is a file of its own:
// rows.go with gomoku, tic-tac-toe and Connect Four, hex.go, othello.go, checkers.go, dobutsu.go,
// shogi.go and awari.go. Games from files have variant.go, their rules, betza.go, how pieces move,
// variantboard.go, their positions, variantmoves.go and variantends.go. file.go has the chunks, the header and the end. check.go goes through the
// records: it keeps the nodes that have uses left by their numbers, and looks at each move and
// each reply by the rules. certificate.go has the certificates of gomoku: pairings, and trees with
// their zones.
//
// What is wrong ends the check by a panic within, which [Check] returns as an error. So each
// demand of the document is one line that begins with must.
//
// A new game is a type with the methods of [Rules], and a line in [Open]. Package proof/rules lets
// the other checker use these rules too.
package plain
