package solver

import (
	"hash/maphash"
	"unsafe"
)

const (
	unproven = Unproven
	none     = 0 // no node, no link: numbers begin with 1
)

// node is a position that has been expanded.
//
// Its moves are a block of count edges, starting at number edges. A solved node no longer
// needs them and has count 0; then move is the move that solves it, if a single move
// does.
type node[P, M comparable] struct {
	position P // canonical
	proof    uint32
	disproof uint32
	edges    uint32
	links    uint32 // the first of a list: the edges that lead here
	effort   uint32 // steps spent here since something below was proven
	move     M
	count    uint16
	best     uint16 // the edge towards the most-proving node
	flags    uint8
}

const (
	// attackerToMove says whose turn it is.
	attackerToMove = 1 << iota
	// incomplete says that some of the attacker's moves are not among the edges,
	// so that the failure of all edges proves nothing.
	incomplete
	// unsure says that a disproof rests on an incomplete node.
	unsure
	// waiting says that the defender's moves will be known when the edges are proven.
	waiting
	// ahead says that the node has been evaluated, but the search has not reached it yet.
	ahead
)

func (n *node[P, M]) solved() bool { return n.proof == 0 || n.disproof == 0 }

// edge is a move of a node. While child is none the position after the move is a leaf,
// and the numbers are an initial estimate; afterwards they are the child's.
type edge[M comparable] struct {
	move     M
	child    uint32
	proof    uint32
	disproof uint32
}

// link is a reverse edge of a node.
type link struct {
	parent, edge uint32
	next         uint32
}

// pages is a growing array whose elements do not move.
type pages[T any] struct{ list [][]T }

const (
	pageBits = 12
	pageMask = 1<<pageBits - 1
)

func (p *pages[T]) at(i uint32) *T { return &p.list[i>>pageBits][i&pageMask] }

// need grows the array to hold element i.
func (p *pages[T]) need(i uint32) {
	for uint32(len(p.list)) <= i>>pageBits {
		p.list = append(p.list, make([]T, 1<<pageBits))
	}
}

func (p *pages[T]) bytes() uint64 {
	var x T
	return uint64(len(p.list)) << pageBits * uint64(unsafe.Sizeof(x))
}

// arena holds the nodes of a search and finds them by position.
type arena[P, M comparable] struct {
	// mu guards all, if several searches share the arena. They announce what others may wait for:
	// above all, that a leaf has been evaluated.
	mu    monitor
	busy  []evaluation
	nodes pages[node[P, M]]
	edges pages[edge[M]]
	links pages[link]
	// The next unused number of each; numbers begin with 1.
	nodeCount, edgeCount, linkCount uint32
	// freeEdges holds, for each size, the blocks of edges that can be reused; freeLinks
	// is the first of a list of unused links.
	freeEdges [][]uint32
	freeLinks uint32
	// index is a hash table with open addressing: the numbers of nodes.
	index []uint32
	seed  maphash.Seed
}

func newArena[P, M comparable]() *arena[P, M] {
	return &arena[P, M]{nodeCount: 1, edgeCount: 1, linkCount: 1, index: make([]uint32, 1<<10), seed: maphash.MakeSeed()}
}

// reset empties the arena and keeps its memory.
func (a *arena[P, M]) reset() {
	a.nodeCount, a.edgeCount, a.linkCount = 1, 1, 1
	for i := range a.freeEdges {
		a.freeEdges[i] = a.freeEdges[i][:0]
	}
	a.freeLinks = none
	clear(a.index)
}

func (a *arena[P, M]) bytes() uint64 {
	return a.nodes.bytes() + a.edges.bytes() + a.links.bytes() + 4*uint64(len(a.index))
}

// slot returns the place of a position's node in the index, or the free place for it.
func (a *arena[P, M]) slot(p P, attacker bool) int {
	h := maphash.Comparable(a.seed, p)
	if attacker {
		h = ^h
	}
	mask := len(a.index) - 1
	for i := int(h) & mask; ; i = (i + 1) & mask {
		if a.index[i] == none {
			return i
		}
		if n := a.nodes.at(a.index[i]); n.flags&attackerToMove != 0 == attacker && n.position == p {
			return i
		}
	}
}

// find returns the node of a canonical position, or none.
func (a *arena[P, M]) find(p P, attacker bool) uint32 { return a.index[a.slot(p, attacker)] }

// add adds the node of a canonical position that has none.
func (a *arena[P, M]) add(n node[P, M]) uint32 {
	number := a.nodeCount
	a.nodeCount++
	a.nodes.need(number)
	*a.nodes.at(number) = n
	if 4*int(a.nodeCount) > 3*len(a.index) {
		a.grow()
	} else {
		a.index[a.slot(n.position, n.flags&attackerToMove != 0)] = number
	}
	return number
}

func (a *arena[P, M]) grow() {
	a.index = make([]uint32, 2*len(a.index))
	for number := uint32(1); number < a.nodeCount; number++ {
		n := a.nodes.at(number)
		a.index[a.slot(n.position, n.flags&attackerToMove != 0)] = number
	}
}

// block returns the number of the first of count consecutive edges.
func (a *arena[P, M]) block(count int) uint32 {
	for len(a.freeEdges) <= count {
		a.freeEdges = append(a.freeEdges, nil)
	}
	if free := a.freeEdges[count]; len(free) > 0 {
		a.freeEdges[count] = free[:len(free)-1]
		return free[len(free)-1]
	}
	if left := 1<<pageBits - a.edgeCount&pageMask; uint32(count) > left {
		a.edgeCount += left // a block lies within a page
	}
	first := a.edgeCount
	a.edgeCount += uint32(count)
	a.edges.need(a.edgeCount)
	return first
}

func (a *arena[P, M]) edgesOf(n *node[P, M]) []edge[M] {
	if n.count == 0 {
		return nil
	}
	return a.edges.list[n.edges>>pageBits][n.edges&pageMask:][:n.count]
}

// dropEdges frees the edges of a solved node. Its children's links to it are removed
// when an update meets them.
func (a *arena[P, M]) dropEdges(n *node[P, M]) {
	if n.count > 0 {
		a.freeEdges[n.count] = append(a.freeEdges[n.count], n.edges)
		n.count = 0
	}
}

// link records that an edge of a parent leads to a child.
func (a *arena[P, M]) link(parent, edge, child uint32) {
	number := a.freeLinks
	if number != none {
		a.freeLinks = a.links.at(number).next
	} else {
		number = a.linkCount
		a.linkCount++
		a.links.need(number)
	}
	c := a.nodes.at(child)
	*a.links.at(number) = link{parent, edge, c.links}
	c.links = number
}

// keepSolved returns an arena with only the solved nodes, without edges.
func (a *arena[P, M]) keepSolved() *arena[P, M] {
	kept := newArena[P, M]()
	for number := uint32(1); number < a.nodeCount; number++ {
		n := a.nodes.at(number)
		if n.solved() {
			kept.add(node[P, M]{position: n.position, proof: n.proof, disproof: n.disproof, move: n.move, flags: n.flags})
		}
	}
	return kept
}
