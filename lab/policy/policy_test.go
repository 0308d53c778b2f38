package policy

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/optimize"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/play/learn"
)

var toyMoves = &games.MoveFeatureSet{Version: "toy-moves-1", Sizes: []int32{3, 2, 4}}

// toyChoices returns choices of games in which moves were played with the chances of some policy.
func toyChoices(n int) *Choices {
	x := NewChoices(toyMoves)
	rng := rand.New(rand.NewPCG(1, 2))
	truth := (&Policy{Set: toyMoves, Model: Strengths, Weights: []float32{300, -200, 0, 100, -400, 0, 256, 512, -256}}).Chooser()
	for i := range n {
		var features []int32
		for range 2 + rng.IntN(6) {
			for _, size := range toyMoves.Sizes {
				features = append(features, int32(rng.IntN(int(size)+1))-1)
			}
		}
		chances, sum := truth.AppendChances(nil, features)
		played, at := 0, rng.Float64()*sum
		for at -= chances[0]; at > 0; at -= chances[played] {
			played++
		}
		x.Add(i/10, 0, features, played)
	}
	return x
}

// TestTwoStrengths compares strengths with the closed form: of a feature that wins a of n games against no feature,
// the strength s maximises a ln s - n ln(1+s) + prior (ln s - 2 ln(1+s)), so it is (a+prior)/(n-a+prior).
func TestTwoStrengths(t *testing.T) {
	set := &games.MoveFeatureSet{Version: "two", Sizes: []int32{1}}
	for _, c := range []struct {
		won, lost int
		prior     float64
	}{{3, 1, 1}, {10, 70, 1}, {5, 5, 2}, {7, 2, 1e-9}, {0, 4, 1}} {
		x := NewChoices(set)
		for i := range c.won + c.lost {
			played := 0
			if i >= c.won {
				played = 1
			}
			x.Add(0, 0, []int32{0, games.NoFeature}, played)
		}
		p, err := FitStrengths(t.Context(), x, Config{Prior: c.prior, HeldOut: -1, Gain: 1e-12})
		require.NoError(t, err)
		want := math.Log((float64(c.won) + c.prior) / (float64(c.lost) + c.prior))
		require.InDelta(t, want, p.Weights[0]/scale, 0.004, c)
	}
}

// TestStrengths compares minorization-maximization with a general method of optimisation, which maximises the
// likelihood computed from its definition.
func TestStrengths(t *testing.T) {
	x := toyChoices(300)
	loss := func(w []float64) float64 {
		sum := 0.0
		for i, c := range x.list {
			all, played := 0.0, 0.0
			for k := x.first(i); k < c.end; k++ {
				s := 0.0
				for _, f := range x.row(k) {
					if f > 0 {
						s += w[f-1]
					}
				}
				all += math.Exp(s)
				if k == c.played {
					played = s
				}
			}
			sum += math.Log(all) - played
		}
		for _, v := range w { // a win and a loss against the strength 1
			sum += 2*math.Log(1+math.Exp(v)) - v
		}
		return sum
	}
	gradient := func(g, w []float64) {
		const step = 1e-5
		for i := range w {
			saved := w[i]
			w[i] = saved + step
			g[i] = loss(w)
			w[i] = saved - step
			g[i] = (g[i] - loss(w)) / (2 * step)
			w[i] = saved
		}
	}
	r, err := optimize.Minimize(optimize.Problem{Func: loss, Grad: gradient}, make([]float64, toyMoves.Size()), &optimize.Settings{GradientThreshold: 1e-4}, &optimize.BFGS{})
	require.NoError(t, err)
	last := math.Inf(1)
	p, err := FitStrengths(t.Context(), x, Config{HeldOut: -1, Gain: 1e-12, Passes: 2000, Progress: func(e learn.Epoch) {
		require.LessOrEqual(t, e.Train, last+0.01) // priors are left out
		last = e.Train
	}})
	require.NoError(t, err)
	for i, w := range p.Weights {
		require.InDelta(t, r.X[i], w/scale, 0.005, i)
	}
	again, err := FitStrengths(t.Context(), x, Config{HeldOut: -1, Gain: 1e-12, Passes: 2000})
	require.NoError(t, err)
	require.Equal(t, p, again)
}

