package gametest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

// Graph is a random game for tests of engines: its positions are numbers, and a move is
// the number of the position that it leads to. It implements [games.Game].
type Graph struct {
	Moves    [][]int       // of each position
	Outcomes []games.Value // of each position, or games.Unfinished
	Layers   []int         // of each position; not set by NewCyclic
}

// NewGraph returns a game whose positions are in layers: one in the first, perLayer in each
// of the others. Moves lead into later layers, and a position can be reached in many ways.
func NewGraph(rng *rand.Rand, layers, perLayer int) *Graph {
	g := &Graph{}
	for layer := range layers {
		for range 1 + min(layer, 1)*(perLayer-1) {
			var moves []int
			if layer < layers-1 && (layer < 2 || rng.IntN(6) > 0) {
				for range 1 + rng.IntN(4) {
					ahead := min(layer+1+rng.IntN(2)*rng.IntN(3), layers-1)
					to := 1 + (ahead-1)*perLayer + rng.IntN(perLayer)
					if len(moves) == 0 || moves[len(moves)-1] < to {
						moves = append(moves, to)
					}
				}
			}
			v := games.Unfinished
			if len(moves) == 0 {
				v = []games.Value{games.Loss(0), games.Loss(0), games.Win(0), games.Win(0), games.Draw}[rng.IntN(5)]
			}
			g.Layers, g.Moves, g.Outcomes = append(g.Layers, layer), append(g.Moves, moves), append(g.Outcomes, v)
		}
	}
	return g
}

// Name implements [games.Game], as do all methods but Values.
func (g *Graph) Name() string { return "graph" }

// Start returns 0.
func (g *Graph) Start() int { return 0 }

// Outcome returns an element of Outcomes.
func (g *Graph) Outcome(p int) (games.Value, bool) {
	return g.Outcomes[p], g.Outcomes[p] != games.Unfinished
}

// AppendMoves appends an element of Moves.
func (g *Graph) AppendMoves(dst []int, p int) []int { return append(dst, g.Moves[p]...) }

// Play returns m.
func (g *Graph) Play(_, m int) int { return m }

// Layer returns an element of Layers.
func (g *Graph) Layer(p int) int { return g.Layers[p] }

// AppendPosition appends the number after a p.
func (g *Graph) AppendPosition(dst []byte, p int) []byte {
	return strconv.AppendInt(append(dst, 'p'), int64(p), 10)
}

// AppendMove appends the number after an m.
func (g *Graph) AppendMove(dst []byte, _, m int) []byte {
	return strconv.AppendInt(append(dst, 'm'), int64(m), 10)
}

// ParsePosition reads what AppendPosition writes.
func (g *Graph) ParsePosition(text string) (int, error) {
	digits, ok := strings.CutPrefix(text, "p")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 0 || n >= len(g.Moves) {
		return 0, fmt.Errorf("%q is not in the graph", text)
	}
	return n, nil
}

// Cyclic is a random game in which positions can repeat.
type Cyclic struct{ *Graph }

// Layer hides Graph.Layer: with this signature the game is not a [games.Layerer].
func (Cyclic) Layer() {}

// NewCyclic returns a game of size positions; the first is not finished.
func NewCyclic(rng *rand.Rand, size int) Cyclic {
	g := &Graph{}
	for p := range size {
		var moves []int
		v := games.Unfinished
		if p > 0 && rng.IntN(4) == 0 {
			v = []games.Value{games.Loss(0), games.Loss(0), games.Loss(0), games.Win(0), games.Draw}[rng.IntN(5)]
		} else {
			for range 1 + rng.IntN(4) {
				if to := rng.IntN(size); !slices.Contains(moves, to) {
					moves = append(moves, to)
				}
			}
		}
		g.Moves, g.Outcomes = append(g.Moves, moves), append(g.Outcomes, v)
	}
	return Cyclic{g}
}

// Values returns the values of all positions for the side to move. It derives wins and losses
// until nothing changes; all other positions are drawn.
func (g *Graph) Values() map[int]games.Result {
	known := map[int]games.Result{}
	for p, v := range g.Outcomes {
		if v != games.Unfinished {
			known[p] = v.Result()
		}
	}
	for before := -1; before != len(known); {
		before = len(known)
		for p, moves := range g.Moves {
			lost := 0
			for _, m := range moves {
				switch r, ok := known[m]; {
				case ok && r == games.Lost:
					known[p] = games.Won
				case ok && r == games.Won:
					lost++
				}
			}
			if len(moves) > 0 && lost == len(moves) {
				known[p] = games.Lost
			}
		}
	}
	for p := range g.Moves {
		if _, ok := known[p]; !ok {
			known[p] = games.Drawn
		}
	}
	return known
}

// Negamax returns the value of p by full search; the game must always end. It memoises
// results in known.
func Negamax[P, M comparable](g games.Game[P, M], p P, known map[P]games.Result) games.Result {
	if v, finished := g.Outcome(p); finished {
		return v.Result()
	}
	if r, ok := known[p]; ok {
		return r
	}
	best := games.Lost
	for _, m := range g.AppendMoves(nil, p) {
		best = max(best, -Negamax(g, g.Play(p, m), known))
	}
	known[p] = best
	return best
}
