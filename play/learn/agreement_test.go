package learn

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/play"
)

func TestAgree(t *testing.T) {
	const nodes = 300
	g := shogi.Game{}
	e, err := play.EvaluationOf(g)
	require.NoError(t, err)
	s, err := play.New(g, play.Config[shogi.Position]{Memory: nodes * 64, Pruning: play.AllPruning})
	require.NoError(t, err)
	game := Game[shogi.Position, shogi.Move]{From: g.Start(), Group: 9}
	var choices []float64 // numbers of moves
	p := g.Start()
	for range 30 {
		s.Clear()
		r, err := s.Search(t.Context(), play.Query[shogi.Position, shogi.Move]{From: g.Start(), Moves: game.Moves, Limits: play.Limits{Nodes: nodes}})
		require.NoError(t, err)
		choices = append(choices, float64(len(g.AppendMoves(nil, p))))
		m := r.Best().Moves[0]
		game.Moves, p = append(game.Moves, m), g.Play(p, m)
	}
	other := game
	other.Group = 8
	other.Moves = []shogi.Move{game.Moves[0], game.Moves[0]} // would fail
	list := []Game[shogi.Position, shogi.Move]{other, game}

	// The same search chooses the same moves. Its quiescence search alone does not choose all of them.
	a, err := Agree(t.Context(), g, e, list, 10, 1000, nodes, nil)
	require.NoError(t, err)
	require.Equal(t, len(game.Moves), a.Positions)
	require.InDelta(t, 1, a.Search, 1e-9)
	require.Greater(t, a.Quiet, 0.1)
	require.Less(t, a.Quiet, 0.9)

	// Without weights all moves are alike.
	none := &play.Evaluation{Set: e.Set, Weights: make([]float32, len(e.Weights))}
	b, err := Agree(t.Context(), g, none, list, 10, 1000, nodes, nil)
	require.NoError(t, err)
	even, uncertain := 0.0, 0.0
	for _, n := range choices {
		even += 1 / n / float64(len(choices))
		uncertain -= math.Log(n) / float64(len(choices))
	}
	require.InDelta(t, even, b.Quiet, 1e-9)
	require.InDelta(t, uncertain, b.LogLikelihood, 1e-9)
	require.Less(t, b.Search, 0.5)
	require.Greater(t, a.LogLikelihood, uncertain)

	// Fewer positions are spread over the game.
	var told []int
	c, err := Agree(t.Context(), g, e, list, 10, 7, nodes, func(_ string, done, all uint64) {
		require.Equal(t, uint64(7), all)
		told = append(told, int(done))
	})
	require.NoError(t, err)
	require.Equal(t, 7, c.Positions)
	require.Equal(t, []int{1, 2, 3, 4, 5, 6, 7}, told)

	d, err := Agree(t.Context(), g, e, list[:1], 10, 7, nodes, nil)
	require.NoError(t, err)
	require.Zero(t, d.Positions)

	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Agree(stopped, g, e, list, 10, 7, nodes, nil)
	require.ErrorIs(t, err, context.Canceled)
}

// TestTemperature checks that the temperature is the most likely one.
func TestTemperature(t *testing.T) {
	a := &agreement[shogi.Position, shogi.Move]{Agreement: Agreement{Positions: 3}}
	// Of two moves that differ by 100, the better is played twice in three times: exp(100/T) = 2.
	a.lists = [][]float64{{0, -100}, {0, -100}, {0, 100}}
	r := a.result()
	require.InDelta(t, 100/math.Ln2, r.Temperature, 0.1)
	require.InDelta(t, (2*math.Log(2.0/3)+math.Log(1.0/3))/3, r.LogLikelihood, 1e-6)
}
