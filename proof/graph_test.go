package proof_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/proof"
)

// TestGraph compares the nodes of files by their numbers with those in the order of the
// file, from the last to the first.
func TestGraph(t *testing.T) {
	files, err := filepath.Glob("testdata/*.proof")
	require.NoError(t, err)
	texts := map[string][]byte{}
	for _, name := range files {
		texts[name], err = os.ReadFile(name)
		require.NoError(t, err)
	}
	texts["many chunks"] = manyChunks(t)
	for name, text := range texts {
		g, err := proof.OpenGraph(context.Background(), bytes.NewReader(text), int64(len(text)))
		require.NoError(t, err, name)
		r, err := proof.NewReader(bytes.NewReader(text))
		require.NoError(t, err)
		require.Equal(t, r.Header(), g.Header())
		claims, total := [][]proof.Node{nil}, uint64(0)
		for {
			n, root, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
			last := len(claims) - 1
			if n == nil {
				require.Equal(t, root, g.Root(last))
				claims = append(claims, nil)
				continue
			}
			total++
			c := *n
			c.Position, c.Move, c.Certificate = bytes.Clone(n.Position), bytes.Clone(n.Move), bytes.Clone(n.Certificate)
			c.Children = append([]uint64(nil), n.Children...)
			claims[last] = append(claims[last], c)
		}
		claims = claims[:len(claims)-1]
		require.Equal(t, total, g.Counts().Nodes)
		for claim := len(claims) - 1; claim >= 0; claim-- {
			for i := len(claims[claim]) - 1; i >= 0; i-- {
				got, err := g.Node(claim, uint64(i+1))
				require.NoError(t, err, "%s: claim %d, node %d", name, claim, i+1)
				want := claims[claim][i]
				require.Equal(t, string(want.Position), string(got.Position))
				require.Equal(t, string(want.Move), string(got.Move))
				require.Equal(t, want.Kind, got.Kind)
				require.Equal(t, want.Rank, got.Rank)
				require.True(t, len(want.Children) == 0 && len(got.Children) == 0 || slices.Equal(want.Children, got.Children))
			}
			_, err = g.Node(claim, uint64(len(claims[claim])+1))
			require.Error(t, err)
			_, err = g.Node(claim, 0)
			require.Error(t, err)
		}
		text[len(text)/2] ^= 1
		_, err = proof.OpenGraph(context.Background(), bytes.NewReader(text), int64(len(text)))
		require.ErrorIs(t, err, proof.ErrCorrupt, name)
	}
}

// manyChunks is a file with two claims of several chunks each.
func manyChunks(t *testing.T) []byte {
	var out bytes.Buffer
	w, err := proof.NewWriter(&out, proof.Header{Game: "test", Root: "root", Claims: []proof.Claim{{Side: proof.Mover, Goal: proof.Hold}, {Side: proof.Other, Goal: proof.Hold}}})
	require.NoError(t, err)
	for _, move := range []string{"m", "n"} {
		const nodes = 9000
		for i := uint64(1); i <= nodes; i++ {
			n := proof.Node{Kind: proof.Or, Uses: 1, Rank: i, Position: bytes.Repeat([]byte{byte(i), byte(i >> 8)}, 50), Move: []byte(move)}
			if i > 1 {
				n.Children = []uint64{i - 1}
			}
			_, err := w.Add(&n)
			require.NoError(t, err)
		}
		require.NoError(t, w.EndClaim(nodes))
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}
