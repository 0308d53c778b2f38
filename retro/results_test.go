//go:build !race

package retro

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/db/verify"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro/internal/retrotest"
)

// TestResults compares every value of a solve without distances with one that has them, in
// memory and with tiers on disk.
func TestResults(t *testing.T) {
	for _, name := range []string{"dobutsu:size=3x3", "connect4:size=4x4", "checkers:size=6x6,pieces=3", "checkers:size=4x4,pieces=4"} {
		t.Run(name, func(t *testing.T) {
			fs, full := vfs.NewMem(), retrotest.Open(t, name)
			u, err := full.Results()
			require.NoError(t, err)
			cfg := Config{FS: fs, Positions: All}
			want, m, err := Solve(t.Context(), full, "full", cfg)
			require.NoError(t, err)

			got, small, err := Solve(t.Context(), u, "small", cfg)
			require.NoError(t, err)
			require.Equal(t, "result", small.Content.Order)
			require.Equal(t, m.Content.StartValue.Result().Value(), small.Content.StartValue)
			require.Equal(t, m.Content.Total().Unfinished, small.Content.Total().Unfinished)
			for index := range u.Size() {
				v, ok := want.Value(index)
				r, known := got.Value(index)
				if ok != known || ok && v.Result().Value() != r {
					t.Fatalf("%d is worth %v (%v), not %v (%v)", index, v, ok, r, known)
				}
			}

			cfg.Memory, cfg.Partitions = 1, 4
			_, disk, err := Solve(t.Context(), u, "disk", cfg)
			require.NoError(t, err)
			require.Equal(t, small.Checksum, disk.Checksum)

			v, err := verify.Run(t.Context(), "small", full, verify.Options{FS: fs, Problem: func(err error) { t.Error(err) }})
			require.NoError(t, err)
			require.Zero(t, v.Problems)

			_, _, err = Solve(t.Context(), full, "small", Config{FS: fs, Positions: All})
			require.ErrorIs(t, err, ErrOther)
		})
	}
	_, err := retrotest.Open(t, "awari:stones=3").Results()
	require.ErrorContains(t, err, "scores")
}

// TestResultsNotForced has a database in which drawn positions call themselves won and lost by
// turns, which their neighbours do not contradict. No distance does either, so verify has to find
// that the win cannot be forced.
func TestResultsNotForced(t *testing.T) {
	fs, full := vfs.NewMem(), retrotest.Open(t, "checkers:size=6x6,pieces=2")
	u, err := full.Results()
	require.NoError(t, err)
	s, m, err := Solve(t.Context(), u, "db", Config{FS: fs, Positions: All})
	require.NoError(t, err)
	lie := *m
	lie.Content.Values = []games.Value{games.Won.Value(), games.Draw, games.Lost.Value()}
	source := s.Source(lie.Content.Values)
	require.NoError(t, fs.MkdirAll("lie", 0o755))
	changed := 0
	require.NoError(t, store.Write(t.Context(), "lie", &lie, func(tier int, block uint64, dst []byte) error {
		if err := source(tier, block, dst); err != nil {
			return err
		}
		for i, code := range dst {
			if code == 2 {
				dst[i] = 1 // a win in every drawn position: some support each other, none is forced
				changed++
			}
		}
		return nil
	}, store.WriteOptions{FS: fs, Threads: 1}))
	require.NotZero(t, changed)
	v, err := verify.Run(t.Context(), "lie", full, verify.Options{FS: fs})
	require.NoError(t, err)
	require.NotZero(t, v.Problems)
}
