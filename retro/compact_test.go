package retro

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/db/verify"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/internal/race"
	"github.com/yomikiri/yomikiri/retro/internal/retrotest"
)

// TestCompact compares every value of compact databases, with distances and without, with that
// of the ordinary one they were made from.
func TestCompact(t *testing.T) {
	if race.Enabled {
		t.Skip("one goroutine asks for all positions; others compact below")
	}
	t.Run("tiers", func(t *testing.T) {
		g, err := checkers.Family.Open("checkers:size=6x6,pieces=3")
		compactEqual(t, g, err, All)
	})
	t.Run("scores", func(t *testing.T) {
		g, err := awari.Family.Open("awari:stones=6")
		compactEqual(t, g, err, All)
	})
	t.Run("one tier", func(t *testing.T) {
		spec := "dobutsu:size=3x3"
		if testing.Short() {
			spec += ",drops=none"
		}
		g, err := dobutsu.Family.Open(spec)
		compactEqual(t, g, err, Reachable)
	})
	t.Run("a tier a ply, with holes", func(t *testing.T) {
		spec := "connect4:size=4x4"
		if testing.Short() {
			spec = "connect4:size=3x4"
		}
		g, err := connect4.Family.Open(spec)
		compactEqual(t, g, err, All)
	})
	if testing.Short() {
		return
	}
	t.Run("awari 14", func(t *testing.T) {
		g, err := awari.Family.Open("awari:stones=14")
		compactEqual(t, g, err, All)
	})
	t.Run("checkers 4", func(t *testing.T) {
		g, err := checkers.Family.Open("checkers:pieces=4")
		compactEqual(t, g, err, All)
	})
	t.Run("checkers 6x6 5", func(t *testing.T) {
		g, err := checkers.Family.Open("checkers:size=6x6,pieces=5")
		compactEqual(t, g, err, All)
	})
	t.Run("connect4 4x5", func(t *testing.T) {
		g, err := connect4.Family.Open("connect4:size=4x5")
		compactEqual(t, g, err, Reachable)
	})
}

