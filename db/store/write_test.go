package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/internal/dbtest"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/db/verify"
	"github.com/yomikiri/yomikiri/internal/storage"
)

// small is a database of several tiers and blocks that is written quickly.
func small(t testing.TB) *dbtest.Solved {
	return dbtest.Solve(t, dbtest.Ladder("small", 24, 500, 10, 15), "reachable")
}

// newDir returns a file system with the directory "db", which outlasts a crash.
func newDir(t testing.TB) *vfs.MemFS {
	t.Helper()
	fs := vfs.NewCrashableMem()
	require.NoError(t, fs.MkdirAll("db", 0o755))
	require.NoError(t, storage.SyncDir(fs, ""))
	return fs
}

func tryWrite(s *dbtest.Solved, fs vfs.FS) error {
	m := s.Manifest()
	return store.Write(context.Background(), "db", m, s.Source(&m.Content), store.WriteOptions{FS: fs, Threads: 2})
}

// onWrite calls do before each operation that changes a file system.
func onWrite(fs vfs.FS, do func() error) vfs.FS {
	return errorfs.Wrap(fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind.ReadOrWrite() == errorfs.OpIsWrite {
			return do()
		}
		return nil
	}))
}

// requireNothingLeft checks that there is a whole database and nothing else.
func requireNothingLeft(t *testing.T, fs vfs.FS) {
	t.Helper()
	names, err := fs.List("db")
	require.NoError(t, err)
	slices.Sort(names)
	require.Equal(t, []string{"store", db.ManifestName}, names)
	names, err = fs.List("db/store")
	require.NoError(t, err)
	m, err := store.ReadManifest(fs, "db")
	require.NoError(t, err)
	require.Len(t, names, len(m.Files))
}

// TestWriteFailures has a disk that fails once, or for good, at each operation in
// turn.
func TestWriteFailures(t *testing.T) {
	s := small(t)
	for _, forGood := range []bool{false, true} {
		failures := 0
		for n := 0; ; n++ {
			where := fmt.Sprintf("operation %d, for good %t", n, forGood)
			var mu sync.Mutex
			count := 0
			injected := false
			fs := newDir(t)
			err := tryWrite(s, onWrite(fs, func() error {
				mu.Lock()
				defer mu.Unlock()
				count++
				if count > n && (forGood || count == n+1) {
					injected = true
					return errorfs.ErrInjected
				}
				return nil
			}))
			if !injected {
				require.NoError(t, err)
				break
			}
			if err == nil {
				// What failed was no more than tidying up.
				dbtest.RequireSound(t, fs, s.U)
				continue
			}
			failures++
			require.ErrorIs(t, err, errorfs.ErrInjected, where)
			if _, err := store.ReadManifest(fs, "db"); err == nil {
				dbtest.RequireSound(t, fs, s.U) // only making its name last failed
			} else {
				require.ErrorIs(t, err, db.ErrNoDatabase, where)
			}
			require.NoError(t, tryWrite(s, fs), where)
			dbtest.RequireSound(t, fs, s.U)
			requireNothingLeft(t, fs)
		}
		require.Greater(t, failures, 20)
	}
}

// TestWriteOverLeftovers writes where an earlier Write has left all that it can.
func TestWriteOverLeftovers(t *testing.T) {
	s, dir := small(t), t.TempDir()
	for _, name := range []string{"store", "store.tmp"} {
		require.NoError(t, vfs.Default.MkdirAll(vfs.Default.PathJoin(dir, name), 0o755))
		for _, file := range []string{"000004.sst", "LOCK", "MANIFEST-000001", "table-000000"} {
			dbtest.WriteFile(t, vfs.Default, vfs.Default.PathJoin(dir, name, file), []byte("leftover"))
		}
	}
	dbtest.WriteFile(t, vfs.Default, vfs.Default.PathJoin(dir, db.ManifestName+".tmp"), []byte("leftover"))
	m := s.Manifest()
	require.NoError(t, store.Write(context.Background(), dir, m, s.Source(&m.Content), store.WriteOptions{}))
	v, err := verify.Run(context.Background(), dir, s.U, verify.Options{})
	require.NoError(t, err)
	require.Zero(t, v.Problems)
	names, err := vfs.Default.List(dir)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"store", db.ManifestName}, names)
}

// TestWriteCancelled stops a Write at each of its blocks but the last, after which
// there is nothing to stop.
func TestWriteCancelled(t *testing.T) {
	s := small(t)
	for n := range 3 {
		ctx, cancel := context.WithCancel(context.Background())
		fs := newDir(t)
		m := s.Manifest()
		source := func(tier int, block uint64, dst []byte) error {
			if n--; n < 0 {
				cancel()
			}
			return s.Source(&m.Content)(tier, block, dst)
		}
		err := store.Write(ctx, "db", m, source, store.WriteOptions{FS: fs, Threads: 1})
		require.ErrorIs(t, err, context.Canceled)
		_, err = store.ReadManifest(fs, "db")
		require.ErrorIs(t, err, db.ErrNoDatabase)
		names, err := fs.List("db")
		require.NoError(t, err)
		require.Empty(t, names, "what was written is removed")
		require.NoError(t, tryWrite(s, fs))
		dbtest.RequireSound(t, fs, s.U)
		cancel()
	}
}

func TestWriteProgress(t *testing.T) {
	s, fs := small(t), newDir(t)
	m := s.Manifest()
	var seen []uint64
	err := store.Write(context.Background(), "db", m, s.Source(&m.Content), store.WriteOptions{FS: fs, Threads: 1, Progress: func(_ string, done, total uint64) {
		require.EqualValues(t, 4, total)
		seen = append(seen, done)
	}})
	require.NoError(t, err)
	require.Equal(t, []uint64{0, 1, 2, 3, 4}, seen)
}

