package store_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/internal/dbtest"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/db/verify"
)

// TestPack packs databases: the file has the same values, verifies, and does not depend on threads or on what it is made of.
func TestPack(t *testing.T) {
	for name, solved := range dbtest.Databases {
		t.Run(name, func(t *testing.T) {
			s, fs := solved(t), vfs.NewMem()
			m := s.Write(t, fs)
			d := dbtest.Open(t, fs)
			var data [][]byte
			from := d
			for i, path := range []string{"a", "b", "c"} {
				require.NoError(t, store.Pack(t.Context(), from, path, store.PackOptions{FS: fs, Threads: 1 + i}))
				data = append(data, dbtest.ReadFile(t, fs, path))
				require.Equal(t, data[0], data[i])
				var err error
				from, err = store.Open(path, &store.Options{FS: fs})
				require.NoError(t, err)
				defer from.Close()
			}
			s.RequireHolds(t, from)
			require.Equal(t, m.Checksum, from.Manifest().Checksum)

			result, err := verify.Run(t.Context(), "a", s.U, verify.Options{FS: fs, Problem: func(err error) { require.NoError(t, err) }})
			require.NoError(t, err)
			require.Zero(t, result.Problems)
			require.NoError(t, store.WriteVerification(fs, "a", "test", time.Unix(0, 0), result.Content))
			packed, err := store.Open("a", &store.Options{FS: fs})
			require.NoError(t, err)
			defer packed.Close()
			v, err := packed.Verification()
			require.NoError(t, err)
			require.Equal(t, db.Recorded, v.State)
			v, err = packed.Check(t.Context())
			require.NoError(t, err)
			require.Equal(t, db.Verified, v.State)
			require.NoError(t, store.RemoveVerification(fs, "a"))
		})
	}
}

// TestPackDamaged leaves no file if the database is damaged, the disk fails, or the user interrupts.
func TestPackDamaged(t *testing.T) {
	s, fs := small(t), newDir(t)
	s.Write(t, fs)
	d := dbtest.Open(t, fs)
	none := func(fs vfs.FS) {
		names, err := fs.List("")
		require.NoError(t, err)
		require.Equal(t, []string{"db"}, names)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, store.Pack(ctx, d, "file", store.PackOptions{FS: fs}), context.Canceled)
	none(fs)
	full := errors.New("full")
	for n := 0; ; n++ {
		count := 0
		failing := onWrite(fs, func() error {
			if count++; count == n+1 {
				return full
			}
			return nil
		})
		err := store.Pack(t.Context(), d, "file", store.PackOptions{FS: failing})
		if count <= n {
			require.NoError(t, err)
			break
		}
		require.ErrorIs(t, err, full, "operation %d", n)
		if _, err := fs.Stat("file"); err == nil {
			require.NoError(t, fs.Remove("file")) // it is whole; what failed is to make its name durable
		}
	}
	dbtest.RewriteManifest(t, fs, func(m *db.Manifest) { m.Content.Start++ })
	require.ErrorIs(t, store.Pack(t.Context(), dbtest.Open(t, fs), "other", store.PackOptions{FS: fs}), db.ErrCorrupt)
	_, err := fs.Stat("other")
	require.Error(t, err)
}

// TestNotPacked opens files that are not databases.
func TestNotPacked(t *testing.T) {
	fs := vfs.NewMem()
	for name, data := range map[string]string{"empty": "", "text": "some text that is longer than the beginning of a packed database"} {
		dbtest.WriteFile(t, fs, name, []byte(data))
		require.False(t, store.IsPacked(fs, name))
		_, err := store.Open(name, &store.Options{FS: fs})
		require.ErrorIs(t, err, db.ErrNoDatabase)
		require.EqualError(t, err, fmt.Sprintf("no database in %s (it is a file; want a directory, or a file of db pack)", name))
	}
	dbtest.WriteFile(t, fs, "cut", []byte(db.PackedMagic))
	require.True(t, store.IsPacked(fs, "cut"))
	_, err := store.ReadManifest(fs, "cut")
	require.ErrorIs(t, err, db.ErrCorrupt)
}