func compactEqual[P, M comparable](t *testing.T, g games.Game[P, M], err error, positions Positions) {
	require.NoError(t, err)
	u, err := games.UniverseOf(g)
	require.NoError(t, err)
	fs := vfs.NewMem()
	_, _, err = Solve(t.Context(), u, "full", Config{FS: fs, Positions: positions})
	require.NoError(t, err)
	full, err := store.Open("full", &store.Options{FS: fs})
	require.NoError(t, err)
	defer full.Close()
	want, err := db.NewProber(full, g)
	require.NoError(t, err)
	for _, results := range []bool{false, true} {
		if results && u.Order == games.ByScore {
			continue
		}
		dir := "small"
		if results {
			dir = "results"
		}
		require.NoError(t, fs.MkdirAll(dir, 0o755))
		m, err := store.Compact(t.Context(), dir, full, u, results, store.WriteOptions{FS: fs})
		require.NoError(t, err)
		require.True(t, m.Content.IsCompact())
		require.Equal(t, db.FormatVersion, m.Format)
		require.Equal(t, depthOf(u, full, m.Content.Tiers), m.Compaction.Depth)
		require.LessOrEqual(t, m.Compaction.Depth, 4)
		largest := slices.MaxFunc(m.Content.Tiers, func(a, b db.Tier) int { return cmp.Compare(a.Open, b.Open) })
		require.True(t, largest.Compact, "the largest tier saves most")
		d, err := store.Open(dir, &store.Options{FS: fs})
		require.NoError(t, err)
		got, err := db.NewProber(d, g)
		require.NoError(t, err)
		free := 0
		for index := range u.Size() {
			p, err := want.Position(index)
			if err != nil {
				continue
			}
			v, err := want.Probe(p)
			w, err2 := got.Probe(p)
			if err != nil {
				require.ErrorIs(t, err, db.ErrNotHeld)
				require.ErrorIs(t, err2, db.ErrNotHeld, "%s", u.PositionName(index))
				continue
			}
			require.NoError(t, err2)
			if results {
				v = v.Result().Value()
			}
			if v != w {
				require.Equal(t, v, w, "%s", u.PositionName(index))
			}
			if _, _, err := d.Value(index); err != nil {
				require.ErrorIs(t, err, db.ErrCompact)
				free++
			}
		}
		require.Positive(t, free, "a compact tier has no values without the rules")
		for i, value := range m.Content.Values {
			if testing.Short() && len(m.Content.Values) > 10 && i%10 != 0 {
				continue
			}
			want := uint64(0)
			for _, n := range m.Content.Total().Counts {
				if n.Value == value {
					want = n.Positions - n.Finished
				}
			}
			found := uint64(0)
			require.NoError(t, got.Find(t.Context(), value, math.MaxInt, func(index uint64, a *db.Answer) error {
				found++
				if a.Value != value {
					require.Equal(t, value, a.Value, "%s", u.PositionName(index))
				}
				return nil
			}))
			require.Equal(t, want, found, value)
		}
		if results {
			resultLines(t, g, got, len(u.Tiers) > 1)
		}
		ctx, cancel := context.WithCancel(t.Context())
		s := &stopping{Expander: u.Expander, cancel: cancel, at: 1}
		stopped, err := db.NewProber(d, stoppingGame[P, M]{g, any(g).(games.Indexer[P]), s})
		require.NoError(t, err)
		err = stopped.Find(ctx, m.Content.Values[0], math.MaxInt, func(uint64, *db.Answer) error { return nil })
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, 1, s.calls, "no further position")

		ctx, cancel = context.WithCancel(t.Context())
		s = &stopping{Expander: u.Expander, cancel: cancel, at: 1}
		slow := *u
		slow.Expander = s
		_, err = verify.Run(ctx, dir, &slow, verify.Options{FS: fs, Threads: 1})
		require.ErrorIs(t, err, context.Canceled)
		require.LessOrEqual(t, s.calls, 256, "no further range")

		v, err := verify.Run(t.Context(), dir, u, verify.Options{FS: fs, Problem: func(err error) { t.Error(err) }})
		require.NoError(t, err)
		require.Zero(t, v.Problems)
		require.Equal(t, m.Content.Total().Unfinished, v.Positions)

		require.NoError(t, fs.MkdirAll("again", 0o755))
		again, err := store.Compact(t.Context(), "again", d, u, results, store.WriteOptions{FS: fs})
		require.NoError(t, err)
		require.Equal(t, m.Checksum, again.Checksum, "made from the compact one")
		require.NoError(t, fs.RemoveAll("again"))
		compactDamaged(t, fs, d, dir, u)
		require.NoError(t, d.Close())
	}
}

// resultLines checks that lines by results keep them and, in a game of several tiers, that the side
// that wins does so whatever the other one replies.
func resultLines[P, M comparable](t *testing.T, g games.Game[P, M], prober *db.Prober[P, M], tiers bool) {
	rng := rand.New(rand.NewPCG(1, 2))
	e := db.NewEndgame(prober)
	for n := range 20 {
		p, _, err := e.Draw(t.Context(), rng)
		require.NoError(t, err)
		value, err := prober.Probe(p)
		require.NoError(t, err)
		line, end, err := prober.Line(t.Context(), p)
		require.NoError(t, err)
		if value != games.Draw {
			require.NotEqual(t, db.LineRepeats, end, "%s", g.AppendPosition(nil, p))
		}
		q := p
		for _, m := range line {
			require.Equal(t, value, m.Value, "%s", g.AppendPosition(nil, p))
			if _, finished := g.Outcome(q); finished {
				break // the move takes the king
			}
			q = g.Play(q, m.Move)
			value, err = prober.Probe(q)
			require.NoError(t, err)
			require.Equal(t, m.Value, value.Backup(0))
		}
		_, finished := g.Outcome(q)
		require.Equal(t, end == db.LineOver, finished, "%s", g.AppendPosition(nil, p))
		if n >= 5 || !tiers {
			continue
		}
		for range 100 { // plies
			v, err := prober.Probe(p)
			require.NoError(t, err)
			if _, finished := g.Outcome(p); finished || v == games.Draw {
				break
			}
			m, ok, err := prober.Best(t.Context(), p)
			require.NoError(t, err)
			require.True(t, ok)
			require.Equal(t, v, m.Value)
			if moves := g.AppendMoves(nil, p); v < games.Draw {
				m.Move = moves[rng.IntN(len(moves))]
			}
			p = g.Play(p, m.Move)
		}
		if _, finished := g.Outcome(p); !finished {
			v, err := prober.Probe(p)
			require.NoError(t, err)
			require.Equal(t, games.Draw, v, "the side that wins makes no progress: %s", g.AppendPosition(nil, p))
		}
	}
}

