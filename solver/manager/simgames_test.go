package manager

import (
	"context"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// GomokuBrancher is threat.NewBrancher, which tests of this package cannot import.
var GomokuBrancher func(g *gomoku.Game) solver.Brancher[gomoku.Position, gomoku.Square]

// GomokuBackend is a back end of threat.NewBackends.
var GomokuBackend func(g *gomoku.Game) solver.Backend

// AdaptGomoku is threat.AdaptProof.
var AdaptGomoku func(g *gomoku.Game, proof []byte, position string) ([]byte, bool)

// simGame is a game of a simulation.
type simGame struct {
	rules      Rules
	root       string
	newBackend func(memory uint64) solver.Backend
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
		newBackend: func(memory uint64) solver.Backend {
			list, err := solver.NewBackends(g, newBrancher, solver.Config{Method: method, Memory: memory}, 1)
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
			return gametest.Negamax(g, p, values)
		},
		check: func(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (proof.Report, error) {
			return proof.Check(ctx, r, g, o)
		},
	}
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
			s.newBackend = func(uint64) solver.Backend { return GomokuBackend(g) }
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
		g := gametest.NewCyclic(rng, 4+rng.IntN(40))
		return newSeen(g, g.Graph, g.Values(), rng)
	}
	g := gametest.NewGraph(rng, 4+rng.IntN(8), 8)
	return newSeen(g, g, g.Values(), rng)
}

// newSeen returns a random game, with a seer or without.
func newSeen(g games.Game[int, int], of *gametest.Graph, values map[int]games.Result, rng *rand.Rand) *simGame {
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

// guesser is a back end that scores what it leaves open: on average rightly.
type guesser struct {
	solver.Backend
	rules Rules
	value func(position string) games.Result
}

func (g *guesser) Search(ctx context.Context, j *solver.Job) (*solver.Answer, error) {
	a, err := g.Backend.Search(ctx, j)
	if err != nil || a.Outcome != solver.Unknown {
		return a, err
	}
	a.Score = g.score(j.Question)
	legal, err := g.rules.Moves(j.Position)
	for i := range a.Moves {
		if m := &a.Moves[i]; m.Outcome == solver.Unknown {
			at := slices.IndexFunc(legal, func(l Move) bool { return l.Text == m.Move })
			m.Score = g.score(solver.Question{Position: legal[at].To, Attacker: !j.Attacker})
		}
	}
	return a, err
}

// score returns -40 to 40.
func (g *guesser) score(q solver.Question) int32 {
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
	*gametest.Graph
	values map[int]games.Result
	// restrict: it leaves out moves of the attacker that may win, but not at once, and none else, since a
	// search that is so restricted may not find what it knows.
	restrict bool
}

func (s *seer) AppendBranches(dst []solver.Branch[int], p int, attackerToMove bool) ([]solver.Branch[int], bool) {
	complete := true
	for i, m := range s.Moves[p] {
		chance := (uint32(p)*31 + uint32(i) + 7) * 0x9e3779b9 >> 28 // 0 to 15
		wins := s.values[m] == games.Lost
		if !attackerToMove {
			wins = s.values[m] == games.Won // for the attacker, who moves next
		}
		branch := solver.Branch[int]{Move: m, Proof: 1 + chance%3, Disproof: 1 + chance%2}
		_, finished := s.Outcome(m)
		switch {
		case attackerToMove && s.restrict && chance < 3 && !(finished && wins):
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
