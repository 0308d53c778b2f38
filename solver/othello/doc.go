// Package othello finds the score of a position of Othello with many empty squares, and writes its
// proof.
//
//	s, err := othello.New(game, game.Start(), othello.Config{Dir: "6x6.tree", Settle: settle})
//	lower, upper, err := s.Solve(ctx)
//	header, err := s.Prove(ctx)
//	err = s.WriteProof(w)
//
// # Search
//
// It asks whether the side to move gets at least so many points, by an alpha-beta search with a
// window of one point, and asks again until one score is left. Many empty squares from the end, moves are
// ordered by shallow searches, then by an evaluation; nearer to the end those come first that leave the opponent
// few replies, and those into a part of the board with an odd number of empty squares. A table has results of positions,
// also for replies that are looked up before any is searched. A position is not searched where the opponent's
// stable discs, which nothing can turn over, leave too few points. The last few empty squares need none of this.
//
// Results of positions with many empty squares are never forgotten, and are in a
// directory too, so that a search that was ended at any moment goes on.
//
// # Proofs
//
// A proof has one move of the claimant's and all of the opponent's replies, found by asking the search again, and
// merges positions. Where the plain search of a checker needs few positions, the checker has to do it.
package othello
