package solver

import (
	"bytes"
	"context"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/proof"
	gomokurules "github.com/yomikiri/yomikiri/proof/rules/gomoku"
)

// seer is a graph with threats: it knows some values, and leaves out moves.
type seer struct {
	*gametest.Graph
	mu       sync.Mutex // several searches ask at once
	rng      *rand.Rand
	known    map[int]games.Result
	restrict bool // leaves out moves of the attacker that may win
	left     bool // it has left out some
}

// newSeer returns a seer of a graph that knows the values of all positions.
func newSeer(g *gametest.Graph, rng *rand.Rand, known map[int]games.Result, restrict bool) *seer {
	return &seer{Graph: g, rng: rng, known: known, restrict: restrict}
}

func (s *seer) NewBrancher() Brancher[int, int] { return s }

func (s *seer) AppendBranches(dst []Branch[int], p int, attackerToMove bool) ([]Branch[int], bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	complete := true
	for _, m := range s.Moves[p] {
		wins := gametest.Negamax(s.Graph, m, s.known) == games.Won // for the side to move in m
		if attackerToMove {
			wins = gametest.Negamax(s.Graph, m, s.known) == games.Lost
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

// solve solves a position, writes the proof and has it checked by the rules of
// checked.
func solve[P, M, P2, M2 comparable](t *testing.T, g games.Game[P, M], root P, checked games.Game[P2, M2], cfg Config) (Result, proof.Report) {
	t.Helper()
	s, err := New(g, branchers(g), root, cfg)
	require.NoError(t, err)
	r, err := s.Solve(context.Background())
	require.NoError(t, err)
	require.True(t, r.Known)
	return r, checkProof(t, s, r, checked)
}

func checkProof[P, M, P2, M2 comparable](t *testing.T, s *Solver[P, M], r Result, checked games.Game[P2, M2]) proof.Report {
	t.Helper()
	value, err := proof.Value(r.Claims)
	require.NoError(t, err)
	require.Equal(t, r.Value.String(), value)
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, s.Header())
	require.NoError(t, err)
	require.NoError(t, s.WriteProof(context.Background(), w))
	require.NoError(t, w.Close())
	pr, err := proof.NewReader(&file)
	require.NoError(t, err)
	report, err := proof.Check(context.Background(), pr, checked, proof.CheckOptions{})
	require.NoError(t, err)
	require.Equal(t, w.Counts(), report.Counts)
	return report
}

func newGomoku(t testing.TB, rules gomoku.Rules) (*gomoku.Game, *gomokurules.Game) {
	g, err := gomoku.New(rules)
	require.NoError(t, err)
	plain, ok := gomokurules.Open(g.Name())
	require.True(t, ok)
	return g, plain
}

// scripted is a graph in which each position has the branches of a script.
type scripted struct {
	*gametest.Graph
	branches   map[int][]Branch[int]
	incomplete map[int]bool
}

func (s *scripted) NewBrancher() Brancher[int, int] { return s }

func (s *scripted) AppendBranches(dst []Branch[int], p int, _ bool) ([]Branch[int], bool) {
	return append(dst, s.branches[p]...), !s.incomplete[p]
}

func (s *scripted) AppendCertificate(dst []byte, _ int, _ bool) ([]byte, bool) { return dst, false }
