// Package graph has random games, and their values by a slow and independent oracle.
package graph

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/yomikiri/yomikiri/games"
)

// Graph is a random game: positions are numbers, moves are edges to the same
// tier or an earlier one. It has holes, finished positions of many values, and
// tiers with a closed part. It is an Expander, a Counter and a Retractor.
type Graph struct {
	List   []games.Tier
	Status []games.Value
	Edges  [][]uint64 // sorted
	Gains  [][]int16  // of the edges, where values are scores; else nil

	once   sync.Once
	before [][]uint64 // predecessors in the tier of each position, made by Retract
}

// Options shape a random graph.
type Options struct {
	Tiers, Size int
	Degree      int // most successors of a position
	Outcomes    []games.Value
	// Finished is how many of 100 positions are finished.
	Finished int
	Scores   bool // values are scores, and edges that leave the tier have gains
}

// PlainOutcomes are outcomes of a game by distance.
var PlainOutcomes = []games.Value{games.Loss(0), games.Loss(0), games.Draw, games.Win(1)}

// New returns a random graph.
func New(rng *rand.Rand, o Options) *Graph {
	g := &Graph{}
	for i := range o.Tiers {
		size := uint64(1 + rng.IntN(o.Size))
		open := size - rng.Uint64N(size/4+1)
		s := games.Tier{Name: fmt.Sprint(i), Start: uint64(len(g.Status)), Size: size, Open: open}
		g.List = append(g.List, s)
		for offset := range size {
			status := games.Unfinished
			switch n := rng.IntN(100); {
			case offset == 0 || offset >= open || n < o.Finished:
				status = o.Outcomes[rng.IntN(len(o.Outcomes))]
			case n >= 95:
				status = games.Hole
			}
			g.Status = append(g.Status, status)
		}
	}
	g.Edges = make([][]uint64, len(g.Status))
	if o.Scores {
		defer g.addGains(rng)
	}
	for _, s := range g.List {
		for from := s.Start; from < s.Start+s.Size; from++ {
			if g.Status[from] != games.Unfinished {
				continue
			}
			for n := 1 + rng.IntN(o.Degree); n > 0 || len(g.Edges[from]) == 0; n-- {
				to := rng.Uint64N(s.Start + s.Size)
				if rng.IntN(3) > 0 {
					to = s.Start + rng.Uint64N(s.Size)
				}
				if g.Status[to] != games.Hole && !slices.Contains(g.Edges[from], to) {
					g.Edges[from] = append(g.Edges[from], to)
				}
			}
			slices.Sort(g.Edges[from])
		}
	}
	return g
}

// addGains gives gains to the edges that may have some.
func (g *Graph) addGains(rng *rand.Rand) {
	g.Gains = make([][]int16, len(g.Edges))
	for from, list := range g.Edges {
		for _, to := range list {
			gain := int16(0)
			if g.Status[to] != games.Unfinished || g.TierOf(to) != g.TierOf(uint64(from)) {
				gain = int16(rng.IntN(7) - 3)
			}
			g.Gains[from] = append(g.Gains[from], gain)
		}
	}
}

func (g *Graph) Expand(indices []uint64, out *games.Expansion) {
	out.Reset()
	for _, from := range indices {
		status := games.Hole
		if from < uint64(len(g.Status)) {
			status = g.Status[from]
			for _, to := range g.Edges[from] {
				out.Successors = append(out.Successors, games.NewSuccessor(to, g.Status[to]))
			}
			out.Moves += len(g.Edges[from])
			if g.Gains != nil {
				out.Gains = append(out.Gains, g.Gains[from]...)
			}
		}
		out.Status = append(out.Status, status)
		out.End = append(out.End, len(out.Successors))
	}
}

// Count leaves out about half of what it may.
func (g *Graph) Count(indices []uint64, out *games.Expansion) {
	g.Expand(indices, out)
	begin, kept := 0, 0
	for i, end := range out.End {
		counted := 0
		for j := begin; j < end; j++ {
			s := out.Successors[j]
			gains := g.Gains != nil && out.Gains[j] != 0
			if s.Outcome() == games.Unfinished && !gains && s.Index()%2 == 0 && g.TierOf(s.Index()) == g.TierOf(indices[i]) {
				counted++
				continue
			}
			out.Successors[kept] = s
			if g.Gains != nil {
				out.Gains[kept] = out.Gains[j]
			}
			kept++
		}
		begin, out.End[i] = end, kept
		out.Counted = append(out.Counted, counted)
	}
	out.Successors = out.Successors[:kept]
	if g.Gains != nil {
		out.Gains = out.Gains[:kept]
	}
}

