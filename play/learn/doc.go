// Package learn fits the weights of a game's [games.Features] to games that were played and to
// exact values.
//
// A fit minimises a sum over [Examples]. Each is a sum of weights, and a loss says what it should
// be:
//
//   - [Result]: the evaluation of a position, as a probability to win, against the result of the
//     game, the score of a deeper search, or an exact value; logistic regression
//   - [Points]: the same in games with scores, in points; least squares
//   - [Comparison]: the difference between what another move leads to and what the move played
//     leads to. The loss is a sigmoid of it, so that a move counts that is judged better than the one
//     played (comparison training: Tesauro, "Comparison training of chess evaluation
//     functions" (2001); Sato and Takahashi, 「対局に基づいた教師データの重要度の学習」, IPSJ Journal 55
//     (2014))
//
// A position stands for the one in which a quiescence search from it was judged, by the weights
// with which the fit begins: a [Teacher] finds that.
//
// A feature weighs as much as its own weight and those of the coarse features that stand for it,
// and all of them are fitted. Steps are those of Adagrad (Duchi, Hazan and Singer, Journal of
// Machine Learning Research 12 (2011)) with a proximal step for the L1 norm, so that a weight
// without enough evidence is 0. Some games are held out; the weights that are best for them are
// the result, and the fit stops once they get worse.
//
// A fit is deterministic. One that was stopped goes on from its last epoch with the same result.
package learn
