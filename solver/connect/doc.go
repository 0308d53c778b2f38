// Package connect searches games in which the side wins that has a chain of stones between its two edges, as
// in Hex: see [games.Connection]. A carrier of a win is a set of squares, so the search needs no positions of a game.
// It finds carriers by virtual connections, and uses each in all positions where its squares allow it: see
// docs/monotone.md.
package connect
