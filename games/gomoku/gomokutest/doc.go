// Package gomokutest helps to test what is said about gomoku positions: [Solve]
// decides small ones by plain full-width search, and [Generator] makes positions in
// which arguments about threats are at their thinnest.
//
// It shares no code with package gomoku and its searches, nor with the checker of
// proof files.
package gomokutest
