package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/race"
	"github.com/yomikiri/yomikiri/retro/internal/graph"
	"github.com/yomikiri/yomikiri/retro/internal/retrotest"
)

// check compares an analysis of a graph with the oracle.
func check(t *testing.T, g *graph.Graph, s *Solution, want []games.Value) {
	t.Helper()
	known := func(uint64) bool { return true }
	if s.Positions == Reachable {
		reachable := g.Reachable(s.Universe.Start)
		known = func(i uint64) bool { return reachable[i] }
	}
	counts := make([]TierCounts, len(g.List))
	for i := range counts {
		counts[i] = TierCounts{Values: map[games.Value]uint64{}, Finished: map[games.Value]uint64{}}
	}
	for i, status := range g.Status {
		index := uint64(i)
		v, ok := s.Value(index)
		if has := status == games.Unfinished && known(index); ok != has || has && v != want[i] {
			require.Equal(t, has, ok, "position %d (%v) has a value", i, status)
			require.Equal(t, want[i], v, "position %d", i)
		}
		if c := &counts[g.TierOf(index)]; known(index) && status != games.Hole {
			c.Values[want[i]]++
			if status != games.Unfinished {
				c.Finished[status]++
			} else {
				c.Unfinished++
				c.Moves += uint64(len(g.Edges[i]))
			}
		}
	}
	require.Equal(t, counts, s.Tiers)
}

// graphs calls do with random graphs of many shapes.
func graphs(t *testing.T, n int, do func(t *testing.T, rng *rand.Rand, g *graph.Graph)) {
	for seed := range uint64(n) {
		rng := rand.New(rand.NewPCG(seed, 7))
		o := graph.Options{Tiers: 1 + rng.IntN(4), Size: 1 + rng.IntN(400), Degree: 1 + rng.IntN(5), Finished: rng.IntN(30), Outcomes: graph.PlainOutcomes}
		if rng.IntN(3) == 0 {
			o.Outcomes = []games.Value{games.Loss(0), games.Win(0), games.Win(9), games.Loss(6), games.Draw}
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) { do(t, rng, graph.New(rng, o)) })
	}
}

// fewer returns half of n with the race detector on, which makes a test ten times as slow.
func fewer(n int) int {
	if race.Enabled {
		return n / 2
	}
	return n
}

func TestAnalyzeAgreesWithOracle(t *testing.T) {
	graphs(t, fewer(150), func(t *testing.T, rng *rand.Rand, g *graph.Graph) {
		want := g.Solve()
		for _, positions := range []Positions{Reachable, All} {
			start := rng.Uint64N(uint64(len(g.Status)))
			for g.Status[start] == games.Hole {
				start = rng.Uint64N(uint64(len(g.Status)))
			}
			s, err := analyze(t.Context(), g.Universe(start), Config{Positions: positions, Threads: 1 + rng.IntN(3)})
			require.NoError(t, err)
			check(t, g, s, want)
			require.Equal(t, want[start], s.StartValue())
		}
	})
}

func TestWithoutRetractor(t *testing.T) {
	graphs(t, 30, func(t *testing.T, rng *rand.Rand, g *graph.Graph) {
		u := g.Universe(0)
		u.Retractor = nil
		s, err := analyze(t.Context(), u, Config{Positions: All})
		require.NoError(t, err)
		check(t, g, s, g.Solve())
	})
}

// large is a graph with blocks enough for many partitions.
func large(t *testing.T) (*graph.Graph, *games.Universe) {
	t.Helper()
	size := fewer(90_000)
	g := graph.New(rand.New(rand.NewPCG(1, 1)), graph.Options{Tiers: 1, Size: size, Degree: 3, Finished: 8, Outcomes: graph.PlainOutcomes})
	require.Greater(t, len(g.Status), size/2)
	u := g.Universe(1)
	u.Retractor = nil // edges kept in memory are quicker than those of the graph
	return g, u
}

func TestNothingButPositionsChangesTheResult(t *testing.T) {
	g, u := large(t)
	want := g.Solve()
	for _, positions := range []Positions{Reachable, All} {
		for _, threads := range []int{1, 2, 3, 8} {
			for _, partitions := range []int{0, 1, 3, 16} {
				for _, batch := range []int{1, 7, 1024} {
					t.Run(fmt.Sprint(positions, threads, partitions, batch), func(t *testing.T) {
						if testing.Short() && (threads%2 != 0 || partitions%2 != 0 || batch == 1) || race.Enabled && (threads != 8 || partitions != 16) {
							t.Skip("some are enough")
						}
						s, err := analyze(t.Context(), u, Config{
							Positions: positions, Threads: threads, Partitions: partitions, BatchSize: batch,
						})
						require.NoError(t, err)
						check(t, g, s, want)
					})
				}
			}
		}
	}
}

