// Package app is games without type parameters, as commands and servers use them.
//
// A game has types of its own for positions and moves, and the engines are compiled for them. [New]
// joins the two, for a game with all its rule variants; it is the only function above the engines
// that is generic. What it returns opens a [Game]: its [Board], and what it has, such as databases,
// proof searches, checkers, an evaluation and readers of records. A function that is nil says that
// the game has none.
//
// A [Board] is itself a [games.Game], of positions and moves whose types are hidden. So functions
// for any game, such as [games.PlayMoves], [review.Game] and [match.Play], take it. Use it for work that
// looks at a position now and then: each call converts the position. What looks at very many of them
// is a function of the [Game], and runs on the game's own types.
package app
