package proof

import (
	"context"
	"errors"
	"io"
	"slices"
	"sort"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Graph looks up the nodes of a proof file by number, for walking through a proof. It checks
// the form and the checksums, not the proof. It is safe for concurrent use.
type Graph struct {
	file   io.ReaderAt
	size   int64
	header Header
	counts Counts
	roots  []uint64
	nodes  []uint64             // how many each claim has
	keeps  map[[2]uint64]uint64 // by claim and number of a node ahead: the node that keeps it
	places []place
	cache  *lru.Cache[int, []Node] // the nodes of places
}

// place is where a chunk of nodes begins.
type place struct {
	offset int64
	chunk  uint64
	claim  int
	before uint64 // number of the node before it
}

// cachedChunks is the number of chunks whose nodes are kept. They take a megabyte or two
// each.
const cachedChunks = 32

// OpenGraph reads a whole proof file and remembers where its chunks are. It needs 32 bytes
// of memory for each.
func OpenGraph(ctx context.Context, file io.ReaderAt, size int64) (*Graph, error) {
	r, err := NewReader(io.NewSectionReader(file, 0, size))
	if err != nil {
		return nil, err
	}
	g := &Graph{file: file, size: size, header: r.header, keeps: map[[2]uint64]uint64{}}
	g.cache, _ = lru.New[int, []Node](cachedChunks) // fails for sizes below 1 only
	for {
		if len(r.chunk) == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			g.places = append(g.places, place{int64(r.bytes), r.chunks, r.claim, r.number})
		}
		last := r.number
		n, root, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			g.counts = r.counts
			return g, nil
		case err != nil:
			return nil, err
		case n == nil:
			g.roots, g.nodes = append(g.roots, root), append(g.nodes, last)
		case n.Kind == Keeps:
			g.keeps[[2]uint64{uint64(len(g.roots)), n.Children[0]}] = n.Children[1]
		}
	}
}

// Header returns what the file is about.
func (g *Graph) Header() Header { return g.header }

// Rename does what [Reader.Rename] does. It must come before any other use.
func (g *Graph) Rename(game string) { g.header.Game = game }

// Counts returns what the file holds.
func (g *Graph) Counts() Counts { return g.counts }

// Root returns the number of the root of a claim, 0 if the game is over there.
func (g *Graph) Root(claim int) uint64 { return g.roots[claim] }

// Node returns a node of a claim, or the one that proves it if it is ahead. The caller must
// not change it. It fails with [ErrRefused] if there is no such node, and with [ErrCorrupt] if the
// file has changed.
func (g *Graph) Node(claim int, number uint64) (*Node, error) {
	if node, ok := g.keeps[[2]uint64{uint64(claim), number}]; ok {
		number = node
	}
	if claim >= len(g.nodes) || number == 0 || number > g.nodes[claim] {
		return nil, refused("claim %d has no node %d", claim+1, number)
	}
	at := sort.Search(len(g.places), func(i int) bool {
		p := g.places[i]
		return p.claim > claim || p.claim == claim && p.before >= number
	}) - 1
	nodes, ok := g.cache.Get(at)
	if !ok {
		var err error
		if nodes, err = g.read(g.places[at]); err != nil {
			return nil, err
		}
		g.cache.Add(at, nodes)
	}
	// The chunk may begin with the end of the claim before.
	first := number
	if p := g.places[at]; p.claim == claim {
		first = number - p.before
	} else {
		for i := range nodes {
			if nodes[i].Kind == endOfClaim {
				nodes = nodes[i+1:]
				break
			}
		}
	}
	if first > uint64(len(nodes)) || nodes[first-1].Kind == endOfClaim {
		return nil, corrupt("claim %d has no node %d any more", claim+1, number)
	}
	return &nodes[first-1], nil
}

// read reads the nodes of a chunk. The end of a claim is a node of the kind endOfClaim.
func (g *Graph) read(p place) ([]Node, error) {
	r := &Reader{
		r: io.NewSectionReader(g.file, p.offset, g.size-p.offset), header: g.header,
		bytes: uint64(p.offset), chunks: p.chunk, claim: p.claim, number: p.before,
	}
	var nodes []Node
	for {
		n, _, err := r.Next()
		if err != nil {
			return nil, err
		}
		if n == nil {
			n = &Node{Kind: endOfClaim}
		}
		c := *n // its texts lie in the chunk, and no other chunk is read after it
		c.Children = slices.Clone(n.Children)
		if n.Kind != Keeps { // which has no number
			nodes = append(nodes, c)
		}
		if len(r.chunk) == 0 {
			return nodes, nil
		}
	}
}
