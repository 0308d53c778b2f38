//go:build !race

package manager_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/solver/alphabeta"
	"github.com/yomikiri/yomikiri/solver/manager"
)

// plainValues finds the values of all positions of a game with an index, by plain iteration.
func plainValues[P, M comparable](g games.Game[P, M], indexer games.Indexer[P]) map[P]games.Result {
	values := map[P]games.Result{}
	after := map[P][]P{}
	for _, tier := range indexer.Tiers() {
		for i := tier.Start; i < tier.Start+tier.Size; i++ {
			p, ok := indexer.Position(i)
			if !ok {
				continue
			}
			values[p] = games.Drawn
			if v, finished := g.Outcome(p); finished {
				values[p] = v.Result()
				continue
			}
			for _, m := range g.AppendMoves(nil, p) {
				index, err := indexer.Index(g.Play(p, m))
				if err != nil {
					panic(err)
				}
				q, _ := indexer.Position(index)
				after[p] = append(after[p], q)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for p, list := range after {
			best := games.Lost
			for _, q := range list {
				best = max(best, -values[q])
			}
			if best != values[p] && (best == games.Won || best == games.Lost) {
				values[p], changed = best, true
			}
		}
	}
	return values
}

// TestEvaluating proves the values of checkers on 4×4 with scores and small budgets: draws by
// repetition too, whose proofs are accepted. The values are those of a plain iteration.
func TestEvaluating(t *testing.T) {
	g, err := checkers.Family.Open("checkers:size=4x4")
	require.NoError(t, err)
	values := plainValues(g, g)
	rng := rand.New(rand.NewPCG(1, 2))
	sizes := g.Tiers()
	past := sizes[len(sizes)-1].Start + sizes[len(sizes)-1].Size
	roots := []checkers.Position{g.Start()}
	for len(roots) < 30 {
		p, ok := g.Position(rng.Uint64N(past))
		if _, finished := g.Outcome(p); ok && !finished {
			roots = append(roots, p)
		}
	}
	seen, repeating := map[games.Result]int{}, 0
	for _, root := range roots {
		tree := newTree(t, g, root, manager.Options{Policy: manager.Policy{Budget: 20, Tries: 1, Likely: 100, Rise: 100}})
		backends, err := alphabeta.NewBackends(g, games.Game[checkers.Position, checkers.Move](g), alphabeta.Config[checkers.Position]{}, 2<<20, 2)
		require.NoError(t, err)
		run(t, tree, backends)
		value, known := tree.Front().Value()
		require.True(t, known)
		require.Equal(t, values[g.Canonical(root)], value, "%s", g.AppendPosition(nil, root))
		if report := check(t, tree, g); report.Ahead > 0 {
			repeating++
		}
		seen[value]++
		require.NoError(t, tree.Close())
	}
	t.Logf("%v, %d proofs with repetitions", seen, repeating)
	require.Greater(t, min(seen[games.Won], seen[games.Lost], seen[games.Drawn], repeating), 2)
}
