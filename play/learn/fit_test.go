package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// toySet has 12 features; each is in one of 3 coarse ones, and all but the last in another.
var toySet = &games.FeatureSet{
	Version: "toy-1", Size: 12, Coarse: 4,
	AppendCoarse: func(dst []int32, f int32) []int32 {
		dst = append(dst, 12+f%3)
		if f != 11 {
			dst = append(dst, 15)
		}
		return dst
	},
	Weights: make([]float32, 16),
}

func randomFeatures(rng *rand.Rand) (list []games.Feature) {
	for range 1 + rng.IntN(6) {
		list = append(list, games.Feature{Number: int32(rng.IntN(12)), Count: int32(rng.IntN(7) - 3)})
	}
	return list
}

// toyExamples returns examples of every loss, from 50 games.
func toyExamples(t *testing.T, n int) *Examples {
	x, err := NewExamples(toySet)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		e := Example{
			Group: i * 50 / n, Loss: Loss(i % 3), Features: randomFeatures(rng), Offset: float32(rng.IntN(200) - 100),
			Target: rng.Float32(), Weight: 0.5 + rng.Float32(),
		}
		if e.Loss == Points {
			e.Target = float32(rng.IntN(600) - 300)
		}
		x.Add(e)
	}
	return x
}

func TestGradient(t *testing.T) {
	x := toyExamples(t, 60)
	rng := rand.New(rand.NewPCG(3, 4))
	weights := make([]float32, 16)
	for i := range weights {
		weights[i] = float32(rng.IntN(200) - 100)
	}
	for i := range x.Len() {
		m := newModel(x, weights)
		m.add(i)
		m.spread()
		for w := range weights {
			const step = 1.0 / 64 // a power of 2, so that the sum is exact enough
			at := m.weights[w]
			m.weights[w] = at + step
			up, _ := m.loss(i)
			m.weights[w] = at - step
			down, _ := m.loss(i)
			m.weights[w] = at
			require.InDelta(t, (up-down)/(2*step), m.gradient[w], 0.02+0.02*math.Abs(m.gradient[w]), "example %d, loss %d, weight %d", i, x.list[i].loss, w)
		}
	}
}

func TestLosses(t *testing.T) {
	for _, c := range []struct {
		name string
		e    Example
		want float64
	}{
		{"result, even", Example{Loss: Result, Target: 1, Weight: 1}, math.Log(2)},
		{"result, as expected", Example{Loss: Result, Target: float32(1 / (1 + math.Exp(-1))), Offset: 256, Weight: 1}, 0},
		{"result, weight 2", Example{Loss: Result, Target: 0, Offset: 256, Weight: 2}, 2 * math.Log(1+math.E)},
		{"points, 3 too many", Example{Loss: Points, Target: 100, Offset: 400, Weight: 1}, 4.5},
		{"comparison, equal", Example{Loss: Comparison, Weight: 1}, 0.5},
		{"comparison, 40 better", Example{Loss: Comparison, Offset: 40, Weight: 1}, 1 / (1 + math.Exp(-1))},
		{"features", Example{Loss: Points, Features: []games.Feature{{Number: 1, Count: 300}}, Target: 30_000, Weight: 1}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, err := NewExamples(toySet)
			require.NoError(t, err)
			x.Add(c.e)
			weights := make([]float32, 16)
			weights[1], weights[13] = 70, 30
			loss, _ := newModel(x, weights).loss(0)
			require.InDelta(t, c.want, loss, 1e-4)
		})
	}
}

// secret are weights that tests recover.
var secret = [12]float64{300, -200, 100, 50, -50, 150, -300, 80, 0, 20, -120, 220}

func secretSum(list []games.Feature) (sum float64) {
	for _, f := range list {
		sum += secret[f.Number] * float64(f.Count)
	}
	return sum
}

