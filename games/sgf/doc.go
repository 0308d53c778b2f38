// Package sgf reads and writes games in SGF (Smart Game Format), FF[4]: gomoku (GM[4]), Othello (GM[2]) and Hex (GM[11]).
//
// A text is a list of trees in parentheses. A tree has nodes, which begin with a semicolon, and a node has properties, which are
// capitals with values in brackets:
//
//	(;GM[4]SZ[15]PB[Ann]PW[Bob];B[hh]C[the middle];W[hg](;B[ii])(;B[gg]))
//	 └ the root ──────────────┘└ Black's first move ┘     └ variations ─┘
//
// [Parse] reads the trees of any game, and keeps all that they say. A [Dialect] is what a game adds: how squares and moves
// are written. [Dialect.Replay] plays the game of a tree, from each node to its first child; [Dialect.New] makes a tree.
package sgf
