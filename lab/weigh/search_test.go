package weigh

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUpdate compares an update with values computed by hand.
func TestUpdate(t *testing.T) {
	d := NewDistribution(2, 0.3)
	ranked := [][]float64{{1.2, 0.8}, {1.4, 0.6}, {1.1, 0.9}, {0.5, 1.5}}
	d.Update(ranked, 0.1, 2)
	// 0.9·1 + 0.1·(1.2+1.4−0.5), and 0.9·0.3 + 0.1·0.1: the two best are 0.1 away from their means.
	require.InDeltaSlice(t, []float64{1.11, 0.89}, d.Mean, 1e-12)
	require.InDeltaSlice(t, []float64{0.28, 0.28}, d.Deviation, 1e-12)
	d.Update(ranked, 0.1, 3)
	// The three best, 1.2, 1.4 and 1.1, have the variance ((−1/30)²+(1/6)²+(−2/15)²)/3.
	deviation := math.Sqrt((1.0/900 + 1.0/36 + 4.0/225) / 3)
	require.InDeltaSlice(t, []float64{0.9*1.11 + 0.21, 0.9*0.89 - 0.01}, d.Mean, 1e-12)
	require.InDeltaSlice(t, []float64{0.9*0.28 + 0.1*deviation, 0.9*0.28 + 0.1*deviation}, d.Deviation, 1e-12)
}

func TestDraw(t *testing.T) {
	d := NewDistribution(1000, math.Sqrt(0.1))
	d.Mean[0], d.Deviation[0] = -1, 0
	w := d.Draw(rand.New(rand.NewPCG(1, 2)))
	require.Zero(t, w[0], "no negative weights")
	sum, square := 0.0, 0.0
	for _, v := range w {
		sum += v
	}
	require.InDelta(t, 1000, sum, 1e-9)
	for _, v := range w[1:] {
		square += (v - 1) * (v - 1)
	}
	require.InDelta(t, 0.1, square/999, 0.02)
	none := Distribution{Mean: []float64{-1, -2}, Deviation: []float64{0, 0}}
	require.Equal(t, []float64{1, 1}, none.Draw(rand.New(rand.NewPCG(1, 2))))
}

// toy is a field in which the individuals nearest to a target are the strongest.
type toy struct {
	target []float64
	made   map[int][]float64
	plays  int
	stop   int // the round in which cancel is called
	cancel func()
}

func (f *toy) Make(_ context.Context, s *State, list []int) error {
	f.made = map[int][]float64{}
	for _, i := range list {
		f.made[i] = s.Individuals[i].Weights
	}
	return nil
}

func (f *toy) Play(ctx context.Context, first int, pairs [][2]int) (half []int, err error) {
	if f.plays++; f.plays == f.stop {
		f.cancel()
	}
	for i, p := range pairs {
		rng := rand.New(rand.NewPCG(7, uint64(first+i)))
		elo := func(n int) float64 { return -400 * math.Pow(distance(f.made[n], f.target), 2) }
		n := 0
		for range 2 {
			if rng.Float64() < 1/(1+math.Pow(10, (elo(p[1])-elo(p[0]))/400)) {
				n += 2
			}
		}
		half = append(half, n)
	}
	return half, ctx.Err()
}

func distance(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	return math.Sqrt(sum)
}

var toyConfig = Config{Parts: 4, Individuals: 12, Steps: 120, Deviation: 0.3, Share: 0.08, Best: 5, FirstGames: 80, Games: 60, Seed: 3}

