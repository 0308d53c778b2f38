package uct

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/lab/policy"
)

// minimax returns the points of the side to move with best policy.
func minimax(p tictactoe.Position) float64 {
	g := tictactoe.Game{}
	if v, finished := g.Outcome(p); finished {
		return pointsOf(v)
	}
	best := 0.0
	for _, m := range g.AppendMoves(nil, p) {
		best = max(best, 1-minimax(g.Play(p, m)))
	}
	return best
}

// positions returns the unfinished positions of tic-tac-toe up to symmetry.
func positions() (list []tictactoe.Position) {
	g := tictactoe.Game{}
	known := map[tictactoe.Position]bool{g.Start(): true}
	list = append(list, g.Start())
	for i := 0; i < len(list); i++ {
		for _, m := range g.AppendMoves(nil, list[i]) {
			q := g.Canonical(g.Play(list[i], m))
			if _, finished := g.Outcome(q); !finished && !known[q] {
				known[q] = true
				list = append(list, q)
			}
		}
	}
	return list
}

// prefer prefers wins and what prevents them.
func prefer() *policy.Policy {
	return &policy.Policy{Set: tictactoe.Game{}.MoveFeatureSet(), Model: policy.Strengths, Weights: []float32{1500, 800, 300, 0, 100, 200}}
}

// TestMinimax checks that the move chosen keeps the value of the game, in every position of tic-tac-toe.
func TestMinimax(t *testing.T) {
	list := positions()
	require.Len(t, list, 627)
	if testing.Short() {
		rng := rand.New(rand.NewPCG(1, 2))
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		list = list[:60]
	}
	g := tictactoe.Game{}
	for name, c := range map[string]Config{
		"uniform":     {},
		"policy":      {Policy: prefer()},
		"realization": {Policy: &policy.Policy{Set: g.MoveFeatureSet(), Model: policy.Realization, Weights: append(prefer().Weights, -500)}},
		"prior":       {Policy: prefer(), Prior: true},
	} {
		c.Playouts = 3000
		s, err := New(g, c)
		require.NoError(t, err)
		for i, p := range list {
			found, err := s.Search(t.Context(), p, nil, uint64(i))
			require.NoError(t, err)
			require.Equal(t, minimax(p), 1-minimax(g.Play(p, found[0].Move)), "%s: %s: %s, of %v", name, g.AppendPosition(nil, p), g.AppendMove(nil, p, found[0].Move), found)
			visits := 0
			for _, f := range found {
				visits += f.Visits
			}
			require.Equal(t, 3000, visits)
		}
	}
}

// TestSeed checks that the result depends on the seed alone.
func TestSeed(t *testing.T) {
	g, err := connect4.Family.Open("connect4")
	require.NoError(t, err)
	s, err := New(g, Config{Playouts: 200})
	require.NoError(t, err)
	search := func(seed uint64) []Tried[connect4.Move] {
		list, err := s.Search(t.Context(), g.Start(), nil, seed)
		require.NoError(t, err)
		return list
	}
	first := search(1)
	require.NotEqual(t, first, search(2))
	require.Equal(t, first, search(1))
}

func TestRefused(t *testing.T) {
	scored, err := awari.Family.Open("awari")
	require.NoError(t, err)
	_, err = New(scored, Config{})
	require.ErrorIs(t, err, ErrScores)
	s, err := New(tictactoe.Game{}, Config{Playouts: 100})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.Search(ctx, tictactoe.Game{}.Start(), nil, 1)
	require.ErrorIs(t, err, context.Canceled)
}

// endless is a game without an end.
type endless struct{ tictactoe.Game }

func (endless) AppendMoves(dst []tictactoe.Move, _ tictactoe.Position) []tictactoe.Move {
	return append(dst, 0, 1)
}
func (endless) Play(p tictactoe.Position, _ tictactoe.Move) tictactoe.Position { return p }

// TestEndless checks that a playout of a game that goes on for ever is a draw.
func TestEndless(t *testing.T) {
	s, err := New[tictactoe.Position, tictactoe.Move](endless{}, Config{Playouts: 20})
	require.NoError(t, err)
	list, err := s.Search(t.Context(), games.Game[tictactoe.Position, tictactoe.Move](endless{}).Start(), nil, 1)
	require.NoError(t, err)
	require.Equal(t, 0.5, list[0].Rate)
}
