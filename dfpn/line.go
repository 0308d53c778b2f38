package dfpn

import (
	"context"
	"fmt"
	"time"
)

// Reader plays out what searches have proven. It searches again what the table
// has lost meanwhile, which is little next to the search itself. It belongs to
// one goroutine.
type Reader struct {
	worker *worker
	config Config
	shared shared
	// Choose, if it is not nil, says which of several replies of equal length
	// is shown. The cursor stands where they are made. Choose may move it, and
	// use the reader, as long as it leaves the cursor where it was.
	Choose func(replies []Move) Move
}

// NewReader returns a reader of a table. It moves the cursor and leaves it where
// it was. The number of nodes in config limits all that it searches, and its
// Progress is told of that.
func NewReader(ctx context.Context, table *Table, cursor Cursor, config Config) *Reader {
	r := &Reader{config: config}
	r.shared.config, r.shared.done = &r.config, ctx.Done()
	r.worker = newWorker(&r.shared, table, cursor)
	r.worker.reports, r.worker.reported = config.Progress != nil, time.Now()
	return r
}

// Nodes returns how many nodes were searched again.
func (r *Reader) Nodes() uint64 { return r.worker.nodes }

// Search searches the current position of the cursor for a win in at most limit
// plies, unless the table knows.
func (r *Reader) Search(limit uint16) Result {
	w := r.worker
	before := w.nodes
	result := w.solve(limit)
	result.Nodes = w.nodes - before
	return result
}

// Line returns a line of play from the current position of the cursor, which is
// proven, to the end: the attacker's moves keep to the length that is known, the
// defender's are the longest of those known. With exact set, lengths are
// searched until they are exact, so that the line is as long as the shortest win
// against the longest defence. Each of its positions is proven anew as it is
// played; an error says that this failed, which it does only when a limit was
// reached.
func (r *Reader) Line(exact bool) (line []Move, err error) {
	w := r.worker
	defer func() {
		for i := len(line) - 1; i >= 0 && err == nil; i-- {
			w.cursor.Undo(line[i])
		}
	}()
	limit := uint16(Unlimited)
	for first := true; ; first = false {
		var node Node
		w.cursor.Expand(&node)
		switch {
		case node.Status == Won && node.Length == 0:
			return line, nil
		case node.Status == Won && node.Length <= limit:
			line = append(line, node.Move)
			w.cursor.Do(node.Move)
			limit = node.Length - 1
			continue
		case node.Status != Open:
			return r.fail(line)
		}
		result := r.Search(limit)
		if exact && first {
			result = r.Shorten(result)
		}
		if result.Outcome != Proven {
			return r.fail(line)
		}
		limit = less(result.Length)
		var next Move
		var ok bool
		if node.Or {
			next, ok = r.attack(&node, result, limit)
		} else {
			next, limit, ok = r.defend(&node, limit, exact)
		}
		if !ok {
			return r.fail(line)
		}
		line = append(line, next)
		w.cursor.Do(next)
	}
}

func (r *Reader) fail(line []Move) ([]Move, error) {
	for i := len(line) - 1; i >= 0; i-- {
		r.worker.cursor.Undo(line[i])
	}
	return nil, fmt.Errorf("dfpn: a limit was reached after %d plies of the line", len(line))
}

// Shorten searches for shorter wins from the current position of the cursor until
// there is none. The outcome of what it returns is [Proven], with the length of
// the shortest win, or [Unknown] if a limit was reached before.
func (r *Reader) Shorten(best Result) Result {
	for best.Outcome == Proven && best.Length > 0 {
		shorter := r.Search(best.Length - 1)
		if shorter.Outcome == Disproven {
			break
		}
		best = shorter
	}
	return best
}

// attack returns a move after which the attacker wins within limit.
func (r *Reader) attack(node *Node, result Result, limit uint16) (Move, bool) {
	w := r.worker
	best, found := result.Move, false
	length := uint16(Unlimited)
	for i := range node.Children {
		c := &node.Children[i]
		e := w.table.lookup(c.Key, c.Hand, limit, 1, 1)
		if e.kind == proof && e.length < length {
			best, length, found = c.Move, e.length, true
		}
	}
	if found || result.Outcome != Proven {
		return best, found
	}
	// The table has lost it all: search the moves for it.
	for i := range node.Children {
		m := node.Children[i].Move
		w.cursor.Do(m)
		outcome := r.Search(limit).Outcome
		w.cursor.Undo(m)
		if outcome == Proven {
			return m, true
		}
		if w.stopped {
			break
		}
	}
	return 0, false
}

// defend returns the reply that holds out longest, and how long: with exact set
// of all replies, otherwise of those whose proof the table still has.
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
			if e := r.worker.table.lookup(c.Key, c.Hand, limit, 1, 1); e.kind == proof {
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

// reply searches the position after a reply. With exact set the length of the
// result is limit if there is no shorter win.
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
