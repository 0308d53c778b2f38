package retro

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// check compares an analysis of a graph with the oracle.
func (g *graph) check(t *testing.T, s *Solution, want []games.Value) {
	t.Helper()
	known := func(uint64) bool { return true }
	if s.Positions == Reachable {
		reachable := g.reachable(s.Universe.Start)
		known = func(i uint64) bool { return reachable[i] }
	}
	counts := make([]tierCounts, len(g.list))
	for i := range counts {
		counts[i] = tierCounts{Values: map[games.Value]uint64{}, Finished: map[games.Value]uint64{}}
	}
	for i, status := range g.status {
		index := uint64(i)
		v, ok := s.Value(index)
		if status != games.Unfinished || !known(index) {
			require.False(t, ok, "position %d (%v) has a value", i, status)
		} else {
			require.True(t, ok, "position %d has no value", i)
			require.Equal(t, want[i], v, "position %d", i)
		}
		if c := &counts[g.tierOf(index)]; known(index) && status != games.Hole {
			c.Values[want[i]]++
			if status != games.Unfinished {
				c.Finished[status]++
			} else {
				c.Open++
				c.Moves += uint64(len(g.edges[i]))
			}
		}
	}
	require.Equal(t, counts, s.Tiers)
}

// graphs calls do with random graphs of many shapes.
func graphs(t *testing.T, n int, do func(t *testing.T, rng *rand.Rand, g *graph)) {
	for seed := range uint64(n) {
		rng := rand.New(rand.NewPCG(seed, 7))
		o := graphOptions{tiers: 1 + rng.IntN(4), size: 1 + rng.IntN(400), degree: 1 + rng.IntN(5), finished: rng.IntN(30), outcomes: plainOutcomes}
		if rng.IntN(3) == 0 {
			o.outcomes = []games.Value{games.Loss(0), games.Win(0), games.Win(9), games.Loss(6), games.Draw}
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) { do(t, rng, newGraph(rng, o)) })
	}
}

func TestAnalyzeAgreesWithOracle(t *testing.T) {
	graphs(t, 150, func(t *testing.T, rng *rand.Rand, g *graph) {
		want := g.solve()
		for _, positions := range []Positions{Reachable, All} {
			start := rng.Uint64N(uint64(len(g.status)))
			for g.status[start] == games.Hole {
				start = rng.Uint64N(uint64(len(g.status)))
			}
			s, err := Analyze(t.Context(), g.universe(start), Config{Positions: positions, Threads: 1 + rng.IntN(3)})
			require.NoError(t, err)
			g.check(t, s, want)
			require.Equal(t, want[start], s.StartValue())
		}
	})
}

func TestWithoutRetractor(t *testing.T) {
	graphs(t, 30, func(t *testing.T, rng *rand.Rand, g *graph) {
		u := g.universe(0)
		u.Retractor = nil
		s, err := Analyze(t.Context(), u, Config{Positions: All})
		require.NoError(t, err)
		g.check(t, s, g.solve())
	})
}

// large is a graph with blocks enough for many partitions.
func large(t *testing.T) (*graph, *games.Universe) {
	t.Helper()
	g := newGraph(rand.New(rand.NewPCG(1, 1)), graphOptions{tiers: 1, size: 90_000, degree: 3, finished: 8, outcomes: plainOutcomes})
	require.Greater(t, len(g.status), 50_000)
	u := g.universe(1)
	u.Retractor = nil // edges kept in memory are quicker than those of the graph
	return g, u
}

func TestNothingButPositionsChangesTheResult(t *testing.T) {
	g, u := large(t)
	want := g.solve()
	for _, positions := range []Positions{Reachable, All} {
		for _, threads := range []int{1, 2, 3, 8} {
			for _, partitions := range []int{0, 1, 3, 16} {
				for _, batch := range []int{1, 7, 1024} {
					t.Run(fmt.Sprint(positions, threads, partitions, batch), func(t *testing.T) {
						if testing.Short() && (threads%2 != 0 || partitions%2 != 0 || batch == 1) {
							t.Skip("some are enough")
						}
						s, err := Analyze(t.Context(), u, Config{
							Positions: positions, Threads: threads, Partitions: partitions, BatchSize: batch,
						})
						require.NoError(t, err)
						g.check(t, s, want)
					})
				}
			}
		}
	}
}

