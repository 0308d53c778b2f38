package dfpn

import (
	"math"
	"sync/atomic"
	"time"
)

// Numbers. infinite is a proof or disproof number that cannot be reached; finite
// numbers stay below it.
const (
	infinite  = uint32(1) << 31
	maxNumber = infinite - 1
)

// Unlimited, as a limit of the length of a win, is none.
const Unlimited = math.MaxUint16

// pathFree is the depth on which a result depends that holds wherever the
// position is met.
const pathFree = math.MaxInt32

// tooDeep is the same for a disproof that was given up: it depends on something
// above the root.
const tooDeep = -1

// result is what a search of a node found out.
type result struct {
	proof, disproof uint32
	length          uint16 // if proven or disproven: see kind
	hand            Hand   // likewise
	move            Move   // that wins
	// depends is the least depth of a position on the path that a disproof
	// rests on: the attacker fails there because he comes back to it.
	depends int32
}

// child is what a search knows of a child, as the side sees it that chooses
// among the children: win is the number that it brings to 0 (the proof number
// for the attacker), lose the other one.
type child struct {
	win, lose uint32
	length    uint16
	hand      Hand
	depends   int32
	amount    uint32
	old       bool // also met nearer to the root
}

// frame holds the node at one depth of the search.
type frame struct {
	node     Node
	children []child
	bounds   []Hand
}

// worker is a search by one goroutine.
type worker struct {
	shared   *shared
	table    *Table
	cursor   Cursor
	bounder  Bounder // nil if the cursor is none
	guards   Hand
	frames   []*frame
	path     path
	nodes    uint64
	checked  uint64 // nodes when limits were last looked at
	interval uint64 // nodes between such looks
	stopped  bool
	deepest  int
	reports  bool // the worker reports progress
	reported time.Time
	touched  uint64 // keeps [Table.touch] from being optimised away
	// What a goroutine writes all the time must not share a line of the
	// processors' caches with what another one reads.
	_ [lineBytes]byte
}

// shared is what the workers of a search have in common.
type shared struct {
	config *Config
	nodes  atomic.Uint64
	stop   atomic.Bool
	done   <-chan struct{}
	active *activity // nil with one worker
}

// checkInterval is the number of nodes between looks at the limits.
const checkInterval = 256

func (w *worker) frame(depth int) *frame {
	for len(w.frames) <= depth {
		w.frames = append(w.frames, &frame{})
	}
	f := w.frames[depth]
	f.node = Node{Children: f.node.Children[:0]}
	return f
}

// count counts a node and reports whether the search has to end.
func (w *worker) count() bool {
	if w.nodes++; w.nodes-w.checked >= w.interval {
		w.flush()
		select {
		case <-w.shared.done:
			w.shared.stop.Store(true)
		default:
		}
		w.stopped = w.shared.stop.Load()
	}
	return w.stopped
}

func (w *worker) flush() {
	total := w.shared.nodes.Add(w.nodes - w.checked)
	w.checked = w.nodes
	if w.reports && total&^0xffff != (total-checkInterval)&^0xffff && time.Since(w.reported) >= time.Second {
		w.reported = time.Now()
		w.shared.config.Progress(total, w.deepest)
	}
	if limit := w.shared.config.Nodes; limit > 0 && total >= limit {
		w.shared.stop.Store(true)
	}
}

// less is one ply less of a limit.
func less(limit uint16) uint16 {
	if limit == Unlimited || limit == 0 {
		return limit
	}
	return limit - 1
}

// more is one ply more than a length.
func more(length uint16) uint16 {
	if length >= Unlimited-1 {
		return length
	}
	return length + 1
}