func TestRecovery(t *testing.T) {
	for _, c := range []struct {
		name string
		loss Loss
	}{{"results", Result}, {"points", Points}, {"comparisons", Comparison}} {
		t.Run(c.name, func(t *testing.T) {
			x, err := NewExamples(toySet)
			require.NoError(t, err)
			rng := rand.New(rand.NewPCG(5, 6))
			for i := range 6000 {
				e := Example{Group: i / 20, Loss: c.loss, Features: randomFeatures(rng), Weight: 1}
				sum := secretSum(e.Features)
				switch c.loss {
				case Result:
					e.Target = float32(sigmoid(sum / scale))
				case Points:
					e.Target = float32(sum)
				case Comparison:
					// The move played is better by what comes out.
					if rng.Float64() < sigmoid(sum/comparisonScale) {
						for j := range e.Features {
							e.Features[j].Count = -e.Features[j].Count
						}
					}
				}
				x.Add(e)
			}
			r, err := Fit(context.Background(), x, Config{From: make([]float32, 16), Batch: 100, Epochs: 60, Rate: 0.05, L1: 0.01})
			require.NoError(t, err)
			require.Less(t, r.Epochs[r.Best].Held, r.Epochs[0].Held/2)
			folded := toySet.Folded(r.Weights)
			same, all := 0, 0
			for range 2000 {
				list := randomFeatures(rng)
				sum := 0.0
				for _, f := range list {
					sum += float64(folded[f.Number]) * float64(f.Count)
				}
				if want := secretSum(list); math.Abs(want) > 60 {
					all++
					if sum*want > 0 {
						same++
					}
				}
			}
			require.Greater(t, float64(same), 0.97*float64(all), "of %d sums, %d have the right sign", all, same)
			if c.loss != Comparison { // which says little about large differences
				for i, w := range secret {
					require.InDelta(t, w, float64(folded[i]), 12, "weight %d", i)
				}
			}
		})
	}
}

// TestSparse checks that features that mean nothing weigh nothing.
func TestSparse(t *testing.T) {
	x, err := NewExamples(&games.FeatureSet{Version: "plain", Size: 40})
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(7, 8))
	for i := range 4000 {
		noise := int32(1 + rng.IntN(39))
		target := float32(rng.IntN(2))
		x.Add(Example{Group: i / 10, Features: []games.Feature{{Number: 0, Count: int32(2*target - 1)}, {Number: noise, Count: 1}}, Target: target, Weight: 1})
	}
	zeros := map[float64]int{}
	for _, l1 := range []float64{0.001, 30} {
		r, err := Fit(context.Background(), x, Config{From: make([]float32, 40), Batch: 50, L1: l1, Epochs: 5})
		require.NoError(t, err)
		require.Greater(t, r.Weights[0], float32(50))
		for _, w := range r.Weights {
			if w == 0 {
				zeros[l1]++
			}
		}
	}
	require.Greater(t, zeros[30], 36)
	require.Less(t, zeros[0.001], 20)
}

func TestResume(t *testing.T) {
	x := toyExamples(t, 900)
	file := filepath.Join(t.TempDir(), "state")
	cfg := Config{From: make([]float32, 16), Batch: 40, Epochs: 6, Patience: 6}
	whole, err := Fit(context.Background(), x, cfg)
	require.NoError(t, err)
	require.Len(t, whole.Epochs, 7)
	for stop := range 6 {
		require.NoError(t, os.RemoveAll(file))
		ctx, cancel := context.WithCancel(context.Background())
		stopped := cfg
		stopped.File = file
		stopped.Progress = func(e Epoch) {
			if e.Number == stop {
				cancel()
			}
		}
		_, err := Fit(ctx, x, stopped)
		require.ErrorIs(t, err, context.Canceled)
		stopped.Progress = func(e Epoch) { require.Greater(t, e.Number, stop-1, "epochs are not done twice") }
		again, err := Fit(context.Background(), x, stopped)
		require.NoError(t, err)
		require.Equal(t, whole, again, "stopped after epoch %d", stop)
	}

	t.Run("other settings", func(t *testing.T) {
		other := cfg
		other.File, other.L1 = file, 3
		_, err := Fit(context.Background(), x, other)
		require.ErrorIs(t, err, ErrState)
	})
	t.Run("other examples", func(t *testing.T) {
		other := cfg
		other.File = file
		_, err := Fit(context.Background(), toyExamples(t, 901), other)
		require.ErrorIs(t, err, ErrState)
	})
	t.Run("damaged", func(t *testing.T) {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, bad := range [][]byte{nil, data[:len(data)/2], []byte("text")} {
			require.NoError(t, os.WriteFile(file, bad, 0o600))
			other := cfg
			other.File = file
			_, err = Fit(context.Background(), x, other)
			require.ErrorIs(t, err, ErrState)
		}
	})
}

func TestTooLittle(t *testing.T) {
	x, err := NewExamples(toySet)
	require.NoError(t, err)
	_, err = Fit(context.Background(), x, Config{From: make([]float32, 16)})
	require.ErrorIs(t, err, ErrExamples)
	x.Add(Example{Weight: 1})
	_, err = Fit(context.Background(), x, Config{From: make([]float32, 16)})
	require.ErrorIs(t, err, ErrExamples)
	_, err = Fit(context.Background(), x, Config{From: make([]float32, 15)})
	require.ErrorContains(t, err, "want 16")
}
