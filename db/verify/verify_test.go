package verify_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/internal/dbtest"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/db/verify"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

// requireProblem checks that Verify finds something wrong with a database all of
// whose checksums are right, and that it says what.
func requireProblem(t *testing.T, s *dbtest.Solved, m *db.Manifest, want ...string) {
	t.Helper()
	fs := vfs.NewMem()
	s.WriteAs(t, fs, m)
	v, problems, err := dbtest.Verify(fs, s.U)
	require.NoError(t, err)
	require.NotZero(t, v.Problems, "nothing wrong is found")
	for _, text := range want {
		require.Contains(t, problems, text)
	}
}

// TestVerifyWrongValue has databases in which one position has the value of
// another one. Their counts agree with what they hold.
func TestVerifyWrongValue(t *testing.T) {
	for _, name := range []string{"tictactoe", "tiers", "tiers all"} {
		s := dbtest.Databases[name](t)
		values := s.Manifest().Content.Values
		indices := s.Indices()
		for n := 0; n < len(indices); n += 1 + len(indices)/15 {
			i := indices[n]
			for _, v := range []games.Value{values[0], values[len(values)-1], games.Draw, values[n%len(values)]} {
				if v == s.Values[i] {
					continue
				}
				lie := s.Clone()
				lie.Values[i] = v
				t.Run(fmt.Sprintf("%s/%d as %v", name, i, v), func(t *testing.T) {
					requireProblem(t, lie, lie.Manifest(),
						fmt.Sprintf("%s has the value %v, by its successors it has %v", s.U.PositionName(i), v, s.Values[i]))
				})
			}
		}
	}
}

// TestVerifyNearlyRight has databases in which all values are wrong in the same
// way, so that few of them contradict each other.
func TestVerifyNearlyRight(t *testing.T) {
	s := dbtest.Databases["tiers"](t)
	for name, change := range map[string]func(games.Value) games.Value{
		"all draws": func(games.Value) games.Value { return games.Draw },
		"two plies longer": func(v games.Value) games.Value {
			return v.Backup(0).Backup(0)
		},
		"the other side's": func(v games.Value) games.Value { return -v },
	} {
		lie := s.Clone()
		for i, v := range lie.Values {
			lie.Values[i] = change(v)
		}
		t.Run(name, func(t *testing.T) { requireProblem(t, lie, lie.Manifest()) })
	}
}

// TestVerifyCode has a code past the last value.
func TestVerifyCode(t *testing.T) {
	s, fs := dbtest.TicTacToe(t), vfs.NewMem()
	m := s.Manifest()
	held := s.Indices()[100]
	source := func(tier int, block uint64, dst []byte) error {
		err := s.Source(&m.Content)(tier, block, dst)
		if held/db.BlockSize == block {
			dst[held%db.BlockSize] = byte(len(m.Content.Values) + 1)
		}
		return err
	}
	require.NoError(t, fs.MkdirAll("db", 0o755))
	require.NoError(t, store.Write(context.Background(), "db", m, source, store.WriteOptions{FS: fs}))
	_, problems, err := dbtest.Verify(fs, s.U)
	require.NoError(t, err)
	require.Contains(t, problems, fmt.Sprintf("%s has no value, its code is %d", s.U.PositionName(held), len(m.Content.Values)+1))
	d := dbtest.Open(t, fs)
	_, _, err = d.Value(held)
	require.ErrorIs(t, err, db.ErrCorrupt)
	require.EqualError(t, err, fmt.Sprintf("db: damaged data: index %d has the unknown code %d", held, len(m.Content.Values)+1))
}