// wire is a transport that copies batches and delivers them in another order.
type wire struct {
	*local
	mu  sync.Mutex
	rng *rand.Rand
}

func (w *wire) send(owner int, b *batch) {
	w.local.send(owner, &batch{b.kind, b.to, slices.Clone(b.messages)})
	clear(b.messages)
}

func (w *wire) receive(owner int, dst []*batch) []*batch {
	dst = w.local.receive(owner, dst)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rng.Shuffle(len(dst), func(i, j int) { dst[i], dst[j] = dst[j], dst[i] })
	return dst
}

func TestBatchesTravel(t *testing.T) {
	g, u := large(t)
	want := g.solve()
	for _, limit := range []int{1, 1000} { // the first throttles all the time
		tr := &wire{local: newLocal(4, limit), rng: rand.New(rand.NewPCG(2, 2))}
		s, err := Analyze(t.Context(), u, Config{Threads: 4, Partitions: 16, BatchSize: 5, transport: tr})
		require.NoError(t, err)
		g.check(t, s, want)
	}
}

// path is a path of positions with one move each.
func path(n int) *graph {
	g := &graph{list: []games.Tier{{Size: uint64(n), Open: uint64(n)}}, status: []games.Value{games.Loss(0)}, edges: [][]uint64{nil}}
	for i := range uint64(n - 1) {
		g.status = append(g.status, games.Unfinished)
		g.edges = append(g.edges, []uint64{i})
	}
	return g
}

func TestManyDistances(t *testing.T) {
	g := path(1000) // distances up to its length, and so more codes than a byte has
	for _, positions := range []Positions{Reachable, All} {
		s, err := Analyze(t.Context(), g.universe(999), Config{Positions: positions})
		require.NoError(t, err)
		g.check(t, s, g.solve())
		require.Equal(t, games.Win(999), s.StartValue())
	}
}

func TestTooManySuccessors(t *testing.T) {
	g := &graph{list: []games.Tier{{Size: 400, Open: 400}}, status: make([]games.Value, 400), edges: make([][]uint64, 400)}
	for i := range g.status {
		g.status[i] = games.Unfinished
		g.edges[i] = []uint64{uint64(i)}
	}
	g.edges[7] = nil
	for i := range uint64(300) {
		g.edges[7] = append(g.edges[7], i)
	}
	_, err := Analyze(t.Context(), g.universe(7), Config{})
	require.EqualError(t, err, "position 7 has a count of 300, the maximum is 255")
}

func TestBrokenGames(t *testing.T) {
	for _, positions := range []Positions{Reachable, All} {
		g := &graph{
			list:   []games.Tier{{Size: 2, Open: 2}},
			status: []games.Value{games.Unfinished, games.Unfinished},
			edges:  [][]uint64{{1}, nil},
		}
		_, err := Analyze(t.Context(), g.universe(0), Config{Positions: positions})
		require.EqualError(t, err, "position 1 is unfinished and has no move")
	}
	g := &graph{
		list:   []games.Tier{{Size: 2, Open: 2}},
		status: []games.Value{games.Unfinished, games.Unfinished},
		edges:  [][]uint64{{1}, {0}},
	}
	_, err := Analyze(t.Context(), (&forgetful{g}).universe(), Config{})
	require.EqualError(t, err, "bug in the Expander: position 1 is finished (loss in 0), but the expansion of a predecessor reports it as unfinished")
}

// forgetful is a graph of which position 1 is finished, but no move there says so.
type forgetful struct{ *graph }

func (f *forgetful) universe() *games.Universe {
	u := f.graph.universe(0)
	u.Expander = f
	return u
}

func (f *forgetful) Expand(indices []uint64, out *games.Expansion) {
	f.graph.Expand(indices, out)
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
	g := &graph{
		list:   []games.Tier{{Size: 2, Open: 1}},
		status: []games.Value{games.Unfinished, games.Loss(0)},
		edges:  [][]uint64{{1}, nil},
	}
	u := g.universe(0)
	u.Retractor = lost{}
	_, err := Analyze(t.Context(), u, Config{})
	require.EqualError(t, err, "bug in the Retractor: position 1 is not an unfinished position of the tier of its successor")
}

