package bench_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/retro"
)

// open opens a game without rule options.
func open[G games.Game[P, M], P, M comparable](t *testing.T, g G) *app.Game {
	t.Helper()
	x, err := app.New(games.NewFamily(games.Info{Name: g.Name()}, func(games.Rules) G { return g })).Open(g.Name())
	require.NoError(t, err)
	return x
}

// universe returns that of tic-tac-toe.
func universe(t *testing.T) *games.Universe {
	t.Helper()
	u, err := games.UniverseOf(tictactoe.Game{})
	require.NoError(t, err)
	return u
}

func run(t *testing.T, b bench.Retro) []bench.Measurement {
	t.Helper()
	var list []bench.Measurement
	require.NoError(t, b.Run(context.Background(), func(r bench.Measurement) { list = append(list, r) }))
	for _, r := range list {
		require.NotZero(t, r.Count, r.Name)
		require.Positive(t, r.Seconds, r.Name)
		require.InEpsilon(t, float64(r.Count)/r.Seconds, r.PerSecond, 1e-9, r.Name)
	}
	return list
}

// rows returns the names and the units of results.
func rows(list []bench.Measurement) [][2]string {
	var out [][2]string
	for _, r := range list {
		out = append(out, [2]string{r.Name, r.Unit})
	}
	return out
}

func TestRetro(t *testing.T) {
	u := universe(t)
	b := bench.Retro{Game: open(t, tictactoe.Game{}), Probes: 100, Time: 1, Seed: 1} // each measurement is made once
	require.Equal(t, [][2]string{{"expand", "moves"}, {"solve", "positions"}}, rows(run(t, b)), "it has no retractor, and there is no database")

	b.Database = t.TempDir()
	_, _, err := retro.Solve(context.Background(), u, b.Database, retro.Config{})
	require.NoError(t, err)
	b.CacheSizes = []int64{64 << 20, 1 << 20}
	list := run(t, b)
	require.Equal(t, [][2]string{
		{"expand", "moves"}, {"solve", "positions"},
		{"probe, cache of 64 MiB", "probes"},
		{"probe, cache of 64 MiB, all moves", "positions"},
		{"probe, cache of 1 MiB", "probes"},
		{"probe, cache of 1 MiB, all moves", "positions"},
	}, rows(list))
	for _, r := range list[2:] {
		require.EqualValues(t, 100, r.Count, r.Name)
	}
	again := run(t, b)
	require.Equal(t, list[0].Count, again[0].Count, "the same seed looks at the same positions")
	b.Seed = 2
	require.NotEqual(t, list[0].Count, run(t, b)[0].Count, "another seed at others")
	text, err := json.Marshal(bench.Measurement{Name: "a", Unit: "b", Count: 2, Seconds: 0.5, PerSecond: 4})
	require.NoError(t, err)
	require.JSONEq(t, `{"name":"a","unit":"b","count":2,"seconds":0.5,"per_second":4}`, string(text))
}

// TestRetroRetracts has a game with a retractor.
func TestRetroRetracts(t *testing.T) {
	b := bench.Retro{Game: open(t, dobutsu.New()), Time: 1, Seed: 1}
	require.Equal(t, [][2]string{{"expand", "moves"}, {"retract", "moves"}, {"solve", "positions"}}, rows(run(t, b)))
}

func TestRetroErrors(t *testing.T) {
	u := universe(t)
	none := func(bench.Measurement) {}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	b := bench.Retro{Game: open(t, tictactoe.Game{}), Probes: 10, Time: 1, CacheSizes: []int64{1 << 20}, Database: t.TempDir()}
	require.ErrorIs(t, b.Run(ctx, none), db.ErrNoDatabase)

	other := universe(t)
	other.Name = "noughts"
	_, _, err := retro.Solve(ctx, other, b.Database, retro.Config{})
	require.NoError(t, err)
	require.ErrorContains(t, b.Run(ctx, none), "is a database of noughts, not of tictactoe")

	// A database that holds next to nothing.
	b.Database = t.TempDir()
	m := &db.Manifest{Content: db.Content{
		Game: "tictactoe", Order: "distance", Positions: "reachable",
		Tiers: []db.Tier{{Size: u.Tiers[0].Size, Open: u.Tiers[0].Open}},
	}}
	require.NoError(t, store.Write(ctx, b.Database, m, func(_ int, _ uint64, dst []byte) error {
		clear(dst)
		return nil
	}, store.WriteOptions{}))
	require.EqualError(t, b.Run(ctx, none), "the database has too few positions to probe")

	cancel()
	require.ErrorIs(t, b.Run(ctx, none), context.Canceled)
}