// TestWriteCrash takes the file system as a crash could leave it before each
// operation of a Write: there is no database, or a whole one. Another Write then
// makes one.
func TestWriteCrash(t *testing.T) {
	s := small(t)
	const clones = 5 // at each operation, with different luck
	for seed, percent := range []int{0, 20, 40, 50, 60, 80, 100} {
		rng := rand.New(rand.NewPCG(uint64(seed), 0))
		fs := newDir(t)
		var mu sync.Mutex
		var crashed []*vfs.MemFS
		crash := func() error {
			mu.Lock()
			defer mu.Unlock()
			for range clones {
				crashed = append(crashed, fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: rng}))
			}
			return nil
		}
		require.NoError(t, tryWrite(s, onWrite(fs, crash)))
		require.Greater(t, len(crashed), 50*clones)
		whole := 0
		for i, fs := range crashed {
			where := fmt.Sprintf("crash before operation %d, %d%% of what is not synced outlasts it", i/clones, percent)
			if _, err := store.ReadManifest(fs, "db"); err == nil {
				_, problems, err := dbtest.Verify(fs, s.U)
				require.NoError(t, err, where)
				require.Empty(t, problems, where)
				whole++
				continue
			} else {
				require.ErrorIs(t, err, db.ErrNoDatabase, where)
			}
			if i%(10*clones) == seed {
				require.NoError(t, tryWrite(s, fs), where)
				dbtest.RequireSound(t, fs, s.U)
				requireNothingLeft(t, fs)
			}
		}
		require.Less(t, whole, len(crashed)/2)
		require.NoError(t, crash())
		fs = crashed[len(crashed)-1]
		dbtest.RequireSound(t, fs, s.U) // a Write that has returned outlasts any crash
		requireNothingLeft(t, fs)
	}
}

// TestReadFailures has a disk that fails at each operation of a reader in turn.
func TestReadFailures(t *testing.T) {
	s, fs := small(t), vfs.NewMem()
	s.Write(t, fs)
	read := func(fs vfs.FS) (err error) {
		d, err := store.Open("db", &store.Options{FS: fs})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, d.Close()) }()
		for _, i := range s.Indices() {
			v, held, err := d.Value(i)
			if err != nil {
				return err
			}
			require.True(t, held)
			require.Equal(t, s.Values[i], v)
		}
		return nil
	}
	failures := 0
	for n := 0; ; n++ {
		var mu sync.Mutex
		count := 0
		err := read(errorfs.Wrap(fs, errorfs.InjectorFunc(func(errorfs.Op) error {
			mu.Lock()
			defer mu.Unlock()
			if count++; count == n+1 {
				return errorfs.ErrInjected
			}
			return nil
		})))
		if count <= n {
			require.NoError(t, err)
			break
		}
		if err != nil {
			failures++
		}
	}
	require.Greater(t, failures, 10)
	require.NoError(t, read(fs))
}

// TestWriteEncoded writes blocks that are already encoded: the database is the same, to the byte of its tables.
// Blocks that are damaged, out of place or hold unknown codes are refused.
func TestWriteEncoded(t *testing.T) {
	for name, build := range dbtest.Databases {
		t.Run(name, func(t *testing.T) {
			s, fs := build(t), vfs.NewMem()
			want := s.Write(t, vfs.NewMem())
			same := func(_ int, _ uint64, stored []byte) []byte { return stored }
			m, err := s.WriteEncoded(fs, same)
			require.NoError(t, err)
			// Pebble's own manifest has the second in which the tables were made.
			other := func(f db.File) bool { return path.Ext(f.Name) != ".sst" }
			want.Files, m.Files = slices.DeleteFunc(want.Files, other), slices.DeleteFunc(m.Files, other)
			require.Equal(t, want, m)
			s.RequireHolds(t, dbtest.Open(t, fs))
			requireNothingLeft(t, fs)
		})
	}
	s := dbtest.Databases["tiers"](t)
	var first []byte // of the tier 0, which has one block; tiers are written side by side
	_, err := s.WriteEncoded(vfs.NewMem(), func(tier int, _ uint64, stored []byte) []byte {
		if tier == 0 {
			first = slices.Clone(stored)
		}
		return stored
	})
	require.NoError(t, err)
	for name, change := range map[string]func(tier int, block uint64, stored []byte) []byte{
		"bit":     func(_ int, _ uint64, stored []byte) []byte { stored[len(stored)/2] ^= 4; return stored },
		"short":   func(_ int, _ uint64, stored []byte) []byte { return stored[:len(stored)-1] },
		"nothing": func(int, uint64, []byte) []byte { return nil },
		"another": func(tier int, _ uint64, stored []byte) []byte {
			if tier == 0 {
				return stored
			}
			return first
		},
		"code": func(tier int, block uint64, _ []byte) []byte {
			m := s.Manifest()
			codes := make([]byte, min(db.BlockSize, m.Content.Tiers[tier].Open-block*db.BlockSize))
			codes[0] = 255
			return m.Content.AppendBlock(nil, tier, block, codes)
		},
	} {
		fs := vfs.NewMem()
		_, err := s.WriteEncoded(fs, change)
		require.ErrorIs(t, err, db.ErrCorrupt, name)
		require.ErrorContains(t, err, "block 0: ", name)
		names, err := fs.List("db")
		require.NoError(t, err)
		require.Empty(t, names, name)
	}
}
