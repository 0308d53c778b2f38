// Package uct plays games without an evaluation: it plays each game on to its end by chance, and goes more often where that
// has ended well (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006).
//
// A [policy.Policy] can choose the moves of playouts, in the place of chance alone, and say which moves
// to try first (as a prior: Rosin, "Multi-armed bandits with episode context", Annals of Mathematics and Artificial
// Intelligence 61 (2011)). The package is there to measure policies.
package uct
