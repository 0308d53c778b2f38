package tsume

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// question asks whether a position is mate.
type question struct {
	position shogi.Position
	limit    uint16 // of the length
	exact    bool   // asks for the length too
	answer   dfpn.Outcome
	reply    shogi.Move // that prevents the mate
	length   int        // of the mate at most
	shortest bool       // none is shorter
	budget   uint64     // nodes that did not settle it
}

// questionKey identifies a question that is asked of several lines.
type questionKey struct {
	position shogi.Position
	limit    uint16
}

// asked returns the question about a position that has been asked before, or else q, which it
// completes.
func (j *judging) asked(p shogi.Position, q *question) *question {
	q.position = p
	if q.answer != dfpn.Unknown {
		return q
	}
	key := questionKey{p, q.limit}
	if old, ok := j.known[key]; ok {
		return old
	}
	j.known[key] = q
	return q
}

// Budgets of a question, in nodes. All open questions get the same budget, and those that it
// does not settle get a larger one in the next round. So the easy ones are settled first, and
// the hard ones profit from what these leave in the table.
const (
	firstBudget  = 1_000
	budgetGrowth = 4
)

// slice is the number of nodes after which a search asks whether to give up.
const slice = 20_000

// searcher searches with a cursor and a reader of its own. It belongs to one goroutine at a
// time.
type searcher struct {
	cursor *cursor
	reader *dfpn.Reader
	nodes  atomic.Uint64 // of the reader, for other goroutines
}

func (s *searcher) count() { s.nodes.Store(s.reader.Nodes()) }

// newSearchers returns a searcher for each thread, each with a limit of nodes, 0 for none. The
// first one reports progress.
func (s *solving) newSearchers(newCursor func() *cursor, nodes uint64) []*searcher {
	searchers := make([]*searcher, max(s.options.Threads, 1))
	for i := range searchers {
		x := &searcher{cursor: newCursor()}
		if i == 0 {
			x.reader = s.reader(x.cursor, nodes)
		} else {
			x.reader = dfpn.NewReader(s.ctx, s.table, x.cursor, dfpn.Config{Nodes: nodes})
		}
		searchers[i] = x
	}
	return searchers
}

// searchAfter searches with at most the given number of nodes for a mate within limit after moves.
func (s *searcher) searchAfter(moves []shogi.Move, limit uint16, nodes uint64) dfpn.Result {
	b := s.cursor.board
	for _, m := range moves {
		b.Do(m)
	}
	defer func() {
		for range moves {
			b.Undo()
		}
	}()
	return s.reader.SearchWithin(limit, nodes)
}

// settle searches until all questions are settled or stopped says so. Each searcher takes the
// next question; all of them share what the table knows.
func settle(searchers []*searcher, stopped func() bool, questions []*question) {
	var open []*question
	seen := map[*question]bool{}
	for _, q := range questions {
		if !q.settled() && !seen[q] {
			open = append(open, q)
		}
		seen[q] = true
	}
	for budget := uint64(firstBudget); len(open) > 0 && !stopped(); budget *= budgetGrowth {
		var next atomic.Int64
		search := func(s *searcher) {
			for i := next.Add(1) - 1; i < int64(len(open)); i = next.Add(1) - 1 {
				if q := open[i]; budget > q.budget && !stopped() {
					q.search(s, stopped, budget)
					q.budget = budget
				}
			}
		}
		var group sync.WaitGroup
		for _, s := range searchers[1:] {
			group.Go(func() { search(s) })
		}
		search(searchers[0])
		group.Wait()
		open = slices.DeleteFunc(open, (*question).settled)
	}
}

// search searches with about budget nodes.
func (q *question) search(s *searcher, stopped func() bool, budget uint64) {
	counted := func() bool { s.count(); return stopped() }
	for end := s.reader.Nodes() + budget; !q.settled() && s.reader.Nodes() < end; {
		s.cursor.board.Set(q.position)
		limit := q.limit
		if q.length > 0 {
			limit = uint16(q.length - 1)
		}
		r := searchSliced(s.reader, limit, end-s.reader.Nodes(), counted)
		s.count()
		switch {
		case r.Outcome == dfpn.Unknown:
			return
		case r.Outcome == dfpn.Proven:
			q.answer, q.length = r.Outcome, int(r.Length)
			q.shortest = q.length <= 1
		case q.answer == dfpn.Proven:
			q.shortest = true
		default:
			q.answer, q.reply = r.Outcome, shogi.Move(r.Move)
		}
	}
}

// searchSliced searches the position of the reader's cursor, with about the given number of
// nodes, 0 for no limit, and asks now and then whether to give up.
func searchSliced(reader *dfpn.Reader, limit uint16, nodes uint64, stopped func() bool) dfpn.Result {
	if stopped == nil {
		return reader.Search(limit)
	}
	for end := reader.Nodes() + nodes; ; {
		most := uint64(slice)
		if nodes > 0 {
			most = min(most, end-reader.Nodes())
		}
		r := reader.SearchWithin(limit, most)
		if r.Outcome != dfpn.Unknown || r.Nodes == 0 || nodes > 0 && reader.Nodes() >= end || stopped() {
			return r
		}
	}
}

func (q *question) settled() bool {
	return q.answer == dfpn.Disproven || q.answer == dfpn.Proven && (q.shortest || !q.exact)
}
