// Package policy learns how probable moves are, from the moves of games: a [Policy] is fitted to [Choices] by
// [FitRealization], a fit of examples with one for each move, or by [FitStrengths]. [Predict] says how well it predicts
// other games; package uct plays by it.
package policy