// TestVerifyHeld has databases that hold too much or too little, with the counts
// of what they hold.
func TestVerifyHeld(t *testing.T) {
	g := dbtest.Ladder("tiers", 200, 50, 20, 1, 90, 130)
	reachable, all := dbtest.Solve(t, g, "reachable"), dbtest.Solve(t, g, "all")
	start := g.Nodes[g.First].Index
	above, pit := g.Nodes[g.First+1].Index, g.Nodes[23].Index
	hole := above + 1
	require.Equal(t, games.Win(1), reachable.Finished[pit])
	name := reachable.U.PositionName
	require.Equal(t, `position "51"`, name(g.Nodes[51].Index))
	for _, c := range []struct {
		name   string
		s      *dbtest.Solved
		change func(s *dbtest.Solved)
		want   []string
	}{
		{"a position that is not reachable", reachable, func(s *dbtest.Solved) {
			s.Values[above], s.Moves[above] = all.Values[above], all.Moves[above]
		}, []string{name(above) + " has a value, but is not reachable from the start position"}},
		{"two of them", reachable, func(s *dbtest.Solved) {
			for _, i := range []uint64{above, g.Nodes[g.First+2].Index} {
				s.Values[i], s.Moves[i] = all.Values[i], all.Moves[i]
			}
		}, nil},
		{"a hole", reachable, func(s *dbtest.Solved) { s.Values[hole] = games.Draw },
			[]string{fmt.Sprintf("index %d has a value, but is not reachable from the start position", hole)}},
		{"a hole among all", all, func(s *dbtest.Solved) { s.Values[hole] = games.Draw },
			[]string{fmt.Sprintf("index %d has a value, but is not an unfinished position (no position)", hole)}},
		{"a finished position", all, func(s *dbtest.Solved) { s.Values[g.Nodes[3].Index] = games.Loss(0) },
			[]string{`position "3" has a value, but is not an unfinished position (loss in 0)`, "tier part 1: 0 positions have the value loss in 0, 0 of them finished; the manifest says 2, 1 of them finished"}},
		{"no start position", reachable, func(s *dbtest.Solved) { delete(s.Values, start) }, nil},
		{"nothing", reachable, func(s *dbtest.Solved) { clear(s.Values) }, nil},
		{"all but one", reachable, func(s *dbtest.Solved) { delete(s.Values, g.Nodes[50].Index) },
			[]string{`position "51" has a move to position "50", which has no value`}},
		{"all but one, of all", all, func(s *dbtest.Solved) { delete(s.Values, g.Nodes[50].Index) },
			[]string{`position "50" has no value, its code is 0`}},
		{"all but the first", reachable, func(s *dbtest.Solved) { delete(s.Values, g.Nodes[4].Index) }, nil},
		{"all but the last", all, func(s *dbtest.Solved) { delete(s.Values, g.Nodes[len(g.Nodes)-2].Index) }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := c.s.Clone()
			c.change(s)
			requireProblem(t, s, s.Manifest(), c.want...)
		})
	}
}

// TestVerifyIsland has a database of what can be reached and of a ring beside it
// whose positions lead to each other only.
func TestVerifyIsland(t *testing.T) {
	g := dbtest.Ladder("island", 10, 1, 20) // below the top rung, so no move leads to the ring
	s, all := dbtest.Solve(t, g, "reachable"), dbtest.Solve(t, g, "all")
	for ring := range uint64(3) {
		require.NotContains(t, s.Values, ring)
		s.Values[ring], s.Moves[ring] = all.Values[ring], all.Moves[ring]
	}
	requireProblem(t, s, s.Manifest())
}

// TestVerifyDescription has databases with the right values and a lie about them.
func TestVerifyDescription(t *testing.T) {
	for _, name := range []string{"tiers", "tiers all"} {
		s := dbtest.Databases[name](t)
		for lie, change := range map[string]func(*db.Content){
			"one unfinished position more": func(c *db.Content) { c.Tiers[2].Unfinished++ },
			"one less":                     func(c *db.Content) { c.Tiers[0].Unfinished-- },
			"a move more":                  func(c *db.Content) { c.Tiers[3].Moves++ },
			"a move in another tier": func(c *db.Content) {
				c.Tiers[3].Moves++
				c.Tiers[2].Moves--
			},
			"another count":     func(c *db.Content) { c.Tiers[2].Counts[3].Positions++ },
			"a finished one":    func(c *db.Content) { c.Tiers[2].Counts[3].Finished++ },
			"a count too many":  func(c *db.Content) { c.Tiers[2].Counts = append(c.Tiers[2].Counts, db.Count{Value: games.Loss(900)}) },
			"a count twice":     func(c *db.Content) { c.Tiers[2].Counts = append(c.Tiers[2].Counts[:1], c.Tiers[2].Counts...) },
			"a count of none":   func(c *db.Content) { c.Tiers[2].Counts = addCount(c.Tiers[2].Counts, games.Draw) },
			"a count missing":   func(c *db.Content) { c.Tiers[2].Counts = c.Tiers[2].Counts[1:] },
			"no counts":         func(c *db.Content) { c.Tiers[1].Counts = nil },
			"the start's value": func(c *db.Content) { c.StartValue = games.Win(1) },
			"a longer distance": func(c *db.Content) { c.Longest.Value = games.Win(999) },
			"another longest":   func(c *db.Content) { c.Longest.Index = s.Indices()[0] },
			"no longest":        func(c *db.Content) { c.Longest = nil },
			"positions":         func(c *db.Content) { c.Positions = "some" },
			"the values' order": func(c *db.Content) { c.Values[0], c.Values[1] = c.Values[1], c.Values[0] },
		} {
			t.Run(name+"/"+lie, func(t *testing.T) {
				m := s.Manifest()
				change(&m.Content)
				fs := vfs.NewMem()
				s.WriteAs(t, fs, m)
				v, problems, err := dbtest.Verify(fs, s.U)
				require.True(t, err != nil || v.Problems > 0, "nothing wrong is found")
				for _, p := range problems {
					require.NotContains(t, p, "{", "a struct")
				}
			})
		}
	}
}

// addCount adds a count of no position, unless the value is there.
func addCount(counts []db.Count, v games.Value) []db.Count {
	if slices.ContainsFunc(counts, func(n db.Count) bool { return n.Value == v }) {
		return nil
	}
	counts = append(slices.Clone(counts), db.Count{Value: v})
	db.SortCounts(counts)
	return counts
}