func (g *Graph) TierOf(index uint64) int {
	return slices.IndexFunc(g.List, func(s games.Tier) bool { return index < s.Start+s.Size })
}

func (g *Graph) Retract(indices []uint64, out *games.Predecessors) {
	g.once.Do(func() {
		g.before = make([][]uint64, len(g.Edges))
		for from, list := range g.Edges {
			tier := g.List[g.TierOf(uint64(from))]
			for _, to := range list {
				if to >= tier.Start {
					g.before[to] = append(g.before[to], uint64(from))
				}
			}
		}
	})
	out.Reset()
	for _, to := range indices {
		out.Indices = append(out.Indices, g.before[to]...)
	}
}

func (g *Graph) Universe(start uint64) *games.Universe {
	u := &games.Universe{Name: "graph", Tiers: g.List, Start: start, Expander: g, Retractor: g}
	if g.Gains != nil {
		u.Order = games.ByScore
	}
	return u
}

// Start returns a position of the last tier, an unfinished one if there is any
// among some.
func (g *Graph) Start(rng *rand.Rand) uint64 {
	s := g.List[len(g.List)-1]
	at := s.Start
	for range 100 {
		if i := s.Start + rng.Uint64N(s.Size); g.Status[i] == games.Unfinished {
			at = i
		}
	}
	return at
}

// Reachable returns which positions can be reached from one.
func (g *Graph) Reachable(start uint64) []bool {
	seen := make([]bool, len(g.Edges))
	seen[start] = true
	for queue := []uint64{start}; len(queue) > 0; queue = queue[1:] {
		for _, to := range g.Edges[queue[0]] {
			if !seen[to] {
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
	return seen
}

// Solve is the oracle: it backs values up over the whole graph until nothing
// changes, starting from a draw everywhere.
func (g *Graph) Solve() []games.Value {
	values := slices.Clone(g.Status)
	for i, v := range values {
		if v == games.Unfinished {
			values[i] = games.Draw
		}
	}
	for changed := true; changed; {
		changed = false
		next := slices.Clone(values)
		for from, list := range g.Edges {
			if len(list) == 0 {
				continue
			}
			best := games.Loss(0) // the least value
			for _, to := range list {
				best = max(best, values[to].Backup(0))
			}
			if next[from] != best {
				next[from], changed = best, true
			}
		}
		values = next
	}
	return values
}

// SolveScores is the oracle for scores. It asks of every score n what a side can
// force, by the meaning of the words: a position is worth at least n > 0 if the
// mover can force n within some number of moves, at most -n if the opponent can,
// and 0 where neither can force anything. Tiers are taken in order.
func (g *Graph) SolveScores() []games.Value {
	values := make([]games.Value, len(g.Status))
	for _, s := range g.List {
		for i := s.Start; i < s.Start+s.Size; i++ {
			values[i] = games.Draw
			if g.Status[i] != games.Unfinished {
				values[i] = g.Status[i]
			}
		}
		for n := 1; n <= 40; n++ {
			// forced[i] is +1 if the mover, -1 if the opponent can force n.
			forced := make([]int, s.Size)
			for changed := true; changed; {
				changed = false
				for i := s.Start; i < s.Start+s.Size; i++ {
					if f := g.forced(s, i, n, values, forced); f != forced[i-s.Start] {
						forced[i-s.Start], changed = f, true
					}
				}
			}
			for offset, f := range forced {
				if i := s.Start + uint64(offset); g.Status[i] == games.Unfinished && f != 0 {
					values[i] = games.Score(f * n)
				}
			}
		}
	}
	return values
}

// forced returns who can force n from position i by what is known so far, of the tier by offset.
func (g *Graph) forced(s games.Tier, i uint64, n int, values []games.Value, forced []int) int {
	all := len(g.Edges[i]) > 0
	for j, to := range g.Edges[i] {
		f := 0
		if to < s.Start || g.Status[to] != games.Unfinished {
			switch worth := int(g.Gains[i][j]) - int(values[to]); {
			case worth >= n:
				f = 1
			case worth <= -n:
				f = -1
			}
		} else {
			f = -forced[to-s.Start]
		}
		if f == 1 {
			return 1
		}
		all = all && f == -1
	}
	if all {
		return -1
	}
	return 0
}
