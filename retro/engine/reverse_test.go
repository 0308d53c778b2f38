package engine

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro/internal/graph"
)

// TestReverseLimit checks that the limit of a game without a Retractor is for each
// tier, and only for tiers in which a move stays.
func TestReverseLimit(t *testing.T) {
	// Tiers of 2, 3 and 3 positions. A move stays in the second one only.
	g := &graph.Graph{
		List: []games.Tier{{Name: "0", Size: 2, Open: 2}, {Name: "1", Start: 2, Size: 3, Open: 3}, {Name: "2", Start: 5, Size: 3, Open: 3}},
		Status: []games.Value{games.Loss(0), games.Unfinished,
			games.Unfinished, games.Unfinished, games.Unfinished,
			games.Unfinished, games.Unfinished, games.Loss(0)},
		Edges: [][]uint64{nil, {0}, {0, 1}, {2}, {3}, {2, 7}, {4}, nil},
	}
	for _, positions := range []Positions{Reachable, All} {
		for limit := uint64(1); limit < 5; limit++ {
			u := g.Universe(6)
			u.Retractor = nil
			s, err := analyze(t.Context(), u, Config{Positions: positions, reverseLimit: limit})
			if limit < 3 {
				require.EqualError(t, err, `tier "1" of graph has 3 positions and moves that stay in it; without a Retractor at most `+
					string(rune('0'+limit))+" can be solved")
				continue
			}
			require.NoError(t, err)
			check(t, g, s, g.Solve())
		}
	}
	g.Edges[3], g.Edges[4] = []uint64{1}, []uint64{0}
	u := g.Universe(6)
	u.Retractor = nil
	s, err := analyze(t.Context(), u, Config{Positions: All, reverseLimit: 1})
	require.NoError(t, err, "no move stays in its tier")
	check(t, g, s, g.Solve())
}

// TestReverseInterrupted checks that looking for moves that stay ends with the
// context.
func TestReverseInterrupted(t *testing.T) {
	_, u := large(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := analyze(ctx, u, Config{reverseLimit: 1})
	require.ErrorIs(t, err, ErrInterrupted)
	r := newReverse(u, maxReverse)
	require.True(t, errors.Is(r.prepare(ctx, 0), ErrStopped))
}
