// Package plain checks proof files of gomoku, tic-tac-toe and Connect Four, formats 2 to 4
// without a database. It is small enough to be read in a sitting, and written from
// docs/proof-format.md alone: it imports nothing of this module, does one thing after the
// other, and has no tables but those of the rules. Package proof is the checker for daily
// use. Whoever doubts it, reads this one.
//
// Read it in this order. board.go has the rules: squares, windows of k squares, lines,
// symmetries, and the texts of positions. file.go has the chunks, the header and the end.
// check.go goes through the records: it keeps the nodes that have uses left by their numbers,
// and looks at each move and each reply by the rules. certificate.go has the certificates of
// gomoku: pairings, and trees with their zones.
//
// What is wrong ends the check by a panic within, which [Check] returns as an error. So each
// demand of the document is one line that begins with must.
package plain
