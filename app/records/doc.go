// Package records reads and writes games that were played. It is the one way in for the command, the page and the API.
//
// A game has a list of formats, such as [Othello] and [Shogi], each of which recognises its texts, reads them, and mostly writes
// them too. Besides these, every game is read from lines of positions with moves, and from what match --notation writes.
// [Games] finds the games of which a text may be a record; [Read] reads it for whoever goes through games, [Lessons] for
// whoever learns from them, and [Write] writes games with remarks. A text in none of the formats is refused, with
// a list of them.
package records
