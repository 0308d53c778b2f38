package dfpn

import "math"

const (
	epsilonShift  = 2    // ε = 1/4
	depthLimit    = 4000 // plies beyond which nothing is searched; a result that needs more is unknown
	refreshAmount = 128  // nodes searched below a child after which its siblings are looked up again

	// waitingShare is the number of children waiting for another one of their group that
	// together count as one child with number 1. If they did not count at all, positions
	// where one piece after another can be interposed would look nearly won, however long
	// they are searched.
	waitingShare = 8
)

// less returns the limit for a position one ply deeper.
func less(limit uint16) uint16 {
	if limit == Unlimited || limit == 0 {
		return limit
	}
	return limit - 1
}

// more returns the length for a position one ply higher.
func more(length uint16) uint16 {
	if length >= Unlimited-1 {
		return length
	}
	return length + 1
}

// search is df-pn (Nagai 2002) with the refinements named below. The cursor stands
// on the position of t.
func (w *worker) search(t task) result {
	known := w.table.lookup(t.position, t.limit, 1, 1)
	if known.settled() {
		return known.result()
	}
	f := w.frame(t)
	f.known, f.start = known, w.nodes
	w.count()
	w.deepest = max(w.deepest, t.depth)
	w.cursor.Expand(&f.node)
	switch {
	case f.node.Status != Open:
		return w.terminal(f)
	case t.limit < max(f.node.Least, 1):
		return w.decide(f, &entry{kind: disproof, length: max(f.node.Least, 1) - 1, hand: t.hand})
	}
	w.path.push(t.position, t.depth)
	// A position met at this depth or above may return with numbers that never
	// reach the thresholds. The thresholds then grow until something new is
	// searched (threshold controlling: Kishimoto & Müller 2008; Kishimoto
	// 2010).
	if known.kind == unknown && w.grow > 0 {
		w.grow--
	}
	if w.lookupChildren(f) {
		w.grow++
	}
	grow := w.grow
	var s summary
	for {
		s = w.summarize(f)
		if s.phi == 0 || s.delta == 0 || w.stopped {
			break
		}
		phi, delta := t.phi, t.delta
		if w.grow > 0 {
			phi = max(phi, min(s.phi, maxNumber-1)+1)
			delta = max(delta, min(s.delta, maxNumber-1)+1)
		}
		if s.phi >= phi || s.delta >= delta {
			break
		}
		w.descend(f, &s, phi, delta)
	}
	w.grow = min(w.grow, grow)
	w.path.pop(t.position, t.depth)
	return w.leave(f, &s)
}

// terminal stores and returns the result of a node that is not open.
func (w *worker) terminal(f *frame) result {
	n := &f.node
	switch {
	case n.Status == Lost:
		return w.decide(f, &entry{kind: disproof, length: Unlimited, hand: n.Bound, unsure: n.Incomplete, move: n.Move})
	case n.Length > f.limit:
		return w.decide(f, &entry{kind: disproof, length: n.Length - 1, hand: f.hand, unsure: n.Incomplete})
	}
	return w.decide(f, &entry{kind: proof, length: n.Length, hand: n.Bound, move: n.Move})
}

// decide stores the entry of a node that needs no search and returns its result.
func (w *worker) decide(f *frame, e *entry) result {
	e.depth, e.amount = clampDepth(f.depth), 1
	w.table.store(f.position, e)
	return e.result()
}

func (e *entry) result() result {
	p, d := e.solved()
	return result{proof: p, disproof: d, length: e.length, hand: e.hand, unsure: e.unsure, move: e.move, depends: pathFree}
}

// solved returns the proof and disproof numbers of a settled entry.
func (e *entry) solved() (p, d uint32) {
	if e.kind == proof {
		return 0, infinite
	}
	return infinite, 0
}

// lookupChildren looks up all children. It reports whether an unsettled child has been
// met before, at this depth or above.
func (w *worker) lookupChildren(f *frame) (old bool) {
	w.loaded = w.table.prefetch(f.node.Children)
	for i := range f.node.Children {
		c := child{}
		w.lookupChild(f, &f.node.Children[i], &c)
		old = old || c.old && c.phi > 0 && c.delta > 0
		f.children = append(f.children, c)
	}
	return old
}

