package proof_test

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
)

func TestCheckAccepts(t *testing.T) {
	small := plain(t, "gomoku:size=3x4,k=3")
	for name, f := range map[string]file{
		"draw":      prove(t, tictactoe.Game{}, emptyTicTacToe, otherHolds, moverHolds),
		"win":       prove(t, small, "4/4/4 x", moverWins),
		"holds":     prove(t, tictactoe.Game{}, "x../.o./..x", moverHolds),
		"quick":     prove(t, tictactoe.Game{}, "x.x/.o./..o", moverWins),
		"otherWins": prove(t, small, "4/1x2/4 o", otherWins),
		"exact":     prove(t, plain(t, "gomoku:size=3x4,k=3,rule=exact"), "4/4/4 x", moverWins),
		"finished":  prove(t, tictactoe.Game{}, "xxx/oo./...", otherWins),
		"full":      prove(t, tictactoe.Game{}, "xox/xxo/oxo", otherHolds, moverHolds),
	} {
		t.Run(name, func(t *testing.T) {
			data, err := f.bytes()
			require.NoError(t, err)
			report, err := checkBytes(data)
			require.NoError(t, err)
			require.EqualValues(t, len(data), report.Bytes)
			require.Len(t, report.Ranks, len(f.claims))
			require.Equal(t, report.Nodes, report.Or+report.And+report.Certified)
			nodes := 0
			for i, c := range f.claims {
				nodes += len(c.nodes)
				if c.root > 0 {
					require.Equal(t, c.nodes[c.root-1].Rank, report.Ranks[i])
				} else {
					require.Zero(t, report.Ranks[i])
				}
			}
			require.EqualValues(t, nodes, report.Nodes)
		})
	}
}

// TestRoundTrip reads what was written.
func TestRoundTrip(t *testing.T) {
	f := prove(t, tictactoe.Game{}, emptyTicTacToe, otherHolds, moverHolds)
	data, err := f.bytes()
	require.NoError(t, err)
	r, err := proof.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	require.Equal(t, f.header, r.Header())
	for _, c := range f.claims {
		for i := range c.nodes {
			n, _, err := r.Next()
			require.NoError(t, err)
			require.Equal(t, c.nodes[i].Kind, n.Kind)
			require.Equal(t, c.nodes[i].Uses, n.Uses)
			require.Equal(t, c.nodes[i].Rank, n.Rank)
			require.Equal(t, string(c.nodes[i].Position), string(n.Position))
			require.Equal(t, string(c.nodes[i].Move), string(n.Move))
			require.Equal(t, len(c.nodes[i].Children), len(n.Children))
			for j, child := range c.nodes[i].Children {
				require.Equal(t, child, n.Children[j])
			}
		}
		n, root, err := r.Next()
		require.NoError(t, err)
		require.Nil(t, n)
		require.Equal(t, c.root, root)
	}
	_, _, err = r.Next()
	require.ErrorIs(t, err, io.EOF)
}

// TestCheckProgress checks that progress is reported and changes nothing.
func TestCheckProgress(t *testing.T) {
	data, err := prove(t, tictactoe.Game{}, emptyTicTacToe, otherHolds, moverHolds).bytes()
	require.NoError(t, err)
	r, err := proof.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	report, err := proof.Check(context.Background(), r, tictactoe.Game{}, proof.CheckOptions{Progress: func(proof.Report) {}})
	require.NoError(t, err)
	quiet, err := checkBytes(data)
	require.NoError(t, err)
	require.Equal(t, quiet, report)
}

func TestCheckCancelled(t *testing.T) {
	g := plain(t, "gomoku:size=4x4,k=4")
	data, err := prove(t, g, "4/4/4/4 x", moverHolds).bytes()
	require.NoError(t, err)
	r, err := proof.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = proof.Check(ctx, r, g, proof.CheckOptions{})
	require.ErrorIs(t, err, context.Canceled)
}

