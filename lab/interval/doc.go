// Package interval says how far a statistic of games can be trusted: by bootstrap over games, since what is measured in
// one game depends on the rest of it.
package interval
