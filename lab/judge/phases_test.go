package judge

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/play/measure"
)

func TestQuantile(t *testing.T) {
	var numbers []float64
	for i := range 100 {
		numbers = append(numbers, float64((37*i)%100))
	}
	v := Quantile(numbers, 0.5, 1)
	require.Equal(t, 50.0, v.Value)
	require.Less(t, v.Low, v.Value)
	require.Greater(t, v.High, v.Value)
	require.InDelta(t, 20, v.High-v.Low, 8) // 1.96·√(100·¼) numbers on each side
	require.Equal(t, 37.0, numbers[1], "the numbers stay in their order")
	require.Equal(t, v, Quantile(numbers, 0.5, 1))
	require.Equal(t, 99.0, Quantile(numbers, 1, 1).Value)
	require.True(t, Quantile(nil, 0.5, 1).Value != Quantile(nil, 0.5, 1).Value) // NaN
}

func TestMean(t *testing.T) {
	var samples []Sample
	for i := range 400 {
		samples = append(samples, Sample{Game: i / 2, Up: float64(i % 4)})
	}
	v := Mean(samples, 1, func(s *Sample) float64 { return s.Up })
	require.InDelta(t, 1.5, v.Value, 1e-9)
	// Two positions of a game have means of 0.5 or 2.5, so the deviation of the mean of 200 games is 1/√200.
	require.InDelta(t, 2*1.96*0.0707, v.High-v.Low, 0.05)
}

// TestPhasesNumbers takes numbers out of games of which some have no middle game or no endgame.
func TestPhasesNumbers(t *testing.T) {
	p := &Phases{Games: []Phased{
		{Plies: 100, Phases: measure.Phases{Middle: 20, End: 60}},
		{Plies: 40},
		{Plies: 60, Phases: measure.Phases{Middle: 30}},
		{Plies: 90, Phases: measure.Phases{Middle: 50, End: 60}},
	}}
	require.Equal(t, []float64{20, 30, 50}, p.Middle())
	require.Equal(t, []float64{60, 60}, p.End())
	require.Equal(t, []float64{0.5, 0.25}, p.Between())
	var plies [][]int
	for _, group := range p.ByLength(3) {
		var list []int
		for _, g := range group.Games {
			list = append(list, g.Plies)
		}
		plies = append(plies, list)
	}
	require.Equal(t, [][]int{{40}, {60}, {90, 100}}, plies)
	require.Equal(t, 100, p.Games[0].Plies)
}

// TestPhases compares with what the measure says about a game.
func TestPhases(t *testing.T) {
	j, list := judged(t)
	p, err := j.Phases(context.Background(), list, 4)
	require.NoError(t, err)
	require.InDelta(t, 0.594, p.Threshold, 0.0005)
	require.Len(t, p.Games, len(list))
	longest := 0
	for i, g := range list {
		require.Equal(t, len(g.Moves), p.Games[i].Plies)
		longest = max(longest, len(g.Moves))
	}
	require.Len(t, p.Dissonance, longest+1)
	require.Equal(t, len(list), p.Reached[0])
	own, _, columns, ok := measure.Influence(j.Game, list[0].From)
	require.True(t, ok)
	require.InDelta(t, measure.EvidenceOf(own, columns).E, p.Dissonance[0], 1e-9)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = j.Phases(ctx, list, 4)
	require.ErrorIs(t, err, context.Canceled)
}
