package retro

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// graph is a random game: positions are numbers, moves are edges to the same
// tier or an earlier one. It has holes, finished positions of many values, and
// tiers with a closed part. It is an Expander and a Retractor.
type graph struct {
	list   []games.Tier
	status []games.Value
	edges  [][]uint64 // sorted
	gains  [][]int16  // of the edges, where values are scores; else nil
}

// graphOptions shape a random graph.
type graphOptions struct {
	tiers, size int
	degree      int // most successors of a position
	outcomes    []games.Value
	// finished is how many of 100 positions are finished.
	finished int
	scores   bool // values are scores, and edges that leave the tier have gains
}

var plainOutcomes = []games.Value{games.Loss(0), games.Loss(0), games.Draw, games.Win(1)}

func newGraph(rng *rand.Rand, o graphOptions) *graph {
	g := &graph{}
	for i := range o.tiers {
		size := uint64(1 + rng.IntN(o.size))
		open := size - rng.Uint64N(size/4+1)
		s := games.Tier{Name: fmt.Sprint(i), Start: uint64(len(g.status)), Size: size, Open: open}
		g.list = append(g.list, s)
		for offset := range size {
			status := games.Unfinished
			switch n := rng.IntN(100); {
			case offset == 0 || offset >= open || n < o.finished:
				status = o.outcomes[rng.IntN(len(o.outcomes))]
			case n >= 95:
				status = games.Hole
			}
			g.status = append(g.status, status)
		}
	}
	g.edges = make([][]uint64, len(g.status))
	if o.scores {
		defer g.addGains(rng)
	}
	for _, s := range g.list {
		for from := s.Start; from < s.Start+s.Size; from++ {
			if g.status[from] != games.Unfinished {
				continue
			}
			for n := 1 + rng.IntN(o.degree); n > 0 || len(g.edges[from]) == 0; n-- {
				to := rng.Uint64N(s.Start + s.Size)
				if rng.IntN(3) > 0 {
					to = s.Start + rng.Uint64N(s.Size)
				}
				if g.status[to] != games.Hole && !slices.Contains(g.edges[from], to) {
					g.edges[from] = append(g.edges[from], to)
				}
			}
			slices.Sort(g.edges[from])
		}
	}
	return g
}

// addGains gives gains to the edges that may have some.
func (g *graph) addGains(rng *rand.Rand) {
	g.gains = make([][]int16, len(g.edges))
	for from, list := range g.edges {
		for _, to := range list {
			gain := int16(0)
			if g.status[to] != games.Unfinished || g.tierOf(to) != g.tierOf(uint64(from)) {
				gain = int16(rng.IntN(7) - 3)
			}
			g.gains[from] = append(g.gains[from], gain)
		}
	}
}

func (g *graph) Expand(indices []uint64, out *games.Expansion) {
	out.Reset()
	for _, from := range indices {
		status := games.Hole
		if from < uint64(len(g.status)) {
			status = g.status[from]
			for _, to := range g.edges[from] {
				out.Successors = append(out.Successors, games.NewSuccessor(to, g.status[to]))
			}
			out.Moves += len(g.edges[from])
			if g.gains != nil {
				out.Gains = append(out.Gains, g.gains[from]...)
			}
		}
		out.Status = append(out.Status, status)
		out.End = append(out.End, len(out.Successors))
	}
}

func (g *graph) tierOf(index uint64) int {
	return slices.IndexFunc(g.list, func(s games.Tier) bool { return index < s.Start+s.Size })
}

func (g *graph) Retract(indices []uint64, out *games.Predecessors) {
	out.Reset()
	for _, to := range indices {
		s := g.list[g.tierOf(to)]
		for from := s.Start; from < s.Start+s.Size; from++ {
			if slices.Contains(g.edges[from], to) {
				out.Indices = append(out.Indices, from)
			}
		}
	}
}

func (g *graph) universe(start uint64) *games.Universe {
	u := &games.Universe{Name: "graph", Tiers: g.list, Start: start, Expander: g, Retractor: g}
	if g.gains != nil {
		u.Order = games.ByScore
	}
	return u
}

// start returns a position of the last tier, an unfinished one if there is any
// among some.
func (g *graph) start(rng *rand.Rand) uint64 {
	s := g.list[len(g.list)-1]
	at := s.Start
	for range 100 {
		if i := s.Start + rng.Uint64N(s.Size); g.status[i] == games.Unfinished {
			at = i
		}
	}
	return at
}

// reachable returns the positions that can be reached from one.
func (g *graph) reachable(start uint64) map[uint64]bool {
	seen := map[uint64]bool{start: true}
	for queue := []uint64{start}; len(queue) > 0; queue = queue[1:] {
		for _, to := range g.edges[queue[0]] {
			if !seen[to] {
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
	return seen
}

// solve is the oracle: it backs values up over the whole graph until nothing
// changes, starting from a draw everywhere.
func (g *graph) solve() []games.Value {
	values := slices.Clone(g.status)
	for i, v := range values {
		if v == games.Unfinished {
			values[i] = games.Draw
		}
	}
	for changed := true; changed; {
		changed = false
		next := slices.Clone(values)
		for from, list := range g.edges {
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
