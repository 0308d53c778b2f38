package gametest

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// features checks the numbers of features, their weights, and that equal positions have equal
// features.
func (s *suite[P, M]) features(t *testing.T, f games.Features[P]) {
	set := f.FeatureSet()
	require.NotEmpty(t, set.Version)
	require.Len(t, set.Weights, set.Size+set.Coarse, "want one weight for each feature, coarse ones included")
	if set.AppendCoarse != nil {
		for i := range set.Size {
			for _, c := range set.AppendCoarse(nil, int32(i)) {
				require.True(t, int(c) >= set.Size && int(c) < set.Size+set.Coarse, "feature %d has the coarse feature %d, want %d to %d", i, c, set.Size, set.Size+set.Coarse-1)
			}
		}
	}
	count := func(p P) map[int32]int32 {
		n := map[int32]int32{}
		for _, x := range f.AppendFeatures(nil, p) {
			require.True(t, x.Number >= 0 && int(x.Number) < set.Size, "%s: feature %d, want 0 to %d", s.name(p), x.Number, set.Size-1)
			n[x.Number] += x.Count
		}
		maps.DeleteFunc(n, func(_, count int32) bool { return count == 0 })
		return n
	}
	for _, p := range s.positions {
		if _, finished := s.g.Outcome(p); finished {
			continue
		}
		n := count(p)
		if s.canonicalizer != nil {
			c := s.canonicalizer.Canonical(p)
			require.Equal(t, n, count(c), "%s and its canonical position %s", s.name(p), s.name(c))
		}
	}
}

// tactics checks that each move has a rank, and equal positions are forced alike.
func (s *suite[P, M]) tactics(t *testing.T, tactics games.Tactics[P, M]) {
	for _, p := range s.positions {
		if _, finished := s.g.Outcome(p); finished {
			continue
		}
		moves := s.g.AppendMoves(nil, p)
		ranks := tactics.AppendRanks([]int32{-1}, p, moves)
		require.Len(t, ranks, len(moves)+1, "%s: want a rank for each move, appended", s.name(p))
		if s.canonicalizer != nil {
			c := s.canonicalizer.Canonical(p)
			require.Equal(t, tactics.Forced(p), tactics.Forced(c), "%s and its canonical position %s", s.name(p), s.name(c))
		}
	}
}

// passes checks that a pass leads to a possible position in which another side is to move.
func (s *suite[P, M]) passes(t *testing.T, passer games.Passer[P]) {
	for _, p := range s.positions {
		if _, finished := s.g.Outcome(p); finished {
			continue
		}
		q, ok := passer.Pass(p)
		if !ok {
			continue
		}
		require.NotEqual(t, p, q, s.name(p))
		back, err := s.g.ParsePosition(s.name(q))
		require.NoError(t, err, "after a pass in %s", s.name(p))
		require.Equal(t, q, back, "after a pass in %s", s.name(p))
	}
}
