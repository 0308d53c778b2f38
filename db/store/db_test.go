package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/internal/dbtest"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/db/verify"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/retro"
)

// TestLadder checks the game that the other tests rest on.
func TestLadder(t *testing.T) {
	g := dbtest.Ladder("ladder", 17, 3, 5, 8, 7)
	gametest.Run(t, g)
	s := dbtest.Solve(t, g, "all")
	require.Equal(t, games.Draw, s.Values[0], "the ring")
	rung := func(n int) games.Value {
		i, err := g.Index(n)
		require.NoError(t, err)
		return s.Values[i]
	}
	require.Equal(t, games.Win(1), rung(4), "the rung above the lowest")
	require.Equal(t, games.Loss(2), rung(5))
	require.Equal(t, games.Loss(4), rung(7), "the highest of the first tier; the pit is 8")
	require.Equal(t, games.Win(5), rung(9), "which could also move into the pit")
	require.Equal(t, games.Win(19), rung(24), "the top rung could also move to the ring")
	g = dbtest.Ladder("ladder", 17, 3, 5, 8, 8)
	s = dbtest.Solve(t, g, "all")
	require.Equal(t, games.Draw, rung(25), "the top rung escapes to the ring")
}

func TestWriteAndRead(t *testing.T) {
	for name, build := range dbtest.Databases {
		t.Run(name, func(t *testing.T) {
			s := build(t)
			fs := vfs.NewMem()
			written := s.Write(t, fs)
			m, err := store.ReadManifest(fs, "db")
			require.NoError(t, err)
			require.Equal(t, written, m)
			require.Equal(t, 1, m.Format)
			require.Equal(t, db.BlockSize, m.Content.BlockSize)
			v := dbtest.RequireSound(t, fs, s.U)
			d := dbtest.Open(t, fs)
			require.Equal(t, m, d.Manifest())
			s.RequireHolds(t, d)
			require.EqualValues(t, len(s.Values), v.Positions)
			total := m.Content.Total()
			require.Equal(t, total.Moves, v.Moves)
			require.Equal(t, total.Unfinished, v.Positions)
			require.EqualValues(t, len(m.Files), v.Files)
			blocks := uint64(0)
			for _, tier := range m.Content.Tiers {
				blocks += (tier.Open + db.BlockSize - 1) / db.BlockSize
			}
			require.Equal(t, blocks, v.Blocks)
		})
	}
}

func TestWidth(t *testing.T) {
	for name, want := range map[string]int{"tictactoe": 1, "wide codes": 2, "one value too many for one byte": 2} {
		c := dbtest.Databases[name](t).Manifest().Content
		require.Equal(t, want, c.Width(), "%s: %d values", name, len(c.Values))
	}
	require.Len(t, dbtest.Databases["one value too many for one byte"](t).Manifest().Content.Values, 256)
	require.Equal(t, 1, (&db.Content{Values: make([]games.Value, 255)}).Width())
}

// TestSolve checks that the solver writes, byte for byte of its content, the
// database that the plain solver of these tests describes.
func TestSolve(t *testing.T) {
	for name, build := range dbtest.Databases {
		t.Run(name, func(t *testing.T) {
			s := build(t)
			want := s.Write(t, vfs.NewMem())
			fs := vfs.NewMem()
			_, m, err := retro.Solve(context.Background(), s.U, "db", retro.Config{FS: fs, Positions: retro.Positions(s.Positions), Threads: 2})
			require.NoError(t, err)
			require.Equal(t, want.Content, m.Content)
			require.Equal(t, want.Checksum, m.Checksum)
			dbtest.RequireSound(t, fs, s.U)
			s.RequireHolds(t, dbtest.Open(t, fs))
		})
	}
}

// TestOnDisk is for the file system that the others do without.
func TestOnDisk(t *testing.T) {
	s, dir := dbtest.TicTacToe(t), t.TempDir()
	m := s.Manifest()
	require.NoError(t, store.Write(context.Background(), dir, m, s.Source(&m.Content), store.WriteOptions{}))
	d, err := store.Open(dir, nil)
	require.NoError(t, err)
	s.RequireHolds(t, d)
	require.NoError(t, d.Close())
	v, err := verify.Run(context.Background(), dir, s.U, verify.Options{})
	require.NoError(t, err)
	require.Zero(t, v.Problems)
}

// TestReproducible checks that neither threads nor chance change the checksum.
func TestReproducible(t *testing.T) {
	s := dbtest.Databases["tiers"](t)
	var sums []string
	for threads := range 5 {
		m := s.Manifest()
		fs := vfs.NewMem()
		require.NoError(t, fs.MkdirAll("db", 0o755))
		require.NoError(t, store.Write(context.Background(), "db", m, s.Source(&m.Content), store.WriteOptions{FS: fs, Threads: threads}))
		sums = append(sums, m.Checksum)
	}
	require.Len(t, slices.Compact(sums), 1)
	require.Regexp(t, "^[0-9a-f]{16}$", sums[0])
	for name, change := range map[string]func(*dbtest.Solved, *db.Content){
		"a value":      func(s *dbtest.Solved, _ *db.Content) { s.Values[0] = games.Win(1) },
		"the game":     func(_ *dbtest.Solved, c *db.Content) { c.Game += ":other=rules" },
		"a count":      func(_ *dbtest.Solved, c *db.Content) { c.Tiers[0].Moves++ },
		"the start":    func(_ *dbtest.Solved, c *db.Content) { c.Start++ },
		"a tier":       func(_ *dbtest.Solved, c *db.Content) { c.Tiers[1].Name = "another" },
		"the longest":  func(_ *dbtest.Solved, c *db.Content) { c.Longest.Index++ },
		"the universe": func(_ *dbtest.Solved, c *db.Content) { c.Positions = "all" },
	} {
		other, m := s.Clone(), s.Manifest()
		change(other, &m.Content)
		other.WriteAs(t, vfs.NewMem(), m)
		require.NotEqual(t, sums[0], m.Checksum, "%s changes the checksum", name)
	}
	m := s.Manifest()
	m.Built = db.Built{By: "somebody", Threads: 3, Memory: 4}
	s.WriteAs(t, vfs.NewMem(), m)
	require.Equal(t, sums[0], m.Checksum, "who built it does not")
}

