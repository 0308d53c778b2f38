package retro_test

import (
	"encoding/csv"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/db/verify"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/internal/race"
	"github.com/yomikiri/yomikiri/retro"
)

// oracle solves all positions that can be reached from one, slowly: it plays all
// moves of the game and backs values up until nothing changes.
func oracle[P, M comparable](g games.Game[P, M], start P) ([]P, []games.Value) {
	canonical := func(p P) P { return p }
	if c, ok := g.(games.Canonicalizer[P]); ok {
		canonical = c.Canonical
	}
	var positions []P
	var values []games.Value
	numbers := map[P]int{}
	number := func(p P) int {
		p = canonical(p)
		n, known := numbers[p]
		if !known {
			n = len(positions)
			numbers[p], positions, values = n, append(positions, p), append(values, games.Draw)
		}
		return n
	}
	number(start)
	var children [][]int
	for i := 0; i < len(positions); i++ {
		p := positions[i]
		children = append(children, nil)
		if v, finished := g.Outcome(p); finished {
			values[i] = v
			continue
		}
		for _, m := range g.AppendMoves(nil, p) {
			children[i] = append(children[i], number(g.Play(p, m)))
		}
	}
	for changed := true; changed; {
		changed = false
		next := slices.Clone(values)
		for i, list := range children {
			if len(list) == 0 {
				continue
			}
			best := games.Loss(0)
			for _, to := range list {
				best = max(best, values[to].Backup(0))
			}
			next[i], changed = best, changed || best != values[i]
		}
		values = next
	}
	return positions, values
}

// agree solves what can be reached from a position, and compares each value with
// the oracle.
func agree[P, M comparable](t *testing.T, g games.Game[P, M], start P) {
	t.Helper()
	u, err := games.UniverseOf(g)
	require.NoError(t, err)
	indexer := g.(games.Indexer[P])
	u.Start, err = indexer.Index(start)
	require.NoError(t, err)
	positions, want := oracle(g, start)
	s, err := retro.Analyze(t.Context(), u, retro.Config{})
	require.NoError(t, err)
	counts := map[games.Value]uint64{}
	for i, p := range positions {
		counts[want[i]]++
		if _, finished := g.Outcome(p); finished {
			continue
		}
		index, err := indexer.Index(p)
		require.NoError(t, err)
		if got, ok := s.Value(index); !ok || got != want[i] {
			t.Fatalf("%s is worth %v, not %v", g.AppendPosition(nil, p), want[i], got)
		}
	}
	require.Len(t, s.Tiers, 1)
	require.Equal(t, counts, s.Tiers[0].Values)
	t.Logf("%d positions with %d values", len(want), len(counts))
}

func TestTicTacToe(t *testing.T) {
	g := tictactoe.Game{}
	agree(t, g, g.Start())
	// Messages are applied at any moment of the sweeps of the forward pass, and at its end none may wait.
	u, err := games.UniverseOf(g)
	require.NoError(t, err)
	want, err := retro.Analyze(t.Context(), u, retro.Config{})
	require.NoError(t, err)
	for partitions := range 8 {
		if testing.Short() && partitions%3 != 1 {
			continue
		}
		for _, batch := range []int{1, 2, 3, 7, 64} {
			for threads := range 3 {
				if race.Enabled && threads == 0 {
					continue
				}
				s, err := retro.Analyze(t.Context(), u, retro.Config{Partitions: 1 + partitions, BatchSize: batch, Threads: 1 + threads})
				require.NoError(t, err)
				require.Equal(t, want.Tiers[0].Values, s.Tiers[0].Values, "%d partitions, batches of %d, %d threads", 1+partitions, batch, 1+threads)
			}
		}
	}
}

// TestDobutsuSmallBoard compares boards of three rows, which have no chicks, with the
// oracle: all rules but those of chicks.
func TestDobutsuSmallBoard(t *testing.T) {
	if race.Enabled {
		t.Skip("the oracle takes long")
	}
	for _, rules := range []string{"dobutsu:size=3x3", "dobutsu:size=3x3,drops=none"} {
		t.Run(rules, func(t *testing.T) {
			g, err := dobutsu.Family.Open(rules)
			require.NoError(t, err)
			agree[dobutsu.Position, dobutsu.Move](t, g, g.Start())
		})
	}
}

// TestDobutsuWithoutDrops compares parts of Dōbutsu shōgi with the oracle. Without
// drops, captured animals never come back, so few positions can be reached where
// few animals are left.
func TestDobutsuWithoutDrops(t *testing.T) {
	for _, c := range []struct{ rules, start string }{
		{"dobutsu:drops=none", "l2/3/1Ce/1L1 b 2GCE"},
		{"dobutsu:drops=none", "1l1/1c1/E2/1LG b GCe"},
		{"dobutsu:drops=none,try=no", "l2/3/1Ce/1L1 b 2GCE"},
		{"dobutsu:drops=none,try=no", "gl1/2h/3/EL1 b CGe"},
	} {
		t.Run(c.rules+" "+c.start, func(t *testing.T) {
			if testing.Short() {
				t.Skip("goes over the whole index space")
			}
			g, err := dobutsu.Family.Open(c.rules)
			require.NoError(t, err)
			start, err := g.ParsePosition(c.start)
			require.NoError(t, err)
			agree[dobutsu.Position, dobutsu.Move](t, g, start)
		})
	}
}

