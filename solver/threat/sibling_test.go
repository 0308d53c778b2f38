//go:build !race

package threat

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// TestAdaptProof has positions won whatever the defender has just played made from one
// another: the checker accepts a proof only if the position is won, and refuses many.
func TestAdaptProof(t *testing.T) {
	rng := rand.New(rand.NewPCG(81, 82))
	for _, c := range []struct {
		rules gomoku.Rules
		empty int
	}{
		{gomoku.Rules{Rows: 4, Columns: 4, K: 3}, 12}, {gomoku.Rules{Rows: 4, Columns: 4, K: 3, Exact: true}, 12},
		{gomoku.Rules{Rows: 5, Columns: 5, K: 4}, 13}, {gomoku.Rules{Rows: 4, Columns: 6, K: 4}, 13},
	} {
		g := newGame(t, c.rules)
		o := newOracle(t, g)
		x := newProver(t, g, ProverConfig{Memory: 1 << 22})
		accepted, refused, lost := 0, 0, 0
		for range 40 {
			q := randomPosition(g, rng, c.empty-rng.IntN(4)) // the defender is to move
			moves := g.AppendMoves(nil, q)
			p := g.Play(q, moves[rng.IntN(len(moves))])
			if _, over := g.Outcome(p); over {
				continue
			}
			tree, err := x.Prove(context.Background(), p, 50)
			require.NoError(t, err)
			if tree == nil || tree.Wins {
				continue
			}
			file := writeProof(t, g, x, p, tree)
			for _, m := range moves {
				r := g.Play(q, m)
				if _, over := g.Outcome(r); over || r == p {
					continue
				}
				name := string(g.AppendPosition(nil, g.Canonical(r)))
				won := o.wins(r, r.ToMove())
				if !won {
					lost++
				}
				adapted, ok := AdaptProof(g, file, name)
				if !ok {
					continue
				}
				if _, err := checkProof(t, adapted); err != nil {
					refused++
					continue
				}
				accepted++
				require.True(t, won, "%s from %s", name, g.AppendPosition(nil, p))
			}
		}
		t.Log(g.Name(), "accepted", accepted, "refused", refused, "not won", lost)
		require.Greater(t, refused, 0)
		require.Greater(t, lost, 0)
		require.Equal(t, !c.rules.Exact, accepted > 0, "with the exact rule no stone may be placed")
	}
}

// TestAdaptProofOf has proofs and positions that do not fit.
func TestAdaptProofOf(t *testing.T) {
	g := newGame(t, gomoku.Rules{Rows: 2, Columns: 5, K: 3})
	parse := func(text string) gomoku.Position {
		p, err := g.ParsePosition(text)
		require.NoError(t, err)
		return p
	}
	p := parse("4o/1x3 x")
	file, err := certified(g, p, []byte("tree\na1\nd1\nc1 2 +a1=1"))
	require.NoError(t, err)
	_, err = checkProof(t, file)
	require.NoError(t, err)
	for name, want := range map[string]string{
		"3o1/1x3 x": "tree +e2-d2\na1\nd1\nc1 2 +a1=1",
		"o4/1x3 x":  "tree +e2-a2\na1\nd1\nc1 2 +a1=1",
		"5/1xo2 x":  "", // the tree plays there
		"4o/x4 x":   "",
		"4x/1o3 o":  "", // another attacker
		"3oo/1x3 x": "",
		"4o/1x3 x":  "",
		"nonsense":  "",
	} {
		adapted, ok := AdaptProof(g, file, name)
		require.Equal(t, want != "", ok, name)
		if ok {
			_, err := checkProof(t, adapted)
			require.NoError(t, err, name)
			again, err := certified(g, parse(name), []byte(want))
			require.NoError(t, err)
			require.Equal(t, again, adapted, name)
		}
	}
	for _, bad := range [][]byte{nil, []byte("x"), file[:len(file)/2]} {
		_, ok := AdaptProof(g, bad, "3o1/1x3 x")
		require.False(t, ok)
	}
}

// TestAnswered has a tree in which the proof of one reply answers another.
func TestAnswered(t *testing.T) {
	g := newGame(t, gomoku.Rules{Rows: 8, Columns: 8, K: 4})
	tree := runTree(t, g, g.Start(), 2, 1)
	r := tree.Front().Report()
	require.Equal(t, solver.Proven, r.Questions[0].Outcome)
	require.Greater(t, r.Stats.Answered, uint64(0))
	require.Greater(t, r.Stats.Adapted, r.Stats.Answered, "some are refused")
	require.Zero(t, r.Stats.Refused)
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, tree.Header())
	require.NoError(t, err)
	require.NoError(t, tree.WriteProof(t.Context(), w))
	require.NoError(t, w.Close())
	_, err = checkProof(t, file.Bytes())
	require.NoError(t, err)
	require.NoError(t, tree.Close())
}
