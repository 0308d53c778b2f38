package dfpn

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Reader plays out what searches have proven. It searches again what the table has lost,
// which costs little compared with the search itself. It belongs to one goroutine.
type Reader struct {
	worker *worker
	config Config
	shared shared
	// Choose, if not nil, picks one of several replies of equal length. The
	// cursor stands on the position where they are made. Choose may move it and use the
	// reader, but must leave the cursor where it was.
	Choose func(replies []Move) Move
}

// NewReader returns a reader of a table. It moves the cursor and leaves it where
// it was. Config.Nodes limits all its searches together, and Config.Progress is
// called during them. NewReader panics if the table holds results for hands other than
// the cursor's.
func NewReader(ctx context.Context, table *Table, cursor Cursor, config Config) *Reader {
	r := &Reader{config: config}
	r.shared.config, r.shared.done = &r.config, ctx.Done()
	r.worker = newWorker(&r.shared, table, cursor)
	if !table.adopt(r.worker.guards) {
		panic(errHands)
	}
	r.worker.reports, r.worker.reported = config.Progress != nil, time.Now()
	return r
}

// Nodes returns the number of nodes searched again.
func (r *Reader) Nodes() uint64 { return r.worker.nodes }

// Search searches the current position of the cursor for a win in at most limit
// plies, unless the answer is in the table.
func (r *Reader) Search(limit uint16) Result {
	w := r.worker
	before := w.nodes
	result := w.solve(limit)
	result.Nodes = w.nodes - before
	return result
}

// SearchWithin is Search limited to the given number of nodes, at least 1, which it may
// exceed by a few hundred. If that limit is reached the outcome is [Unknown], and the
// next search continues.
func (r *Reader) SearchWithin(limit uint16, nodes uint64) Result {
	w := r.worker
	all, interval := r.config.Nodes, w.interval
	r.config.Nodes, w.interval = w.nodes+nodes, min(interval, nodes)
	if all > 0 {
		r.config.Nodes = min(r.config.Nodes, all)
	}
	result := r.Search(limit)
	r.config.Nodes, w.interval = all, interval
	// If another limit was reached too, the next search stops at once.
	r.shared.stop.Store(false)
	w.stopped = false
	return result
}

// Line returns a line of play to the end from the current position of the cursor,
// which must be proven. The attacker stays within the known length and the defender plays
// the longest known reply. If exact, lengths are searched until they are exact: the line
// is the shortest win against the longest defence. Each position is proven again as it is
// played, so Line only fails when a limit is reached; it then returns the line up to there too.
func (r *Reader) Line(exact bool) ([]Move, error) {
	cursor := r.worker.cursor
	var line []Move
	defer func() {
		for _, m := range slices.Backward(line) {
			cursor.Undo(m)
		}
	}()
	limit := uint16(Unlimited)
	for {
		var node Node
		cursor.Expand(&node)
		if node.Status == Won && node.Length == 0 {
			return line, nil
		}
		m, left, ok := r.next(&node, limit, exact, len(line) == 0)
		if !ok {
			return line, fmt.Errorf("dfpn: a limit was reached after %d plies of the line", len(line))
		}
		limit = left
		line = append(line, m)
		cursor.Do(m)
	}
}

// next returns the move to play in the current position, which is won in at most
// limit plies, and the limit after it.
func (r *Reader) next(node *Node, limit uint16, exact, first bool) (m Move, left uint16, ok bool) {
	if node.Status != Open {
		return node.Move, node.Length - 1, node.Status == Won && node.Length <= limit
	}
	result := r.Search(limit)
	if exact && first {
		result = r.shorten(result)
	}
	if result.Outcome != Proven {
		return 0, 0, false
	}
	if !node.Or {
		return r.defend(node, less(result.Length), exact)
	}
	m, ok = r.attack(node, result.Move, less(result.Length))
	return m, less(result.Length), ok
}

// shorten searches for shorter wins from the current position of the cursor until
// there is none. The outcome is [Proven], with the length of the shortest win, or
// [Unknown] if a limit was reached.
func (r *Reader) shorten(best Result) Result {
	for best.Outcome == Proven && best.Length > 0 {
		shorter := r.Search(best.Length - 1)
		if shorter.Outcome == Disproven {
			break
		}
		best = shorter
	}
	return best
}

// attack returns a move after which the attacker wins within limit: the one with the
// shortest win in the table, if there is one.
func (r *Reader) attack(node *Node, best Move, limit uint16) (Move, bool) {
	w := r.worker
	length, found := uint16(Unlimited), false
	for i := range node.Children {
		c := &node.Children[i]
		e := w.table.lookup(position{nonzero(c.Key), c.Hand}, limit, 1, 1)
		if e.kind == proof && e.length < length {
			best, length, found = c.Move, e.length, true
		}
	}
	if found {
		return best, true
	}
	// The table has lost all of them.
	for i := range node.Children {
		m := node.Children[i].Move
		if r.reply(m, limit, false).Outcome == Proven {
			return m, true
		}
		if w.stopped {
			break
		}
	}
	return 0, false
}

// defend returns the reply that holds out longest, and the length of the win after it. If
// exact, it compares all replies, otherwise those whose proof is still in the table.
func (r *Reader) defend(node *Node, limit uint16, exact bool) (Move, uint16, bool) {
	var longest []Move
	length := uint16(0)
	add := func(m Move, l uint16) {
		if len(longest) == 0 || l > length {
			longest, length = longest[:0], l
		}
		if l == length {
			longest = append(longest, m)
		}
	}
	if !exact {
		for i := range node.Children {
			c := &node.Children[i]
			if e := r.worker.table.lookup(position{nonzero(c.Key), c.Hand}, limit, 1, 1); e.kind == proof {
				add(c.Move, e.length)
			}
		}
	}
	if len(longest) == 0 {
		for i := range node.Children {
			m := node.Children[i].Move
			result := r.reply(m, limit, exact)
			if result.Outcome != Proven {
				return 0, 0, false
			}
			add(m, result.Length)
		}
	}
	best := longest[0]
	if r.Choose != nil && len(longest) > 1 {
		best = r.Choose(longest)
	}
	return best, length, true
}

// reply searches the position after a move. If exact, the length of the result is
// limit unless there is a shorter win.
func (r *Reader) reply(m Move, limit uint16, exact bool) Result {
	w := r.worker
	w.cursor.Do(m)
	defer w.cursor.Undo(m)
	result := r.Search(limit)
	if exact && limit > 0 && result.Outcome == Proven {
		switch shorter := r.Search(limit - 1); shorter.Outcome {
		case Unknown, Proven:
			result = shorter
		case Disproven:
			result.Length = limit
		}
	}
	return result
}
