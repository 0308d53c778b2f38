//go:build !race

package threat

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/solver"
)

func newProver(t testing.TB, g *gomoku.Game, c ProverConfig) *Prover {
	x, err := NewProver(g, c)
	require.NoError(t, err)
	return x
}

// TestProverAgainstFullWidth proves positions of small boards by one prover, so that it
// uses what it knows of others: whatever it proves is won, whatever the reply.
func TestProverAgainstFullWidth(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	for _, c := range []struct {
		rules gomoku.Rules
		empty int
	}{
		{gomoku.Rules{Rows: 4, Columns: 4, K: 3}, 14}, {gomoku.Rules{Rows: 4, Columns: 4, K: 3, Exact: true}, 14},
		{gomoku.Rules{Rows: 5, Columns: 5, K: 4}, 14}, {gomoku.Rules{Rows: 5, Columns: 5, K: 4, Exact: true}, 14},
		{gomoku.Rules{Rows: 5, Columns: 6, K: 4}, 14}, {gomoku.Rules{Rows: 2, Columns: 9, K: 3}, 14},
	} {
		g := newGame(t, c.rules)
		x := newProver(t, g, ProverConfig{Memory: 1 << 22})
		o := newOracle(t, g)
		proven, missed := 0, 0
		for range 40 {
			p := randomPosition(g, rng, c.empty-rng.IntN(4))
			name := string(g.AppendPosition(nil, p))
			tree, err := x.Prove(context.Background(), p, 100)
			require.NoError(t, err)
			won := o.wins(p, p.ToMove())
			if tree == nil {
				if won {
					missed++
				}
				continue
			}
			proven++
			require.True(t, won, name)
			require.NoError(t, checkTree(g, p, tree), name)
		}
		t.Log(g.Name(), "proven", proven, "missed", missed)
		require.Greater(t, proven, 5)
	}
}

// TestUsualBoard proves openings on the usual board, and plays them out, from
// positions with a further stone of the defender outside of the zone too.
func TestUsualBoard(t *testing.T) {
	g := newGame(t, gomoku.Rules{Rows: 15, Columns: 15, K: 5})
	x := newProver(t, g, ProverConfig{Memory: 1 << 26})
	rng := rand.New(rand.NewPCG(43, 44))
	for _, moves := range [][]string{{"h8", "a1", "i9", "a15"}, {"h8", "a1", "i9", "i8"}, {"h8", "b1", "i9", "i8"}} {
		p := position(t, g, moves...)
		tree, err := x.Prove(context.Background(), p, 1000)
		require.NoError(t, err)
		require.NotNil(t, tree, "%v", moves)
		t.Log(moves, tree.Size(), tree.Moves(), x.Nodes())
		report, err := checkProof(t, writeProof(t, g, x, p, tree))
		require.NoError(t, err, "%v", moves)
		require.EqualValues(t, 1, report.Certified)
		zone := tree.Zone(g.NewBoard(p), p.ToMove())
		outside := g.EmptySquares(p)
		outside.RemoveAll(&zone)
		squares := slices.Collect(outside.All())
		for range 1000 {
			require.NoError(t, playTree(g, p, tree, rng))
			if len(squares) == 0 {
				continue
			}
			white := p.Stones(gomoku.White)
			white.Add(squares[rng.IntN(len(squares))])
			require.NoError(t, playTree(g, gomoku.NewPosition(p.Stones(gomoku.Black), white, gomoku.Black), tree, rng))
		}
	}
}

// TestSimilar proves a position by the win in another.
func TestSimilar(t *testing.T) {
	g := newGame(t, gomoku.Rules{Rows: 15, Columns: 15, K: 5})
	x := newProver(t, g, ProverConfig{Memory: 1 << 26})
	first := position(t, g, "h8", "a1", "i9", "i8")
	tree, err := x.Prove(context.Background(), first, 1000)
	require.NoError(t, err)
	nodes := x.Nodes()
	stones := []string{}
	for _, other := range []string{"a1", "a15", "o1", "o15", "b2", "a2"} {
		p := position(t, g, "h8", other, "i9", "i8")
		board := g.NewBoard(gomoku.NewPosition(p.Stones(gomoku.Black), position(t, g, "h8", "i8").Stones(gomoku.White), gomoku.Black))
		zone := tree.Zone(board, gomoku.Black)
		m, err := g.ParseMove(g.Start(), other)
		require.NoError(t, err)
		if other != "a1" && zone.Has(m) {
			continue
		}
		got, err := x.Prove(context.Background(), p, 1)
		require.NoError(t, err)
		require.Equal(t, tree, got)
		stones = append(stones, other)
	}
	require.Equal(t, nodes, x.Nodes())
	require.Greater(t, len(stones), 1)
}

func TestProverContext(t *testing.T) {
	g := newGame(t, gomoku.Rules{Rows: 15, Columns: 15, K: 5})
	x := newProver(t, g, ProverConfig{Memory: 1 << 24})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := x.Prove(ctx, position(t, g, "h8", "h9"), 1000)
	require.ErrorIs(t, err, context.Canceled)
	tree, err := x.Prove(context.Background(), position(t, g, "h8", "h9"), 10)
	require.NoError(t, err)
	require.Nil(t, tree)
	_, err = NewProver(g, ProverConfig{Memory: 4})
	require.Error(t, err)
}

// TestProverStops has the search for continuous threats in one position end with its
// context, for a prover and for a back end.
func TestProverStops(t *testing.T) {
	g := newGame(t, gomoku.Rules{Rows: 15, Columns: 15, K: 5})
	p := position(t, g, "h8", "h6", "g9", "i7", "h10", "j8", "k9", "g7", "f8", "e7")
	const nodes = 19005 // of that search
	for name, search := range map[string]func(context.Context, *Prover) error{
		"prover": func(ctx context.Context, x *Prover) error {
			_, err := x.Prove(ctx, p, 10)
			return err
		},
		"back end": func(ctx context.Context, x *Prover) error {
			t := &workers{list: []*worker{{Prover: x}}}
			b := &backend{game: g, pool: &pool{workers: t}}
			_, err := b.Search(ctx, &solver.Job{Question: solver.Question{Position: string(g.AppendPosition(nil, p)), Attacker: true}, Budget: 10})
			return err
		},
	} {
		x := newProver(t, g, ProverConfig{Memory: 1 << 26})
		x.attacks.vct.config.Nodes = 2 * nodes
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
		require.ErrorIs(t, search(ctx, x), context.DeadlineExceeded, name)
		require.Less(t, x.attacks.vct.nodes, uint64(nodes/2), name)
		cancel()
	}
}

func ExampleProver() {
	g, _ := gomoku.New(gomoku.Rules{Rows: 15, Columns: 15, K: 5})
	// Two stones side by side against two that are far away.
	p, _ := g.ParsePosition("o14/15/15/15/15/15/8x6/7x7/15/15/15/15/15/15/o14 x")
	x, _ := NewProver(g, ProverConfig{})
	tree, err := x.Prove(context.Background(), p, 1000)
	fmt.Println(tree != nil, err)
	// Output: true <nil>
}