// search searches the current position, which has the given key and hand, for a
// win in at most limit plies, until its win reaches thWin or its lose reaches
// thLose: these are its proof and disproof number, in this order if the attacker
// is to move. It is df-pn (Nagai 2002) with what is named below.
func (w *worker) search(depth int, key uint64, hand Hand, thWin, thLose uint32, limit uint16, grow *int) result {
	before := w.table.lookup(key, hand, limit, 1, 1)
	if before.kind == proof || before.kind == disproof {
		return known(&before)
	}
	start := w.nodes
	w.count()
	w.deepest = max(w.deepest, depth)
	f := w.frame(depth)
	node := &f.node
	w.cursor.Expand(node)
	if node.Status != Open {
		return w.finished(node, key, hand, depth, limit)
	}
	if limit == 0 {
		return w.refuted(0, key, hand, depth, hand)
	}
	w.path.push(key, hand, depth)
	if before.kind == unknown && *grow > 0 {
		*grow--
	}
	if w.look(f, depth, limit) {
		*grow++
	}
	originalGrow := *grow
	thresholdWin, thresholdLose := thWin, thLose
	var s summary
	for {
		s = w.summarize(f)
		if s.win == 0 || s.lose == 0 || w.stopped {
			break
		}
		// A position met nearer to the root may come back with numbers that
		// never reach the thresholds, so they are let grow until something new
		// is searched (threshold controlling: Kishimoto & Müller 2008;
		// Kishimoto 2010).
		thresholdWin, thresholdLose = thWin, thLose
		if *grow > 0 {
			thresholdWin = max(thresholdWin, min(s.win, maxNumber-1)+1)
			thresholdLose = max(thresholdLose, min(s.lose, maxNumber-1)+1)
		}
		if s.win >= thresholdWin || s.lose >= thresholdLose {
			break
		}
		w.descend(f, &s, depth, thresholdWin, thresholdLose, limit, grow)
	}
	*grow = min(*grow, originalGrow)
	w.path.pop(key, hand, depth)
	return w.leave(f, &s, key, hand, depth, w.nodes-start, &before)
}

// known is the result for a node that the table settles.
func known(e *entry) result {
	r := result{proof: infinite, disproof: infinite, length: e.length, hand: e.hand, move: e.move, depends: pathFree}
	if e.kind == proof {
		r.proof = 0
	} else {
		r.disproof = 0
	}
	return r
}

// finished is the result for a node that needs no search.
func (w *worker) finished(node *Node, key uint64, hand Hand, depth int, limit uint16) result {
	bound := node.Bound
	if w.guards == 0 {
		bound = hand
	}
	if node.Status == Won {
		if node.Length > limit {
			return w.refuted(node.Length-1, key, hand, depth, hand)
		}
		w.table.store(key, hand, &entry{kind: proof, depth: clampDepth(depth), length: node.Length, hand: bound, move: node.Move, amount: 1})
		return result{proof: 0, disproof: infinite, length: node.Length, hand: bound, move: node.Move, depends: pathFree}
	}
	return w.refuted(Unlimited, key, hand, depth, bound)
}

// refuted is the result for a node where there is no win in length plies.
func (w *worker) refuted(length uint16, key uint64, hand Hand, depth int, bound Hand) result {
	w.table.store(key, hand, &entry{kind: disproof, depth: clampDepth(depth), length: length, hand: bound, amount: 1})
	return result{proof: infinite, disproof: 0, length: length, hand: bound, depends: pathFree}
}

func clampDepth(depth int) uint16 { return uint16(min(depth, maxDepth)) }

// pathKey returns the key of results that hold only below the current path: the
// positions on it decide what comes back (the twin of Kishimoto & Müller, "A general
// solution to the graph history interaction problem", 2004).
func (w *worker) pathKey(key uint64) uint64 { return key ^ mix(w.path.sum) | 1 }

// look fills in what is known of all children, and reports whether one that is
// not settled has been met nearer to the root.
func (w *worker) look(f *frame, depth int, limit uint16) (old bool) {
	f.children = f.children[:0]
	w.touched = w.table.touch(f.node.Children)
	for i := range f.node.Children {
		c := child{}
		w.lookChild(&f.node.Children[i], &c, f.node.Or, depth, less(limit))
		old = old || c.old && c.win > 0 && c.lose > 0
		f.children = append(f.children, c)
	}
	return old
}