// depthOf returns the largest number of compact tiers on a line of moves each of which leaves its
// tier, as the moves of all positions say.
func depthOf(u *games.Universe, d *db.DB, tiers []db.Tier) int {
	depths := make([]int, len(tiers))
	for tier, t := range tiers {
		if !t.Compact {
			continue
		}
		depths[tier] = 1
		for index := t.Start; index < t.Start+t.Open; index++ {
			if _, known, _ := d.Value(index); !known {
				continue
			}
			var x games.Expansion
			u.Expander.Expand([]uint64{index}, &x)
			for _, s := range x.Successors {
				to := slices.IndexFunc(tiers, func(t db.Tier) bool { return s.Index() < t.Start+t.Size })
				if s.Outcome() == games.Unfinished && to < tier {
					depths[tier] = max(depths[tier], depths[to]+1)
				}
			}
		}
	}
	return slices.Max(depths)
}

// compactDamaged changes bits of the files of a store, one at a time. Verify finds each.
func compactDamaged(t *testing.T, fs vfs.FS, d *db.DB, dir string, u *games.Universe) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 4 {
		files := d.Manifest().Files
		file := files[rng.IntN(len(files))]
		if file.Size == 0 {
			continue
		}
		path := fs.PathJoin(dir, "store", file.Name)
		f, err := fs.Open(path)
		require.NoError(t, err)
		sound, err := io.ReadAll(f)
		require.NoError(t, errors.Join(err, f.Close()))
		text := slices.Clone(sound)
		at := rng.IntN(len(text))
		text[at] ^= 1 << rng.IntN(8)
		write := func(text []byte) {
			f, err := fs.Create(path, vfs.WriteCategoryUnspecified)
			require.NoError(t, err)
			_, err = f.Write(text)
			require.NoError(t, errors.Join(err, f.Close()))
		}
		write(text)
		v, err := verify.Run(t.Context(), dir, u, verify.Options{FS: fs})
		require.NoError(t, err)
		require.NotZero(t, v.Problems, "byte %d of %s", at, file.Name)
		write(sound)
	}
}

// stopping is an expander that cancels a context with one of its calls. With the first ones, which
// sample where moves lead, it finds no moves.
type stopping struct {
	games.Expander
	cancel           context.CancelFunc
	calls, blind, at int
}

func (s *stopping) Expand(indices []uint64, x *games.Expansion) {
	if s.calls++; s.calls == s.at {
		s.cancel()
	}
	s.Expander.Expand(indices, x)
	if s.calls <= s.blind {
		x.Successors = nil
	}
}

// stoppingGame is a game with such an expander.
type stoppingGame[P, M comparable] struct {
	games.Game[P, M]
	games.Indexer[P]
	games.Expander
}

