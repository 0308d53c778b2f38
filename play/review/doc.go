// Package review goes through a game that was played: what each position was worth, where something was
// given away, how hard the positions were, and when the opening was over.
//
// Each position is judged by itself, so a review does not depend on threads. A position whose value is known
// has that value; any other has an estimate by a search, and a [Row] never mixes the two.
package review