// TestStrengthsGrow checks that no improvement of a group makes the likelihood smaller.
func TestStrengthsGrow(t *testing.T) {
	c := Config{Prior: 1, HeldOut: 10}
	f := newStrengths(toyChoices(200), &c)
	before, _ := f.likelihood()
	for range 5 {
		for group := range f.groups {
			f.improve(group)
			after, _ := f.likelihood()
			require.GreaterOrEqual(t, after, before-1e-12)
			before = after
		}
	}
}

// TestRealization compares the probability of a move with one feature with its share of moves played, and checks that a
// feature without effect has no weight.
func TestRealization(t *testing.T) {
	x := NewChoices(&games.MoveFeatureSet{Version: "shares", Sizes: []int32{1, 1}})
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 20_000 {
		// A move with the feature among three without: played in 40 of 100 positions.
		played := 1 + rng.IntN(3)
		if rng.IntN(5) < 2 {
			played = 0
		}
		features := []int32{0, games.NoFeature}
		for range 3 {
			features = append(features, games.NoFeature, games.NoFeature)
		}
		features[1+2*rng.IntN(4)] = 0 // by chance
		x.Add(i, 0, features, played)
	}
	p, f, err := FitRealization(t.Context(), x, learn.Config{L1: 1, Rate: 0.2, Epochs: 10})
	require.NoError(t, err)
	require.Equal(t, 80_000, f.Examples+f.Held)
	chances, _ := p.Chooser().AppendChances(nil, []int32{0, games.NoFeature, games.NoFeature, games.NoFeature})
	require.InDelta(t, 0.4, chances[0], 0.02)
	require.InDelta(t, 0.2, chances[1], 0.02)
	require.InDelta(t, 0, p.Weights[1], 25)
	sparse, _, err := FitRealization(t.Context(), x, learn.Config{L1: 200})
	require.NoError(t, err)
	require.Zero(t, sparse.Weights[1])
	require.NotZero(t, sparse.Weights[0])
}

// TestPredict compares a prediction with one by hand.
func TestPredict(t *testing.T) {
	set := &games.MoveFeatureSet{Version: "hand", Sizes: []int32{2}}
	x := NewChoices(set)
	x.Add(1, 0, []int32{0, 1, -1}, 0)             // in the second of two games: the first of three
	x.Add(0, 0, []int32{0, 1, -1}, 0)             // not held out
	x.Add(3, 0, []int32{0, 0, 1, -1, -1, -1}, 1)  // one of two best
	x.Add(5, 0, []int32{1, -1, -1, -1, 0, 0}, 0)  // the last
	x.Add(7, 0, []int32{-1, -1, 0, -1, -1, 0}, 0) // one of four after two
	weight := float32(scale * math.Ln2)
	p := &Policy{Set: set, Model: Strengths, Weights: []float32{weight, -weight}} // 2, 1/2 and 1
	got, n := Predict(x, p, 2, 1)
	require.Equal(t, 4, n)
	require.InDelta(t, (1+0.5+0+0)/4, got.First.Value, 1e-9)
	require.InDelta(t, (1+1+0+0.25)/4, got.Three.Value, 1e-9)
	require.InDelta(t, (1+1+0+0.75)/4, got.Five.Value, 1e-9)
	want := math.Log(2/3.5) + math.Log(2/7.5) + math.Log(0.5/7.5) + math.Log(1./8)
	require.InDelta(t, want/4, got.LogLikelihood.Value, 1e-6)
	require.Less(t, got.LogLikelihood.Low, got.LogLikelihood.Value)
	uniform, _ := Predict(x, nil, 2, 1)
	require.InDelta(t, (1./3+1./6*3)/4, uniform.First.Value, 1e-9)
	require.InDelta(t, -(math.Log(3)+3*math.Log(6))/4, uniform.LogLikelihood.Value, 1e-9)
	none, n := Predict(x, nil, 100, 1)
	require.Zero(t, n)
	require.Nil(t, none)
}

