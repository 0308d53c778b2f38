//go:build !race

package server_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/hex"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/server"
	"github.com/yomikiri/yomikiri/solver"
)

// TestProofMonotone walks through a proof whose nodes are worse for the claimant than the
// positions that are shown.
func TestProofMonotone(t *testing.T) {
	rules, err := hex.Family.Rules("hex:size=4x4")
	require.NoError(t, err)
	g := hex.Family.New(rules)
	x, err := solver.New[hex.Position, hex.Move](g, nil, g.Start(), solver.Config{})
	require.NoError(t, err)
	_, err = x.Solve(t.Context())
	require.NoError(t, err)
	header := x.Header()
	require.True(t, header.Monotone)
	f, err := os.Create(filepath.Join(t.TempDir(), "hex.proof")) // the proof closes it
	require.NoError(t, err)
	w, err := proof.NewWriter(f, header)
	require.NoError(t, err)
	require.NoError(t, x.WriteProof(t.Context(), w))
	require.NoError(t, w.Close())
	info, err := f.Stat()
	require.NoError(t, err)
	graph, err := proof.OpenGraph(t.Context(), f, info.Size())
	require.NoError(t, err)
	served, err := server.NewProof(server.ProofSource{
		Name: "hex.proof", File: f, Graph: graph, Game: openGame(t, rules.String()),
		Check: func(ctx context.Context, r *proof.Reader) error {
			_, err := proof.Check(ctx, r, g, proof.CheckOptions{})
			return err
		},
	})
	require.NoError(t, err)
	s := newServer(t, server.Config{Proofs: []server.Proof{served}})
	s.Check(t.Context())
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var path []string
		for claimant := true; ; claimant = !claimant {
			n := get[server.ProofNode](t, s, "/api/v1/proof/hex.proof/node?path="+strings.Join(path, ","))
			require.Zero(t, n.Rank, "no bound on plies")
			if n.Finished {
				require.False(t, claimant, "the claimant has won")
				break
			}
			if claimant {
				require.Len(t, n.Moves, 1, path)
			} else {
				require.Len(t, n.Moves, 16-len(path), path)
			}
			path = append(path, n.Moves[rng.IntN(len(n.Moves))].Move)
		}
	}
}
