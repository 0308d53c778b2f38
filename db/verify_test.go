package db_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

// requireProblem checks that Verify finds something wrong with a database all of
// whose checksums are right, and that it says what.
func requireProblem(t *testing.T, s *solved, m *db.Manifest, want ...string) {
	t.Helper()
	fs := vfs.NewMem()
	s.writeAs(t, fs, m)
	v, problems, err := verify(fs, s.u)
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
		s := databases[name](t)
		values := s.manifest().Content.Values
		indices := s.indices()
		for n := 0; n < len(indices); n += 1 + len(indices)/15 {
			i := indices[n]
			for _, v := range []games.Value{values[0], values[len(values)-1], games.Draw, values[n%len(values)]} {
				if v == s.values[i] {
					continue
				}
				lie := s.clone()
				lie.values[i] = v
				t.Run(fmt.Sprintf("%s/%d as %v", name, i, v), func(t *testing.T) {
					requireProblem(t, lie, lie.manifest(),
						fmt.Sprintf("position %d has the value %v, by its successors it has %v", i, v, s.values[i]))
				})
			}
		}
	}
}

// TestVerifyNearlyRight has databases in which all values are wrong in the same
// way, so that few of them contradict each other.
func TestVerifyNearlyRight(t *testing.T) {
	s := databases["tiers"](t)
	for name, change := range map[string]func(games.Value) games.Value{
		"all draws": func(games.Value) games.Value { return games.Draw },
		"two plies longer": func(v games.Value) games.Value {
			return v.Backup(0).Backup(0)
		},
		"the other side's": func(v games.Value) games.Value { return -v },
	} {
		lie := s.clone()
		for i, v := range lie.values {
			lie.values[i] = change(v)
		}
		t.Run(name, func(t *testing.T) { requireProblem(t, lie, lie.manifest()) })
	}
}

// TestVerifyCode has a code behind the last value.
func TestVerifyCode(t *testing.T) {
	s, fs := ticTacToe(t), vfs.NewMem()
	m := s.manifest()
	held := s.indices()[100]
	source := func(tier int, block uint64, dst []byte) error {
		err := s.source(&m.Content)(tier, block, dst)
		if held/db.BlockSize == block {
			dst[held%db.BlockSize] = byte(len(m.Content.Values) + 1)
		}
		return err
	}
	require.NoError(t, fs.MkdirAll("db", 0o755))
	require.NoError(t, db.Write(context.Background(), "db", m, source, db.WriteOptions{FS: fs}))
	_, problems, err := verify(fs, s.u)
	require.NoError(t, err)
	require.Contains(t, problems, fmt.Sprintf("position %d has no value, its code is %d", held, len(m.Content.Values)+1))
	d := open(t, fs)
	_, _, err = d.Value(held)
	require.ErrorIs(t, err, db.ErrCorrupt)
	require.EqualError(t, err, fmt.Sprintf("db: damaged data: index %d has the code %d of no value", held, len(m.Content.Values)+1))
}