// TestSearch finds the weights that win most by games with random results.
func TestSearch(t *testing.T) {
	f := &toy{target: []float64{1.6, 0.4, 1.3, 0.7}}
	s, err := Search(t.Context(), f, toyConfig)
	require.NoError(t, err)
	start := distance([]float64{1, 1, 1, 1}, f.target)
	require.Less(t, distance(s.Distribution.Mean, f.target), start/2)
	require.Less(t, distance(s.Individuals[s.Ranked()[0]].Weights, f.target), start/2)

	require.True(t, s.Done)
	require.Len(t, s.Individuals, 132)
	require.Len(t, s.Alive, 12)
	require.LessOrEqual(t, 2*s.Pairs, s.Most())
	early := 0
	for i, x := range s.Individuals {
		require.Equal(t, max(i-11, 0), x.Step)
		games := 2 * s.Standings.Pairs(i)
		switch {
		case i < 12:
			require.GreaterOrEqual(t, games, 80)
		case games < 60:
			require.GreaterOrEqual(t, games, 30)
			early++
		}
	}
	require.Positive(t, early)
	// The ratings know who is near: so many are in the right order.
	elo, mean := s.Elo(), 0.0
	right, all := 0, 0
	for i := range elo {
		if i < 12 {
			mean += elo[i].Elo
		}
		require.Positive(t, elo[i].Deviation)
		for k := range i {
			all++
			if (elo[i].Elo > elo[k].Elo) == (distance(s.Individuals[i].Weights, f.target) < distance(s.Individuals[k].Weights, f.target)) {
				right++
			}
		}
	}
	require.InDelta(t, 0, mean, 1e-6)
	require.Greater(t, float64(right)/float64(all), 0.7)
	require.Less(t, s.BestFirst(), 12)
}

// TestResume stops a search in every round, and compares the state at the end with that of one that was not
// stopped.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	cfg := toyConfig
	cfg.Steps, cfg.FirstGames, cfg.Games, cfg.File = 4, 20, 30, filepath.Join(dir, "whole")
	target := []float64{1.6, 0.4, 1.3, 0.7}
	whole := &toy{target: target}
	want, err := Search(t.Context(), whole, cfg)
	require.NoError(t, err)
	text, err := os.ReadFile(cfg.File)
	require.NoError(t, err)
	require.Greater(t, whole.plays, 10)

	parts := cfg
	parts.File = filepath.Join(dir, "parts")
	stops := 0
	for round := 1; ; round++ {
		ctx, cancel := context.WithCancel(t.Context())
		// A field that begins again has nothing made.
		s, err := Search(ctx, &toy{target: target, stop: 1 + round%2, cancel: cancel}, parts)
		cancel()
		if err == nil {
			require.Equal(t, want.Ratings, s.Ratings)
			require.Equal(t, want.Distribution, s.Distribution)
			break
		}
		require.ErrorIs(t, err, context.Canceled)
		stops++
		require.Less(t, round, 100)
	}
	require.Greater(t, stops, whole.plays)
	got, err := os.ReadFile(parts.File)
	require.NoError(t, err)
	require.Equal(t, text, got)

	again := &toy{target: target}
	_, err = Search(t.Context(), again, parts)
	require.NoError(t, err)
	require.Zero(t, again.plays, "a search that is done plays no more")

	more := cfg
	more.File, more.Steps = filepath.Join(dir, "more"), 2
	for more.Steps < cfg.Steps {
		_, err = Search(t.Context(), &toy{target: target}, more)
		require.NoError(t, err)
		more.Steps++
	}
	s, err := Search(t.Context(), &toy{target: target}, more)
	require.NoError(t, err)
	require.Equal(t, cfg.Steps, s.Step)
	got, err = os.ReadFile(more.File)
	require.NoError(t, err)
	require.Equal(t, text, got, "more steps later")

	for name, change := range map[string]func(*Config){
		"seed": func(c *Config) { c.Seed++ }, "fewer steps": func(c *Config) { c.Steps-- }, "field": func(c *Config) { c.Signature++ },
	} {
		other := parts
		change(&other)
		_, err := Search(t.Context(), &toy{target: target}, other)
		require.ErrorIs(t, err, ErrState, name)
	}
	for _, bad := range [][]byte{nil, text[:len(text)/2], []byte("text")} {
		require.NoError(t, os.WriteFile(parts.File, bad, 0o600))
		_, err := Search(t.Context(), &toy{target: target}, parts)
		require.ErrorIs(t, err, ErrState)
	}
}
