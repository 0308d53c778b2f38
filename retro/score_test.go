package retro

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// solveScores is the oracle for scores. It asks of every score n what a side can
// force, by the meaning of the words: a position is worth at least n > 0 if the
// mover can force n within some number of moves, at most -n if the opponent can,
// and 0 where neither can force anything. Tiers are taken in order.
func (g *graph) solveScores() []games.Value {
	values := make([]games.Value, len(g.status))
	for _, s := range g.list {
		for i := s.Start; i < s.Start+s.Size; i++ {
			values[i] = games.Draw
			if g.status[i] != games.Unfinished {
				values[i] = g.status[i]
			}
		}
		for n := 1; n <= 40; n++ {
			// forced[i] is +1 if the mover, -1 if the opponent can force n.
			forced := map[uint64]int{}
			for changed := true; changed; {
				changed = false
				for i := s.Start; i < s.Start+s.Size; i++ {
					if f := g.forced(s, i, n, values, forced); f != forced[i] {
						forced[i], changed = f, true
					}
				}
			}
			for i, f := range forced {
				if g.status[i] == games.Unfinished && f != 0 {
					values[i] = games.Score(f * n)
				}
			}
		}
	}
	return values
}

// forced returns who can force n from position i by what is known so far.
func (g *graph) forced(s games.Tier, i uint64, n int, values []games.Value, forced map[uint64]int) int {
	all := len(g.edges[i]) > 0
	for j, to := range g.edges[i] {
		f := 0
		if to < s.Start || g.status[to] != games.Unfinished {
			switch worth := int(g.gains[i][j]) - int(values[to]); {
			case worth >= n:
				f = 1
			case worth <= -n:
				f = -1
			}
		} else {
			f = -forced[to]
		}
		if f == 1 {
			return 1
		}
		all = all && f == -1
	}
	if all {
		return -1
	}
	return 0
}

// scoreGraphs calls do with random graphs whose values are scores.
func scoreGraphs(t *testing.T, n int, do func(t *testing.T, rng *rand.Rand, g *graph)) {
	for seed := range uint64(n) {
		rng := rand.New(rand.NewPCG(seed, 11))
		o := graphOptions{tiers: 1 + rng.IntN(5), size: 1 + rng.IntN(150), degree: 1 + rng.IntN(4), finished: rng.IntN(30), scores: true}
		for range 1 + rng.IntN(5) {
			o.outcomes = append(o.outcomes, games.Score(rng.IntN(9)-4))
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) { do(t, rng, newGraph(rng, o)) })
	}
}

func TestScoresAgreeWithOracle(t *testing.T) {
	drawn, settled := 0, 0
	scoreGraphs(t, 200, func(t *testing.T, rng *rand.Rand, g *graph) {
		want := g.solveScores()
		for i, v := range want {
			if g.status[i] == games.Unfinished && v == games.Draw {
				drawn++
			} else {
				settled++
			}
		}
		for _, positions := range []Positions{Reachable, All, ""} {
			u := g.universe(g.start(rng))
			s, err := Analyze(t.Context(), u, Config{Positions: positions, Threads: 1 + rng.IntN(3), BatchSize: 1 + rng.IntN(9)})
			require.NoError(t, err)
			g.check(t, s, want)
			if positions == "" {
				require.Equal(t, All, s.Positions)
			}
		}
	})
	require.Greater(t, drawn, 1000)
	require.Greater(t, settled, 1000)
}

func TestScoresResume(t *testing.T) {
	scoreGraphs(t, 30, func(t *testing.T, rng *rand.Rand, g *graph) {
		want := g.solveScores()
		fs := vfs.NewMem()
		require.NoError(t, fs.MkdirAll("solve", 0o755))
		resume(t, g, g.start(rng), want, Config{Positions: All, Threads: 2, FS: fs, Checkpoint: "solve"})
	})
}

func TestGainWithinTier(t *testing.T) {
	g := &graph{
		list:   []games.Tier{{Size: 2, Open: 2}},
		status: []games.Value{games.Unfinished, games.Unfinished},
		edges:  [][]uint64{{1}, {0}},
		gains:  [][]int16{{0}, {2}},
	}
	_, err := Analyze(t.Context(), g.universe(0), Config{})
	require.EqualError(t, err, "a move of position 1 gains 2 and stays in the tier; a move with a gain must lead to an earlier tier")
}