// TestVerifyHeld has databases that hold too much or too little, with the counts
// of what they hold.
func TestVerifyHeld(t *testing.T) {
	g := ladder("tiers", 200, 50, 20, 1, 90, 130)
	reachable, all := solve(t, g, "reachable"), solve(t, g, "all")
	start := g.nodes[g.start].index
	above, pit := g.nodes[g.start+1].index, g.nodes[23].index
	hole := above + 1
	require.Equal(t, games.Win(1), reachable.finished[pit])
	for _, c := range []struct {
		name   string
		s      *solved
		change func(s *solved)
		want   []string
	}{
		{"a position that is not reachable", reachable, func(s *solved) {
			s.values[above], s.moves[above] = all.values[above], all.moves[above]
		}, []string{fmt.Sprintf("position %d is held, but cannot be reached from the start position", above)}},
		{"two of them", reachable, func(s *solved) {
			for _, i := range []uint64{above, g.nodes[g.start+2].index} {
				s.values[i], s.moves[i] = all.values[i], all.moves[i]
			}
		}, nil},
		{"a hole", reachable, func(s *solved) { s.values[hole] = games.Draw },
			[]string{fmt.Sprintf("position %d is held, but cannot be reached from the start position", hole)}},
		{"a hole among all", all, func(s *solved) { s.values[hole] = games.Draw },
			[]string{fmt.Sprintf("index %d has a value, but is no unfinished position (no position)", hole)}},
		{"a finished position", all, func(s *solved) { s.values[g.nodes[3].index] = games.Loss(0) },
			[]string{fmt.Sprintf("index %d has a value, but is no unfinished position (loss in 0)", g.nodes[3].index)}},
		{"no start position", reachable, func(s *solved) { delete(s.values, start) }, nil},
		{"nothing", reachable, func(s *solved) { clear(s.values) }, nil},
		{"all but one", reachable, func(s *solved) { delete(s.values, g.nodes[50].index) },
			[]string{fmt.Sprintf("position %d has a move to position %d, which has no value", g.nodes[51].index, g.nodes[50].index)}},
		{"all but one, of all", all, func(s *solved) { delete(s.values, g.nodes[50].index) },
			[]string{fmt.Sprintf("position %d has no value, its code is 0", g.nodes[50].index)}},
		{"all but the first", reachable, func(s *solved) { delete(s.values, g.nodes[4].index) }, nil},
		{"all but the last", all, func(s *solved) { delete(s.values, g.nodes[len(g.nodes)-2].index) }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := c.s.clone()
			c.change(s)
			requireProblem(t, s, s.manifest(), c.want...)
		})
	}
}

// TestVerifyIsland has a database of what can be reached and of a ring beside it
// whose positions lead to each other only.
func TestVerifyIsland(t *testing.T) {
	g := ladder("island", 10, 1, 20) // below the top rung, so no move leads to the ring
	s, all := solve(t, g, "reachable"), solve(t, g, "all")
	for ring := range uint64(3) {
		require.NotContains(t, s.values, ring)
		s.values[ring], s.moves[ring] = all.values[ring], all.moves[ring]
	}
	requireProblem(t, s, s.manifest())
}

// TestVerifyDescription has databases with the right values and a lie about them.
func TestVerifyDescription(t *testing.T) {
	for _, name := range []string{"tiers", "tiers all"} {
		s := databases[name](t)
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
			"a count missing":   func(c *db.Content) { c.Tiers[2].Counts = c.Tiers[2].Counts[1:] },
			"no counts":         func(c *db.Content) { c.Tiers[1].Counts = nil },
			"the start's value": func(c *db.Content) { c.StartValue = games.Win(1) },
			"a longer distance": func(c *db.Content) { c.Longest.Value = games.Win(999) },
			"another longest":   func(c *db.Content) { c.Longest.Index = s.indices()[0] },
			"no longest":        func(c *db.Content) { c.Longest = nil },
			"positions":         func(c *db.Content) { c.Positions = "some" },
			"the values' order": func(c *db.Content) { c.Values[0], c.Values[1] = c.Values[1], c.Values[0] },
		} {
			t.Run(name+"/"+lie, func(t *testing.T) {
				m := s.manifest()
				change(&m.Content)
				fs := vfs.NewMem()
				s.writeAs(t, fs, m)
				v, _, err := verify(fs, s.u)
				require.True(t, err != nil || v.Problems > 0, "nothing wrong is found")
			})
		}
	}
}

// TestVerifyFinishedStart has a game that is over when it begins.
func TestVerifyFinishedStart(t *testing.T) {
	s := solve(t, ladder("over", 0, 1, 5), "reachable")
	m := s.manifest()
	require.Equal(t, games.Loss(0), m.Content.StartValue)
	require.Nil(t, m.Content.Longest)
	fs := vfs.NewMem()
	s.writeAs(t, fs, m)
	v := requireSound(t, fs, s.u)
	require.Zero(t, v.Positions)
	m = s.manifest()
	m.Content.StartValue = games.Draw
	requireProblem(t, s, m)
}

