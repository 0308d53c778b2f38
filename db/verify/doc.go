// Package verify checks a finished database. [Run] reads it whole, checks every
// checksum, and derives every value from the values of the successors.
//
// It shares no code with the solver's propagation: package retro works backwards
// from the terminal positions, this package looks forward from each position once
// more. Both rest on the game's Expander, so a bug in the game's rules is found by
// neither; package gametest is for those.
package verify