// TestRefusedLeavesNothing checks that a solve which fails before there is anything to
// keep leaves neither a lock nor the directory that it made.
func TestRefusedLeavesNothing(t *testing.T) {
	g := &graph{
		list:   []games.Tier{{Size: 2, Open: 2}},
		status: []games.Value{games.Unfinished, games.Unfinished},
		edges:  [][]uint64{{1}, {0}},
	}
	refused := (&forgetful{g}).universe()
	for _, there := range []bool{false, true} {
		fs := vfs.NewMem()
		if there {
			require.NoError(t, fs.MkdirAll("solve", 0o755))
		}
		_, _, err := Solve(t.Context(), refused, "solve", Config{FS: fs})
		require.ErrorContains(t, err, "bug in the Expander")
		names, err := fs.List("solve")
		if there {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, os.ErrNotExist)
		}
		require.Empty(t, names)
	}
}

// TestPeakMemory resumes a solve whose earlier run took more memory than this process
// has.
func TestPeakMemory(t *testing.T) {
	const most = 1 << 50
	_, u := openAwari(t, "", 6)
	fs := vfs.NewMem()
	require.NoError(t, fs.MkdirAll("solve", 0o755))
	e, err := newEngine(u, Config{Positions: All, Threads: 1, BatchSize: 1, FS: fs, Checkpoint: "solve"})
	require.NoError(t, err)
	e.state.Memory = most
	require.NoError(t, e.save())
	s, m, err := Solve(t.Context(), u, "solve", Config{FS: fs})
	require.NoError(t, err)
	require.Equal(t, 1, s.Resumed)
	require.EqualValues(t, most, m.Built.Memory)

	_, m, err = Solve(t.Context(), u, "other", Config{FS: fs})
	require.NoError(t, err)
	require.Less(t, m.Built.Memory, uint64(most))
}

// TestLeft checks the estimate of the time left: it only falls while the speed is the
// same, from pass to pass, and reaches 0 at the end.
func TestLeft(t *testing.T) {
	for _, game := range []string{"dobutsu", "awari:stones=8", "connect4:size=4x4"} {
		u := openUniverse(t, game)
		var cfg Config
		cfg.choosePositions(u)
		cfg.Threads, cfg.BatchSize, cfg.Plan = 1, 1, PlanOf(u, cfg)
		e, err := newEngine(u, cfg)
		require.NoError(t, err)
		f := newEffort(e, time.Now())
		last := 0.0
		grows := func(pass string, tier int, total uint64) {
			for _, positions := range []uint64{0, total / 3, total} {
				done := f.done(pass, tier, positions, total)
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
		require.Zero(t, f.left(0), "too early to tell")
		f.begin = time.Now().Add(-time.Hour)
		require.InDelta(t, time.Hour, f.left(f.all/2), float64(time.Minute))
	}
}

// TestFreeBatches has a worker receive more than it sends, as when another is ahead of it.
func TestFreeBatches(t *testing.T) {
	e, err := newEngine(openUniverse(t, "connect4:size=4x4"), Config{Threads: 1, BatchSize: 1})
	require.NoError(t, err)
	w := e.workers[0]
	for range 2 * throttleAt {
		w.accept(&batch{kind: kindReach})
	}
	w.apply(e.partitions[0])
	require.Len(t, w.free, throttleAt)
}

// TestInterruptedLoad interrupts a solve that has not yet read its checkpoint, which stays
// as it is.
func TestInterruptedLoad(t *testing.T) {
	_, u := openAwari(t, "", 6)
	fs := vfs.NewMem()
	require.NoError(t, fs.MkdirAll("solve", 0o755))
	e, err := newEngine(u, Config{Positions: All, Threads: 1, FS: fs, Checkpoint: "solve"})
	require.NoError(t, err)
	require.NoError(t, e.save())
	before := readAll(t, fs, "solve/checkpoint")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = Solve(ctx, u, "solve", Config{FS: fs})
	require.ErrorIs(t, err, ErrInterrupted)
	require.Equal(t, before, readAll(t, fs, "solve/checkpoint"))
}
