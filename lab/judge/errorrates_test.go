package judge

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/lab/interval"
	"github.com/yomikiri/yomikiri/play"
)

// result says who wins a position of tic-tac-toe: 1 the side to move, 0 nobody, -1 the opponent.
func result(p tictactoe.Position) int {
	g := tictactoe.Game{}
	if v, finished := g.Outcome(p); finished {
		return int(v.Result())
	}
	best := -1
	for _, m := range g.AppendMoves(nil, p) {
		best = max(best, -result(g.Play(p, m)))
	}
	return best
}

func TestErrorRates(t *testing.T) {
	g := tictactoe.Game{}
	e := ErrorRates[tictactoe.Position, tictactoe.Move]{Game: g, Value: func(p tictactoe.Position) (games.Value, error) {
		return []games.Value{games.Loss(2), games.Draw, games.Win(3)}[result(p)+1], nil // wins at once are not told apart
	}}
	var list []Decision[tictactoe.Position]
	known := map[tictactoe.Position]bool{}
	for open := []tictactoe.Position{g.Start()}; len(open) > 0; {
		p := open[len(open)-1]
		open = open[:len(open)-1]
		if _, finished := g.Outcome(p); finished || known[p] {
			continue
		}
		known[p] = true
		keeps := map[bool]int{}
		for _, m := range g.AppendMoves(nil, p) {
			next := g.Play(p, m)
			open = append(open, next)
			keeps[-result(next) == result(p)]++
		}
		got, err := e.IsDecision(p)
		require.NoError(t, err)
		require.Equal(t, result(p) >= 0 && keeps[true] > 0 && keeps[false] > 0, got, "%s", g.AppendPosition(nil, p))
		if got {
			list = append(list, Decision[tictactoe.Position]{Group: len(list), Position: p})
		}
	}
	require.Len(t, known, 4520, "all unfinished positions")
	if testing.Short() {
		list = list[:len(list)/4]
	}

	// A search of one ply and one to the end: what they give away is counted by hand.
	var searches []play.Engine[tictactoe.Position, tictactoe.Move]
	for range 2 {
		s, err := play.New(g, play.Config[tictactoe.Position]{})
		require.NoError(t, err)
		searches = append(searches, s)
	}
	for _, depth := range []int{1, 9} {
		given, err := e.Run(t.Context(), list, play.Limits{Depth: depth}, searches)
		require.NoError(t, err)
		require.Equal(t, given[0], given[1])
		count := 0
		for i, d := range list {
			r, err := searches[0].Search(t.Context(), play.Query[tictactoe.Position, tictactoe.Move]{From: d.Position, Limits: play.Limits{Depth: depth}})
			require.NoError(t, err)
			bad := -result(g.Play(d.Position, r.Best().Moves[0])) < result(d.Position)
			require.Equal(t, bad, given[0][i])
			if bad {
				count++
			}
		}
		if depth == 9 {
			require.Zero(t, count)
		} else {
			require.NotZero(t, count)
		}
		rate := ErrorRate(list, given[:1], nil, 1)
		require.Equal(t, float64(count)/float64(len(list)), rate.Value)
		require.LessOrEqual(t, rate.Low, rate.Value)
		require.Equal(t, interval.Interval{}, ErrorRate(list, given[:1], given[1:], 1))
		require.Equal(t, rate, ErrorRate(list, given, nil, 1), "the mean of two equal ones")
	}
	_, err := e.Run(t.Context(), nil, play.Limits{Depth: 1}, searches)
	require.ErrorIs(t, err, ErrNoDecisions)
}

func TestRankCorrelation(t *testing.T) {
	require.Equal(t, []float64{1, 3.5, 0, 3.5, 2}, ranksOf([]float64{4, 9, 1, 9, 5}))
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	require.InDelta(t, 1, RankCorrelation(x, []float64{1, 4, 9, 16, 25, 36, 49, 64}, 1).Value, 1e-12)
	v := RankCorrelation(x, []float64{2, 1, 4, 3, 6, 5, 8, 7}, 1)
	require.InDelta(t, 1-6*8.0/(8*63), v.Value, 1e-12) // 1 − 6Σd²/(n(n²−1))
	require.Less(t, v.Low, v.Value)
}
