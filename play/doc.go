// Package play judges positions that are not solved, and chooses moves in them.
//
// A [Searcher] looks ahead from a position of any game and estimates how good it is. What it
// returns is an estimate, never a proof: package solver and databases are there to prove.
// Where a database has a position, its exact value ends the search. What can be proven of a position by other means, such
// as mates, comes from [Proofs] and from [games.Decider]s: [Searcher.Decide] asks them, and a [Query] can have them asked first.
//
// The search is a principal variation search by iterative deepening: the first move of a
// position gets the full window, all others have to show first that they are better than the
// best one so far. Positions at the end of the search are judged once no capture or other
// tactical move changes the verdict (quiescence). [Pruning] says what is not searched, or less
// deeply, since it hardly ever matters; without it the result is that of a plain minimax
// search. The parts are well known:
//
//   - principal variation search: Marsland and Campbell, "Parallel search of strongly ordered
//     game trees", ACM Computing Surveys 14 (1982)
//   - killer moves, and a narrow window around the score of the iteration before: Slate and Atkin,
//     "Chess 4.5" (1977)
//   - null moves: Donninger, "Null move and deep search", ICCA Journal 16 (1993)
//   - the history heuristic: Schaeffer, IEEE Transactions on Pattern Analysis and Machine
//     Intelligence 11 (1989); moves that were not good enough lose by it, and it decides also how much
//     later moves are reduced: Winands, van der Werf, van den Herik and Uiterwijk, "The relative
//     history heuristic", Computers and Games (2004)
//   - futility: Heinz, "Extended futility pruning", ICCA Journal 21 (1998); a position that is better
//     than beta by a margin for each ply of depth ends at once
//   - late-move reductions, which are greater where a cut is expected and where the evaluation does not
//     improve; late moves left out near the end; a ply less where the table has no move; captures and
//     drops that lose material by exchanges put last and left out near the end; and a table shared by
//     threads that search the same position: as many chess programs have them
//
// The evaluation is a weighted sum of the game's [games.Features]. Scores are in hundredths of
// a point in games with scores; otherwise they are such that [WinRate] of a score is the share
// of games that the side to move wins, which makes a pawn of shogi worth about 100.
//
// With one thread and a limit of nodes or depth a search always returns the same.
package play
