package rules_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/proof/rules"
)

// TestPerpetualCheck has a proof refused that a side holds by perpetual check, which loses.
func TestPerpetualCheck(t *testing.T) {
	const root = "7k1/9/5NG2/9/5B2R/9/9/9/K8 b -"
	g, err := rules.Open("shogi", root)
	require.NoError(t, err)
	p, err := g.ParsePosition(root)
	require.NoError(t, err)
	nodes := []proof.Node{{Kind: proof.Ahead, Uses: 2, Position: []byte(root)}}
	for i, text := range []string{"1e2e", "2a1a", "2e1e", "1a2a"} {
		n := proof.Node{Kind: proof.And, Uses: 1, Rank: uint64(5 - i), Position: g.AppendPosition(nil, p), Children: []uint64{uint64(4 - i)}}
		if i%2 == 0 {
			n.Kind, n.Move = proof.Or, []byte(text)
		}
		if i == 0 {
			n.Uses = 2
		}
		nodes = append(nodes[:1], append([]proof.Node{n}, nodes[1:]...)...)
		m, err := games.ParseMove(g, p, text)
		require.NoError(t, err)
		p = g.Play(p, m)
	}
	require.Equal(t, root, string(g.AppendPosition(nil, p)))
	var file bytes.Buffer
	claim := proof.Claim{Side: proof.Mover, Goal: proof.Hold}
	w, err := proof.NewWriter(&file, proof.Header{Game: "shogi", Root: root, Claims: []proof.Claim{claim}, Repeats: true})
	require.NoError(t, err)
	for i := range nodes {
		_, err := w.Add(&nodes[i])
		require.NoError(t, err)
	}
	_, err = w.Add(&proof.Node{Kind: proof.Keeps, Children: []uint64{1, 5}})
	require.NoError(t, err)
	require.NoError(t, w.EndClaim(5))
	require.NoError(t, w.Close())
	r, err := proof.NewReader(&file)
	require.NoError(t, err)
	_, err = proof.Check(context.Background(), r, g, proof.CheckOptions{})
	require.ErrorIs(t, err, proof.ErrRefused)
	require.ErrorContains(t, err, "in shogi play without end is not always a draw")
}