// TestBatchesTravel has batches arrive as copies, and in another order.
func TestBatchesTravel(t *testing.T) {
	g, u := large(t)
	want := g.Solve()
	var mu sync.Mutex
	rng := rand.New(rand.NewPCG(2, 2))
	s, err := analyze(t.Context(), u, Config{Threads: 4, Partitions: 16, BatchSize: 5, arrived: func(list []*Batch) {
		mu.Lock()
		defer mu.Unlock()
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for i, b := range list {
			list[i] = &Batch{kind: b.kind, to: b.to, messages: slices.Clone(b.messages)}
			clear(b.messages)
		}
	}})
	require.NoError(t, err)
	check(t, g, s, want)
}

// TestThrottle has all workers wait for each other's queues all the time.
func TestThrottle(t *testing.T) {
	g, u := large(t)
	cfg, err := Config{Positions: Reachable, Threads: 4, Partitions: 16, BatchSize: 5}.WithDefaults()
	require.NoError(t, err)
	e, err := New(u, cfg, nil)
	require.NoError(t, err)
	e.limit = 1
	require.NoError(t, e.Run(t.Context()))
	check(t, g, e.Solution(), g.Solve())
}

// path is a path of positions with one move each.
func path(n int) *graph.Graph {
	g := &graph.Graph{List: []games.Tier{{Size: uint64(n), Open: uint64(n)}}, Status: []games.Value{games.Loss(0)}, Edges: [][]uint64{nil}}
	for i := range uint64(n - 1) {
		g.Status = append(g.Status, games.Unfinished)
		g.Edges = append(g.Edges, []uint64{i})
	}
	return g
}

func TestManyDistances(t *testing.T) {
	g := path(1000) // distances up to its length, and so more codes than a byte has
	for _, positions := range []Positions{Reachable, All} {
		s, err := analyze(t.Context(), g.Universe(999), Config{Positions: positions})
		require.NoError(t, err)
		check(t, g, s, g.Solve())
		require.Equal(t, games.Win(999), s.StartValue())
	}
}

func TestTooManySuccessors(t *testing.T) {
	g := &graph.Graph{List: []games.Tier{{Size: 400, Open: 400}}, Status: make([]games.Value, 400), Edges: make([][]uint64, 400)}
	for i := range g.Status {
		g.Status[i] = games.Unfinished
		g.Edges[i] = []uint64{uint64(i)}
	}
	g.Edges[7] = nil
	for i := range uint64(300) {
		g.Edges[7] = append(g.Edges[7], i)
	}
	_, err := analyze(t.Context(), g.Universe(7), Config{})
	require.EqualError(t, err, "position 7 has a count of 300, the maximum is 255")
}

func TestBrokenGames(t *testing.T) {
	for _, positions := range []Positions{Reachable, All} {
		g := &graph.Graph{
			List:   []games.Tier{{Size: 2, Open: 2}},
			Status: []games.Value{games.Unfinished, games.Unfinished},
			Edges:  [][]uint64{{1}, nil},
		}
		_, err := analyze(t.Context(), g.Universe(0), Config{Positions: positions})
		require.EqualError(t, err, "position 1 is unfinished and has no move")
	}
	g := &graph.Graph{
		List:   []games.Tier{{Size: 2, Open: 2}},
		Status: []games.Value{games.Unfinished, games.Unfinished},
		Edges:  [][]uint64{{1}, {0}},
	}
	_, err := analyze(t.Context(), (&forgetful{g}).universe(), Config{})
	require.EqualError(t, err, "bug in the Expander: position 1 is finished (loss in 0), but the expansion of a predecessor reports it as unfinished")
}

// forgetful is a graph of which position 1 is finished, but no move there says so.
type forgetful struct{ *graph.Graph }

func (f *forgetful) universe() *games.Universe {
	u := f.Graph.Universe(0)
	u.Expander = f
	return u
}

func (f *forgetful) Expand(indices []uint64, out *games.Expansion) {
	f.Graph.Expand(indices, out)
	for i, index := range indices {
		if index == 1 {
			out.Status[i] = games.Loss(0)
		}
	}
}

func TestConfigCheck(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{Config{Positions: "some"}, `positions "some": want "reachable" or "all"`},
		{Config{Threads: -1}, "-1 threads: want 1 to 1024"},
		{Config{BatchSize: -1}, "batch size -1: want 1 to 1048576"},
		{Config{Partitions: -1}, "-1 partitions: want 1 to 1048576"},
	} {
		require.EqualError(t, c.cfg.Check(), c.want)
	}
	require.NoError(t, Config{}.Check())
}

