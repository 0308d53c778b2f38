package proof_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
)

// add checks a proof of tic-tac-toe and adds what it says.
func add(t *testing.T, v *proof.Values[tictactoe.Position], f file) error {
	data, err := f.bytes()
	require.NoError(t, err)
	return v.Add(func(node func(proof.Claim, *proof.Node)) error {
		r, err := proof.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		_, err = proof.Check(t.Context(), r, tictactoe.Game{}, proof.CheckOptions{Node: node})
		return err
	})
}

// TestValues adds proofs that say more and less of the same positions, in any order.
func TestValues(t *testing.T) {
	g := tictactoe.Game{}
	const lost = "xo./.../..." // for o
	won, holds := prove(t, g, lost, moverWins), prove(t, g, lost, moverHolds)
	first, err := g.ParsePosition(lost)
	require.NoError(t, err)
	for _, c := range []struct {
		proofs []file
		want   string
	}{
		{nil, "unknown"},
		{[]file{holds}, "at least draw"},
		{[]file{holds, won}, "win"},
		{[]file{won, holds}, "win"},
		{[]file{prove(t, g, emptyTicTacToe, otherHolds)}, "unknown"},
	} {
		v := proof.NewValues(g)
		for _, f := range c.proofs {
			require.NoError(t, add(t, v, f))
		}
		b, rank := v.Bounds(first)
		require.Equal(t, c.want, b.String())
		require.Equal(t, c.want != "unknown", rank > 0)
	}
}

// TestValuesRefused adds a proof that is wrong at its end: what it says before that does not count. Then proofs contradict
// each other.
func TestValuesRefused(t *testing.T) {
	g := tictactoe.Game{}
	v := proof.NewValues(g)
	f := prove(t, g, emptyTicTacToe, moverHolds, otherHolds)
	wrong := f.clone()
	last := &wrong.claims[1].nodes
	*last = slices.Clone(*last)
	(*last)[len(*last)-1].Rank = 1
	require.ErrorIs(t, add(t, v, wrong), proof.ErrRefused)
	b, _ := v.Bounds(g.Start())
	require.Equal(t, games.Unbounded, b)
	require.NoError(t, add(t, v, f))
	b, _ = v.Bounds(g.Start())
	require.Equal(t, "draw", b.String())

	say := func(c proof.Claim, position string) error {
		return v.Add(func(node func(proof.Claim, *proof.Node)) error {
			node(c, &proof.Node{Kind: proof.Or, Rank: 1, Position: []byte(position)})
			return nil
		})
	}
	require.ErrorIs(t, say(moverWins, emptyTicTacToe), games.ErrContradiction)
	require.Error(t, say(moverWins, "no position"))
	b, _ = v.Bounds(g.Start())
	require.Equal(t, "draw", b.String())
}
