// Package alphabeta searches a position to a limited depth, and distinguishes what is
// proven from what is only estimated.
//
//	s, err := alphabeta.New(game, alphabeta.Config[P]{Nodes: 1_000_000})
//	result, err := s.Search(ctx, position)
//
// # Two answers
//
// A result has a score and bounds. The score is that of an alpha-beta search (Knuth, Moore
// 1975): it rests on the game's [games.Features] where the search has ended. The bounds,
// such as "at least a draw", rest on the rules and on databases alone:
//
//   - a terminal position, or one in a database, has an exact value;
//   - a position is worth at least the best lower bound of the moves searched;
//   - it is worth at most the best upper bound of its moves, if all were searched.
//
// So a bound is the root of a finite tree of proven positions. A search that its window
// cuts short leaves wider bounds, never wrong ones.
//
// # Repetition
//
// A position that repeats on the path scores 0 but proves nothing, so that bounds hold
// whatever was played before. Its score depends on the path, and so do the scores of the
// positions between the two occurrences. These are not kept in the table; their bounds are
// (on graph-history interaction: Campbell 1985; Kishimoto, Müller 2004). Entries hold whole
// positions, not only hashes.
//
// # Search
//
// Depth grows by one ply at a time. Moves are ordered by the table, killer moves (Akl,
// Newborn 1977) and the history of cut-offs (Schaeffer 1989); all but the first are searched
// with a null window (Pearl 1980; Marsland, Campbell 1982). At depth 0 a position that is
// not quiet is searched further, with all its moves.
//
// A [Searcher] is deterministic as long as it is limited by depth or nodes.
package alphabeta
