package threat

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/internal/race"
	"github.com/yomikiri/yomikiri/proof"
	gomokurules "github.com/yomikiri/yomikiri/proof/rules/gomoku"
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/solver/manager"
)

// checkByRules is a [manager.Checker].
func checkByRules(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (proof.Report, error) {
	g, ok := gomokurules.Open(r.Header().Game)
	if !ok {
		return proof.Report{}, errors.New("no second rules")
	}
	return proof.Check(ctx, r, g, o)
}

// runTree has a back end search a position for a win of the side to move.
func runTree(t *testing.T, g *gomoku.Game, p gomoku.Position, budget uint64, workers int) *manager.Tree {
	t.Helper()
	rules := manager.NewRules(g)
	m, err := manager.NewManifest(rules, string(g.AppendPosition(nil, p)), manager.AskWin, "a test")
	require.NoError(t, err)
	tree, err := manager.Open("tree", rules, m,
		manager.Options{FS: vfs.NewMem(), Policy: manager.Policy{Budget: budget, Tries: 2, Help: workers > 1}, Checker: checkByRules,
			Adapter: func(proof []byte, position string) ([]byte, bool) { return AdaptProof(g, proof, position) }})
	require.NoError(t, err)
	list, err := NewBackends(g, 1<<24, workers)
	require.NoError(t, err)
	carrier := cluster.NewMemory(cluster.Terms{})
	for _, m := range list[0].(*backend).pool.workers.list {
		m.attacks.vct.config.Nodes = 10 // or there would be no trees on small boards
	}
	done := make(chan error)
	for n, b := range list {
		name := fmt.Sprint("worker ", n)
		back, err := carrier.Join(cluster.Terms{}, name)
		require.NoError(t, err)
		w := manager.Worker{Carrier: back, Backend: b}
		go func() { done <- w.Run(context.Background()) }()
	}
	require.NoError(t, tree.Run(t.Context(), carrier.Front(), manager.RunOptions{Jobs: func() int { return workers }, Lease: time.Minute, Every: time.Second}))
	require.NoError(t, carrier.Front().Close())
	for range list {
		require.NoError(t, <-done)
	}
	return tree
}

// TestBackend proves positions of small boards by trees of small jobs: what is proven is
// won, and the proof is accepted.
func TestBackend(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(51, 52))
	var closed uint64
	positions := 20
	if testing.Short() {
		positions = 6
	}
	for _, c := range []struct {
		rules gomoku.Rules
		empty int
	}{
		{gomoku.Rules{Rows: 4, Columns: 4, K: 3}, 14}, {gomoku.Rules{Rows: 4, Columns: 4, K: 3, Exact: true}, 14},
		{gomoku.Rules{Rows: 5, Columns: 5, K: 4}, 16}, {gomoku.Rules{Rows: 5, Columns: 5, K: 4, Exact: true}, 17},
		{gomoku.Rules{Rows: 5, Columns: 6, K: 4}, 19},
	} {
		g := newGame(t, c.rules)
		t.Run(g.Name(), func(t *testing.T) {
			if race.Enabled && c.rules.K > 3 {
				t.Skip("the oracle takes long")
			}
			o := newOracle(t, g)
			proven, missed := 0, 0
			for i := range positions {
				p := randomPosition(g, rng, c.empty-rng.IntN(4))
				name := string(g.AppendPosition(nil, p))
				tree := runTree(t, g, p, 1+rng.Uint64N(4), 1+i%3)
				r := tree.Front().Report()
				closed += r.Stats.Closed
				require.Zero(t, r.Stats.Refused, name)
				if r.Questions[0].Outcome != solver.Proven {
					if o.wins(p, p.ToMove()) {
						missed++
					}
					continue
				}
				proven++
				require.True(t, o.wins(p, p.ToMove()), name)
				var file bytes.Buffer
				w, err := proof.NewWriter(&file, tree.Header())
				require.NoError(t, err)
				require.NoError(t, tree.WriteProof(t.Context(), w))
				require.NoError(t, w.Close())
				_, err = checkProof(t, file.Bytes())
				require.NoError(t, err, name)
				require.NoError(t, tree.Close())
			}
			t.Log(g.Name(), "proven", proven, "missed", missed)
			require.Greater(t, proven, 1)
		})
	}
	t.Log(closed, "nodes closed")
}

// TestBackendFullBoard asks about positions with few empty squares. A move that fills the board
// ends the game, so it must not be among those to go on with.
func TestBackendFullBoard(t *testing.T) {
	rng := rand.New(rand.NewPCG(55, 56))
	g := newGame(t, gomoku.Rules{Rows: 4, Columns: 4, K: 4})
	asked, failed := 0, 0
	for range 100 {
		p := randomPosition(g, rng, 1+rng.IntN(3))
		for _, attacker := range []bool{true, false} {
			list, err := NewBackends(g, 1<<20, 1)
			require.NoError(t, err)
			name := string(g.AppendPosition(nil, p))
			a, err := list[0].Search(t.Context(), &solver.Job{Question: solver.Question{Position: name, Attacker: attacker}, Budget: 1})
			require.NoError(t, err)
			asked++
			if a.Outcome == solver.Failed {
				failed++
			}
			for _, m := range a.Moves {
				s, err := g.ParseMove(p, m.Move)
				require.NoError(t, err)
				_, over := g.Outcome(g.Play(p, s))
				require.False(t, over, "%s after %s", m.Move, name)
			}
		}
	}
	t.Log(asked, failed)
	require.Greater(t, failed, 10)
}

// TestBackendCloses proves positions with the defender to move where some replies are proven
// elsewhere: the proof refers to those that the back end could not answer itself.
func TestBackendCloses(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 54))
	g := newGame(t, gomoku.Rules{Rows: 5, Columns: 5, K: 4})
	o := newOracle(t, g)
	search := func(j solver.Job) *solver.Answer {
		list, err := NewBackends(g, 1<<22, 1)
		require.NoError(t, err)
		a, err := list[0].Search(t.Context(), &j)
		require.NoError(t, err)
		return a
	}
	closed := 0
	for range 600 {
		q := randomPosition(g, rng, 14+rng.IntN(3))
		question := solver.Question{Position: string(g.AppendPosition(nil, q))}
		attacker := q.ToMove().Opponent()
		first := search(solver.Job{Question: question, Budget: 1})
		if len(first.Moves) == 0 || !o.wins(q, attacker) {
			continue
		}
		known := map[string]bool{}
		for _, m := range first.Moves {
			s, err := g.ParseMove(q, m.Move)
			require.NoError(t, err)
			known[string(g.AppendPosition(nil, g.Canonical(g.Play(q, s))))] = true
		}
		a := search(solver.Job{Question: question, Budget: 2, Close: solver.Proven, Known: slices.Collect(maps.Keys(known))})
		require.Equal(t, solver.Proven, a.Outcome, question.Position)
		r, err := proof.NewReader(bytes.NewReader(a.Fragment))
		require.NoError(t, err)
		for n, _, err := r.Next(); n != nil; n, _, err = r.Next() {
			require.NoError(t, err)
			if string(n.Certificate) == solver.Known {
				require.True(t, known[string(n.Position)])
				delete(known, string(n.Position))
			}
		}
		require.Empty(t, known)
		closed++
	}
	t.Log(closed, "closed")
	require.Greater(t, closed, 3)
}