// lookChild fills in what is known of a child.
func (w *worker) lookChild(at *Child, c *child, or bool, depth int, limit uint16) {
	e := w.table.lookup(at.Key, at.Hand, limit, uint32(max(at.Proof, 1)), uint32(max(at.Disproof, 1)))
	c.amount = e.amount
	c.depends = pathFree
	var p, d uint32
	switch e.kind {
	case proof:
		p, d = 0, infinite
		c.length, c.hand = e.length, e.hand
	case disproof:
		p, d = infinite, 0
		c.length, c.hand = e.length, e.hand
	default:
		p, d = e.proof, e.disproof
		c.old = e.kind == open && int(e.depth) <= depth
		if back := w.path.find(at.Key, at.Hand, w.guards); back >= 0 {
			p, d = infinite, 0
			c.length, c.hand, c.depends = Unlimited, at.Hand, int32(back)
		} else if depth >= w.shared.config.maxDepth() {
			p, d = infinite, 0
			c.length, c.hand, c.depends = Unlimited, at.Hand, tooDeep
		} else if e.repeat {
			t := w.table.lookup(w.pathKey(at.Key), at.Hand, limit, 1, 1)
			if t.kind == disproof {
				p, d = infinite, 0
				c.length, c.hand, c.depends = t.length, t.hand, int32(t.move)
			}
		}
	}
	c.win, c.lose = d, p
	if or {
		c.win, c.lose = p, d
	}
}

// summary is what the children of a node say together.
type summary struct {
	win, lose uint32
	best      int    // the child to search
	first     uint32 // its win, raised if others search there
	second    uint32 // the least win of the others, likewise
	others    uint32 // what the others add to lose
}

