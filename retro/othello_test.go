//go:build !race

package retro_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/proof/rules"
	"github.com/yomikiri/yomikiri/retro"
)

// naiveScores returns the scores of all positions that can be reached, by a plain recursion.
func naiveScores[P, M comparable](g games.Game[P, M], canonical func(P) P, p P, known map[P]games.Value) games.Value {
	p = canonical(p)
	if v, ok := known[p]; ok {
		return v
	}
	best, finished := g.Outcome(p)
	if !finished {
		best = games.Score(-games.MaxScore)
		for _, m := range g.AppendMoves(nil, p) {
			best = max(best, -naiveScores(g, canonical, g.Play(p, m), known))
		}
	}
	known[p] = best
	return best
}

// TestOthello compares all scores of 4×4 with those by the second rules of the game. That the
// second player wins by 8 discs, 11:3, is in the literature.
func TestOthello(t *testing.T) {
	for name, value := range map[string]games.Value{"othello:size=4x4": games.Score(-8), "othello:size=4x4,empty=winner": games.Score(-10)} {
		g, err := othello.Family.Open(name)
		require.NoError(t, err)
		plain, err := rules.Open(name, string(g.AppendPosition(nil, g.Start())))
		require.NoError(t, err)
		want := map[rules.Position]games.Value{}
		canonical := plain.(games.Canonicalizer[rules.Position]).Canonical
		require.Equal(t, value, naiveScores(plain, canonical, plain.Start(), want), name)
		counts := map[games.Value]uint64{}
		for _, v := range want {
			counts[v]++
		}

		n, err := games.Number(t.Context(), g, games.NumberOptions{})
		require.NoError(t, err)
		u, err := games.UniverseWith(g, n)
		require.NoError(t, err)
		s, err := retro.Analyze(t.Context(), u, retro.Config{})
		require.NoError(t, err)
		got := map[games.Value]uint64{}
		for _, tier := range s.Tiers {
			for v, count := range tier.Values {
				got[v] += count
			}
		}
		maps.DeleteFunc(got, func(v games.Value, _ uint64) bool { return v == games.Hole })
		require.Equal(t, counts, got, name)
		for p, v := range want {
			if _, finished := plain.Outcome(p); finished {
				continue
			}
			q, err := g.ParsePosition(string(plain.AppendPosition(nil, p)))
			require.NoError(t, err)
			index, err := n.Index(q)
			require.NoError(t, err)
			if value, ok := s.Value(index); !ok || value != v {
				t.Fatalf("%s is worth %v, not %v", plain.AppendPosition(nil, p), v, value)
			}
		}
		t.Logf("%s: %d positions", name, len(want))
	}
}
