package bench

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/internal/plot/plottest"
	"github.com/yomikiri/yomikiri/play/match"
)

func TestMatchmaking(t *testing.T) {
	m := Matchmaking{Players: func(*rand.Rand) Rivals { return Ordered(12, 400) }, Pairs: 200, Every: 50, Runs: 8, Seed: 1}
	all, err := m.Run(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 4)
	for i, r := range all {
		require.Equal(t, match.Matchmaking(i), r.Method)
		require.Len(t, r.Errors, 4)
		require.Less(t, r.Errors[3].Value, r.Errors[0].Value, "more games tell more: %v", r.Method)
		require.Less(t, r.Errors[3].Value, 1.5)
	}
	m.Threads = 3
	again, err := m.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, all, again)
	m.Seed++
	other, err := m.Run(t.Context())
	require.NoError(t, err)
	require.NotEqual(t, all, other)

	require.Equal(t, 5, strings.Count(m.Text(all), "\n"))
	p := m.Figure("title", all)
	svg, err := p.SVG()
	require.NoError(t, err)
	require.Len(t, plottest.Read(t, svg).Lines, 4)
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = m.Run(stopped)
	require.ErrorIs(t, err, context.Canceled)
}

func TestRivals(t *testing.T) {
	r := Ordered(6, 400) // 1,000 nodes against 2,000, at 400 Elo
	require.InDelta(t, 1.0/11, r[0][5], 1e-12)
	require.Equal(t, []int{5, 4, 3, 2, 1, 0}, r.ranks())

	// Without an affinity strengths are transitive.
	r = Close(9, 100, 0, rand.New(rand.NewPCG(1, 2)))
	place := r.ranks()
	for a := range r {
		for b := range r {
			if a != b {
				require.InDelta(t, 1, r[a][b]+r[b][a], 1e-12)
				require.Equal(t, place[a] < place[b], r[a][b] > 0.5)
			}
		}
	}
	// With one they are not.
	r = Close(9, 0, 100, rand.New(rand.NewPCG(1, 2)))
	place, upsets := r.ranks(), 0
	for a := range r {
		for b := range r {
			if place[a] < place[b] && r[a][b] < 0.5 {
				upsets++
			}
		}
	}
	require.Positive(t, upsets)
}

func TestRankCorrelation(t *testing.T) {
	require.Equal(t, []float64{1, 3.5, 0, 3.5, 2}, ranksOf([]float64{4, 9, 1, 9, 5}))
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	require.InDelta(t, 1, RankCorrelation(x, []float64{1, 4, 9, 16, 25, 36, 49, 64}, 1).Value, 1e-12)
	v := RankCorrelation(x, []float64{2, 1, 4, 3, 6, 5, 8, 7}, 1)
	require.InDelta(t, 1-6*8.0/(8*63), v.Value, 1e-12) // 1 − 6Σd²/(n(n²−1))
	require.Less(t, v.Low, v.Value)
}
