// Package verify checks a finished database. [Run] reads it whole, checks every
// checksum, and derives every value from the values of the successors.
//
// It shares no code with the solver's propagation: package retro works backwards from the
// terminal positions; this package looks forward from each position. Both rely on the
// game's Expander, so neither finds a bug in the game's rules; package gametest is for
// those.
package verify