// TestVerifyAnotherGame verifies a database against the universe of another game,
// or of the same one numbered in another way.
func TestVerifyAnotherGame(t *testing.T) {
	g := ladder("tiers", 10, 5, 20, 4, 10)
	for _, c := range []struct {
		name string
		g    *graph
	}{
		{"another name", ladder("tiers:steps=2", 10, 5, 20, 4, 10)},
		{"another start", ladder("tiers", 9, 5, 20, 4, 10)},
		{"fewer tiers", ladder("tiers", 10, 5, 24, 10)},
		{"larger tiers", ladder("tiers", 10, 5, 20, 4, 12)},
		{"smaller tiers", ladder("tiers", 10, 5, 20, 4, 8)},
		{"other tiers of the same total", ladder("tiers", 10, 5, 20, 3, 11)},
	} {
		for _, positions := range []string{"reachable", "all"} {
			t.Run(c.name+", "+positions, func(t *testing.T) {
				fs := vfs.NewMem()
				solve(t, g, positions).write(t, fs)
				u, err := games.UniverseOf(c.g)
				require.NoError(t, err)
				_, problems, err := verify(fs, u)
				require.ErrorContains(t, err, "does not fit the game "+c.g.name)
				require.Empty(t, problems)
			})
		}
	}
}

// TestVerifyManyProblems checks that no more than MaxProblems are told, one at a
// time, and all are counted.
func TestVerifyManyProblems(t *testing.T) {
	s, fs := ticTacToe(t).clone(), vfs.NewMem()
	for i := range s.values {
		s.values[i] = games.Draw
	}
	s.write(t, fs)
	told := 0 // without a lock: the race detector would tell of two at a time
	v, err := db.Verify(context.Background(), "db", s.u, db.VerifyOptions{FS: fs, Problem: func(error) { told++ }})
	require.NoError(t, err)
	require.Equal(t, db.MaxProblems, told)
	require.Greater(t, v.Problems, uint64(100))
	v, err = db.Verify(context.Background(), "db", s.u, db.VerifyOptions{FS: fs})
	require.NoError(t, err)
	require.Greater(t, v.Problems, uint64(100), "nobody is told, but they are counted")
}

func TestVerifyProgress(t *testing.T) {
	s, fs := databases["tiers all"](t), vfs.NewMem()
	s.write(t, fs)
	var mu sync.Mutex
	last, of := map[string]uint64{}, map[string]uint64{}
	_, err := db.Verify(context.Background(), "db", s.u, db.VerifyOptions{FS: fs, Threads: 2, Progress: func(unit string, done, total uint64) {
		mu.Lock()
		defer mu.Unlock()
		assert.LessOrEqual(t, done, total)
		last[unit], of[unit] = max(last[unit], done), total
	}})
	require.NoError(t, err)
	require.Len(t, of, 2)
	require.EqualValues(t, 6, of["blocks"], "one of the smaller tiers, two of the larger ones")
	require.Equal(t, s.u.Size(), of["positions"])
	require.Equal(t, of, last, "the end is told")
}

func TestVerifyInterrupted(t *testing.T) {
	s, fs := databases["tiers all"](t), vfs.NewMem()
	s.write(t, fs)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	v, err := db.Verify(ctx, "db", s.u, db.VerifyOptions{FS: fs})
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, v.Problems)
	ctx, cancel = context.WithCancel(context.Background())
	v, err = db.Verify(ctx, "db", s.u, db.VerifyOptions{FS: fs, Threads: 1, Progress: func(string, uint64, uint64) { cancel() }})
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, v.Problems, "what was not looked at is not wrong")
}

// TestVerifyThreads checks that threads change nothing of what is reported.
func TestVerifyThreads(t *testing.T) {
	fs := vfs.NewMem()
	s := solve(t, tictactoe.Game{}, "all")
	s.write(t, fs)
	want := requireSound(t, fs, s.u)
	for threads := range 6 {
		v, err := db.Verify(context.Background(), "db", s.u, db.VerifyOptions{FS: fs, Threads: threads})
		require.NoError(t, err)
		require.Equal(t, want, v)
	}
}