func (w *worker) lookupChild(f *frame, at *Child, c *child) {
	where, limit := position{at.Key, at.Hand}, less(f.limit)
	e := w.table.lookup(where, limit, uint32(max(at.Proof, 1)), uint32(max(at.Disproof, 1)))
	*c = child{amount: e.amount, depends: pathFree}
	if !e.settled() {
		c.old = e.kind == open && int(e.depth) <= f.depth
		failure := entry{kind: disproof, length: Unlimited, hand: at.Hand}
		if back := w.path.find(where, w.guards); back >= 0 {
			e, c.depends = failure, int32(back)
		} else if f.depth >= depthLimit {
			e, c.depends = failure, tooDeep
		} else if e.repeat {
			twin := w.table.lookup(position{w.path.pathKey(at.Key), at.Hand}, limit, 1, 1)
			if twin.kind == disproof {
				e, c.depends = twin, int32(twin.move)
			}
		}
	}
	p, d := e.proof, e.disproof
	if e.settled() {
		p, d = e.solved()
		c.length, c.hand, c.unsure = e.length, e.hand, e.unsure
	}
	c.phi, c.delta = d, p
	if f.node.Or {
		c.phi, c.delta = p, d
	}
}

// summary combines the children of a node.
type summary struct {
	phi, delta uint32
	best       int    // the child to search
	first      uint32 // its phi, with virtual loss
	second     uint32 // the least phi of the others, likewise
	others     uint32 // what the others add to delta
}

// summarize combines the numbers of the children: phi is the least phi. delta is the sum
// of the deltas if the defender is to move. The attacker's moves transpose, and a sum
// would count the same positions many times; there delta is the largest one plus one for
// each other child (Ueda, Hashimoto, Hashimoto & Iida, "Weak proof-number search", 2008).
func (w *worker) summarize(f *frame) summary {
	s := summary{phi: infinite, best: -1, first: infinite, second: infinite}
	var groups uint64
	var largest, count, waiting uint32
	var sum uint64
	for i := range f.children {
		c := &f.children[i]
		if c.delta == 0 {
			continue // lost for the side to move
		}
		if c.phi == 0 {
			if s.phi != 0 || c.depends > f.children[s.best].depends {
				s.phi, s.best = 0, i
			}
			continue
		}
		if g := f.node.Children[i].Group; g != 0 {
			if groups>>g&1 != 0 {
				waiting++
				continue
			}
			groups |= 1 << g
		}
		count++
		largest = max(largest, c.delta)
		sum += uint64(c.delta)
		s.phi = min(s.phi, c.phi)
		phi := c.phi
		if w.shared.losses.applies(c) {
			phi = w.shared.losses.raise(phi, &f.node.Children[i])
		}
		switch {
		case s.phi == 0:
		case phi < s.first || phi == s.first && c.delta > f.children[s.best].delta:
			s.second = s.first
			s.first, s.best = phi, i
		case phi < s.second:
			s.second = phi
		}
	}
	if s.phi == 0 {
		s.delta = infinite
		return s
	}
	if count == 0 {
		s.phi, s.delta = infinite, 0
		return s
	}
	if f.node.Or {
		s.others = count - 1
		s.delta = min(largest+s.others, maxNumber)
	} else {
		sum += uint64(waiting+waitingShare/2) / waitingShare
		s.delta = uint32(min(sum, uint64(maxNumber)))
		s.others = s.delta - min(s.delta, f.children[s.best].delta)
	}
	return s
}

