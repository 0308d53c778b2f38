package review

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/play"
)

// solve returns the values of all positions of a small game, by a plain search with memory.
func solve[P, M comparable](g games.Game[P, M]) func(p P) games.Value {
	values := map[P]games.Value{}
	var value func(p P) games.Value
	value = func(p P) games.Value {
		if v, ok := values[p]; ok {
			return v
		}
		v, finished := g.Outcome(p)
		if !finished {
			for _, m := range g.AppendMoves(nil, p) {
				v = max(v, value(g.Play(p, m)).Backup(0))
			}
		}
		values[p] = v
		return v
	}
	return value
}

func config[P, M comparable](g games.Game[P, M]) Config[P, M] {
	return Config[P, M]{
		Leaves: 200,
		Search: func() (play.Engine[P, M], error) {
			pruning := play.AllPruning
			pruning.Extensions = false
			return play.New(g, play.Config[P]{Memory: 1 << 16, Pruning: pruning})
		},
	}
}

// TestKnown compares what moves give away with all values.
func TestKnown(t *testing.T) {
	g, err := connect4.Family.Open("connect4:size=4x4")
	require.NoError(t, err)
	value := solve(g)
	c := config(g)
	c.Value = func(p connect4.Position) (games.Value, string, bool, error) { return value(p), "database", true, nil }
	rng := rand.New(rand.NewPCG(1, 2))
	marks := 0
	for range 20 {
		p := g.Start()
		var moves []connect4.Move
		for list := g.AppendMoves(nil, p); len(list) > 0; list = g.AppendMoves(nil, p) {
			m := list[rng.IntN(len(list))]
			moves = append(moves, m)
			p = g.Play(p, m)
		}
		r, err := Game(t.Context(), g, g.Start(), moves, c)
		require.NoError(t, err)
		require.Len(t, r.Rows, len(moves)+1)
		p = g.Start()
		for i, m := range moves {
			row := r.Rows[i]
			require.Equal(t, games.BoundsOf(value(p)), *row.Value)
			require.Nil(t, row.Score, "an estimate beside a value")
			after := value(g.Play(p, m)).Backup(0)
			require.Equal(t, games.BoundsOf(after), *row.After)
			switch {
			case after == value(p):
				require.Empty(t, row.Mark)
			case after.Result() != value(p).Result():
				require.Equal(t, Blunder, row.Mark)
			default:
				require.Equal(t, Inaccuracy, row.Mark)
				require.Positive(t, row.Plies)
			}
			if row.Mark != "" {
				marks++
				best, err := games.ParseMove(g, p, row.Best)
				require.NoError(t, err)
				require.Equal(t, value(p), value(g.Play(p, best)).Backup(0))
			}
			p = g.Play(p, m)
		}
		require.Equal(t, "rules", r.Rows[len(moves)].ProvedBy)
	}
	require.Greater(t, marks, 20)
}

// TestEstimated finds an obvious mistake without values, and gives the same on two threads.
func TestEstimated(t *testing.T) {
	g := dobutsu.New()
	var moves []dobutsu.Move
	p := g.Start()
	for _, text := range []string{"b3b2", "b1b2", "c4c3", "a1a2"} {
		m, err := games.ParseMove(g, p, text)
		require.NoError(t, err)
		moves = append(moves, m)
		p = g.Play(p, m)
	}
	c := config(g)
	r, err := Game(t.Context(), g, g.Start(), moves, c)
	require.NoError(t, err)
	for i := range r.Rows {
		require.True(t, (r.Rows[i].ProvedBy == "") == (r.Rows[i].Value == nil) && (r.Rows[i].Value == nil) == (r.Rows[i].Score != nil), "%+v", r.Rows[i])
	}
	c.Threads = 2
	again, err := Game(t.Context(), g, g.Start(), moves, c)
	require.NoError(t, err)
	require.Equal(t, r, again)
	svg, err := r.Plot("a < b")
	require.NoError(t, err)
	require.Contains(t, string(svg), "a &lt; b")
	require.Contains(t, string(svg), "<polyline")
}

// TestFirst goes through the end of a game only, and finds there what a review of all of it finds.
func TestFirst(t *testing.T) {
	g, err := connect4.Family.Open("connect4:size=4x4")
	require.NoError(t, err)
	var moves []connect4.Move
	for p := g.Start(); len(moves) < 8; p = g.Play(p, moves[len(moves)-1]) {
		list := g.AppendMoves(nil, p)
		moves = append(moves, list[len(moves)%len(list)])
	}
	c := config(g)
	all, err := Game(t.Context(), g, g.Start(), moves, c)
	require.NoError(t, err)
	done := 0
	c.First, c.Progress = 5, func(_ string, _, most uint64) { done++; require.Equal(t, uint64(4), most) }
	end, err := Game(t.Context(), g, g.Start(), moves, c)
	require.NoError(t, err)
	require.Equal(t, all.Rows[5:], end.Rows)
	require.Equal(t, 4, done)
}
