package engine

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro/internal/graph"
)

// scoreGraphs calls do with random graphs whose values are scores.
func scoreGraphs(t *testing.T, n int, do func(t *testing.T, rng *rand.Rand, g *graph.Graph)) {
	for seed := range uint64(n) {
		rng := rand.New(rand.NewPCG(seed, 11))
		o := graph.Options{Tiers: 1 + rng.IntN(5), Size: 1 + rng.IntN(150), Degree: 1 + rng.IntN(4), Finished: rng.IntN(30), Scores: true}
		for range 1 + rng.IntN(5) {
			o.Outcomes = append(o.Outcomes, games.Score(rng.IntN(9)-4))
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) { do(t, rng, graph.New(rng, o)) })
	}
}

func TestScoresAgreeWithOracle(t *testing.T) {
	drawn, settled := 0, 0
	scoreGraphs(t, fewer(200), func(t *testing.T, rng *rand.Rand, g *graph.Graph) {
		want := g.SolveScores()
		for i, v := range want {
			if g.Status[i] == games.Unfinished && v == games.Draw {
				drawn++
			} else {
				settled++
			}
		}
		for _, positions := range []Positions{Reachable, All, ""} {
			u := g.Universe(g.Start(rng))
			s, err := analyze(t.Context(), u, Config{Positions: positions, Threads: 1 + rng.IntN(3), BatchSize: 1 + rng.IntN(9)})
			require.NoError(t, err)
			check(t, g, s, want)
			if positions == "" {
				require.Equal(t, All, s.Positions)
			}
		}
	})
	require.Greater(t, drawn, fewer(1000))
	require.Greater(t, settled, 1000)
}

func TestScoresResume(t *testing.T) {
	scoreGraphs(t, 30, func(t *testing.T, rng *rand.Rand, g *graph.Graph) {
		want := g.SolveScores()
		fs := vfs.NewMem()
		require.NoError(t, fs.MkdirAll("solve", 0o755))
		resume(t, g, g.Start(rng), want, Config{Positions: All, Threads: 2, FS: fs, Checkpoint: "solve"})
	})
}

func TestGainWithinTier(t *testing.T) {
	g := &graph.Graph{
		List:   []games.Tier{{Size: 2, Open: 2}},
		Status: []games.Value{games.Unfinished, games.Unfinished},
		Edges:  [][]uint64{{1}, {0}},
		Gains:  [][]int16{{0}, {2}},
	}
	_, err := analyze(t.Context(), g.Universe(0), Config{})
	require.EqualError(t, err, "a move of position 1 gains 2 and stays in the tier; a move with a gain must lead to an earlier tier")
}