// TestCompactStopped interrupts a compaction within a block, at several points: it ends at once. The
// next one goes on with the tables that are finished, unless one is damaged, and ends with the same bytes.
func TestCompactStopped(t *testing.T) {
	fs, u := vfs.NewMem(), retrotest.Open(t, "checkers:size=6x6,pieces=3")
	_, _, err := Solve(t.Context(), u, "full", Config{FS: fs, Positions: All})
	require.NoError(t, err)
	full, err := store.Open("full", &store.Options{FS: fs})
	require.NoError(t, err)
	defer full.Close()
	blind := 0
	// compact counts the calls of the expander, and interrupts itself with one of them.
	compact := func(dir string, at int) (*db.Manifest, int, error) {
		require.NoError(t, fs.MkdirAll(dir, 0o755))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		stopped := *u
		s := &stopping{Expander: u.Expander, cancel: cancel, blind: blind, at: at}
		stopped.Expander = s
		m, err := store.Compact(ctx, dir, full, &stopped, false, store.WriteOptions{FS: fs, Threads: 1})
		return m, s.calls, err
	}
	_, blind, err = compact("early", 1)
	require.ErrorIs(t, err, context.Canceled)
	left, err := fs.List("early")
	require.NoError(t, err)
	require.Empty(t, left)
	want, calls, err := compact("whole", 0)
	require.NoError(t, err)
	require.Greater(t, want.Compaction.Depth, 2)
	var needed []int
	for _, damaged := range []bool{false, true} {
		_, n, err := compact("small", calls-1)
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, calls-1, n, "no further batch")
		if damaged {
			f, err := fs.OpenReadWrite("small/tables.tmp/table-000002", vfs.WriteCategoryUnspecified)
			require.NoError(t, err)
			_, err = f.WriteAt([]byte{1, 2, 3}, 40)
			require.NoError(t, errors.Join(err, f.Close()))
		}
		m, again, err := compact("small", 0)
		require.NoError(t, err)
		needed = append(needed, again)
		require.Equal(t, want.Content, m.Content)
		require.Equal(t, want.Checksum, m.Checksum)
		require.Equal(t, want.Compaction, m.Compaction)
		require.Equal(t, sumsOf(want), sumsOf(m))
		left, err := fs.List("small")
		require.NoError(t, err)
		require.ElementsMatch(t, []string{db.ManifestName, "store"}, left)
		require.NoError(t, fs.RemoveAll("small"))
	}
	require.Less(t, needed[0], needed[1])
	require.Less(t, needed[1], calls)
}

// sumsOf returns the checksums of the tables of a database.
func sumsOf(m *db.Manifest) (sums []string) {
	for _, f := range m.Files {
		if strings.HasSuffix(f.Name, ".sst") {
			sums = append(sums, f.Sum)
		}
	}
	return sums
}

// TestCompactWrong has a compact database one of whose stored values is too good, and one that has
// a value which no move gives. Checksums fit both.
func TestCompactWrong(t *testing.T) {
	fs, u := vfs.NewMem(), retrotest.Open(t, "checkers:size=6x6,pieces=3")
	_, _, err := Solve(t.Context(), u, "full", Config{FS: fs, Positions: All})
	require.NoError(t, err)
	full, err := store.Open("full", &store.Options{FS: fs})
	require.NoError(t, err)
	defer full.Close()
	require.NoError(t, fs.MkdirAll("small", 0o755))
	m, err := store.Compact(t.Context(), "small", full, u, false, store.WriteOptions{FS: fs})
	require.NoError(t, err)
	d, err := store.Open("small", &store.Options{FS: fs})
	require.NoError(t, err)
	defer d.Close()
	for _, change := range []int{-1, 1} {
		lie := *m
		found := false
		require.NoError(t, fs.MkdirAll("lie", 0o755))
		require.NoError(t, store.Write(t.Context(), "lie", &lie, func(tier int, block uint64, dst []byte) error {
			codes, err := d.Block(tier, block)
			copy(dst, codes)
			first := m.Content.Tiers[tier].Start + block*uint64(m.Content.BlockSize)
			for i := range dst {
				if found || !m.Content.Tiers[tier].Compact {
					break
				}
				v, ok, err := full.Value(first + uint64(i))
				if err != nil {
					return err
				}
				// What is stored of the value itself may be free; a better one never is.
				if ok && m.Content.Values[dst[i]-1] == v && v != games.Draw && dst[i] > 3 {
					dst[i] = byte(int(dst[i]) + change)
					found = change < 0 || notFree(u, full, u.Tiers[tier], first+uint64(i), v)
					if !found {
						dst[i] = byte(int(dst[i]) - change)
					}
				}
			}
			return err
		}, store.WriteOptions{FS: fs, Threads: 1}))
		require.True(t, found)
		v, err := verify.Run(t.Context(), "lie", u, verify.Options{FS: fs})
		require.NoError(t, err)
		require.NotZero(t, v.Problems, change)
	}
}

// notFree reports whether no move that leaves the tier of a position has its value.
func notFree(u *games.Universe, d *db.DB, t games.Tier, index uint64, value games.Value) bool {
	var x games.Expansion
	u.Expander.Expand([]uint64{index}, &x)
	for _, s := range x.Of(0) {
		v := s.Outcome()
		if v == games.Unfinished {
			if s.Index() >= t.Start {
				continue
			}
			v, _, _ = d.Value(s.Index())
		}
		if v.Backup(0) == value {
			return false
		}
	}
	return true
}
