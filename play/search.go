package play

import (
	"cmp"
	"math"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// searchRoot searches the moves at the root to a depth, and reports whether it came to the end
// of that. The result is then, or if the best move changed before, that of this depth.
func (w *worker[P, M]) searchRoot(depth int) (done bool) {
	q := &w.run.query
	alpha, beta := q.Window.bounds()
	found := 0 // lines
	for range min(max(q.Lines, 1), len(w.roots)) {
		rest := w.roots[found:]
		at := w.searchMoves(rest, depth, alpha, beta)
		if at < 0 {
			return false
		}
		if w.over && (found > 0 || w.number > 0) {
			return false
		}
		best := rest[at]
		copy(rest[1:at+1], rest[:at])
		rest[0] = best
		found++
		if w.over {
			break
		}
	}
	// A move may turn out better by a line of its own than it was for the lines before, with their windows and
	// reductions. A move that was chosen at random stays first.
	sorted := w.roots[:found]
	if found > 0 && (q.Choice.Jitter > 0 || q.Choice.Budget > 0) {
		sorted = sorted[1:]
	}
	slices.SortStableFunc(sorted, func(a, b rootMove[M]) int { return cmp.Compare(b.score, a.score) })
	w.result.Lines = nil
	for _, m := range w.roots[:found] {
		w.result.Lines = append(w.result.Lines, Line[M]{m.score, slices.Clone(m.line)})
	}
	return !w.over
}

// searchMoves searches moves at the root to a depth and returns the number of the chosen one, -1
// if the search ended before any was searched.
func (w *worker[P, M]) searchMoves(moves []rootMove[M], depth int, alpha, beta Score) (chosen int) {
	choice := w.run.query.Choice
	chosen = -1
	top := alpha // the best score so far
	w.push(w.cursor.Key())
	defer w.pop()
	for i := range moves {
		bar := top // a move has to be better than that
		switch {
		case i == 0 || w.number > 0:
		case choice.Budget > 0:
			bar = max(top-choice.Budget-1, alpha)
		case choice.Jitter > 0:
			bar = max(top-1-Score(w.rng.IntN(int(choice.Jitter))), alpha)
		}
		m := &moves[i]
		m.seen = false
		gain := Score(w.cursor.Do(m.move)) * Point
		var v Score
		if i > 0 {
			v = gain - w.search(1, depth-1, gain-bar-1, gain-bar, true)
		}
		if i == 0 || v > bar && v < beta && !w.over {
			v = gain - w.search(1, depth-1, gain-beta, gain-bar, true)
		}
		w.cursor.Undo()
		if w.over {
			return chosen
		}
		m.score = v
		if i > 0 && v <= bar && (top > alpha || v <= moves[chosen].score) {
			continue
		}
		m.seen = v > bar
		m.line = append(append(m.line[:0], m.move), w.plies[1].line...)
		chosen = i
		if choice.Drift {
			top = v
		}
		if top = max(top, v); top >= beta {
			break
		}
	}
	if choice.Budget > 0 && w.number == 0 {
		var good []int
		for i := range moves {
			if moves[i].seen && moves[i].score >= top-choice.Budget {
				good = append(good, i)
			}
		}
		if len(good) > 0 {
			chosen = good[w.rng.IntN(len(good))]
		}
	}
	return chosen
}

// late holds by how much moves that come late in the order are reduced, by depth and number.
var late = func() (r [MaxDepth + 1][64]int8) {
	for depth := 1; depth <= MaxDepth; depth++ {
		for i := 1; i < 64; i++ {
			r[depth][i] = int8(0.5 + math.Log(float64(depth))*math.Log(float64(i))/2.2)
		}
	}
	return r
}()

const (
	margin       = 120 // what a move may gain beyond what is captured, a ply
	futileDepth  = 4   // the greatest depth at which moves are left out
	reducedDepth = 3   // the least depth at which moves are reduced
	unreduced    = 2   // number of moves that are never reduced
)

// search returns the score of the position that the cursor is on, the given number of plies after the
// root, with a window. A score outside the window is a bound. mayPass says that the last move
// was not a pass.
func (w *worker[P, M]) search(at, depth int, alpha, beta Score, mayPass bool) Score {
	y := &w.plies[at]
	y.line = y.line[:0]
	w.nodes++
	if w.stopped() {
		return 0
	}
	key := w.cursor.Key()
	if n := w.repeated(key); n > 0 {
		return repetition(w.cursor.Repetition(n))
	}
	if w.cfg.Database != nil {
		v, known, err := w.cfg.Database.Value(w.cursor.Position())
		if err != nil {
			w.err = err
			return 0
		}
		if known {
			return ScoreOf(v).aged(at)
		}
	}
	pruning := &w.prune
	forced := w.cursor.Forced()
	if pruning.Extensions && forced && at < 2*w.depth {
		depth++
	}
	if depth <= 0 || at >= MaxDepth {
		w.nodes--
		w.leaves++
		return w.quiesce(at, 0, alpha, beta)
	}
	var known entry
	if w.table != nil {
		var ok bool
		if known, ok = w.table.find(key); ok && known.depth >= depth && beta-alpha == 1 {
			v := known.score.aged(at)
			if known.bound == exact || known.bound == atLeast && v >= beta || known.bound == atMost && v <= alpha {
				return v
			}
		}
	}
	y.moves = w.appendMoves(y.moves[:0])
	if len(y.moves) == 0 {
		v, _ := w.cursor.Outcome()
		return ScoreOf(v).aged(at)
	}
	w.push(key)
	defer w.pop()
	judged := !forced && beta-alpha == 1 && max(alpha, -beta) < mostEstimate
	var score Score
	if judged && (pruning.NullMoves || pruning.Futility) {
		score = w.evaluate()
		if pruning.Futility && depth <= futileDepth && score-margin*Score(depth) >= beta {
			return score
		}
		if pruning.NullMoves && mayPass && depth >= 2 && score >= beta {
			if v := w.pass(at, depth-3-depth/4, beta); v >= beta {
				return min(v, mostEstimate)
			}
		}
	}
	first := int(known.move) - 1
	if first >= len(y.moves) { // the table has taken another position for this one
		first = -1
	}
	begin, best, bestMove := alpha, -Infinity, 0
	for i := range y.moves {
		next := w.next(at, i, first)
		m, quiet := y.moves[next.number()], next.quiet()
		if pruning.Futility && judged && quiet && i > 0 && best > -mostEstimate && depth <= futileDepth &&
			(i >= 4+depth*depth || score+margin*Score(depth) <= alpha) {
			break // quiet moves come last, in the order of what they promise
		}
		gain := Score(w.cursor.Do(m)) * Point
		v := w.child(at, depth, i, gain, alpha, beta, quiet && !forced)
		w.cursor.Undo()
		if w.over {
			return 0
		}
		if v <= best {
			continue
		}
		best, bestMove = v, next.number()
		if v <= alpha {
			continue
		}
		alpha = v
		y.line = append(append(y.line[:0], m), w.plies[at+1].line...)
		if v >= beta {
			if quiet {
				w.reward(at, depth, i)
			}
			break
		}
	}
	if w.table != nil {
		e := entry{score: best.aged(-at), move: uint16(bestMove + 1), depth: depth, bound: exact}
		switch {
		case best >= beta:
			e.bound = atLeast
		case best <= begin:
			e.bound = atMost
		}
		w.table.store(key, e)
	}
	return best
}

// repetition returns the score of a position that has occurred before. A win or a loss is not one in some
// number of plies: whether the position repeats depends on the moves before it.
func repetition(v games.Value) Score { return min(max(ScoreOf(v), 1-mostEstimate), mostEstimate-1) }

// pass returns the score after a pass, as far as it says whether that is at least beta.
func (w *worker[P, M]) pass(at, depth int, beta Score) Score {
	if !w.cursor.Pass() {
		return -Infinity
	}
	floor := w.floor
	w.floor = len(w.keys)
	v := -w.search(at+1, depth, -beta, 1-beta, false)
	w.floor = floor
	w.cursor.Undo()
	if w.over {
		return -Infinity
	}
	return v
}

// child returns the score of the move that has just been made, the i-th of its position, for the
// side that made it.
func (w *worker[P, M]) child(at, depth, i int, gain, alpha, beta Score, reducible bool) Score {
	visit := func(depth int, alpha, beta Score) Score {
		return gain - w.search(at+1, depth, gain-beta, gain-alpha, true)
	}
	if i == 0 {
		return visit(depth-1, alpha, beta)
	}
	v := alpha + 1
	if w.prune.Reductions && reducible && depth >= reducedDepth && i >= unreduced && !w.cursor.Forced() {
		r := int(late[depth][min(i, 63)])
		if beta-alpha > 1 {
			r--
		}
		if r > 0 {
			v = visit(max(depth-1-r, 1), alpha, alpha+1)
		}
	}
	if v > alpha {
		v = visit(depth-1, alpha, alpha+1)
	}
	if v > alpha && v < beta {
		v = visit(depth-1, alpha, beta)
	}
	return v
}

// quiesce returns the score of the position once nothing tactical is left in it. It has been
// called that often since the last position of full width.
func (w *worker[P, M]) quiesce(at, n int, alpha, beta Score) Score {
	y := &w.plies[at]
	y.line = y.line[:0]
	w.nodes++
	if w.stopped() {
		return 0
	}
	if v, finished := w.cursor.Outcome(); finished {
		return ScoreOf(v).aged(at)
	}
	best := -Infinity
	if n == w.deepest || !w.cursor.Forced() {
		best = w.evaluate()
		if alpha = max(alpha, best); n == w.deepest || alpha >= beta {
			return best
		}
		y.moves, y.ranks = w.cursor.AppendTactical(y.moves[:0], y.ranks[:0])
	} else {
		y.moves = w.appendForced(y.moves[:0])
		y.ranks = w.cursor.AppendRanks(y.ranks[:0], y.moves)
	}
	y.order = y.order[:0]
	for i, r := range y.ranks {
		y.order = append(y.order, placeOf(r, i))
	}
	for i := range y.moves {
		m := y.moves[y.best(i).number()]
		gain := Score(w.cursor.Do(m)) * Point
		v := gain - w.quiesce(at+1, n+1, gain-beta, gain-alpha)
		w.cursor.Undo()
		if w.over {
			return 0
		}
		if v <= best {
			continue
		}
		best = v
		if v > alpha {
			alpha = v
			y.line = append(append(y.line[:0], m), w.plies[at+1].line...)
		}
		if v >= beta {
			break
		}
	}
	return best
}

func (w *worker[P, M]) evaluate() Score {
	return min(max(Score(w.cursor.Evaluate()), 1-mostEstimate), mostEstimate-1)
}
