package play

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/yomikiri/yomikiri/games"
)

const (
	maxPly        = MaxDepth + maxQuiescence + 2
	maxQuiescence = 32 // plies after the last one of full width
	slots         = 1 << 12
)

// worker is a thread of a search.
type worker[P, M comparable] struct {
	*Searcher[P, M]
	number int
	cursor games.Cursor[P, M]
	// appendMoves appends the moves to search, and appendForced those of the quiescence search in a
	// forced position, which leaves out what the game's selector does in any case.
	appendMoves, appendForced func([]M) []M
	slotOf                    func(*M) uint64
	losing                    func(M) bool // nil if the game is no [games.Exchanger]

	run     *run[P, M]
	rng     *rand.Rand
	roots   []rootMove[M]
	result  Result[M]
	nodes   uint64
	leaves  uint64
	told    uint64 // nodes that run.nodes has
	over    bool   // the search ends
	depth   int    // of this iteration
	prune   Pruning
	selects bool // the moves are those that the game takes to be promising, best first
	err     error

	plies   [maxPly + 1]ply[M]
	keys    []uint64        // of the positions of the game and on the path
	count   [slots]uint8    // of keys by their last bits
	floor   int             // keys before the last pass are not repeated
	history [2][slots]int16 // by side: how good moves have been
}

// ply is what a worker keeps of a position on its path.
type ply[M comparable] struct {
	moves   []M
	ranks   []int32 // of the moves
	order   []place // of the moves: those searched, then the others
	killers [2]M    // quiet moves that were good in positions at this ply
	killed  int     // number of killers
	static  Score   // the evaluation, or unjudged
	line    []M     // best play from here
}

// rootMove is a move in the position that is searched.
type rootMove[M comparable] struct {
	move  M
	score Score // exact in this iteration if seen, otherwise no better than that
	seen  bool
	nodes uint64 // visited in the last iteration
	quiet bool
	line  []M
}

func newWorker[P, M comparable](s *Searcher[P, M], number int, c games.Cursor[P, M]) *worker[P, M] {
	w := &worker[P, M]{Searcher: s, number: number, cursor: c, appendForced: c.AppendMoves, slotOf: games.HashBytes[M]()}
	if e, ok := c.(games.Exchanger[M]); ok {
		w.losing = e.Losing
	}
	if selector, ok := c.(games.Selector[M]); ok {
		w.appendForced = selector.AppendPromising
	}
	return w
}

// begin puts the worker on the position of a query.
func (w *worker[P, M]) begin(r *run[P, M]) error {
	q := &r.query
	w.run, w.rng = r, rand.New(rand.NewPCG(q.Choice.Seed, uint64(w.number)))
	w.prune = w.cfg.Pruning.without(q.Without)
	w.appendMoves = w.cursor.AppendMoves
	if w.prune.Selection {
		w.appendMoves = w.appendForced
	}
	_, selector := w.cursor.(games.Selector[M])
	w.selects = selector && w.prune.Selection
	w.nodes, w.leaves, w.told, w.over, w.err, w.result = 0, 0, 0, false, nil, Result[M]{}
	w.keys, w.count, w.floor = w.keys[:0], [slots]uint8{}, 0
	for i := range w.plies {
		w.plies[i].killed = 0
	}
	for side := range w.history {
		for i := range w.history[side] {
			w.history[side][i] /= 8
		}
	}
	w.cursor.Set(q.From)
	for _, m := range q.Moves {
		w.push(w.cursor.Key())
		w.cursor.Do(m)
	}
	if _, finished := w.cursor.Outcome(); finished {
		return ErrFinished
	}
	moves := w.appendMoves(nil)
	if len(q.Only) > 0 {
		moves = slices.DeleteFunc(w.cursor.AppendMoves(nil), func(m M) bool { return !slices.Contains(q.Only, m) })
	}
	w.roots = w.roots[:0]
	ranks := w.cursor.AppendRanks(nil, moves)
	for i, m := range moves {
		w.roots = append(w.roots, rootMove[M]{move: m, quiet: ranks[i] <= 0})
	}
	return nil
}

// keep drops all moves at the root but some. If none of these is there, it drops none.
func (w *worker[P, M]) keep(some []M) {
	others := func(m rootMove[M]) bool { return !slices.Contains(some, m.move) }
	if !slices.ContainsFunc(w.roots, func(m rootMove[M]) bool { return !others(m) }) {
		return
	}
	w.roots = slices.DeleteFunc(w.roots, others)
}

// deepen searches to greater and greater depths.
func (w *worker[P, M]) deepen(progress func(Result[M])) {
	most := w.run.query.Depth
	if most <= 0 || most > MaxDepth {
		most = MaxDepth
	}
	for depth := max(w.run.query.FirstDepth, 1); depth <= most && !w.over; depth++ {
		w.depth = depth + w.number%2 // helpers look ahead by turns
		done := w.searchRoot(w.depth)
		if w.number > 0 {
			continue
		}
		if done {
			w.result.Depth = depth
		}
		w.result.Nodes, w.result.Leaves, w.result.Time = w.nodes, w.leaves, time.Since(w.run.begin)
		if w.table != nil {
			w.result.Full = w.table.Full()
		}
		if len(w.workers) > 1 {
			w.result.Nodes = w.run.nodes.Load()
		}
		if done && progress != nil {
			progress(w.result)
		}
		if w.run.soft > 0 && w.result.Time >= w.run.soft || w.certain() {
			break
		}
	}
}

// certain reports whether a deeper search cannot change the result.
func (w *worker[P, M]) certain() bool {
	if len(w.result.Lines) == 0 {
		return false
	}
	plies, mate := w.result.Lines[0].Score.Mate()
	limited := w.run.soft > 0 || w.run.query.Nodes > 0
	return w.run.decided || mate && plies <= w.depth || limited && len(w.roots) == 1 && w.depth >= 4
}

// stopped reports whether the search has to end.
func (w *worker[P, M]) stopped() bool {
	if w.over {
		return true
	}
	const often = 1 << 8
	limit := w.run.query.Nodes
	if w.nodes%often == 0 {
		all := w.run.nodes.Add(w.nodes - w.told)
		w.told = w.nodes
		w.over = w.run.ctx.Err() != nil || w.run.stop.Load() || limit > 0 && all >= limit || w.run.hard > 0 && time.Since(w.run.begin) >= w.run.hard
	} else if limit > 0 && len(w.workers) == 1 {
		w.over = w.nodes >= limit
	}
	// A move is wanted in any case, and depth 1 takes hardly any time.
	w.over = w.over && (w.number > 0 || w.result.Depth > 0) || w.err != nil
	return w.over
}

func (w *worker[P, M]) push(key uint64) {
	w.keys = append(w.keys, key)
	w.count[key%slots]++
}

func (w *worker[P, M]) pop() {
	last := len(w.keys) - 1
	w.count[w.keys[last]%slots]--
	w.keys = w.keys[:last]
}

// repeated returns how many plies ago the position with a key was last on the path, 0 if it was
// not.
func (w *worker[P, M]) repeated(key uint64) int {
	if w.count[key%slots] == 0 {
		return 0
	}
	for i := len(w.keys) - 2; i >= w.floor; i -= 2 {
		if w.keys[i] == key {
			return len(w.keys) - i
		}
	}
	return 0
}
