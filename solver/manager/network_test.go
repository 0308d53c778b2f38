package manager_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/natscarrier"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/solver/manager"
)

// liar answers that the attacker wins, and that no reply matters.
type liar struct{}

func (liar) Search(_ context.Context, j *solver.Job) (*solver.Answer, error) {
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

// TestLiar has a worker over NATS send false proofs: it is refused and ends, and another
// worker does the proof.
func TestLiar(t *testing.T) {
	g := tictactoe.Game{}
	tree := newTree(t, g, g.Start(), manager.Options{
		Policy: manager.Policy{Budget: 20},
		Checker: func(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (proof.Report, error) {
			return proof.Check(ctx, r, g, o)
		},
	})
	defer tree.Close()
	front, err := natscarrier.Open(t.Context(), natscarrier.Config{Listen: "127.0.0.1:0", Lease: lease})
	require.NoError(t, err)
	refused := make(chan error, 100)
	done := make(chan error, 1)
	go func() {
		err := tree.Run(t.Context(), front, manager.RunOptions{
			Jobs: func() int { return 1 }, Lease: lease, Every: time.Second, Warn: func(err error) { refused <- err },
		})
		front.Close()
		done <- err
	}()
	work := func(name string, b solver.Backend) error {
		back, err := natscarrier.Join(t.Context(), natscarrier.Worker{URL: front.URL(), Name: name, Terms: cluster.Terms{}})
		require.NoError(t, err)
		defer back.Close()
		w := manager.Worker{Carrier: back, Backend: b}
		return w.Run(t.Context())
	}
	require.ErrorIs(t, work("liar", liar{}), proof.ErrRefused)
	require.ErrorContains(t, <-refused, `result of worker "liar #1" refused: claim 1 (mover wins): node 1`)
	list, err := solver.NewBackends(g, nil, solver.Config{}, 1)
	require.NoError(t, err)
	require.NoError(t, work("honest", list[0]))
	require.NoError(t, <-done)
	value, known := tree.Front().Value()
	require.True(t, known)
	require.Equal(t, games.Drawn, value)
	require.EqualValues(t, 1, tree.Front().Report().Stats.Refused)
	check(t, tree, g)
}