// TestVerifyFinishedStart has a game that is over when it begins.
func TestVerifyFinishedStart(t *testing.T) {
	s := dbtest.Solve(t, dbtest.Ladder("over", 0, 1, 5), "reachable")
	m := s.Manifest()
	require.Equal(t, games.Loss(0), m.Content.StartValue)
	require.Nil(t, m.Content.Longest)
	fs := vfs.NewMem()
	s.WriteAs(t, fs, m)
	v := dbtest.RequireSound(t, fs, s.U)
	require.Zero(t, v.Positions)
	m = s.Manifest()
	m.Content.StartValue = games.Draw
	requireProblem(t, s, m)
}

// TestVerifyAnotherGame verifies a database against the universe of another game,
// or of the same one numbered in another way.
func TestVerifyAnotherGame(t *testing.T) {
	g := dbtest.Ladder("tiers", 10, 5, 20, 4, 10)
	for _, c := range []struct {
		name string
		g    *dbtest.Graph
	}{
		{"another name", dbtest.Ladder("tiers:steps=2", 10, 5, 20, 4, 10)},
		{"another start", dbtest.Ladder("tiers", 9, 5, 20, 4, 10)},
		{"fewer tiers", dbtest.Ladder("tiers", 10, 5, 24, 10)},
		{"larger tiers", dbtest.Ladder("tiers", 10, 5, 20, 4, 12)},
		{"smaller tiers", dbtest.Ladder("tiers", 10, 5, 20, 4, 8)},
		{"other tiers of the same total", dbtest.Ladder("tiers", 10, 5, 20, 3, 11)},
	} {
		for _, positions := range []string{"reachable", "all"} {
			t.Run(c.name+", "+positions, func(t *testing.T) {
				fs := vfs.NewMem()
				dbtest.Solve(t, g, positions).Write(t, fs)
				u, err := games.UniverseOf(c.g)
				require.NoError(t, err)
				_, problems, err := dbtest.Verify(fs, u)
				require.ErrorContains(t, err, "does not fit the game "+c.g.GameName)
				require.Empty(t, problems)
			})
		}
	}
}

// TestVerifyManyProblems checks that no more than MaxProblems are reported, one at a
// time, and all are counted.
func TestVerifyManyProblems(t *testing.T) {
	s, fs := dbtest.TicTacToe(t).Clone(), vfs.NewMem()
	for i := range s.Values {
		s.Values[i] = games.Draw
	}
	s.Write(t, fs)
	reported := 0 // without a lock: the race detector would notice two at a time
	v, err := verify.Run(context.Background(), "db", s.U, verify.Options{FS: fs, Problem: func(error) { reported++ }})
	require.NoError(t, err)
	require.Equal(t, verify.MaxProblems, reported)
	require.Greater(t, v.Problems, uint64(100))
	v, err = verify.Run(context.Background(), "db", s.U, verify.Options{FS: fs})
	require.NoError(t, err)
	require.Greater(t, v.Problems, uint64(100), "none is reported, but they are counted")
}

func TestVerifyProgress(t *testing.T) {
	s, fs := dbtest.Databases["tiers all"](t), vfs.NewMem()
	s.Write(t, fs)
	var mu sync.Mutex
	last, of := map[string]uint64{}, map[string]uint64{}
	_, err := verify.Run(context.Background(), "db", s.U, verify.Options{FS: fs, Threads: 2, Progress: func(unit string, done, total uint64) {
		mu.Lock()
		defer mu.Unlock()
		assert.LessOrEqual(t, done, total)
		last[unit], of[unit] = max(last[unit], done), total
	}})
	require.NoError(t, err)
	require.Len(t, of, 2)
	require.EqualValues(t, 6, of["blocks"], "one of the smaller tiers, two of the larger ones")
	require.Equal(t, s.U.Size(), of["positions"])
	require.Equal(t, of, last, "the end is reported")
}

func TestVerifyInterrupted(t *testing.T) {
	s, fs := dbtest.Databases["tiers all"](t), vfs.NewMem()
	s.Write(t, fs)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	v, err := verify.Run(ctx, "db", s.U, verify.Options{FS: fs})
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, v.Problems)
	ctx, cancel = context.WithCancel(context.Background())
	v, err = verify.Run(ctx, "db", s.U, verify.Options{FS: fs, Threads: 1, Progress: func(string, uint64, uint64) { cancel() }})
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, v.Problems, "what was not looked at is not wrong")
}

// TestVerifyThreads checks that threads change nothing of what is reported.
func TestVerifyThreads(t *testing.T) {
	fs := vfs.NewMem()
	s := dbtest.Solve(t, tictactoe.Game{}, "all")
	s.Write(t, fs)
	want := dbtest.RequireSound(t, fs, s.U)
	for threads := range 6 {
		v, err := verify.Run(context.Background(), "db", s.U, verify.Options{FS: fs, Threads: threads})
		require.NoError(t, err)
		require.Equal(t, want, v)
	}
}