// TestCertificate proves by certificates that a game is a draw.
func TestCertificate(t *testing.T) {
	g := plain(t, "gomoku:size=3x3,k=4")
	f := file{header: proof.Header{Game: g.Name(), Root: "3/3/3 x", Claims: []proof.Claim{otherHolds, moverHolds}}}
	for _, kind := range []proof.Kind{proof.CertifiedReply, proof.Certified} {
		f.claims = append(f.claims, claimProof{root: 1, nodes: []proof.Node{
			{Kind: kind, Uses: 1, Rank: 1, Position: []byte("3/3/3 x"), Certificate: []byte("pairing a1 b2")}}})
	}
	data, err := f.bytes()
	require.NoError(t, err)
	report, err := checkBytes(data)
	require.NoError(t, err)
	require.EqualValues(t, 2, report.Certified)

	// A game that knows no certificates refuses them.
	f.header.Game, f.header.Root = "tictactoe", emptyTicTacToe
	for i := range f.claims {
		f.claims[i].nodes[0].Position = []byte(emptyTicTacToe)
	}
	data, err = f.bytes()
	require.NoError(t, err)
	_, err = checkBytes(data)
	require.ErrorIs(t, err, proof.ErrRefused)
	require.ErrorContains(t, err, "know no certificates")

	// Unless they are assumed to be right: these, and no others.
	for assumed, accepted := range map[string]bool{"pairing a1 b2": true, "pairing": false} {
		r, err := proof.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		_, err = proof.Check(t.Context(), r, tictactoe.Game{}, proof.CheckOptions{Assumed: assumed})
		require.Equal(t, accepted, err == nil)
	}
}

func TestValue(t *testing.T) {
	for _, c := range []struct {
		claims []proof.Claim
		want   string
	}{
		{[]proof.Claim{moverWins}, "win"},
		{[]proof.Claim{otherWins}, "loss"},
		{[]proof.Claim{moverHolds}, "win or draw"},
		{[]proof.Claim{otherHolds}, "loss or draw"},
		{[]proof.Claim{otherHolds, moverHolds}, "draw"},
	} {
		got, err := proof.Value(c.claims)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
		var back proof.Claim
		text, err := c.claims[0].MarshalText()
		require.NoError(t, err)
		require.NoError(t, back.UnmarshalText(text))
		require.Equal(t, c.claims[0], back)
	}
	for _, claims := range [][]proof.Claim{nil, {moverWins, moverWins}, {moverWins, otherWins}, {moverWins, moverHolds}, {{Side: 2}}} {
		_, err := proof.Value(claims)
		require.Error(t, err)
	}
	require.ErrorContains(t, new(proof.Claim).UnmarshalText([]byte("nobody wins")), `claim "nobody wins": want "mover wins"`)
}

func TestWriterRefuses(t *testing.T) {
	header := proof.Header{Game: "tictactoe", Root: emptyTicTacToe, Claims: []proof.Claim{moverHolds}}
	position := []byte(emptyTicTacToe)
	for _, c := range []struct {
		node proof.Node
		want string
	}{
		{proof.Node{Kind: 9, Uses: 1, Rank: 1, Position: position}, "of kind 9"},
		{proof.Node{Kind: proof.And, Rank: 1, Position: position}, "no uses"},
		{proof.Node{Kind: proof.And, Uses: 1, Position: position}, "rank 0"},
		{proof.Node{Kind: proof.And, Uses: 1, Rank: 1}, "no position"},
		{proof.Node{Kind: proof.And, Uses: 1, Rank: 1, Position: position, Move: []byte("b2")}, `move "b2"`},
		{proof.Node{Kind: proof.Or, Uses: 1, Rank: 1, Position: position}, `move ""`},
		{proof.Node{Kind: proof.And, Uses: 1, Rank: 1, Position: position, Children: []uint64{1}}, "refers to nodes [1]"},
		{proof.Node{Kind: proof.And, Uses: 1, Rank: 1, Position: position, Children: []uint64{0}}, "refers to nodes [0]"},
		{proof.Node{Kind: proof.And, Uses: 1, Rank: 1, Position: position, Children: []uint64{2, 1}}, "ascending"},
		{proof.Node{Kind: proof.Certified, Uses: 1, Rank: 1, Position: position, Children: []uint64{1}}, "with 1 children"},
	} {
		w, err := proof.NewWriter(io.Discard, header)
		require.NoError(t, err)
		_, err = w.Add(&c.node)
		require.ErrorContains(t, err, c.want)
		require.ErrorContains(t, w.EndClaim(0), c.want, "the error sticks")
		require.ErrorContains(t, w.Close(), c.want)
	}
	w, err := proof.NewWriter(io.Discard, header)
	require.NoError(t, err)
	require.ErrorContains(t, w.Close(), "0 of 1 claims")
	w, err = proof.NewWriter(io.Discard, header)
	require.NoError(t, err)
	require.ErrorContains(t, w.EndClaim(1), "behind the last node")
	_, err = proof.NewWriter(io.Discard, proof.Header{Game: "tictactoe", Claims: header.Claims})
	require.ErrorContains(t, err, "no root position")
}
