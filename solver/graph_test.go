package solver

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

// graph is a random game: positions in layers, moves into later ones, so that a
// position is reached on many ways. It implements [games.Game].
type graph struct {
	moves    [][]int // of each position, where they lead
	outcomes []games.Value
	layers   []int
}

const perLayer = 12

func newGraph(rng *rand.Rand, layers int) *graph {
	g := &graph{}
	for layer := range layers {
		width := perLayer
		if layer == 0 {
			width = 1
		}
		for range width {
			g.layers = append(g.layers, layer)
		}
	}
	draws := rng.IntN(3)
	for p, layer := range g.layers {
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
		g.moves = append(g.moves, moves)
		v := games.Unfinished
		if len(moves) == 0 {
			switch r := rng.IntN(4 + draws); {
			case r < 2:
				v = games.Loss(0)
			case r < 4:
				v = games.Win(0)
			default:
				v = games.Draw
			}
		}
		g.outcomes = append(g.outcomes, v)
		_ = p
	}
	return g
}

func (g *graph) Name() string { return "graph" }
func (g *graph) Start() int   { return 0 }
func (g *graph) Outcome(p int) (games.Value, bool) {
	return g.outcomes[p], g.outcomes[p] != games.Unfinished
}
func (g *graph) AppendMoves(dst []int, p int) []int { return append(dst, g.moves[p]...) }
func (g *graph) Play(_, m int) int                  { return m }
func (g *graph) Layer(p int) int                    { return g.layers[p] }
func (g *graph) AppendPosition(dst []byte, p int) []byte {
	return strconv.AppendInt(append(dst, 'p'), int64(p), 10)
}
func (g *graph) AppendMove(dst []byte, _, m int) []byte {
	return strconv.AppendInt(append(dst, 'm'), int64(m), 10)
}

func (g *graph) ParsePosition(text string) (int, error)    { return g.parse(text, "p") }
func (g *graph) ParseMove(_ int, text string) (int, error) { return g.parse(text, "m") }

func (g *graph) parse(text, prefix string) (int, error) {
	digits, ok := strings.CutPrefix(text, prefix)
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 0 || n >= len(g.moves) {
		return 0, fmt.Errorf("%q is not in the graph", text)
	}
	return n, nil
}

// cyclic is a random game in which positions repeat.
type cyclic struct{ *graph }

// Layer hides that of graph: without this signature there are no layers.
func (cyclic) Layer() {}

func newCyclic(rng *rand.Rand, size int) cyclic {
	g := &graph{}
	for range size {
		var moves []int
		for range 1 + rng.IntN(4) {
			if to := rng.IntN(size); !slices.Contains(moves, to) {
				moves = append(moves, to)
			}
		}
		v := games.Unfinished
		if rng.IntN(4) == 0 {
			moves = nil
			v = []games.Value{games.Loss(0), games.Loss(0), games.Loss(0), games.Win(0), games.Draw}[rng.IntN(5)]
		}
		g.moves, g.outcomes = append(g.moves, moves), append(g.outcomes, v)
	}
	return cyclic{g}
}

// backUp returns the values of all positions of a game in which positions come
// again: it settles what it can until nothing changes, and the rest is drawn.
func (g *graph) backUp() map[int]games.Result {
	known := map[int]games.Result{}
	for p, v := range g.outcomes {
		if v != games.Unfinished {
			known[p] = v.Result()
		}
	}
	for before := -1; before != len(known); {
		before = len(known)
		for p, moves := range g.moves {
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
	for p := range g.moves {
		if _, ok := known[p]; !ok {
			known[p] = games.Drawn
		}
	}
	return known
}

// negamax returns the value of each position by looking at all that follow.
func negamax[P, M comparable](g games.Game[P, M], p P, known map[P]games.Result) games.Result {
	if v, finished := g.Outcome(p); finished {
		return v.Result()
	}
	if r, ok := known[p]; ok {
		return r
	}
	best := games.Lost
	for _, m := range g.AppendMoves(nil, p) {
		best = max(best, -negamax(g, g.Play(p, m), known))
	}
	known[p] = best
	return best
}

// seer is a graph with threats: it knows some values, and leaves out moves.
type seer struct {
	*graph
	rng      *rand.Rand
	known    map[int]games.Result
	restrict bool // leaves out moves of the attacker that may win
	left     bool // it has left out some
}

// newSeer returns a seer of a graph that knows the values of all positions.
func newSeer(g *graph, rng *rand.Rand, known map[int]games.Result, restrict bool) *seer {
	return &seer{graph: g, rng: rng, known: known, restrict: restrict}
}

func (s *seer) NewBrancher() Brancher[int, int] { return s }

func (s *seer) AppendBranches(dst []Branch[int], p int, attackerToMove bool) ([]Branch[int], bool) {
	complete := true
	for _, m := range s.moves[p] {
		wins := negamax(s.graph, m, s.known) == games.Won // for the side to move in m
		if attackerToMove {
			wins = negamax(s.graph, m, s.known) == games.Lost
		}
		branch := Branch[int]{Move: m, Proof: 1 + s.rng.Uint32N(3), Disproof: 1 + s.rng.Uint32N(3)}
		_, finished := s.Outcome(m)
		switch {
		case attackerToMove && s.restrict && s.rng.IntN(3) == 0:
			complete, s.left = false, true
			continue
		case !attackerToMove && wins && s.rng.IntN(2) == 0:
			continue // a move of the defender's that loses
		case finished || s.rng.IntN(4) == 0:
			if branch.Proof, branch.Disproof = 0, unproven; !wins {
				branch.Proof, branch.Disproof = unproven, 0
			}
		}
		dst = append(dst, branch)
	}
	return dst, complete
}

func (s *seer) AppendCertificate(dst []byte, _ int, _ bool) ([]byte, bool) { return dst, false }
