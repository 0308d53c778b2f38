package dfpn_test

import (
	"math/rand/v2"
	"slices"

	"github.com/yomikiri/yomikiri/dfpn"
)

// Hands of the test graphs: two kinds of tokens, at most three of each.
const (
	most       = 3
	handGuards = dfpn.Hand(0b100_100)
	fullHand   = dfpn.Hand(0b011_011)
)

func makeHand(a, b int) dfpn.Hand { return dfpn.Hand(a | b<<3) }

func tokens(h dfpn.Hand) [2]int { return [2]int{int(h & most), int(h >> 3 & most)} }

// edge is a move of a test graph. The attacker needs tokens for it and may gain or lose
// some. The defender has it only while the attacker holds at most so many tokens.
type edge struct {
	to     int
	needs  [2]int // the attacker's edges
	change [2]int // likewise; at least -needs
	most   [2]int // the defender's edges
}

// graph is a random AND/OR graph with cycles in which more tokens never harm the
// attacker.
type graph struct {
	seed     uint64
	or       []bool
	status   []dfpn.Status
	edges    [][]edge
	omitted  []int // how many of the attacker's edges cursors leave out, the last ones
	hands    bool  // tokens exist
	lookOnce bool  // Expand finds wins in one
}

func newGraph(rng *rand.Rand, size, degree int, hands bool) *graph {
	g := &graph{seed: rng.Uint64(), hands: hands, lookOnce: rng.IntN(2) == 0}
	finished := 5 + rng.IntN(25)
	for i := range size {
		g.or = append(g.or, i%2 == 0)
		status := dfpn.Open
		if n := rng.IntN(100); n < finished {
			status = dfpn.Won
			if rng.IntN(3) > 0 {
				status = dfpn.Lost
			}
		}
		g.status = append(g.status, status)
	}
	g.status[0] = dfpn.Open
	for i := range size {
		var list []edge
		for range 1 + rng.IntN(degree) {
			to := rng.IntN(size/2)*2 + 1 - i%2
			e := edge{to: to, most: [2]int{most, most}}
			for k := range e.needs {
				if !hands {
					break
				}
				if rng.IntN(3) == 0 {
					e.needs[k] = rng.IntN(3)
				}
				e.change[k] = rng.IntN(e.needs[k]+3) - e.needs[k]
				if rng.IntN(2) == 0 {
					e.change[k] = -e.needs[k]
				}
				if rng.IntN(3) == 0 {
					e.most[k] = rng.IntN(4)
				}
			}
			list = append(list, e)
		}
		g.edges = append(g.edges, list)
	}
	return g
}

// omit leaves out some edges, and returns the graph without them.
func (g *graph) omit(rng *rand.Rand) *graph {
	reduced := *g
	g.omitted, reduced.edges = make([]int, len(g.or)), slices.Clone(g.edges)
	for node := range g.or {
		if g.or[node] && rng.IntN(4) == 0 {
			g.omitted[node] = 1 + rng.IntN(len(g.edges[node]))
			reduced.edges[node] = g.edges[node][:len(g.edges[node])-g.omitted[node]]
		}
	}
	return &reduced
}

// has reports whether the edge exists with a hand, and the hand after it.
func (g *graph) has(node int, e *edge, h dfpn.Hand) (dfpn.Hand, bool) {
	t := tokens(h)
	for k := range t {
		if !g.or[node] {
			if t[k] > e.most[k] {
				return 0, false
			}
			continue
		}
		if t[k] < e.needs[k] {
			return 0, false
		}
		t[k] = min(t[k]+e.change[k], most)
	}
	return makeHand(t[0], t[1]), true
}

// statusOf returns the status of a node. A side without an edge has lost.
func (g *graph) statusOf(node int, h dfpn.Hand) dfpn.Status {
	if g.status[node] != dfpn.Open {
		return g.status[node]
	}
	for i := range g.edges[node] {
		if _, ok := g.has(node, &g.edges[node][i], h); ok {
			return dfpn.Open
		}
	}
	if g.or[node] {
		return dfpn.Lost
	}
	return dfpn.Won
}

type state struct {
	node int
	hand dfpn.Hand
}

const never = 1 << 30