// TestSignature checks the logical checksum of a database that every version of
// this program must make alike: what is stored, its order and its description.
// A change of it is a change of the format.
func TestSignature(t *testing.T) {
	require.Equal(t, "4b5b81dcc179af92", dbtest.TicTacToe(t).Write(t, vfs.NewMem()).Checksum)
}

func TestNoDatabase(t *testing.T) {
	fs := vfs.NewMem()
	const empty = "it has no yomikiri.manifest"
	for _, c := range []struct {
		prepare func()
		why     string
	}{
		{func() {}, "there is no such directory"},
		{func() { require.NoError(t, fs.MkdirAll("db", 0o755)) }, empty},
		{func() { require.NoError(t, fs.MkdirAll("db/store", 0o755)) }, empty},
	} {
		c.prepare()
		_, err := store.Open("db", &store.Options{FS: fs})
		require.ErrorIs(t, err, db.ErrNoDatabase)
		require.EqualError(t, err, "no database in db ("+c.why+")")
		_, err = verify.Run(context.Background(), "db", dbtest.TicTacToe(t).U, verify.Options{FS: fs})
		require.ErrorIs(t, err, db.ErrNoDatabase)
	}
}

// TestOpenTwice checks that readers do not shut each other out.
func TestOpenTwice(t *testing.T) {
	s, fs := dbtest.TicTacToe(t), vfs.NewMem()
	s.Write(t, fs)
	d := dbtest.Open(t, fs)
	s.RequireHolds(t, dbtest.Open(t, fs))
	dbtest.RequireSound(t, fs, s.U)
	s.RequireHolds(t, d)
}

// TestOpenChangesNothing checks that readers leave the files alone.
func TestOpenChangesNothing(t *testing.T) {
	s, fs := dbtest.Databases["tiers"](t), vfs.NewMem()
	s.Write(t, fs)
	files := func() map[string]string {
		list := map[string]string{}
		for _, path := range dbtest.StoreFiles(t, fs) {
			list[path] = string(dbtest.ReadFile(t, fs, path))
		}
		return list
	}
	before := files()
	for range 3 {
		d, err := store.Open("db", &store.Options{FS: fs})
		require.NoError(t, err)
		s.RequireHolds(t, d)
		require.NoError(t, d.Close())
		dbtest.RequireSound(t, fs, s.U)
	}
	require.Equal(t, before, files())
}

// TestConcurrentReaders has readers that fight for a cache of a few blocks.
func TestConcurrentReaders(t *testing.T) {
	for _, cache := range []int64{1, 1 << 20, 0} {
		t.Run(fmt.Sprint("cache ", cache), func(t *testing.T) {
			g := dbtest.Ladder("tiers", 230, 500, 20, 1, 90, 130)
			s, fs := dbtest.Solve(t, g, "reachable"), vfs.NewMem()
			s.Write(t, fs)
			d, err := store.Open("db", &store.Options{FS: fs, CacheSize: cache})
			require.NoError(t, err)
			defer func() { require.NoError(t, d.Close()) }()
			prober, err := db.NewProber(d, g)
			require.NoError(t, err)
			var group sync.WaitGroup
			failed := make(chan string, 100)
			for id := range uint64(8) {
				group.Go(func() {
					rng := rand.New(rand.NewPCG(id, 0))
					for range 500 {
						p := rng.IntN(len(g.Nodes))
						want, held := s.Values[g.Nodes[p].Index]
						if !held {
							continue
						}
						if got, err := prober.Probe(p); err != nil || got != want {
							failed <- fmt.Sprintf("position %d has the value %v (%v), want %v", p, got, err, want)
							return
						}
						moves, err := prober.ProbeMoves(p)
						if err != nil || moves[0].Value != want {
							failed <- fmt.Sprintf("position %d has the moves %v (%v), want %v", p, moves, err, want)
							return
						}
					}
				})
			}
			group.Wait()
			close(failed)
			for text := range failed {
				t.Error(text)
			}
		})
	}
}

func TestTotal(t *testing.T) {
	c := dbtest.Databases["tiers all"](t).Manifest().Content
	total := c.Total()
	var want db.Tier
	positions := map[games.Value]uint64{}
	for _, s := range c.Tiers {
		want.Size += s.Size
		want.Open += s.Open
		want.Unfinished += s.Unfinished
		want.Moves += s.Moves
		for _, n := range s.Counts {
			positions[n.Value] += n.Positions
		}
	}
	require.Len(t, total.Counts, len(positions))
	require.True(t, slices.IsSortedFunc(total.Counts, func(a, b db.Count) int { return int(b.Value) - int(a.Value) }), "best first")
	for _, n := range total.Counts {
		require.Equal(t, positions[n.Value], n.Positions, n.Value)
	}
	require.Contains(t, total.Counts, db.Count{Value: games.Win(1), Positions: 5, Finished: 4}, "four pits and a rung")
	total.Counts = nil
	require.Equal(t, want, total)
}
