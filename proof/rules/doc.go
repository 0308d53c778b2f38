// Package rules lets [proof.Check] check by the rules of package plain, which share no code with
// package games and with what finds proofs. So check is as independent of the searches as check
// --plain, and quicker: it works on all processors and remembers less.
//
// Two things are here for speed. The search of positions that a proof of Othello leaves to the
// checker is on sets of squares, since there may be a thousand million of them; a test compares
// it with the same search by the plain rules. Package gomoku below has gomoku on sets of bits, since
// the zones of a tree are computed on millions of boards; it is compared with package plain on every
// tree that its tests have.
package rules
