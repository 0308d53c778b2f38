// Package hex is an independent, deliberately simple implementation of the rules of Hex: a board
// is a list of squares, and a chain is followed from stone to stone. It shares no code with package
// games/hex, so a proof checked by these rules does not depend on bitboards or on groups that a
// search keeps.
//
// [Open] accepts "hex" with the options size and swap as package games/hex has them.
package hex