// summarize combines the numbers of the children. A node is won by the best of
// its children and lost by all together. Proof numbers of all replies are added
// up. Disproof numbers of all attacks are not: different attacks lead to the same
// positions, which a sum would count again and again. Instead the largest one
// counts, plus one for each other (weak proof numbers: Ueda, Hashimoto, Hashimoto
// & Iida, "Weak proof-number search", 2008).
func (w *worker) summarize(f *frame) summary {
	s := summary{win: infinite, best: -1, first: infinite, second: infinite}
	var groups uint64
	var largest, count, waiting uint32
	var sum uint64
	for i := range f.children {
		c := &f.children[i]
		if c.lose == 0 {
			continue // lost for the side that chooses
		}
		if c.win == 0 {
			if s.win != 0 || c.depends > f.children[s.best].depends {
				s.win, s.best = 0, i
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
		largest = max(largest, c.lose)
		sum += uint64(c.lose)
		s.win = min(s.win, c.win)
		win := c.win
		if w.shared.active.counts(c) {
			win = w.shared.active.raise(win, &f.node.Children[i])
		}
		switch {
		case s.win == 0:
		case win < s.first || win == s.first && c.lose > f.children[s.best].lose:
			s.second = s.first
			s.first, s.best = win, i
		case win < s.second:
			s.second = win
		}
	}
	if s.win == 0 {
		s.lose = infinite
		return s
	}
	if count == 0 {
		s.win, s.lose = infinite, 0
		return s
	}
	if f.node.Or {
		s.others = count - 1
		s.lose = min(largest+s.others, maxNumber)
	} else {
		sum += uint64(waiting+waitingShare/2) / waitingShare
		s.lose = uint32(min(sum, uint64(maxNumber)))
		s.others = s.lose - min(s.lose, f.children[s.best].lose)
	}
	return s
}

// waitingShare is how many children that wait behind another one of their group
// count as much as a child with number 1. Without them, positions in which one piece
// after the other can be interposed look nearly won however long they are searched.
const waitingShare = 8

// descend searches the best child.
func (w *worker) descend(f *frame, s *summary, depth int, thWin, thLose uint32, limit uint16, grow *int) {
	at, c := &f.node.Children[s.best], &f.children[s.best]
	// The child may go a little beyond its rival before the search changes
	// over (1+ε: Pawlewicz & Lew, "Improving depth-first pn-search", 2007).
	rival := s.second
	if rival < infinite {
		rival = min(rival+1+rival>>epsilonShift, infinite)
	}
	childWin := max(min(thWin, rival), c.win+1)
	childLose := thLose
	if thLose < infinite {
		childLose = max(thLose-min(thLose, s.others), c.lose+1)
	}
	nodes := w.nodes
	w.cursor.Do(at.Move)
	active := w.shared.active.counts(c)
	if active {
		w.shared.active.enter(at)
	}
	r := w.search(depth+1, at.Key, at.Hand, childLose, childWin, less(limit), grow)
	if active {
		w.shared.active.exit(at)
	}
	w.cursor.Undo(at.Move)
	*c = child{length: r.length, hand: r.hand, depends: r.depends, amount: c.amount + uint32(w.nodes-nodes)}
	c.win, c.lose = r.disproof, r.proof
	if f.node.Or {
		c.win, c.lose = r.proof, r.disproof
	}
	if w.nodes-nodes >= refreshAmount {
		w.refresh(f, s.best, depth, limit)
	}
}

const (
	epsilonShift  = 2   // ε = 1/4
	refreshAmount = 128 // nodes after which the other children are looked up again
)

// refresh looks up those children again that are open: a long search below one
// of them, or another goroutine, may have settled others.
func (w *worker) refresh(f *frame, searched, depth int, limit uint16) {
	for i := range f.children {
		c := &f.children[i]
		if i == searched || c.win == 0 || c.lose == 0 {
			continue
		}
		was := *c
		w.lookChild(&f.node.Children[i], c, f.node.Or, depth, less(limit))
		if c.amount < was.amount && c.win > 0 && c.lose > 0 {
			*c = was // the table has lost it
		}
		c.old = was.old
	}
}

// leave stores what has been found out about a node, and returns it.
func (w *worker) leave(f *frame, s *summary, key uint64, hand Hand, depth int, amount uint64, before *entry) result {
	r := result{proof: s.win, disproof: s.lose, depends: pathFree}
	if !f.node.Or {
		r.proof, r.disproof = s.lose, s.win
	}
	e := entry{kind: open, depth: clampDepth(depth), proof: r.proof, disproof: r.disproof, hand: hand}
	e.amount = uint32(min(amount+uint64(before.amount), math.MaxUint32))
	if before.kind == open {
		e.depth = min(e.depth, before.depth)
		e.repeat = before.repeat
	}
	switch {
	case r.proof == 0:
		e.kind = proof
		w.settle(f, s, hand, &r, f.node.Or)
	case r.disproof == 0:
		e.kind = disproof
		w.settle(f, s, hand, &r, !f.node.Or)
	}
	if e.kind != open {
		e.length, e.hand, e.move = r.length, r.hand, r.move
	}
	if e.kind == disproof && r.depends < int32(depth) {
		if r.depends != tooDeep {
			twin := e
			twin.move = Move(r.depends)
			w.table.store(w.pathKey(key), hand, &twin)
		}
		e = entry{kind: open, depth: e.depth, proof: 1, disproof: 1, hand: hand, amount: e.amount, repeat: true}
		if before.kind == open {
			e.proof, e.disproof = before.proof, before.disproof
		}
	} else {
		r.depends = pathFree
	}
	w.table.store(key, hand, &e)
	return r
}

// settle fills in the length of a win, or below which there is none, and the
// bound of the hand, from the best child or from all.
func (w *worker) settle(f *frame, s *summary, hand Hand, r *result, byBest bool) {
	proven := r.proof == 0
	r.hand = hand
	if byBest {
		c := &f.children[s.best]
		r.length, r.depends, r.move = more(c.length), c.depends, f.node.Children[s.best].Move
		if w.bounder != nil {
			r.hand = w.bounder.Lift(r.move, c.hand, proven)
		}
		return
	}
	if !proven {
		r.length = Unlimited
	}
	f.bounds = f.bounds[:0]
	for i := range f.children {
		c := &f.children[i]
		f.bounds = append(f.bounds, c.hand)
		r.depends = min(r.depends, c.depends)
		if proven {
			r.length = max(r.length, more(c.length))
		} else {
			r.length = min(r.length, more(c.length))
		}
	}
	if w.bounder != nil {
		r.hand = w.bounder.Join(&f.node, f.bounds, proven)
	}
}
