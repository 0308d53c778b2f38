package manager

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// GomokuBrancher is threat.NewBrancher, which tests of this package cannot import.
var GomokuBrancher func(g *gomoku.Game) solver.Brancher[gomoku.Position, gomoku.Square]

// GomokuBackend is a back end of threat.NewBackends.
var GomokuBackend func(g *gomoku.Game) Backend

// AdaptGomoku is threat.AdaptProof.
var AdaptGomoku func(g *gomoku.Game, proof []byte, position string) ([]byte, bool)

// simGame is a game of a simulation.
type simGame struct {
	rules      Rules
	root       string
	newBackend func(memory uint64) Backend
	// value returns the true value of a position for the side to move.
	value func(position string) games.Result
	check Checker
	adapt Adapter
	// givesUp says that its back ends may fail.
	givesUp bool
}

// newSimGame returns a game, and for its back ends one of two methods where both will do.
func newSimGame[P, M comparable](g games.Game[P, M], root P, newBrancher func() solver.Brancher[P, M], rng *rand.Rand) *simGame {
	method := solver.DepthFirst
	if _, ends := g.(games.Layerer[P]); ends && rng.IntN(2) == 0 {
		method = solver.BestFirst
	}
	values := map[P]games.Result{}
	return &simGame{
		rules: NewRules(g),
		root:  string(g.AppendPosition(nil, root)),
		newBackend: func(memory uint64) Backend {
			list, err := NewBackends(g, newBrancher, solver.Config{Method: method, Memory: memory}, 1)
			if err != nil {
				panic(err)
			}
			return list[0]
		},
		value: func(position string) games.Result {
			p, err := g.ParsePosition(position)
			if err != nil {
				panic(err)
			}
			return negamax(g, p, values)
		},
		check: func(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (proof.Report, error) {
			return proof.Check(ctx, r, g, o)
		},
	}
}

// negamax returns the value of a position of a game that ends.
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

// simGames returns a game for a seed: random ones above all.
func simGames(rng *rand.Rand) *simGame {
	switch rng.IntN(16) {
	case 0:
		g := tictactoe.Game{}
		return newSimGame(g, g.Start(), nil, rng)
	case 1:
		g, err := gomoku.Family.Open([]string{"gomoku:size=3x3,k=3", "gomoku:size=3x4,k=3", "gomoku:size=2x5,k=3"}[rng.IntN(3)])
		if err != nil {
			panic(err)
		}
		s := newSimGame(g, g.Start(), func() solver.Brancher[gomoku.Position, gomoku.Square] { return GomokuBrancher(g) }, rng)
		s.check = checkGomoku
		if rng.IntN(2) == 0 { // threats
			s.newBackend = func(uint64) Backend { return GomokuBackend(g) }
			s.adapt = func(proof []byte, position string) ([]byte, bool) { return AdaptGomoku(g, proof, position) }
			s.givesUp = true
		}
		return s
	case 2:
		g, err := connect4.Family.Open("connect4:size=4x4")
		if err != nil {
			panic(err)
		}
		p := g.Start()
		for range 7 {
			if moves := g.AppendMoves(nil, p); len(moves) > 0 {
				p = g.Play(p, moves[rng.IntN(len(moves))])
			}
		}
		return newSimGame(g, p, nil, rng)
	case 3, 4, 5:
		g := newCyclic(rng, 4+rng.IntN(40))
		return newSeen(g, g.graph, g.backUp(), rng)
	}
	g := newGraph(rng, 4+rng.IntN(8))
	return newSeen(g, g, g.backUp(), rng)
}

// newSeen returns a random game, with a seer or without.
func newSeen(g games.Game[int, int], of *graph, values map[int]games.Result, rng *rand.Rand) *simGame {
	var newSeer func() solver.Brancher[int, int]
	restrict := false
	if rng.IntN(2) == 0 {
		restrict = rng.IntN(4) == 0
		newSeer = func() solver.Brancher[int, int] { return &seer{of, values, restrict} }
	}
	s := newSimGame(g, 0, newSeer, rng)
	s.givesUp = restrict
	s.value = func(position string) games.Result {
		p, err := of.ParsePosition(position)
		if err != nil {
			panic(err)
		}
		return values[p]
	}
	return s
}

// graph is a random game whose positions are in layers; moves lead into later ones.
type graph struct {
	moves    [][]int // of each position, where they lead
	outcomes []games.Value
	layers   []int
}

func newGraph(rng *rand.Rand, layers int) *graph {
	const perLayer = 8
	g := &graph{}
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
			g.layers, g.moves, g.outcomes = append(g.layers, layer), append(g.moves, moves), append(g.outcomes, v)
		}
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
func (g *graph) ParsePosition(text string) (int, error) {
	digits, ok := strings.CutPrefix(text, "p")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 0 || n >= len(g.moves) {
		return 0, fmt.Errorf("%q is not in the graph", text)
	}
	return n, nil
}

// cyclic is a random game in which positions come again.
type cyclic struct{ *graph }

// Layer hides that of graph: without this signature there are no layers.
func (cyclic) Layer() {}

func newCyclic(rng *rand.Rand, size int) cyclic {
	g := &graph{}
	for p := range size {
		var moves []int
		v := games.Unfinished
		if p > 0 && rng.IntN(4) == 0 {
			v = []games.Value{games.Loss(0), games.Loss(0), games.Loss(0), games.Win(0), games.Draw}[rng.IntN(5)]
		} else {
			seen := map[int]bool{}
			for range 1 + rng.IntN(4) {
				if to := rng.IntN(size); !seen[to] {
					seen[to] = true
					moves = append(moves, to)
				}
			}
		}
		g.moves, g.outcomes = append(g.moves, moves), append(g.outcomes, v)
	}
	return cyclic{g}
}

// backUp returns the values of all positions: it settles what it can until nothing
// changes, and the rest is drawn.
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

// guesser is a back end that scores what it leaves open: on average rightly.
type guesser struct {
	Backend
	rules Rules
	value func(position string) games.Result
}

func (g *guesser) Search(ctx context.Context, j *Job) (*Answer, error) {
	a, err := g.Backend.Search(ctx, j)
	if err != nil || a.Outcome != Unknown {
		return a, err
	}
	a.Score = g.score(j.Question)
	legal, err := g.rules.Moves(j.Position)
	for i := range a.Moves {
		if m := &a.Moves[i]; m.Outcome == Unknown {
			at := slices.IndexFunc(legal, func(l Move) bool { return l.Text == m.Move })
			m.Score = g.score(Question{legal[at].To, !j.Attacker})
		}
	}
	return a, err
}

// score returns -40 to 40.
func (g *guesser) score(q Question) int32 {
	h := fnv.New32a()
	io.WriteString(h, q.Position)
	chance := int32(h.Sum32() >> 8 % 64)
	if v := g.value(q.Position); q.Attacker && v == games.Won || !q.Attacker && v == games.Lost {
		return chance - 23
	}
	return 23 - chance
}

// seer knows values of a graph, and leaves out moves: which, depends on the position alone.
type seer struct {
	*graph
	values map[int]games.Result
	// restrict: it leaves out moves of the attacker that may win, and none else, since a
	// search that is so restricted may not find what it knows.
	restrict bool
}

func (s *seer) AppendBranches(dst []solver.Branch[int], p int, attackerToMove bool) ([]solver.Branch[int], bool) {
	complete := true
	for i, m := range s.moves[p] {
		chance := (uint32(p)*31 + uint32(i) + 7) * 0x9e3779b9 >> 28 // 0 to 15
		wins := s.values[m] == games.Lost
		if !attackerToMove {
			wins = s.values[m] == games.Won // for the attacker, who moves next
		}
		branch := solver.Branch[int]{Move: m, Proof: 1 + chance%3, Disproof: 1 + chance%2}
		_, finished := s.Outcome(m)
		switch {
		case attackerToMove && s.restrict && chance < 3:
			complete = false
			continue
		case !s.restrict && attackerToMove != wins && chance < 10:
			continue // it loses for the side to move
		case finished || !s.restrict && chance > 13:
			if branch.Proof, branch.Disproof = 0, solver.Unproven; !wins {
				branch.Proof, branch.Disproof = solver.Unproven, 0
			}
		}
		dst = append(dst, branch)
	}
	return dst, complete
}

func (s *seer) AppendCertificate(dst []byte, _ int, _ bool) ([]byte, bool) { return dst, false }