// descend searches the best child, given the thresholds of the node.
func (w *worker) descend(f *frame, s *summary, phi, delta uint32) {
	at, c := &f.node.Children[s.best], &f.children[s.best]
	// The child may exceed its rival a little before the search switches
	// (1+ε: Pawlewicz & Lew, "Improving depth-first pn-search", 2007).
	rival := s.second
	if rival < infinite {
		rival = min(rival+1+rival>>epsilonShift, infinite)
	}
	// The child sees the numbers from the other side.
	t := task{position: position{at.Key, at.Hand}, depth: f.depth + 1, limit: less(f.limit), phi: delta, delta: max(min(phi, rival), c.phi+1)}
	if delta < infinite {
		t.phi = max(delta-min(delta, s.others), c.delta+1)
	}
	before := w.nodes
	w.cursor.Do(at.Move)
	counted := w.shared.losses.applies(c)
	if counted {
		w.shared.losses.of(at).Add(1)
	}
	r := w.search(t)
	if counted {
		w.shared.losses.of(at).Add(-1)
	}
	w.cursor.Undo(at.Move)
	searched := w.nodes - before
	*c = child{phi: r.disproof, delta: r.proof, amount: c.amount + uint32(searched), hand: r.hand, depends: r.depends, length: r.length, unsure: r.unsure}
	if f.node.Or {
		c.phi, c.delta = r.proof, r.disproof
	}
	if searched >= refreshAmount {
		w.refresh(f, s.best)
	}
}

// refresh looks up the open children again: a long search below one of them, or
// another worker, may have settled others.
func (w *worker) refresh(f *frame, searched int) {
	for i := range f.children {
		c := &f.children[i]
		if i == searched || c.phi == 0 || c.delta == 0 {
			continue
		}
		was := *c
		w.lookupChild(f, &f.node.Children[i], c)
		if c.amount < was.amount && c.phi > 0 && c.delta > 0 {
			*c = was // the table has lost it
		}
		c.old = was.old
	}
}

// leave stores and returns the result of searching a node.
func (w *worker) leave(f *frame, s *summary) result {
	r := result{proof: s.phi, disproof: s.delta, depends: pathFree}
	if !f.node.Or {
		r.proof, r.disproof = s.delta, s.phi
	}
	e := entry{
		kind: open, depth: clampDepth(f.depth), proof: r.proof, disproof: r.disproof, hand: f.hand,
		amount: uint32(min(w.nodes-f.start+uint64(f.known.amount), math.MaxUint32)),
	}
	if f.known.kind == open {
		e.depth = min(e.depth, f.known.depth)
		e.repeat = f.known.repeat
	}
	switch {
	case s.phi == 0:
		w.settleByBest(f, s.best, &r)
	case s.delta == 0:
		w.settleByAll(f, &r)
	}
	switch {
	case r.proof == 0:
		e.kind = proof
	case r.disproof == 0:
		e.kind = disproof
	}
	if e.settled() {
		e.length, e.hand, e.unsure, e.move = r.length, r.hand, r.unsure, r.move
	}
	if e.kind == disproof && r.depends < int32(f.depth) {
		if r.depends != tooDeep {
			twin := e
			twin.move = Move(r.depends)
			w.table.store(position{w.path.pathKey(f.key), f.hand}, &twin)
		}
		e = entry{kind: open, depth: e.depth, proof: 1, disproof: 1, hand: f.hand, amount: e.amount, repeat: true}
		if f.known.kind == open {
			e.proof, e.disproof = f.known.proof, f.known.disproof
		}
	} else {
		r.depends = pathFree
	}
	w.table.store(f.position, &e)
	return r
}

func (w *worker) settleByBest(f *frame, best int, r *result) {
	c := &f.children[best]
	r.length, r.depends, r.unsure, r.move = more(c.length), c.depends, c.unsure, f.node.Children[best].Move
	r.hand = f.hand
	if w.hands != nil {
		r.hand = w.hands.Lift(r.move, c.hand, r.proof == 0)
	}
}

func (w *worker) settleByAll(f *frame, r *result) {
	proven := r.proof == 0
	if !proven {
		r.length = Unlimited
		r.unsure = f.node.Incomplete
	}
	f.bounds = f.bounds[:0]
	for i := range f.children {
		c := &f.children[i]
		f.bounds = append(f.bounds, c.hand)
		r.depends = min(r.depends, c.depends)
		r.unsure = r.unsure || c.unsure
		if proven {
			r.length = max(r.length, more(c.length))
		} else {
			r.length = min(r.length, more(c.length))
		}
	}
	r.hand = f.hand
	if w.hands != nil {
		r.hand = w.hands.Join(&f.node, f.bounds, proven)
	}
}
