//go:build !race

package threat

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gomoku"
)

// plainZone is [Tree.Zone] with stones in place of marks, and all lines at each node.
func plainZone(b *gomoku.Board, attacker gomoku.Side, t *Tree, free int, zone *gomoku.Set) {
	zone.Add(t.Move)
	if t.Wins {
		return
	}
	defender := attacker.Opponent()
	b.Place(t.Move, attacker)
	for n := max(b.K()-2-free, 0); n < b.K(); n++ {
		for i, w := range append(gomoku.Windows(nil), b.Windows(defender, n)...) {
			for bit := range 64 {
				for s := range 32 {
					if w>>bit&1 != 0 && b.EmptyBits(64*i+bit)>>s&1 != 0 {
						zone.Add(b.WindowSquare(64*i+bit, s))
					}
				}
			}
		}
	}
	for _, r := range t.Replies {
		if b.IsEmpty(r.Move) {
			b.Place(r.Move, defender)
			plainZone(b, attacker, r.Then, free, zone)
			b.Remove(r.Move, defender)
		}
	}
	if !t.Otherwise.Wins {
		free++
	}
	plainZone(b, attacker, t.Otherwise, free, zone)
	b.Remove(t.Move, attacker)
}

func TestZoneAgainstPlain(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(61, 62))
	trees, positions := 0, 100
	if testing.Short() {
		positions = 8
	}
	for _, rules := range []gomoku.Rules{{Rows: 6, Columns: 6, K: 4}, {Rows: 6, Columns: 6, K: 4, Exact: true}, {Rows: 7, Columns: 8, K: 5}} {
		g := newGame(t, rules)
		x := newProver(t, g, ProverConfig{Memory: 1 << 24})
		for range positions {
			p := randomPosition(g, rng, rules.Rows*rules.Columns-4-rng.IntN(8))
			tree, err := x.Prove(context.Background(), p, 50)
			require.NoError(t, err)
			if tree == nil {
				continue
			}
			trees++
			b := g.NewBoard(p)
			var want gomoku.Set
			b.AddGaps(p.ToMove().Opponent(), rules.K-1, &want)
			plainZone(b, p.ToMove(), tree, 0, &want)
			require.Equal(t, want, tree.Zone(b, p.ToMove()), string(g.AppendPosition(nil, p)))
			require.Equal(t, p, b.Position(p.ToMove()))
		}
	}
	require.Greater(t, trees, positions)
}
