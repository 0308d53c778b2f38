package manager_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/natscarrier"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/solver/manager"
)

// refuted answers that the attacker wins, and that no reply matters.
type refuted struct{}

func (refuted) Search(_ context.Context, j *solver.Job) (*solver.Answer, error) {
	var file bytes.Buffer
	n := proof.Node{Kind: proof.And, Uses: 1, Rank: 1, Position: []byte(j.Position)}
	if j.Attacker {
		n.Kind, n.Move = proof.Or, []byte("a1")
	}
	w, err := proof.NewWriter(&file, proof.Header{Game: "tictactoe", Root: j.Position, Claims: []proof.Claim{solver.Claim(j.Attacker, true)}})
	if err != nil {
		return nil, err
	}
	number, err := w.Add(&n)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(w.EndClaim(number), w.Close()); err != nil {
		return nil, err
	}
	return &solver.Answer{Question: j.Question, Outcome: solver.Proven, Fragment: file.Bytes()}, nil
}

// TestRefusedOverNetwork has a worker over NATS send false proofs: each is refused with a warning that
// names it, and the run ends. The next run, with another worker, finds the value.
func TestRefusedOverNetwork(t *testing.T) {
	g, fs := tictactoe.Game{}, vfs.NewMem()
	run := func(name string, b solver.Backend) (*manager.Tree, []string, error) {
		tree := newTree(t, g, g.Start(), manager.Options{
			FS: fs, Policy: manager.Policy{Budget: 20},
			Checker: func(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (proof.Report, error) {
				return proof.Check(ctx, r, g, o)
			},
		})
		front, err := natscarrier.Open(t.Context(), natscarrier.Config{Listen: "127.0.0.1:0", Lease: lease, Store: t.TempDir()})
		require.NoError(t, err)
		var warnings []string
		done := make(chan error, 1)
		go func() {
			err := tree.Run(t.Context(), front, manager.RunOptions{
				Jobs: func() int { return 1 }, Lease: lease, Every: time.Second,
				Warn: func(err error) { warnings = append(warnings, err.Error()) },
			})
			front.Close()
			done <- err
		}()
		back, err := natscarrier.Join(t.Context(), natscarrier.Worker{URL: front.URL(), Name: name, Terms: cluster.Terms{}})
		require.NoError(t, err)
		defer back.Close()
		w := manager.Worker{Carrier: back, Backend: b}
		require.NoError(t, w.Run(t.Context()))
		err = <-done
		return tree, warnings, err
	}
	tree, before, err := run("bad", refuted{})
	require.ErrorIs(t, err, manager.ErrRefused)
	require.ErrorContains(t, err, `in a row of worker "bad", the last about position "`)
	require.NotEmpty(t, before)
	for _, w := range before {
		require.Contains(t, w, `result of worker "bad" refused: claim 1 (mover wins): node 1`)
	}
	require.NoError(t, tree.Close())

	list, err := solver.NewBackends(g, nil, solver.Config{}, 1)
	require.NoError(t, err)
	tree, after, err := run("good", list[0])
	require.NoError(t, err)
	require.Empty(t, after)
	defer tree.Close()
	value, known := tree.Front().Value()
	require.True(t, known)
	require.Equal(t, games.Drawn, value)
	require.EqualValues(t, len(before), tree.Front().Report().Stats.Refused, "all before the last")
	check(t, tree, g)
}
