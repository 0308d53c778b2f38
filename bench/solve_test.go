package bench_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

// TestSolve has a game that is solved many times, one of which some tiers are solved,
// and one that is interrupted.
func TestSolve(t *testing.T) {
	g, err := awari.Family.Open("awari")
	require.NoError(t, err)
	many, err := games.UniverseOf(g)
	require.NoError(t, err)
	large, err := games.UniverseOf(dobutsu.New())
	require.NoError(t, err)
	for _, u := range []*games.Universe{universe(t), many, large} {
		spec := u.Name
		tiers := len(u.Tiers)
		r, err := bench.Solve{Universe: u, Threads: 2, Time: 10 * time.Millisecond}.Run(t.Context())
		require.NoError(t, err, spec)
		require.NotZero(t, r.Count, spec)
		require.Positive(t, r.CPUNanoseconds, spec)
		require.Len(t, u.Tiers, tiers, "the universe is left alone")
		text, err := json.Marshal(r)
		require.NoError(t, err)
		require.Contains(t, string(text), `"cpu_ns":`)
	}
	u := universe(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = bench.Solve{Universe: u, Time: time.Hour}.Run(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

// barren is a game of two positions in two tiers. Its one move leaves its tier, so that
// there is nothing to unmove. Positions do not matter here, only indices.
type barren struct{ tictactoe.Game }

func (barren) Index(tictactoe.Position) (uint64, error) { return 1, nil }

func (barren) Position(uint64) (p tictactoe.Position, ok bool) { return p, false }

func (barren) Tiers() []games.Tier {
	return []games.Tier{{Size: 1, Open: 0}, {Start: 1, Size: 1, Open: 1}}
}

func (barren) Expand(indices []uint64, out *games.Expansion) {
	out.Reset()
	for _, i := range indices {
		status := games.Loss(0)
		if i == 1 {
			status = games.Unfinished
			out.Successors = append(out.Successors, games.NewSuccessor(0, games.Loss(0)))
			out.Moves++
		}
		out.Status, out.End = append(out.Status, status), append(out.End, len(out.Successors))
	}
}

func (barren) Retract(_ []uint64, out *games.Predecessors) { out.Reset() }

// barrenGame returns tic-tac-toe with the positions of barren, which would break the promises of a game.
func barrenGame(t *testing.T) *app.Game {
	g := open(t, tictactoe.Game{})
	g.Universe = func() (*games.Universe, error) { return games.UniverseOf(barren{}) }
	return g
}

// TestRetroBarren checks that the benchmark ends where retraction yields nothing.
func TestRetroBarren(t *testing.T) {
	var list []bench.Measurement
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	require.NoError(t, bench.Retro{Game: barrenGame(t), Time: 1, Seed: 1}.Run(ctx, func(r bench.Measurement) { list = append(list, r) }))
	require.Equal(t, [][2]string{{"expand", "moves"}, {"retract", "moves"}, {"solve", "positions"}}, rows(list))
	require.Zero(t, list[1].Count)
}

// TestRetroTime checks that each measurement goes on until its time is over, but for those
// that yield nothing.
func TestRetroTime(t *testing.T) {
	measure := func(d time.Duration) (list []bench.Measurement) {
		b := bench.Retro{Game: barrenGame(t), Time: d, Seed: 1}
		require.NoError(t, b.Run(t.Context(), func(r bench.Measurement) { list = append(list, r) }))
		return list
	}
	once, longer := measure(1), measure(50*time.Millisecond)
	for i := range once {
		if once[i].Name == "retract" {
			require.Zero(t, longer[i].Count)
		} else {
			require.Greater(t, longer[i].Count, once[i].Count, once[i].Name)
		}
	}
}
