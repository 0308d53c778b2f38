package judge

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/lab/interval"
	"github.com/yomikiri/yomikiri/play"
)

// judged returns a judge of Dōbutsu and games of random moves that lose no lion, as if each had ended with a resignation.
func judged(t *testing.T) (*Judge[dobutsu.Position, dobutsu.Move], []Played[dobutsu.Position, dobutsu.Move]) {
	t.Helper()
	g := dobutsu.New()
	j := &Judge[dobutsu.Position, dobutsu.Move]{Game: g, Leaves: 50, Threads: 1}
	j.Search = func() (play.Engine[dobutsu.Position, dobutsu.Move], error) {
		return play.New(g, play.Config[dobutsu.Position]{Pruning: play.Pruning{NullMoves: true}})
	}
	rng := rand.New(rand.NewPCG(1, 1))
	var list []Played[dobutsu.Position, dobutsu.Move]
	for len(list) < 12 {
		p := g.Start()
		played := Played[dobutsu.Position, dobutsu.Move]{From: p, Resigned: true}
		for range 20 {
			moves := slices.DeleteFunc(g.AppendMoves(nil, p), func(m dobutsu.Move) bool {
				_, finished := g.Outcome(g.Play(p, m))
				return finished
			})
			if len(moves) == 0 {
				break
			}
			m := moves[rng.IntN(len(moves))]
			played.Moves, p = append(played.Moves, m), g.Play(p, m)
		}
		if len(list) < 4 || len(played.Moves) > Before[0] { // few games of random moves are long enough to be measured
			list = append(list, played)
		}
	}
	return j, list
}

func TestResigning(t *testing.T) {
	j, list := judged(t)
	list[0].Resigned = false
	long := 0
	for _, g := range list[1:] {
		if len(g.Moves) > Before[0] {
			long++
		}
	}
	require.GreaterOrEqual(t, long, 8)
	r, err := j.Resigning(context.Background(), list)
	require.NoError(t, err)
	require.Equal(t, long, r.Games)
	require.Less(t, r.Decided, long)
	require.Len(t, r.At, len(Before))
	for i, samples := range r.At {
		require.Len(t, samples, long-r.Decided)
		for _, s := range samples {
			require.Equal(t, Before[i] == 0, s.Resigned)
			require.Greater(t, s.Up, 1.0)
		}
	}
	j.Threads = 2
	again, err := j.Resigning(context.Background(), list)
	require.NoError(t, err)
	require.Equal(t, r, again, "threads change nothing")

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = j.Resigning(ctx, list)
	require.ErrorIs(t, err, context.Canceled)
}

// TestErrors plays games of tic-tac-toe whose values are made up by the number of stones, so that any move from
// a number to the next loses the same.
func TestErrors(t *testing.T) {
	g := tictactoe.Game{}
	stones := func(p tictactoe.Position) int {
		text := string(g.AppendPosition(nil, p))
		return strings.Count(text, "x") + strings.Count(text, "o")
	}
	values := []games.Value{games.Win(1), games.Win(1), games.Draw, games.Draw, games.Loss(2), games.Loss(2), games.Draw}
	e := &Errors[tictactoe.Position, tictactoe.Move]{
		Games: 6, Nodes: 50, Plies: 4, Seed: 1,
		Value: func(p tictactoe.Position) (games.Value, error) { return values[stones(p)], nil },
	}
	e.Judge = Judge[tictactoe.Position, tictactoe.Move]{Game: g, Leaves: 20, Threads: 2}
	e.Search = func() (play.Engine[tictactoe.Position, tictactoe.Move], error) {
		return play.New(g, play.Config[tictactoe.Position]{})
	}
	f, err := e.Run(context.Background())
	require.NoError(t, err)
	// A win becomes a loss, a win a draw, a draw stays, and a draw becomes a win.
	require.Equal(t, Given{Moves: 4, Given: 2, Points: 1.5}, f.Games[0])
	require.Len(t, f.Games, 6)
	require.Equal(t, 1, f.Distinct, "the games begin alike and nothing in them is random")
	require.Empty(t, f.Lost, "the game ends before the opponent moves again")
	given := func(g Given) float64 { return float64(g.Given) }
	require.Equal(t, interval.Interval{Low: 0.5, Value: 0.5, High: 0.5}, f.Mean(given, nil, 1))

	// Games begin with some stones. Those with 4 are lost, and the opponent gives the win away with 6.
	e.Plies, e.Choice.Jitter = 2, 1000
	e.Start = func(rng *rand.Rand) (tictactoe.Position, error) {
		return g.ParsePosition([]string{"xo./.../ox.", "xo./.../.xo", "xo./.../..."}[rng.IntN(3)])
	}
	e.Games = 60
	two, err := e.Run(context.Background())
	require.NoError(t, err)
	require.Len(t, two.Games, 60)
	require.Greater(t, two.Distinct, 3)
	require.Len(t, two.Lost, 2, "each position once")
	for _, l := range two.Lost {
		require.True(t, l.Resigned)
		require.Equal(t, 2, l.Plies)
	}
	e.RandomPlies = 9
	_, err = e.Run(context.Background())
	require.ErrorIs(t, err, ErrNoStart)
	e.Start = func(*rand.Rand) (tictactoe.Position, error) { return tictactoe.Position{}, context.Canceled }
	_, err = e.Run(context.Background())
	require.ErrorIs(t, err, context.Canceled)
}

func TestGivenMean(t *testing.T) {
	f := &Found{Games: []Given{{10, 1, 0.5}, {30, 7, 3.5}}}
	base := &Found{Games: []Given{{20, 1, 1}, {20, 1, 1}}}
	points := func(g Given) float64 { return g.Points }
	// Draws of two games are both the first, both the second, or one of each.
	require.Equal(t, interval.Interval{Low: 0.05, Value: 0.1, High: 3.5 / 30}, f.Mean(points, nil, 1))
	v := f.Mean(points, base, 1)
	require.InDeltaSlice(t, []float64{0, 0.05, 3.5/30 - 0.05}, []float64{v.Low, v.Value, v.High}, 1e-12)
}
