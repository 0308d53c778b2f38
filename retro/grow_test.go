//go:build !race

package retro

import (
	"context"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/retro/internal/retrotest"
)

// TestGrow solves a game from a database of a smaller part of it, with the same result as from
// nothing: in memory, with tiers on disk, after an interruption, and from a larger database.
func TestGrow(t *testing.T) {
	for _, c := range []struct{ small, large string }{
		{"awari:stones=6", "awari:stones=9"},
		{"awari:stones=9", "awari:stones=6"},
		{"checkers:size=6x6,pieces=2", "checkers:size=6x6,pieces=3"},
	} {
		t.Run(c.small+" to "+c.large, func(t *testing.T) {
			fs, u := vfs.NewMem(), retrotest.Open(t, c.large)
			cfg := Config{FS: fs, Positions: All}
			_, _, err := Solve(t.Context(), retrotest.Open(t, c.small), "small", cfg)
			require.NoError(t, err)
			_, want, err := Solve(t.Context(), u, "want", cfg)
			require.NoError(t, err)

			d, err := store.Open("small", &store.Options{FS: fs})
			require.NoError(t, err)
			defer func() { require.NoError(t, d.Close()) }()
			cfg.From = d
			_, got, err := Solve(t.Context(), u, "got", cfg)
			require.NoError(t, err)
			require.Equal(t, want.Checksum, got.Checksum)

			onDisk := cfg
			onDisk.Memory, onDisk.Partitions = 1, 4
			_, got, err = Solve(t.Context(), u, "disk", onDisk)
			require.NoError(t, err)
			require.Equal(t, want.Checksum, got.Checksum)

			// Once there is a checkpoint the small database is not needed any more.
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			_, _, err = Solve(ctx, retrotest.WithCounter(u, 3*int64(len(d.Manifest().Content.Tiers)), cancel), "resumed", cfg)
			if err != nil {
				require.ErrorIs(t, err, ErrInterrupted)
				cfg.From = nil
				_, got, err = Solve(t.Context(), u, "resumed", cfg)
				require.NoError(t, err)
			}
			require.Equal(t, want.Checksum, got.Checksum)
		})
	}
}

// TestGrowCompact solves a game from compact databases of a smaller part of it: with distances or scores, and by results.
func TestGrowCompact(t *testing.T) {
	for _, c := range []struct {
		small, large string
		results      bool
	}{
		{"awari:stones=7", "awari:stones=8", false},
		{"checkers:size=6x6,pieces=2", "checkers:size=6x6,pieces=3", false},
		{"checkers:size=6x6,pieces=2", "checkers:size=6x6,pieces=3", true},
	} {
		t.Run(fmt.Sprint(c.small, c.results), func(t *testing.T) {
			fs, u := vfs.NewMem(), retrotest.Open(t, c.large)
			cfg := Config{FS: fs, Positions: All}
			_, _, err := Solve(t.Context(), retrotest.Open(t, c.small), "small", cfg)
			require.NoError(t, err)
			full, err := store.Open("small", &store.Options{FS: fs})
			require.NoError(t, err)
			defer full.Close()
			require.NoError(t, fs.MkdirAll("compact", 0o755))
			_, err = store.Compact(t.Context(), "compact", full, retrotest.Open(t, c.small), c.results, store.WriteOptions{FS: fs})
			require.NoError(t, err)
			if c.results {
				u, err = u.Results()
				require.NoError(t, err)
			}
			_, want, err := Solve(t.Context(), u, "want", cfg)
			require.NoError(t, err)
			d, err := store.Open("compact", &store.Options{FS: fs})
			require.NoError(t, err)
			defer d.Close()
			require.True(t, d.Manifest().Content.IsCompact())
			cfg.From = d
			_, got, err := Solve(t.Context(), u, "got", cfg)
			require.NoError(t, err)
			require.Equal(t, want.Checksum, got.Checksum)
		})
	}
}

// TestGrowRefused takes over databases that do not fit.
func TestGrowRefused(t *testing.T) {
	fs := vfs.NewMem()
	open := func(spec string, positions Positions) *db.DB {
		_, _, err := Solve(t.Context(), retrotest.Open(t, spec), spec, Config{FS: fs, Positions: positions})
		require.NoError(t, err)
		d, err := store.Open(spec, &store.Options{FS: fs})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, d.Close()) })
		return d
	}
	for _, c := range []struct {
		from, to         string
		positions, wants Positions
		err              string
	}{
		{"awari:slam=no-capture,stones=7", "awari:stones=8", All, All, "cannot be taken over for awari:stones=8: position .* leads to a position without a value"},
		{"awari:slam=mover-takes-rest,stones=7", "awari:slam=opponent-takes-rest,stones=8", All, All, "position .* has the value .* there, and its moves lead to"},
		{"connect4:size=4x4", "connect4:size=4x5", Reachable, Reachable, "only all positions can be taken over, and these are reachable for reachable"},
		{"checkers:size=6x6,pieces=2", "checkers:size=8x8,pieces=3", All, All, "tier 1 has 306 positions from 1 on there, and 992 from 1 on here"},
		{"checkers:size=6x6,pieces=3", "awari:stones=3", All, All, "values are ordered by distance there, and by score here"},
	} {
		t.Run(c.from, func(t *testing.T) {
			cfg := Config{FS: fs, Positions: c.wants, From: open(c.from, c.positions)}
			_, _, err := Solve(t.Context(), retrotest.Open(t, c.to), "to", cfg)
			require.Error(t, err)
			require.Regexp(t, c.err, err.Error())
			_, err = fs.Stat("to")
			require.Error(t, err, "something is left of the refused solve")
		})
	}
}

// TestGrowDamaged takes over a database with a wrong bit in each of its files in turn.
func TestGrowDamaged(t *testing.T) {
	fs := vfs.NewMem()
	_, m, err := Solve(t.Context(), retrotest.Open(t, "awari:stones=6"), "small", Config{FS: fs})
	require.NoError(t, err)
	for _, f := range m.Files {
		if f.Size == 0 {
			continue
		}
		name := fs.PathJoin("small", "store", f.Name)
		data := readAll(t, fs, name)
		d, err := store.Open("small", &store.Options{FS: fs})
		require.NoError(t, err)
		changed := append([]byte(nil), data...)
		changed[len(changed)/2] ^= 1
		writeAll(t, fs, name, changed)
		_, _, err = Solve(t.Context(), retrotest.Open(t, "awari:stones=8"), "large", Config{FS: fs, From: d})
		require.ErrorIs(t, err, db.ErrCorrupt, f.Name)
		require.NoError(t, d.Close())
		writeAll(t, fs, name, data)
	}
}