// TestAddGame checks which moves of a game are choices.
func TestAddGame(t *testing.T) {
	g := tictactoe.Game{}
	x := NewChoices(g.MoveFeatureSet())
	// b2 a1 c3 a3 a2 c2 b1 b3 and, without a choice, c1.
	game := learn.Game[tictactoe.Position, tictactoe.Move]{Group: 4, Moves: []tictactoe.Move{4, 0, 8, 6, 3, 5, 1, 7, 2}}
	AddGame(x, g, g, 0, &game, 1, learn.Whole)
	require.Equal(t, 8, x.Len())
	require.Equal(t, 9+8+7+6+5+4+3+2, x.Moves())
	require.Equal(t, choice{end: 9, played: 4, group: 4}, x.list[0])
	require.Equal(t, []uint16{0, 6}, x.row(4)) // the middle
	require.Equal(t, []uint16{2, 4}, x.row(x.list[4].played))
	x = NewChoices(g.MoveFeatureSet())
	AddGame(x, g, g, 0, &game, 2, learn.Whole)
	require.Equal(t, 4, x.Len())
	x = NewChoices(g.MoveFeatureSet())
	AddGame(x, g, g, 0, &game, 1, learn.ByProgress)
	AddGame(x, g, g, 7, &game, 1, learn.ByGame)
	require.Equal(t, 5*learn.ProgressParts/9, x.list[5].part)
	require.Equal(t, 7, x.list[13].part)
}

// TestParts checks that a choice of weight 2 counts as two, one of weight 0 as none, and that weights of 1 change nothing.
func TestParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	weighed, repeated := NewChoices(toyMoves), NewChoices(toyMoves)
	for i := range 400 {
		var features []int32
		for range 3 {
			for _, size := range toyMoves.Sizes {
				features = append(features, int32(rng.IntN(int(size)+1))-1)
			}
		}
		part, played := i%3, rng.IntN(3)
		group := i / 3 % 10
		weighed.Add(group, part, features, played)
		for range part {
			repeated.Add(group, 0, features, played)
		}
	}
	require.Equal(t, 3, weighed.Parts())
	for _, m := range []Model{Strengths, Realization} {
		fit := learn.Config{HeldOut: 10, Epochs: 20, L1: 1e-6, Parts: []float64{0, 1, 2}, Rate: 0.1}
		got, err := Fit(t.Context(), weighed, m, fit)
		require.NoError(t, err)
		fit.Parts = nil
		want, err := Fit(t.Context(), repeated, m, fit)
		require.NoError(t, err)
		if m == Strengths { // realization begins with the share of moves that are played, and its steps depend on the order
			require.InDeltaSlice(t, want.Weights, got.Weights, 1.5)
		}
		plain, err := Fit(t.Context(), weighed, m, fit)
		require.NoError(t, err)
		require.NotEqual(t, plain.Weights, got.Weights)
		fit.Parts = []float64{1, 1, 1}
		same, err := Fit(t.Context(), weighed, m, fit)
		require.NoError(t, err)
		require.Equal(t, plain.Weights, same.Weights)
		fit.Parts = []float64{1, 1}
		_, err = Fit(t.Context(), weighed, m, fit)
		require.ErrorContains(t, err, "weights for 2 parts of the data, want 3")
	}
	_, err := Fit(t.Context(), weighed, Strengths, learn.Config{HeldOut: 10, Parts: []float64{0, 0, 0}})
	require.ErrorIs(t, err, learn.ErrExamples)
	_, err = Fit(t.Context(), weighed, "best", learn.Config{})
	require.ErrorIs(t, err, ErrModel)
}

// TestPolicyFile checks that a policy is read as it was written, and not for other features.
func TestPolicyFile(t *testing.T) {
	g, err := connect4.Family.Open("connect4")
	require.NoError(t, err)
	set := g.MoveFeatureSet()
	for _, m := range []Model{Realization, Strengths} {
		p := &Policy{Set: set, Model: m, Weights: make([]float32, PolicySet(set, m).Size)}
		p.Weights[7] = 3
		var file bytes.Buffer
		require.NoError(t, p.Write(&file, "nothing"))
		got, err := ReadPolicy(file.Bytes(), set)
		require.NoError(t, err)
		require.Equal(t, p, got)
		_, err = ReadPolicy(file.Bytes(), toyMoves)
		require.ErrorIs(t, err, games.ErrWeights)
		require.ErrorContains(t, err, "features connect4-moves-1 "+string(m))
	}
}
