// Package othello finds the score of a position of Othello with many empty squares, and writes its
// proof.
//
//	s, err := othello.New(game, game.Start(), othello.Config{Dir: "6x6.tree", Settle: settle})
//	lower, upper, err := s.Solve(ctx)
//	header, err := s.Prove(ctx)
//	err = s.WriteProof(ctx, w)
//
// # Search
//
// The search asks whether the side to move gets at least some number of points, by alpha-beta with a
// window of one point, and asks again until one score is left.
//
//   - With many empty squares, moves are ordered by shallow searches and an evaluation. Nearer to
//     the end, moves come first that leave the opponent few replies, or that go into a part of the
//     board with an odd number of empty squares. The last few squares need no order.
//   - A table has results of positions. Before any reply is searched, all are looked up there.
//   - A position is not searched if the opponent's stable discs, which nothing can turn over, leave
//     too few points.
//   - Results of positions with many empty squares are never forgotten. They are in a directory too,
//     so that a search can continue after a kill at any moment.
//
// # Proofs
//
// A proof has one move of the claimant and all replies of the opponent at each step, found by asking
// the search again, and merges positions. Where the plain search of a checker needs few positions,
// it is left to the checker.
package othello