// lost is a Retractor that finds the position 1 before each position.
type lost struct{}

func (lost) Retract(indices []uint64, out *games.Predecessors) {
	out.Reset()
	for range indices {
		out.Indices = append(out.Indices, 1)
	}
}

func TestBrokenRetractor(t *testing.T) {
	g := &graph.Graph{
		List:   []games.Tier{{Size: 2, Open: 1}},
		Status: []games.Value{games.Unfinished, games.Loss(0)},
		Edges:  [][]uint64{{1}, nil},
	}
	u := g.Universe(0)
	u.Retractor = lost{}
	_, err := analyze(t.Context(), u, Config{})
	require.EqualError(t, err, "bug in the Retractor: position 1 is not an unfinished position of the tier of its successor")
}

// TestPeakMemory resumes a solve whose earlier run took more memory than this process
// has.
func TestPeakMemory(t *testing.T) {
	const most = 1 << 50
	_, u := openAwari(t, "", 6)
	fs := vfs.NewMem()
	require.NoError(t, fs.MkdirAll("solve", 0o755))
	e, err := New(u, Config{Positions: All, Threads: 1, BatchSize: 1, FS: fs, Checkpoint: "solve"}, nil)
	require.NoError(t, err)
	e.state.Memory = most
	require.NoError(t, e.SaveLast())
	s, m, err := Solve(t.Context(), u, "solve", Config{FS: fs})
	require.NoError(t, err)
	require.Equal(t, 1, s.Resumed)
	require.Equal(t, uint64(most), m.Built.Memory)

	_, m, err = Solve(t.Context(), u, "other", Config{FS: fs})
	require.NoError(t, err)
	require.Less(t, m.Built.Memory, uint64(most))
}

// TestLeft checks the estimate of the time left: it only falls while the speed is the
// same, from pass to pass, and reaches 0 at the end.
func TestLeft(t *testing.T) {
	if race.Enabled {
		t.Skip("nothing is solved")
	}
	for _, game := range []string{"dobutsu", "awari:stones=8", "connect4:size=4x4"} {
		u := retrotest.Open(t, game)
		var cfg Config
		cfg.ChoosePositions(u)
		cfg.Threads, cfg.BatchSize, cfg.Plan = 1, 1, PlanOf(u, cfg)
		e, err := New(u, cfg, nil)
		require.NoError(t, err)
		f := NewEffort(e, time.Now())
		last := 0.0
		grows := func(pass string, tier int, total uint64) {
			for _, positions := range []uint64{0, total / 3, total} {
				done := f.Done(pass, tier, positions, total)
				require.GreaterOrEqual(t, done, last*(1-1e-9), "%s: %s %d", game, pass, tier)
				last = done
			}
		}
		if cfg.Positions == Reachable {
			grows("reach", 0, 1<<40)
		}
		for i, tier := range u.Tiers {
			if !f.single {
				grows("initialise", i, tier.Open)
			}
			grows("levels", i, tier.Open)
		}
		require.Less(t, last, f.all, "the database is still to be written")
		open := uint64(0)
		for _, tier := range u.Tiers {
			open += tier.Open
		}
		grows("write", len(u.Tiers), open)
		require.InEpsilon(t, f.all, last, 1e-9)
		require.Zero(t, f.Left(0), "too early to tell")
		f.begin = time.Now().Add(-time.Hour)
		require.InDelta(t, time.Hour, f.Left(f.all/2), float64(time.Minute))
	}
}

// TestFreeBatches has a worker receive more than it sends, as when another is ahead of it.
func TestFreeBatches(t *testing.T) {
	e, err := New(retrotest.Open(t, "connect4:size=4x4"), Config{Threads: 1, BatchSize: 1}, nil)
	require.NoError(t, err)
	w := e.workers[0]
	for range 2 * throttleAt {
		w.accept(&Batch{kind: kindReach})
	}
	e.partitions[0].store.apply(w, e.partitions[0])
	require.Len(t, w.free, throttleAt)
}

// TestInterruptedLoad interrupts a solve that has not yet read its checkpoint, which stays
// as it is.
func TestInterruptedLoad(t *testing.T) {
	_, u := openAwari(t, "", 6)
	fs := vfs.NewMem()
	require.NoError(t, fs.MkdirAll("solve", 0o755))
	e, err := New(u, Config{Positions: All, Threads: 1, FS: fs, Checkpoint: "solve"}, nil)
	require.NoError(t, err)
	require.NoError(t, e.SaveLast())
	before := readAll(t, fs, "solve/checkpoint")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = Solve(ctx, u, "solve", Config{FS: fs})
	require.ErrorIs(t, err, ErrInterrupted)
	require.Equal(t, before, readAll(t, fs, "solve/checkpoint"))
}
