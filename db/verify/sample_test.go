package verify_test

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db/internal/dbtest"
	"github.com/yomikiri/yomikiri/db/verify"
	"github.com/yomikiri/yomikiri/games"
)

// TestSample draws so many indices that one of each is among them: right databases pass, and of those in which one position has
// another value none does.
func TestSample(t *testing.T) {
	s := dbtest.Databases["tiers all"](t)
	sample := func(s *dbtest.Solved) *verify.Result {
		fs := vfs.NewMem()
		s.WriteAs(t, fs, s.Manifest())
		v, err := verify.Sample(t.Context(), "db", s.U, 8*s.U.Size(), 1, verify.Options{FS: fs, Threads: 2})
		require.NoError(t, err)
		return v
	}
	right := sample(s)
	require.Zero(t, right.Problems)
	require.Greater(t, right.Positions, uint64(4*len(s.Values)))
	values := s.Manifest().Content.Values
	indices := s.Indices()
	for n := 0; n < len(indices); n += 1 + len(indices)/7 {
		i := indices[n]
		for _, v := range []games.Value{values[0], values[len(values)-1]} {
			if v != s.Values[i] {
				lie := s.Clone()
				lie.Values[i] = v
				require.NotZero(t, sample(lie).Problems, "%s as %v", s.U.PositionName(i), v)
			}
		}
	}
}

// TestSampleRefused has a database without all positions: which ones may be missing a sample cannot tell.
func TestSampleRefused(t *testing.T) {
	s := dbtest.Databases["tiers"](t)
	fs := vfs.NewMem()
	s.WriteAs(t, fs, s.Manifest())
	_, err := verify.Sample(t.Context(), "db", s.U, 10, 1, verify.Options{FS: fs})
	require.ErrorContains(t, err, "all positions")
}
