// Package pgn splits texts in Portable Game Notation, and in PDN, its sibling for draughts, into games: their tags, the
// words for moves, comments and results. It also writes them. What a move is, a [Notation] says; games read the words.
package pgn
