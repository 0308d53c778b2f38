package hex

import "github.com/yomikiri/yomikiri/games"

// cursor is a position in which groups of stones are kept by union and find (Tarjan 1975). Moves
// are taken back, so paths are not compressed: they stay short because the smaller of two groups
// joins the larger.
type cursor struct {
	game    *Game
	weights []int16
	path    []Position
	parent  []int16 // of each square and edge in its group
	size    []int16 // of the group, at its root
	joined  []int16 // roots that have joined another group, in order
	marks   []int   // how many had joined before each move
	found   []games.Feature
}

// again is the mark of a swap: the groups are made again when it is taken back.
const again = -1

// The edges are numbered after the squares: those of x, then those of o.
func (g *Game) edge(side, end int) int16 { return int16(g.n*g.n + 2*side + end) }

// neighbours returns for each square its neighbours, and the edges that it is on.
func (g *Game) neighbours() [][]int16 {
	list := make([][]int16, g.n*g.n)
	for square := range list {
		one := games.Squares{}.With(square)
		for near := g.beside(one); !near.Empty(); near = near.Rest() {
			list[square] = append(list[square], int16(near.First()))
		}
		for side := range g.edges {
			for end, edge := range g.edges[side] {
				if edge.Has(square) {
					list[square] = append(list[square], g.edge(side, end))
				}
			}
		}
	}
	return list
}

// NewCursor implements [games.CursorMaker].
func (g *Game) NewCursor(weights []int16) games.Cursor[Position, Move] {
	c := &cursor{game: g, weights: weights}
	c.Set(g.Start())
	return c
}

func (c *cursor) now() *Position     { return &c.path[len(c.path)-1] }
func (c *cursor) Position() Position { return *c.now() }

func (c *cursor) Set(p Position) {
	c.path, c.marks = append(c.path[:0], p), c.marks[:0]
	c.group()
}

// group makes the groups of the position.
func (c *cursor) group() {
	c.parent, c.size, c.joined = c.parent[:0], c.size[:0], c.joined[:0]
	for i := range c.game.n*c.game.n + 4 {
		c.parent, c.size = append(c.parent, int16(i)), append(c.size, 1)
	}
	for side, stones := range c.now().stones {
		for ; !stones.Empty(); stones = stones.Rest() {
			c.join(side, stones.First())
		}
	}
}

// root returns the square or edge that stands for a group.
func (c *cursor) root(at int16) int16 {
	for c.parent[at] != at {
		at = c.parent[at]
	}
	return at
}

// join connects a stone of a side with those beside it, and with the edges of the side.
func (c *cursor) join(side, square int) {
	stones, squares := c.now().stones[side], int16(c.game.n*c.game.n)
	for _, next := range c.game.next[square] {
		if next < squares && !stones.Has(int(next)) || next >= squares && int(next-squares)/2 != side {
			continue
		}
		a, b := c.root(int16(square)), c.root(next)
		if a == b {
			continue
		}
		if c.size[a] > c.size[b] {
			a, b = b, a
		}
		c.parent[a], c.size[b] = b, c.size[b]+c.size[a]
		c.joined = append(c.joined, a)
	}
}

// Key returns a hash of the stones; see [games.Cursor].
func (c *cursor) Key() uint64 {
	p, h := c.now(), uint64(0)
	for _, word := range [5]uint64{p.stones[x][0], p.stones[x][1], p.stones[o][0], p.stones[o][1], p.toMove} {
		h = (h ^ word) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}

func (c *cursor) Outcome() (games.Value, bool) {
	last := int(1 - c.now().toMove)
	if c.root(c.game.edge(last, 0)) == c.root(c.game.edge(last, 1)) {
		return games.Loss(0), true
	}
	return games.Unfinished, false
}

func (c *cursor) AppendMoves(dst []Move) []Move { return c.game.AppendMoves(dst, *c.now()) }

func (c *cursor) AppendTactical(moves []Move, ranks []int32) ([]Move, []int32) { return moves, ranks }

func (c *cursor) AppendRanks(dst []int32, moves []Move) []int32 {
	return append(dst, make([]int32, len(moves))...)
}

func (c *cursor) Forced() bool               { return false }
func (c *cursor) Pass() bool                 { return false }
func (c *cursor) Repetition(int) games.Value { return games.Draw }

func (c *cursor) Do(m Move) (gain int) {
	p := *c.now()
	c.path, c.marks = append(c.path, c.game.Play(p, m)), append(c.marks, len(c.joined))
	if m == swap { // a stone goes away
		c.marks[len(c.marks)-1] = again
		c.group()
	} else {
		c.join(int(p.toMove), int(m))
	}
	return 0
}

func (c *cursor) Undo() {
	c.path = c.path[:len(c.path)-1]
	mark := c.marks[len(c.marks)-1]
	c.marks = c.marks[:len(c.marks)-1]
	if mark == again {
		c.group()
		return
	}
	for i := len(c.joined) - 1; i >= mark; i-- {
		root := c.joined[i]
		c.size[c.parent[root]] -= c.size[root]
		c.parent[root] = root
	}
	c.joined = c.joined[:mark]
}

func (c *cursor) Evaluate() int {
	if c.weights == nil {
		return 0
	}
	c.found = c.game.AppendFeatures(c.found[:0], *c.now())
	sum := 0
	for _, f := range c.found {
		sum += int(c.weights[f.Number]) * int(f.Count)
	}
	return sum
}
