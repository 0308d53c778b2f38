package alphabeta

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/solver"
)

const (
	// maxPly is the length of the longest path; the search of positions that are not
	// quiet may exceed MaxDepth.
	maxPly = 2 * MaxDepth
	// pathFree marks a result that does not depend on the path.
	pathFree = maxPly + 1
	// historyDepth is the least depth at which moves are ordered by their history.
	historyDepth = 2
	// orderedDepth is the least depth at which they are ordered by evaluation, if at all.
	orderedDepth = 3
)

// search is one search of a [Searcher].
type search[P, M comparable] struct {
	*Searcher[P, M]
	ctx     context.Context
	begin   time.Time
	nodes   uint64
	probes  uint64
	stopped bool
	err     error
	plies   []ply[P, M]
	history map[M]uint64 // cut-offs by move, weighted by depth

	rootMove M
	rooted   bool
}

// ply is the state of a search at a position of the path.
type ply[P, M comparable] struct {
	position P
	hash     uint64
	moves    []ordered[M]
	buffer   []M
	killers  [2]M
	killed   int // number of killers
}

type ordered[M comparable] struct {
	move M
	rank uint64
}

// found is the result of searching a position.
type found struct {
	score        int
	lower, upper games.Result
	// depends is the first ply on the path that the score depends on, pathFree if
	// none. The bounds never depend on the path.
	depends int
}

func proven(r games.Result) found { return found{WinScore * int(r), r, r, pathFree} }

// tighten adds bounds that were proven elsewhere.
func (f *found) tighten(lower, upper games.Result) {
	f.lower, f.upper = max(f.lower, lower), min(f.upper, upper)
	switch {
	case f.lower == f.upper:
		f.score, f.depends = WinScore*int(f.lower), pathFree
	case f.lower == games.Drawn:
		f.score = max(f.score, 0)
	case f.upper == games.Drawn:
		f.score = min(f.score, 0)
	}
}

// stop reports whether the search has to end.
func (s *search[P, M]) stop() bool {
	if s.stopped {
		return true
	}
	const often = 1 << 10
	s.stopped = s.cfg.Nodes > 0 && s.nodes >= s.cfg.Nodes ||
		s.nodes%often == 0 && (s.ctx.Err() != nil || s.cfg.Time > 0 && time.Since(s.begin) >= s.cfg.Time)
	return s.stopped
}

// fail ends the search with an error.
func (s *search[P, M]) fail(err error) found {
	s.stopped, s.err = true, err
	return found{lower: games.Lost, upper: games.Won, depends: pathFree}
}

// visit searches a canonical position with a window.
func (s *search[P, M]) visit(p P, at, depth, alpha, beta int) found {
	if s.stop() {
		return found{lower: games.Lost, upper: games.Won, depends: pathFree}
	}
	s.nodes++
	if v, finished := s.game.Outcome(p); finished {
		return proven(v.Result())
	}
	if s.cfg.Database != nil {
		v, held, err := s.cfg.Database.Value(p)
		if err != nil {
			return s.fail(err)
		}
		if held {
			s.probes++
			if at > 0 {
				return proven(v.Result())
			}
			return s.root(p, v.Result())
		}
	}
	hash := s.hash(&p)
	if first := s.repeats(p, hash, at); first >= 0 {
		return found{0, games.Lost, games.Won, first}
	}
	f := found{-WinScore, games.Lost, games.Won, pathFree}
	e := s.table.find(hash, &p)
	if e != nil {
		if r, ok := e.answer(depth, alpha, beta); ok && at > 0 {
			return r
		}
		f.lower, f.upper = e.lower, e.upper
	}
	if at == maxPly || depth <= 0 && s.quiet(p) {
		return s.guess(p, at, f)
	}
	for len(s.plies) <= at {
		s.plies = append(s.plies, ply[P, M]{})
	}
	s.plies[at].position, s.plies[at].hash = p, hash
	s.order(p, at, depth, e)
	return s.moves(p, hash, at, depth, alpha, beta, f)
}

// root returns the known value of the root, with a best move by the database.
func (s *search[P, M]) root(p P, r games.Result) found {
	for _, m := range s.game.AppendMoves(nil, p) {
		q := s.canonical(s.game.Play(p, m))
		v, held := s.game.Outcome(q)
		if !held {
			var err error
			if v, held, err = s.cfg.Database.Value(q); err != nil {
				return s.fail(err)
			}
		}
		if held && -v.Result() == r {
			s.rootMove, s.rooted = m, true
			break
		}
	}
	return proven(r)
}

// repeats returns the ply at which a position is on the path, or -1.
func (s *search[P, M]) repeats(p P, hash uint64, at int) int {
	for i := at - 1; i >= 0; i-- {
		if s.plies[i].hash == hash && s.plies[i].position == p {
			return i
		}
	}
	return -1
}

// answer returns the result in an entry, and whether it suffices.
func (e *entry[P, M]) answer(depth, alpha, beta int) (found, bool) {
	f := found{int(e.score), e.lower, e.upper, pathFree}
	if e.lower == e.upper {
		return proven(e.lower), true
	}
	if e.kind == 0 || int(e.depth) < depth {
		return f, false
	}
	return f, e.kind == exact || e.kind == atLeast && f.score >= beta || e.kind == atMost && f.score <= alpha
}

