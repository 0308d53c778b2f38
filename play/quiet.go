package play

import "context"

// Quiet returns the score of an unfinished position once nothing tactical is left in it, as at the end
// of a search, and the moves that lead to where it was judged. The moves are good until the next
// call. A score outside the window is a bound, without moves.
func (s *Searcher[P, M]) Quiet(p P, window Window) (Score, []M) {
	w := s.workers[0]
	w.run = &run[P, M]{ctx: context.Background(), searcher: s}
	w.nodes, w.told, w.over, w.err, w.result = 0, 0, false, nil, Result[M]{}
	w.cursor.Set(p)
	alpha, beta := window.bounds()
	score := w.quiesce(0, 0, alpha, beta)
	return score, w.plies[0].line
}
