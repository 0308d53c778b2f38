package db_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/internal/dbtest"
)

func merge(fs vfs.FS) error {
	_, err := db.Merge(context.Background(), "db", db.WriteOptions{FS: fs, Threads: 2})
	return err
}

// TestParts writes databases in parts, and merges them: they hold the same values.
func TestParts(t *testing.T) {
	for name, build := range dbtest.Databases {
		for _, parts := range []int{1, 3} {
			t.Run(fmt.Sprint(name, parts), func(t *testing.T) {
				s, fs := build(t), vfs.NewMem()
				one := s.Write(t, vfs.NewMem())
				m := s.WriteParts(t, fs, parts)
				require.Equal(t, one.Content, m.Content)
				require.Equal(t, one.Checksum, m.Checksum)
				read, err := db.ReadManifest(fs, "db")
				require.NoError(t, err)
				require.Equal(t, m, read)
				v := dbtest.RequireSound(t, fs, s.U)
				files, _ := m.StoreFiles()
				require.EqualValues(t, files, v.Files)
				d, err := db.Open("db", &db.Options{FS: fs})
				require.NoError(t, err)
				s.RequireHolds(t, d)
				require.NoError(t, d.Verify(t.Context()))
				require.NoError(t, d.Close())

				require.NoError(t, merge(fs))
				requireNothingLeft(t, fs)
				dbtest.RequireSound(t, fs, s.U)
				s.RequireHolds(t, dbtest.Open(t, fs))
				require.ErrorIs(t, merge(fs), db.ErrMerged)
				requireNothingLeft(t, fs)
			})
		}
	}
}

// newParts returns a small database in parts that outlasts a crash.
func newParts(t *testing.T) (*dbtest.Solved, *vfs.MemFS) {
	s, fs := small(t), newDir(t)
	s.WriteParts(t, fs, 2)
	return s, fs
}

// TestMergeCrash takes the file system as a crash could leave it before each operation of a
// Merge: the database is whole, in parts or not. Another Merge ends what was begun.
func TestMergeCrash(t *testing.T) {
	percents := []int{50, 0, 100}
	if testing.Short() {
		percents = percents[:1]
	}
	for seed, percent := range percents {
		s, fs := newParts(t)
		rng := rand.New(rand.NewPCG(uint64(seed), 0))
		var mu sync.Mutex
		var crashed []*vfs.MemFS
		require.NoError(t, merge(onWrite(fs, func() error {
			mu.Lock()
			defer mu.Unlock()
			for range 2 {
				crashed = append(crashed, fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: rng}))
			}
			return nil
		})))
		crashed = append(crashed, fs.CrashClone(vfs.CrashCloneCfg{}))
		merged := 0
		for i, fs := range crashed {
			where := fmt.Sprintf("crash before operation %d, %d%% of what is not synced outlasts it", i/2, percent)
			m, err := db.ReadManifest(fs, "db")
			require.NoError(t, err, where)
			if m.Parts == nil {
				merged++
			}
			if i%5 == 0 || m.Parts == nil {
				_, problems, err := dbtest.Verify(fs, s.U)
				require.NoError(t, err, where)
				require.Empty(t, problems, where)
				if err := merge(fs); err != nil {
					require.ErrorIs(t, err, db.ErrMerged, where)
				}
				dbtest.RequireSound(t, fs, s.U)
				requireNothingLeft(t, fs)
			}
		}
		require.Less(t, 1, merged)
		require.Less(t, merged, len(crashed)/2)
	}
}

