// Package gomokutest helps to test claims about gomoku positions: [Solver] solves small
// positions by plain full-width search, and [Generator] makes positions that test reasoning
// about threats.
//
// It shares no code with package gomoku, the searches, or the checker of proof files.
package gomokutest
