// Package weigh finds out how much parts of the data should count in a fit, by what wins games.
//
// Each individual has a weight for every part of the data, such as the positions at one stage of games, and an
// evaluation that was fitted with these weights. The individuals play each other, and their Elo ratings are
// the fitness of an evolution: a normal distribution of the weights moves towards the two best individuals
// and away from the worst, which is replaced by one drawn from it (Sato and Takahashi,
// 「対局に基づいた教師データの重要度の学習」, IPSJ Journal 55 (2014); the distribution is that of PBILc:
// Sebag and Ducoulombier, "Extending population-based incremental learning to continuous search spaces",
// PPSN V (1998)).
//
// [Search] knows neither games nor evaluations: a [Field] makes the individuals and lets them play. [Players]
// is that of a game. A search is deterministic, and one that was stopped goes on with the same result.
package weigh