// TestMergeFailures has each operation of a Merge fail in turn, and then each block
// interrupt it: there is the database as before, or the merged one.
func TestMergeFailures(t *testing.T) {
	failures := 0
	step := 1
	if testing.Short() {
		step = 4
	}
	for n := 0; ; n += step {
		s, fs := newParts(t)
		var mu sync.Mutex
		count := 0
		err := merge(onWrite(fs, func() error {
			mu.Lock()
			defer mu.Unlock()
			if count++; count == n+1 {
				return errorfs.ErrInjected
			}
			return nil
		}))
		if count <= n {
			require.NoError(t, err)
			break
		}
		dbtest.RequireSound(t, fs, s.U)
		if err == nil { // what failed was no more than tidying up
			continue
		}
		failures++
		require.ErrorIs(t, err, errorfs.ErrInjected)
		if err := merge(fs); err != nil {
			require.ErrorIs(t, err, db.ErrMerged)
		}
		dbtest.RequireSound(t, fs, s.U)
		requireNothingLeft(t, fs)
	}
	require.Greater(t, failures, 10)

	for n := range uint64(4) {
		s, fs := newParts(t)
		ctx, cancel := context.WithCancel(context.Background())
		_, err := db.Merge(ctx, "db", db.WriteOptions{FS: fs, Threads: 1, Progress: func(done, total uint64) {
			require.EqualValues(t, 4, total)
			if done == n {
				cancel()
			}
		}})
		if n > 0 {
			require.ErrorIs(t, err, context.Canceled)
			names, err := fs.List("db")
			require.NoError(t, err)
			require.ElementsMatch(t, []string{db.ManifestName, "part-1", "part-2"}, names)
		}
		cancel()
		dbtest.RequireSound(t, fs, s.U)
	}
}

// TestDamagedParts flips bits of parts: readers give no wrong value, and nothing is merged
// but the right values. Missing and foreign parts are named.
func TestDamagedParts(t *testing.T) {
	s, fs := newParts(t)
	rng := rand.New(rand.NewPCG(1, 2))
	merged, refused := 0, 0
	for _, part := range []string{"db/part-1", "db/part-2"} {
		names, err := fs.List(part)
		require.NoError(t, err)
		for _, name := range names {
			path := part + "/" + name
			data := dbtest.ReadFile(t, fs, path)
			for range 1 + min(len(data), 800)/80 {
				damaged := append([]byte{}, data...)
				damage := path + " with a byte more"
				if bit := rng.IntN(8*len(data) + 1); bit == 8*len(data) {
					damaged = append(damaged, 0)
				} else {
					damaged[bit/8] ^= 1 << (bit % 8)
					damage = fmt.Sprintf("%s, bit %d", path, bit)
				}
				dbtest.WriteFile(t, fs, path, damaged)
				checkReaders(t, fs, s, s.Indices(), damage)
				checkVerify(t, fs, s, damage)
				other := fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: rng})
				if err := merge(other); err != nil {
					refused++
					requirePlain(t, err, damage)
					dbtest.WriteFile(t, other, path, data)
				} else {
					merged++ // no block had changed
				}
				dbtest.RequireSound(t, other, s.U)
			}
			dbtest.WriteFile(t, fs, path, data)
		}
	}
	require.Positive(t, merged)
	require.Greater(t, refused, 5)
	dbtest.RequireSound(t, fs, s.U)

	open := func() error {
		_, err := db.Open("db", &db.Options{FS: fs})
		return err
	}
	require.NoError(t, fs.Rename("db/part-2", "part-2"))
	require.EqualError(t, open(), "db lacks parts, which must be copied into it: part-2")
	require.ErrorContains(t, merge(fs), "db lacks parts")
	_, _, err := dbtest.Verify(fs, s.U)
	require.ErrorContains(t, err, "db lacks parts")
	ok, err := vfs.Clone(fs, fs, "db/part-1", "db/part-2")
	require.NoError(t, err)
	require.True(t, ok)
	require.EqualError(t, open(), "db/part-2 is part 1 of 2 of solve SOLVE of small: want part 2 of 2 of solve SOLVE of small")
	require.ErrorIs(t, open(), db.ErrOther)
	require.NoError(t, fs.RemoveAll("db/part-2"))
	require.NoError(t, fs.Rename("part-2", "db/part-2"))

	lock, err := fs.Lock("db/LOCK")
	require.NoError(t, err)
	require.ErrorContains(t, merge(fs), "db: another process is at work there")
	require.NoError(t, lock.Close())
	require.NoError(t, merge(fs))
	require.ErrorIs(t, merge(vfs.NewMem()), db.ErrNoDatabase)
}

// TestJoin has parts without blocks, and files that are called like parts or not.
func TestJoin(t *testing.T) {
	s, fs := small(t), newDir(t)
	m := s.WriteParts(t, fs, 2)
	require.ErrorContains(t, db.Join(fs, "db", m, make([][]uint64, 2)), "has 0 blocks, and some are missing")
	require.True(t, db.IsPart("part-12") && db.IsPart("part-1.tmp"))
	for _, name := range []string{"part", "part-", "part-0", "part-01", "part--1", "part-1.old", "tier-1"} {
		require.False(t, db.IsPart(name), name)
	}
}
