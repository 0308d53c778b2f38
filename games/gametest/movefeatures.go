package gametest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// moveFeatures checks the numbers of the features of moves, that they depend on nothing but the arguments, and that
// equal positions have moves with the same features.
func (s *suite[P, M]) moveFeatures(t *testing.T, f games.MoveFeatures[P, M]) {
	set := f.MoveFeatureSet()
	require.NotEmpty(t, set.Version)
	require.NotEmpty(t, set.Sizes)
	require.LessOrEqual(t, set.Size(), 65_535)
	groups := len(set.Sizes)
	// rows returns the features of each move, sorted.
	rows := func(p P) (rows [][]int32) {
		for row := range slices.Chunk(f.AppendMoveFeatures(nil, p, nil, s.g.AppendMoves(nil, p)), groups) {
			rows = append(rows, row)
		}
		slices.SortFunc(rows, slices.Compare)
		return rows
	}
	for range samples() / 10 {
		p := s.g.Start()
		var last *M
		for range maxPlies {
			moves := s.g.AppendMoves(nil, p)
			if len(moves) == 0 {
				break
			}
			features := f.AppendMoveFeatures([]int32{7}, p, last, moves)
			require.Len(t, features, 1+len(moves)*groups, "%s: want a feature of each group for each move, appended", s.name(p))
			require.Equal(t, int32(7), features[0], "%s: features are appended", s.name(p))
			for i, n := range features[1:] {
				require.True(t, n >= games.NoFeature && n < set.Sizes[i%groups], "%s: move %s has feature %d of group %d, want -1 to %d",
					s.name(p), s.g.AppendMove(nil, p, moves[i/groups]), n, i%groups, set.Sizes[i%groups]-1)
			}
			for i, m := range moves {
				require.Equal(t, features[1+i*groups:1+(i+1)*groups], f.AppendMoveFeatures(nil, p, last, []M{m}), "%s: move %s alone", s.name(p), s.g.AppendMove(nil, p, m))
			}
			if s.canonicalizer != nil {
				c := s.canonicalizer.Canonical(p)
				require.Equal(t, rows(p), rows(c), "%s and its canonical position %s", s.name(p), s.name(c))
			}
			m := moves[s.rng.IntN(len(moves))]
			p, last = s.g.Play(p, m), &m
		}
	}
}