// distances is the oracle: the shortest win from every state, by iterating over all
// states until nothing changes.
func (g *graph) distances() map[state]int {
	d := map[state]int{}
	for node := range g.or {
		for a := range most + 1 {
			for b := range most + 1 {
				s := state{node, makeHand(a, b)}
				d[s] = never
				if g.statusOf(node, s.hand) == dfpn.Won {
					d[s] = 0
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for s, old := range d {
			if g.statusOf(s.node, s.hand) != dfpn.Open {
				continue
			}
			best := 0
			if g.or[s.node] {
				best = never
			}
			for i := range g.edges[s.node] {
				e := &g.edges[s.node][i]
				h, ok := g.has(s.node, e, s.hand)
				switch {
				case !ok:
				case g.or[s.node]:
					best = min(best, d[state{e.to, h}]+1)
				default:
					best = max(best, d[state{e.to, h}]+1)
				}
			}
			if best = min(best, never); best < old {
				d[s], changed = best, true
			}
		}
	}
	return d
}

// handWalker is a walker on a graph with tokens. It implements [dfpn.Hands].
type handWalker struct{ *walker }

func newWalker(g *graph, root state, group bool) dfpn.Cursor {
	w := &walker{g: g, at: []state{root}, group: group}
	if g.hands {
		return handWalker{w}
	}
	return w
}

func (w handWalker) RootHand() dfpn.Hand { return w.top().hand }

func (w handWalker) Guards() dfpn.Hand { return handGuards }

func (w handWalker) Lift(m dfpn.Move, bound dfpn.Hand, proven bool) dfpn.Hand {
	return w.lift(m, bound, proven)
}

func (w handWalker) Join(n *dfpn.Node, bounds []dfpn.Hand, proven bool) dfpn.Hand {
	return w.join(w.top(), n.Children, bounds, proven)
}

// walker is a cursor on a graph.
type walker struct {
	g     *graph
	at    []state
	group bool // put children into groups
}

func (w *walker) top() state { return w.at[len(w.at)-1] }

func (g *graph) key(node int) uint64 { return (g.seed + uint64(node)) * 0xd1342543de82ef95 }

func (w *walker) Root() uint64 { return w.g.key(w.top().node) }

func (w *walker) Expand(n *dfpn.Node) {
	s, g := w.top(), w.g
	n.Or = g.or[s.node]
	n.Status = g.statusOf(s.node, s.hand)
	switch n.Status {
	case dfpn.Won:
		n.Bound = w.bare(s, true)
		return
	case dfpn.Lost:
		n.Bound = w.bare(s, false)
		return
	}
	for i := range g.edges[s.node] {
		e := &g.edges[s.node][i]
		h, ok := g.has(s.node, e, s.hand)
		if !ok {
			continue
		}
		if g.omitted != nil && i >= len(g.edges[s.node])-g.omitted[s.node] {
			n.Incomplete = true
			continue
		}
		if n.Or && g.lookOnce && g.statusOf(e.to, h) == dfpn.Won {
			n.Status, n.Length, n.Move = dfpn.Won, 1, dfpn.Move(i)
			n.Bound = w.lift(n.Move, w.bare(state{e.to, h}, true), true)
			return
		}
		c := dfpn.Child{Key: g.key(e.to), Hand: h, Move: dfpn.Move(i), Proof: 1 + uint16(e.to%3), Disproof: 1 + uint16(e.to%2)}
		if w.group {
			c.Group = uint8(e.to % 4)
		}
		n.Children = append(n.Children, c)
	}
	if len(n.Children) == 0 {
		n.Status, n.Bound = dfpn.Lost, w.join(s, nil, nil, false)
	}
	if n.Or && g.lookOnce && !n.Incomplete {
		n.Least = 2
	}
}

// bare is the bound of a node that the rules decide.
func (w *walker) bare(s state, won bool) dfpn.Hand {
	if w.g.status[s.node] != dfpn.Open {
		if won {
			return 0
		}
		return fullHand
	}
	return w.join(s, nil, nil, won)
}

func (w *walker) lift(m dfpn.Move, bound dfpn.Hand, proven bool) dfpn.Hand {
	e := &w.g.edges[w.top().node][m]
	b := tokens(bound)
	for k := range b {
		if proven {
			b[k] = max(e.needs[k], b[k]-e.change[k])
		} else {
			b[k] = min(b[k], e.most[k])
		}
	}
	return makeHand(b[0], b[1])
}

func (w *walker) join(s state, children []dfpn.Child, bounds []dfpn.Hand, proven bool) dfpn.Hand {
	t := tokens(s.hand)
	var out [2]int
	if !proven {
		out = [2]int{most, most}
	}
	for i, c := range children {
		e := &w.g.edges[s.node][c.Move]
		for k, b := range tokens(bounds[i]) {
			if proven {
				out[k] = max(out[k], b)
			} else if b < most {
				out[k] = min(out[k], b-e.change[k])
			}
		}
	}
	for i := range w.g.edges[s.node] {
		e := &w.g.edges[s.node][i]
		if _, ok := w.g.has(s.node, e, s.hand); ok {
			continue
		}
		for k := range t {
			if proven && t[k] > e.most[k] {
				out[k] = max(out[k], e.most[k]+1)
				break
			}
			if !proven && t[k] < e.needs[k] {
				out[k] = min(out[k], e.needs[k]-1)
				break
			}
		}
	}
	return makeHand(out[0], out[1])
}

func (w *walker) Do(m dfpn.Move) {
	s := w.top()
	e := &w.g.edges[s.node][m]
	h, ok := w.g.has(s.node, e, s.hand)
	if !ok {
		panic("no such edge")
	}
	w.at = append(w.at, state{e.to, h})
}

func (w *walker) Undo(dfpn.Move) { w.at = w.at[:len(w.at)-1] }