// TestDobutsu solves Dōbutsu shōgi and compares it with what is published: Tanaka
// 2009 for the counts and the value of the start position, and the number of
// positions of each distance, on which independent solvers agree. Then it
// verifies the database, and compares samples with searches that know nothing but
// the moves.
func TestDobutsu(t *testing.T) {
	if testing.Short() {
		t.Skip("solves the whole game")
	}
	dir := t.TempDir()
	g := dobutsu.New()
	u, err := games.UniverseOf(g)
	require.NoError(t, err)
	_, m, err := retro.Solve(t.Context(), u, dir, retro.Config{})
	require.NoError(t, err)
	require.Equal(t, games.Loss(78), m.Content.StartValue)
	require.Equal(t, games.Win(173), m.Content.Longest.Value)
	s := m.Content.Tiers[0]
	require.EqualValues(t, 99_485_568, s.Unfinished)
	require.EqualValues(t, 938_671_869, s.Moves)
	finished := map[games.Value]uint64{}
	results := map[games.Result]uint64{}
	counts := map[games.Value]uint64{}
	for _, c := range s.Counts {
		counts[c.Value] = c.Positions
		results[c.Value.Result()] += c.Positions - c.Finished
		if c.Finished > 0 {
			finished[c.Value] = c.Finished
		}
	}
	require.Equal(t, map[games.Value]uint64{games.Win(1): 140_298_614, games.Loss(0): 7_018_985}, finished)
	require.Equal(t, map[games.Result]uint64{games.Won: 56_474_473, games.Drawn: 2_682_700, games.Lost: 40_328_395}, results)
	require.Equal(t, publishedDistances(t), counts)

	v, err := verify.Run(t.Context(), dir, u, verify.Options{Problem: func(err error) { t.Error(err) }})
	require.NoError(t, err)
	require.Zero(t, v.Problems)
	searchSamples(t, g, dir, 300)
}

var largeBoard = flag.String("5x3", "", "database of dobutsu:size=5x3 to check")

// TestDobutsuLargeBoard compares a database of five rows, which takes a while to make,
// with what is published and with searches.
func TestDobutsuLargeBoard(t *testing.T) {
	if *largeBoard == "" {
		t.Skip("needs a database: -5x3 DIRECTORY")
	}
	g, err := dobutsu.Family.Open("dobutsu:size=5x3")
	require.NoError(t, err)
	m, err := store.ReadManifest(vfs.Default, *largeBoard)
	require.NoError(t, err)
	require.Equal(t, g.Name(), m.Content.Game)
	require.Equal(t, games.Draw, m.Content.StartValue)
	require.Equal(t, games.Win(191), m.Content.Longest.Value)
	results := map[games.Result]uint64{}
	for _, c := range m.Content.Tiers[0].Counts {
		results[c.Value.Result()] += c.Positions
	}
	require.Equal(t, map[games.Result]uint64{games.Won: 2_597_975_993, games.Lost: 683_720_498, games.Drawn: 78_214_035}, results)
	searchSamples(t, g, *largeBoard, 1000)
}

func publishedDistances(t *testing.T) map[games.Value]uint64 {
	t.Helper()
	f, err := os.Open("testdata/dobutsu_distances.tsv")
	require.NoError(t, err)
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = '\t'
	rows, err := r.ReadAll()
	require.NoError(t, err)
	counts := map[games.Value]uint64{}
	for _, row := range rows[1:] {
		v := games.Draw
		if row[1] != "draw" {
			v, err = games.ParseValue(fmt.Sprintf("%s in %s", row[1], row[0]))
			require.NoError(t, err)
		}
		n, err := strconv.ParseUint(row[2], 10, 64)
		require.NoError(t, err)
		if n > 0 {
			counts[v] = n
		}
	}
	return counts
}

// searchSamples compares the values of random positions with a full-width search
// of a few plies, which finds all shorter wins and losses and no others.
func searchSamples(t *testing.T, g *dobutsu.Game, dir string, count int) {
	t.Helper()
	d, err := store.Open(dir, &store.Options{FS: vfs.Default})
	require.NoError(t, err)
	defer func() { require.NoError(t, d.Close()) }()
	prober, err := db.NewProber(d, g)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(11, 12))
	const depth = 6
	decided := 0
	for n := 0; n < count; {
		p, ok := g.Position(rng.Uint64N(g.Tiers()[0].Open))
		if !ok {
			continue
		}
		want, err := prober.Probe(p)
		if err != nil {
			require.ErrorIs(t, err, db.ErrNotHeld)
			continue
		}
		n++
		if plies, ok := want.Plies(); !ok || plies > depth {
			want = games.Draw
		} else {
			decided++
		}
		require.Equal(t, want, search(g, p, depth), "%s", g.AppendPosition(nil, p))
	}
	require.Greater(t, decided, 100)
}

// search returns the value of a position if play is drawn after some plies.
func search(g *dobutsu.Game, p dobutsu.Position, depth int) games.Value {
	if v, finished := g.Outcome(p); finished {
		if plies, _ := v.Plies(); plies > depth {
			return games.Draw
		}
		return v
	}
	if depth == 0 {
		return games.Draw
	}
	best := games.Loss(0)
	for _, m := range g.AppendMoves(nil, p) {
		if best = max(best, search(g, g.Play(p, m), depth-1).Backup(0)); best == games.Win(1) {
			break
		}
	}
	return best
}
