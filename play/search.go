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
	w.judge(&w.plies[0])
	for range min(max(q.Lines, 1), len(w.roots)) {
		rest := w.roots[found:]
		at := w.aspire(rest, depth, alpha, beta)
		if at < 0 {
			return false
		}
		if w.over && (found > 0 || w.number > 0) {
			return false
		}
		toFront(rest, at)
		found++
		if w.over {
			break
		}
	}
	if !w.over { // what was hard to refute is looked at first
		slices.SortStableFunc(w.roots[found:], func(a, b rootMove[M]) int { return cmp.Compare(b.nodes, a.nodes) })
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

// aspire searches moves at the root as searchMoves does, but first with a narrow window around the score of
// the last iteration, which is widened until the score is inside.
func (w *worker[P, M]) aspire(moves []rootMove[M], depth int, alpha, beta Score) (chosen int) {
	q := &w.run.query
	last := moves[0].score
	if !w.deepened() || depth < aspirationDepth || q.Lines > 1 || q.Window != (Window{}) || max(last, -last) >= mostEstimate {
		return w.searchMoves(moves, depth, alpha, beta)
	}
	step := aspiration
	low, high := last-step, last+step
	for {
		first := moves[0]
		at := w.searchMoves(moves, depth, low, high)
		if at < 0 {
			return -1
		}
		score := moves[at].score
		tooLow, tooHigh := score <= low && low > alpha, score >= high && high < beta
		switch step *= 3; {
		case w.over && tooLow: // the move is not known to be any good
			moves[0] = first
			return -1
		case w.over || !tooLow && !tooHigh:
			return at
		case step > widest:
			low, high = alpha, beta
		case tooLow:
			low, high = score-step, max((low+high)/2, score-step+1)
		default:
			high = score + step
		}
		if tooHigh {
			toFront(moves, at)
		}
	}
}

// deepened reports whether the root's moves are in the order of an iteration before this one, and
// the best of them is wanted.
func (w *worker[P, M]) deepened() bool { return w.result.Depth > 0 && !w.run.query.Choice.random() }

// toFront puts a move before all others.
func toFront[M comparable](moves []rootMove[M], at int) {
	m := moves[at]
	copy(moves[1:at+1], moves[:at])
	moves[0] = m
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
		before := w.nodes
		gain := Score(w.cursor.Do(m.move)) * Point
		var v Score
		if i > 0 {
			v = bar + 1
			if r := w.rootReduction(m, depth, i); r > 0 {
				v = gain - w.search(1, max(depth-1-r, 1), gain-bar-1, gain-bar, true, true)
			}
			if v > bar && !w.over {
				v = gain - w.search(1, depth-1, gain-bar-1, gain-bar, true, true)
			}
		}
		if i == 0 || v > bar && v < beta && !w.over {
			v = gain - w.search(1, depth-1, gain-beta, gain-bar, true, false)
		}
		w.cursor.Undo()
		m.nodes = w.nodes - before
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

// aspiration is half the window of the first search at the root.
const aspiration Score = 40

const (
	margin          = 120  // what a move may gain beyond what is captured, a ply
	quietMargin     = 100  // the same in a quiescence search
	widest          = 1000 // the window around a score is no wider, but has no ends
	firstMoves      = 4    // number of moves at the root that are never reduced
	aspirationDepth = 4    // the least depth at which the root's window is narrow at first
	shallow         = 4    // the greatest depth of futility where the game selects the moves, and so orders them
	goodDepth       = 8    // the greatest depth at which a good evaluation is good enough
	lateDepth       = 8    // the greatest depth at which late moves are left out
	futileDepth     = 6    // moves are left out that would be searched by fewer plies
	exchangeDepth   = 4    // the greatest depth, after reduction, at which moves that lose material are left out
	reducedDepth    = 3    // the least depth at which moves are reduced
	unreduced       = 2    // number of moves that are never reduced
	unknownDepth    = 4    // the least depth at which a position without a move of the table is reduced

	// unjudged stands for the evaluation of a forced position.
	unjudged = Infinity
)

// rootReduction returns by how much a move is reduced that has just been made at the root, the i-th.
func (w *worker[P, M]) rootReduction(m *rootMove[M], depth, i int) int {
	if !w.prune.Reductions || !w.deepened() || !m.quiet || depth < reducedDepth || i < firstMoves || w.cursor.Forced() {
		return 0
	}
	return int(late[depth][min(i, 63)]) - 1
}

// node is what is known of a position before its moves are searched.
type node struct {
	at, depth   int
	alpha, beta Score
	cut         bool  // a score of at least beta is expected
	forced      bool  // see [games.Cursor.Forced]
	judged      bool  // its evaluation says something about its score
	improving   bool  // the evaluation is better than before the side's last move
	score       Score // the evaluation, or what the table has instead; not of a forced position
}

// wide reports whether the exact score is wanted.
func (n *node) wide() bool { return n.beta-n.alpha > 1 }

// search returns the score of the position that the cursor is on, the given number of plies after the
// root, with a window. A score outside the window is a bound. mayPass says that the last move
// was not a pass, and cut that a score of at least beta is expected.
func (w *worker[P, M]) search(at, depth int, alpha, beta Score, mayPass, cut bool) Score {
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
	n := node{at: at, depth: depth, alpha: alpha, beta: beta, cut: cut, forced: w.cursor.Forced()}
	if w.prune.Extensions && n.forced && at < 2*w.depth {
		n.depth = min(depth+1, MaxDepth)
	}
	if n.depth <= 0 || at >= MaxDepth {
		w.nodes--
		w.leaves++
		return w.quiesce(at, 0, alpha, beta)
	}
	var known entry
	if w.table != nil {
		var ok bool
		if known, ok = w.table.find(key); ok && known.depth >= n.depth && !n.wide() {
			if v := known.score.aged(at); known.decides(v, alpha, beta) {
				return v
			}
		}
	}
	if v, finished := w.cursor.Outcome(); finished {
		return ScoreOf(v).aged(at)
	}
	w.assess(&n, &known)
	if v, ok := w.early(&n, mayPass); ok || w.over {
		return v
	}
	if w.prune.Reductions && known.move == 0 && n.depth >= unknownDepth && !n.forced {
		n.depth-- // the next iteration has a move to begin with
	}
	y.moves = w.appendMoves(y.moves[:0])
	w.push(key)
	best, bestMove := w.searchAll(&n, int(known.move)-1)
	w.pop()
	if w.over {
		return 0
	}
	if w.table != nil {
		e := entry{score: best.aged(-at), move: uint16(bestMove + 1), depth: n.depth, bound: exact}
		switch {
		case best >= beta:
			e.bound = atLeast
		case best <= alpha:
			e.bound = atMost
		}
		w.table.store(key, e)
	}
	return best
}

// assess judges a position, by its evaluation and what the table has.
func (w *worker[P, M]) assess(n *node, known *entry) {
	y := &w.plies[n.at]
	w.judge(y)
	if n.forced {
		return
	}
	n.judged = !n.wide() && max(n.alpha, -n.beta) < mostEstimate
	n.score = y.static
	if v := known.score; known.bound != 0 && max(v, -v) < mostEstimate &&
		(known.bound&atLeast != 0 && v > n.score || known.bound&atMost != 0 && v < n.score) {
		n.score = v
	}
	n.improving = n.at < 2 || w.plies[n.at-2].static == unjudged || y.static > w.plies[n.at-2].static
}

// early returns a score, and true, if the position need not be searched to its depth.
func (w *worker[P, M]) early(n *node, mayPass bool) (Score, bool) {
	if !n.judged {
		return 0, false
	}
	depth, most := n.depth, goodDepth
	switch {
	case w.selects:
		most = shallow
	case n.improving:
		depth--
	}
	if w.prune.Futility && n.depth <= most && n.score-margin*Score(depth) >= n.beta {
		return n.score, true
	}
	if w.prune.NullMoves && mayPass && n.depth >= 2 && n.score >= n.beta {
		r := 3 + n.depth/3 + int(min((n.score-n.beta)/150, 3))
		if v := w.pass(n.at, n.depth-r, n.beta, n.cut); v >= n.beta {
			return min(v, mostEstimate), true
		}
	}
	return 0, false
}

// searchAll searches the moves of a position, that with the number first from the table first. It returns
// the best score and the number of its move.
func (w *worker[P, M]) searchAll(n *node, first int) (best Score, bestMove int) {
	y := &w.plies[n.at]
	if first >= len(y.moves) { // the table has taken another position for this one
		first = -1
	}
	alpha, tried := n.alpha, 0
	best = -Infinity
	for i := range y.moves {
		next := w.next(n.at, i, first)
		number := next.number()
		m, quiet := y.moves[number], next.quiet()
		r := 0
		if quiet && tried > 0 && !n.forced {
			r = w.reduction(n, next, i)
			if w.prune.Futility && n.judged && best > -mostEstimate {
				if n.hopeless(next, i, r, w.selects) {
					break // quiet moves come last, in the order of what they promise
				}
				if w.losing != nil && n.depth-r <= exchangeDepth && !next.losing() && w.losing(m) {
					continue
				}
			}
		}
		gain := Score(w.cursor.Do(m)) * Point
		if n.depth < reducedDepth || tried < unreduced || w.cursor.Forced() {
			r = 0
		}
		v := w.child(n, tried, r, gain, alpha)
		w.cursor.Undo()
		if w.over {
			return 0, 0
		}
		tried++
		if v <= best {
			continue
		}
		best, bestMove = v, number
		if v <= alpha {
			continue
		}
		alpha = v
		y.line = append(append(y.line[:0], m), w.plies[n.at+1].line...)
		if v >= n.beta {
			if quiet {
				w.reward(n.at, n.depth, i)
			}
			break
		}
	}
	return best, bestMove
}

// reduction returns by how many plies less a quiet move is searched, the i-th of its position.
func (w *worker[P, M]) reduction(n *node, p place, i int) int {
	if !w.prune.Reductions {
		return 0
	}
	r := int(late[n.depth][min(i, 63)])
	if n.wide() {
		r--
	}
	if w.selects { // the order says more
		return r
	}
	if n.cut {
		r++
	}
	if !n.improving {
		r++
	}
	if p.losing() {
		return r + 1
	}
	return r - int(p.promise()*2/mostHistory)
}

// hopeless reports whether a quiet move, the i-th of its position and reduced by r plies, and those after it,
// can hardly make up for the score.
func (n *node) hopeless(p place, i, r int, selects bool) bool {
	if selects {
		return n.depth <= shallow && (i >= 4+n.depth*n.depth || n.score+margin*Score(n.depth) <= n.alpha)
	}
	most := 5 + n.depth*n.depth
	if !n.improving {
		most /= 2
	}
	left := max(n.depth-1-r, 0)
	return n.depth <= lateDepth && i >= most || left < futileDepth && n.score+margin*Score(left+1) <= n.alpha ||
		p.losing() && n.depth < shallow
}

// repetition returns the score of a position that has occurred before. A win or a loss is not one in some
// number of plies: whether the position repeats depends on the moves before it.
func repetition(v games.Value) Score { return min(max(ScoreOf(v), 1-mostEstimate), mostEstimate-1) }

// pass returns the score after a pass, as far as it says whether that is at least beta.
func (w *worker[P, M]) pass(at, depth int, beta Score, cut bool) Score {
	if !w.cursor.Pass() {
		return -Infinity
	}
	floor := w.floor
	w.floor = len(w.keys)
	v := -w.search(at+1, depth, -beta, 1-beta, false, !cut)
	w.floor = floor
	w.cursor.Undo()
	if w.over {
		return -Infinity
	}
	return v
}

// child returns the score of the move that has just been made, for the side that made it, after the given
// number of others have been tried. It is searched r plies less deeply at first.
func (w *worker[P, M]) child(n *node, tried, r int, gain, alpha Score) Score {
	visit := func(depth int, alpha, beta Score, cut bool) Score {
		return gain - w.search(n.at+1, depth, gain-beta, gain-alpha, true, cut)
	}
	depth := n.depth - 1
	if tried == 0 {
		return visit(depth, alpha, n.beta, !n.wide() && !n.cut)
	}
	v := alpha + 1
	if r > 0 {
		v = visit(max(depth-r, 1), alpha, alpha+1, true)
	}
	if v > alpha {
		v = visit(depth, alpha, alpha+1, !n.cut)
	}
	if v > alpha && v < n.beta {
		v = visit(depth, alpha, n.beta, false)
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
	y.static = unjudged
	if v, finished := w.cursor.Outcome(); finished {
		return ScoreOf(v).aged(at)
	}
	best, forced := -Infinity, true
	if n == w.deepest || !w.cursor.Forced() {
		forced = false
		best = w.evaluate()
		y.static = best
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
		y.order = append(y.order, placeOf(quietRank+r, i))
	}
	for i := range y.moves {
		p := y.best(i)
		m := y.moves[p.number()]
		if w.prune.Futility && forced && i >= 2 && p>>32 <= quietRank && best > -mostEstimate && n > 0 {
			break // some defence has been found
		}
		gain := Score(w.cursor.Do(m)) * Point
		v := gain - w.quiesce(at+1, n+1, gain-beta, gain-alpha)
		w.cursor.Undo()
		if w.over {
			return 0
		}
		if after := w.plies[at+1].static; w.prune.Futility && !forced && after != unjudged && gain-after+quietMargin <= alpha {
			best = max(best, v)
			break // the others promise less
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

// judge evaluates the position that the cursor is on.
func (w *worker[P, M]) judge(y *ply[M]) {
	y.static = unjudged
	if !w.cursor.Forced() {
		y.static = w.evaluate()
	}
}

func (w *worker[P, M]) evaluate() Score {
	return min(max(Score(w.cursor.Evaluate()), 1-mostEstimate), mostEstimate-1)
}
