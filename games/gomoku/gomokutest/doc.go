// Package gomokutest helps to test claims about gomoku positions: [Solver] decides
// small ones by plain full-width search, and [Generator] makes positions that probe the
// arguments about threats.
//
// It shares no code with package gomoku, the searches, or the checker of proof files.
package gomokutest
