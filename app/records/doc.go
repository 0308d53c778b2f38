// Package records reads games that were played: in the notations of their game ([Shogi], [Checkers], [Gomoku], [Variant]), as
// lines of positions with moves, or as files of matches. [Read] is for whoever goes through games, and [Lessons] for whoever
// learns from them.
package records
