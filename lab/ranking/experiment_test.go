package ranking

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/internal/plot/plottest"
)

func TestExperiment(t *testing.T) {
	m := Experiment{Players: func(*rand.Rand) Rivals { return Ordered(12, 400) }, Pairs: 200, Every: 50, Runs: 8, Seed: 1}
	all, err := m.Run(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 4)
	for i, r := range all {
		require.Equal(t, Matchmaking(i), r.Method)
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