// quiet reports whether the estimate of an unfinished position can be trusted.
func (s *search[P, M]) quiet(p P) bool {
	s.cursor.Set(p)
	return !s.cursor.Forced()
}

// guess returns the evaluation of a position at the end of a search.
func (s *search[P, M]) guess(p P, at int, f found) found {
	lower, upper := f.lower, f.upper
	f.score = s.evaluate(p)
	if at == maxPly {
		f.depends = 0 // at another ply the search would have gone on
	}
	f.tighten(lower, upper)
	return f
}

// order generates the moves of a position and sorts them, the most promising first.
func (s *search[P, M]) order(p P, at, depth int, e *entry[P, M]) {
	y := &s.plies[at]
	y.buffer = s.game.AppendMoves(y.buffer[:0], p)
	y.moves = y.moves[:0]
	for _, m := range y.buffer {
		rank := uint64(0)
		switch {
		case e != nil && e.moved && m == e.move:
			rank = 1 << 40
		case slices.Contains(y.killers[:y.killed], m) && !s.cfg.Ordered:
			rank = 1 << 39
		case s.cfg.Ordered && depth >= orderedDepth:
			rank = s.promise(s.game.Play(p, m))
		case depth >= historyDepth:
			rank = s.history[m]
		}
		y.moves = append(y.moves, ordered[M]{m, rank})
	}
	slices.SortStableFunc(y.moves, func(a, b ordered[M]) int { return cmp.Compare(b.rank, a.rank) })
}

// promise returns the rank of a move that leads to p: the worse p is for the opponent, the higher.
func (s *search[P, M]) promise(p P) uint64 {
	v, finished := s.game.Outcome(p)
	switch {
	case !finished:
		return uint64(1<<17 - s.evaluate(p))
	case v.Result() == games.Lost:
		return 1 << 38
	}
	return 0
}

// moves searches the moves of a position and stores the result. f is what is known
// before.
func (s *search[P, M]) moves(p P, hash uint64, at, depth, alpha, beta int, f found) found {
	lower, upper := f.lower, f.upper // known before
	best, surest := 0, games.Lost    // the best move and its lower bound
	most := games.Lost               // the best upper bound of a move
	begin, all := alpha, true
	for i := range s.plies[at].moves {
		c := s.child(p, at, depth, alpha, beta, i)
		if s.stopped {
			return f
		}
		if c.score > f.score || c.score == f.score && c.lower > surest {
			f.score, best, surest = c.score, i, c.lower
		}
		f.lower, most, f.depends = max(f.lower, c.lower), max(most, c.upper), min(f.depends, c.depends)
		alpha = max(alpha, f.score)
		if f.lower >= upper || alpha >= beta {
			all = i == len(s.plies[at].moves)-1
			break
		}
	}
	m := s.plies[at].moves[best].move
	if alpha >= beta {
		s.reward(at, depth, m)
	}
	if at == 0 {
		s.rootMove, s.rooted = m, true
	}
	if all {
		upper = min(upper, most)
	}
	kind := exact
	switch {
	case f.score >= beta:
		kind = atLeast
	case f.score <= begin:
		kind = atMost
	}
	f.tighten(lower, upper)
	if f.lower > f.upper {
		return s.fail(fmt.Errorf("%w: %s is worth at least a %v and at most a %v", solver.ErrContradiction, s.game.AppendPosition(nil, p), f.lower, f.upper))
	}
	if f.depends >= at {
		f.depends = pathFree // all repetitions are of this position or of later ones
	}
	s.store(p, hash, depth, m, f, kind)
	return f
}

// child searches a move. The result is from the point of view of the side that makes it.
func (s *search[P, M]) child(p P, at, depth, alpha, beta, i int) found {
	q := s.canonical(s.game.Play(p, s.plies[at].moves[i].move))
	next := max(depth-1, 0)
	if i > 0 && beta-alpha > 1 {
		f := s.visit(q, at+1, next, -alpha-1, -alpha).opposite()
		if f.score <= alpha || f.score >= beta || s.stopped {
			return f
		}
		g := s.visit(q, at+1, next, -beta, -alpha).opposite()
		g.tighten(f.lower, f.upper)
		return g
	}
	return s.visit(q, at+1, next, -beta, -alpha).opposite()
}

func (f found) opposite() found { return found{-f.score, -f.upper, -f.lower, f.depends} }

// reward remembers a move that has cut off a search.
func (s *search[P, M]) reward(at, depth int, m M) {
	y := &s.plies[at]
	if y.killed == 0 || y.killers[0] != m {
		y.killers[0], y.killers[1] = m, y.killers[0]
		y.killed = min(y.killed+1, len(y.killers))
	}
	if depth >= historyDepth {
		s.history[m] += uint64(depth * depth)
	}
}

// store stores a result in the table, without its score if that depends on the path.
func (s *search[P, M]) store(p P, hash uint64, depth int, m M, f found, kind bound) {
	e := s.table.place(hash, &p)
	e.lower, e.upper = max(e.lower, f.lower), min(e.upper, f.upper)
	e.move, e.moved, e.age = m, true, s.table.age
	if f.depends == pathFree {
		e.score, e.depth, e.kind = int16(f.score), int8(depth), kind
	} else if e.kind == 0 {
		e.depth = int8(depth)
	}
}
