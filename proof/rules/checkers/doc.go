// Package checkers is an independent, deliberately simple implementation of the rules of
// checkers: a board is a list of squares, and a capture is tried jump by jump. It shares no
// code with package games/checkers, so a proof checked by these rules does not depend on
// bitboards, indices or anything else that a search uses.
//
// [Open] accepts the games "checkers", "checkers:size=6x6" and "checkers:size=4x4", and each
// of them with a limit on the number of pieces, such as "checkers:size=6x6,pieces=5".
package checkers
