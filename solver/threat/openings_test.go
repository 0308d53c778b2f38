//go:build !race

package threat

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gomoku"
)

func TestOpenings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text string }{{"gomoku", freeOpenings}, {"gomoku:rule=exact", exactOpenings}} {
		t.Run(c.name, func(t *testing.T) { testOpenings(t, open(t, c.name), c.text) })
	}
	require.Nil(t, openings(open(t, "gomoku:size=14x14")))
}

func testOpenings(t *testing.T, g *gomoku.Game, text string) {
	first := openings(g)
	lines := 0
	var idle []string
	seen := map[gomoku.Position]string{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		lines++
		moves := strings.Fields(line)
		require.Zero(t, len(moves)%2-1, "%q: Black moves", line)
		p := g.Start()
		for _, text := range moves[:len(moves)-1] {
			m, err := g.ParseMove(p, text)
			require.NoError(t, err, line)
			p = g.Play(p, m)
			_, over := g.Outcome(p)
			require.False(t, over, line)
		}
		m, err := g.ParseMove(p, moves[len(moves)-1])
		require.NoError(t, err, line)
		require.Empty(t, seen[g.Canonical(p)], "%q: the same position", line)
		seen[g.Canonical(p)] = line

		got, ok := first[p]
		require.True(t, ok, line)
		require.Equal(t, g.Canonical(g.Play(p, m)), g.Canonical(g.Play(p, got)), line)
		if testing.Short() && lines%32 != 0 { // a hundredth of a second each, ten times that when claims are verified
			continue
		}
		branches, complete := newAttacks(t, g).AppendBranches(nil, p, true)
		if complete {
			idle = append(idle, line)
			continue
		}
		require.Greater(t, len(branches), 1, line)
		require.Equal(t, got, branches[0].Move, line)
		for _, b := range branches[1:] {
			require.NotEqual(t, got, b.Move, line)
			require.Greater(t, b.Proof, uint32(afterFirst), line)
		}
	}
	require.Empty(t, idle, "threats prove them, or a move is forced")
	require.Greater(t, lines, 100)
}

// newAttacks returns a brancher with the openings and without a search for continuous threats.
func newAttacks(t *testing.T, g *gomoku.Game) *attackBrancher {
	a := newAttackBrancher(g, nil)
	a.first = openings(g)
	return a
}

// TestBadOpening tries any move first: the others are searched too, and what is proven is won.
func TestBadOpening(t *testing.T) {
	rng := rand.New(rand.NewPCG(45, 46))
	g := newGame(t, gomoku.Rules{Rows: 5, Columns: 6, K: 4})
	o := newOracle(t, g)
	proven, bad := 0, 0
	for range 150 {
		p := randomPosition(g, rng, 14)
		name := string(g.AppendPosition(nil, p))
		plain, err := newProver(t, g, ProverConfig{Memory: 1 << 22}).Prove(context.Background(), p, 100)
		require.NoError(t, err)
		x := newProver(t, g, ProverConfig{Memory: 1 << 22})
		moves := g.AppendMoves(nil, p)
		first := moves[rng.IntN(len(moves))]
		x.attacks.first = map[gomoku.Position]gomoku.Square{p: first}
		tree, err := x.Prove(context.Background(), p, 2000)
		require.NoError(t, err)
		if plain != nil {
			require.NotNil(t, tree, "%s with %v", name, first)
		}
		if tree != nil {
			proven++
			require.True(t, o.wins(p, p.ToMove()), "%s with %v", name, first)
			require.NoError(t, checkTree(g, p, tree), "%s with %v", name, first)
			if x.Nodes() > 1 && tree.Move != first {
				bad++
			}
		}
	}
	require.Greater(t, proven, 10)
	require.Greater(t, bad, 3, "wins that the first move does not have")
}
