package db_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/retro"
)

// TestDigest compares digests with those of single values, and has an error of a block and a wrong code end them.
func TestDigest(t *testing.T) {
	for _, spec := range []string{"checkers:size=4x4,pieces=2", "checkers:size=4x4,pieces=3"} {
		g, err := checkers.Family.Open(spec)
		require.NoError(t, err)
		u, err := games.UniverseOf(g)
		require.NoError(t, err)
		fs := vfs.NewMem()
		_, _, err = retro.Solve(t.Context(), u, "checkers.db", retro.Config{FS: fs, Positions: retro.All})
		require.NoError(t, err)
		d, err := store.Open("checkers.db", &store.Options{FS: fs})
		require.NoError(t, err)
		block := func(_ context.Context, tier int, block uint64) ([]byte, error) { return d.Block(tier, block) }
		sum := sha256.New()
		for i := range past(g) {
			v, ok, err := d.Value(i)
			require.NoError(t, err)
			if ok {
				fmt.Fprint(sum, v)
			}
			fmt.Fprintln(sum)
		}
		content := &d.Manifest().Content
		for _, threads := range []int{0, 1, 3} {
			total := uint64(0)
			digest, err := db.Digest(t.Context(), content, block, db.DigestOptions{Threads: threads, Progress: func(_ string, done, of uint64) {
				require.Less(t, total, done)
				total = done
				require.Equal(t, past(g), of)
			}})
			require.NoError(t, err)
			require.Equal(t, fmt.Sprintf("%x", sum.Sum(nil)), digest)
			require.Equal(t, past(g), total)
		}
		broken := errors.New("broken")
		_, err = db.Digest(t.Context(), content, func(context.Context, int, uint64) ([]byte, error) { return nil, broken }, db.DigestOptions{})
		require.ErrorIs(t, err, broken)
		_, err = db.Digest(t.Context(), content, func(context.Context, int, uint64) ([]byte, error) { return []byte{255}, nil }, db.DigestOptions{})
		require.ErrorIs(t, err, db.ErrCorrupt)
		ended, end := context.WithCancel(t.Context())
		end()
		_, err = db.Digest(ended, content, block, db.DigestOptions{})
		require.ErrorIs(t, err, context.Canceled)
		require.NoError(t, d.Close())
	}
}
