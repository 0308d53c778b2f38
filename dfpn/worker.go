package dfpn

import (
	"math"
	"sync/atomic"
	"time"
)

// Proof and disproof numbers. Finite ones stay below infinite.
const (
	infinite  = uint32(1) << 31
	maxNumber = infinite - 1
)

// Unlimited as a limit of the length of a win means no limit.
const Unlimited = math.MaxUint16

// Values of result.depends that are not the depth of a position on the path.
const (
	pathFree = math.MaxInt32 // the result depends on nothing: it holds on every path
	tooDeep  = -1            // the result depends on the depth limit
)

// result is the result of searching a node.
type result struct {
	proof, disproof uint32
	length          uint16 // if settled: see kind
	hand            Hand   // likewise
	unsure          bool   // likewise
	move            Move   // that settles the node
	// depends is the least depth of a position on the path that a disproof
	// rests on: the attacker fails because it returns there.
	depends int32
}

// child holds what is known about a child. phi and delta are from the point of
// view of the side to move at its parent: phi is the proof number if that is the
// attacker, else the disproof number, and delta the other one.
type child struct {
	phi, delta uint32
	amount     uint32 // nodes searched in and below it
	hand       Hand
	depends    int32
	length     uint16
	unsure     bool
	old        bool // met before at the parent's depth or above
}

// task holds the arguments of search: search the current position for a win in at most
// limit plies until its phi or delta reaches the threshold. phi is the proof number if
// the attacker is to move, else the disproof number; delta is the other one.
type task struct {
	position
	depth      int
	phi, delta uint32
	limit      uint16
}

// frame is the state of the search at one depth.
type frame struct {
	task
	known    entry  // what the table knew at the start
	start    uint64 // nodes of the worker at the start
	node     Node
	children []child
	bounds   []Hand
}

// worker is a search by one goroutine.
type worker struct {
	shared   *shared
	table    *Table
	cursor   Cursor
	hands    Hands // nil if the cursor has none
	guards   Hand
	frames   []*frame
	path     path
	grow     int // above 0, thresholds grow: see search
	nodes    uint64
	checked  uint64 // nodes at the last check of the limits
	interval uint64 // nodes between checks
	stopped  bool
	deepest  int
	reports  bool // this worker reports progress
	reported time.Time
	loaded   uint64 // keeps prefetch from being optimised away
	// Data that one goroutine writes all the time must not share a cache line with data
	// that another one reads.
	_ [clusterBytes]byte
}

// shared is the state that the workers of a search share.
type shared struct {
	config *Config
	nodes  atomic.Uint64
	stop   atomic.Bool
	done   <-chan struct{}
	losses *virtualLosses // nil with one worker
}

// checkInterval is the number of nodes between checks of the limits.
const checkInterval = 256

func newWorker(s *shared, table *Table, cursor Cursor) *worker {
	w := &worker{shared: s, table: table, cursor: cursor, path: newPath(), interval: checkInterval}
	if n := s.config.Nodes; n > 0 {
		if threads := uint64(s.config.Threads); threads > 1 {
			n = max(n/(16*threads), 1) // all of them together exceed the limit by little
		}
		w.interval = min(w.interval, n)
	}
	if hands, ok := cursor.(Hands); ok {
		w.hands, w.guards = hands, hands.Guards()
	}
	return w
}

// solve searches the current position of the cursor until it is settled or the
// search has to stop.
func (w *worker) solve(limit uint16) Result {
	root := task{position: position{key: nonzero(w.cursor.Root())}, phi: infinite, delta: infinite, limit: limit}
	if w.hands != nil {
		root.hand = w.hands.RootHand()
	}
	var r result
	for {
		w.grow = 0
		r = w.search(root)
		if r.proof == 0 || r.disproof == 0 || w.stopped {
			break
		}
	}
	w.flush()
	out := Result{Proof: r.proof, Disproof: r.disproof, Depth: w.deepest}
	switch {
	case r.proof == 0:
		out.Outcome = Proven
	case r.disproof == 0 && r.depends != tooDeep:
		out.Outcome = Disproven
	default:
		return out
	}
	out.Length, out.Move, out.Sure = r.length, r.move, !r.unsure
	return out
}

func (w *worker) frame(t task) *frame {
	for len(w.frames) <= t.depth {
		w.frames = append(w.frames, &frame{})
	}
	f := w.frames[t.depth]
	f.task = t
	f.node = Node{Children: f.node.Children[:0]}
	f.children = f.children[:0]
	return f
}

// count counts a node and checks the limits now and then. It checks the context at every
// node, because the system may take long to provide memory for a node.
func (w *worker) count() {
	select {
	case <-w.shared.done:
		w.shared.stop.Store(true)
		w.stopped = true
	default:
	}
	if w.nodes++; w.nodes-w.checked >= w.interval {
		w.flush()
		w.stopped = w.shared.stop.Load()
	}
}

// flush adds the worker's nodes to the shared total.
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
