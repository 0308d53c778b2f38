package manager_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/internal/race"
	"github.com/yomikiri/yomikiri/proof"
	gomokurules "github.com/yomikiri/yomikiri/proof/rules/gomoku"
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/solver/manager"
	"github.com/yomikiri/yomikiri/solver/threat"
)

func init() {
	manager.GomokuBrancher, manager.AdaptGomoku = threat.NewBrancher, threat.AdaptProof
	manager.GomokuBackend = func(g *gomoku.Game) solver.Backend {
		list, err := threat.NewBackends(g, 1<<22, 1)
		if err != nil {
			panic(err)
		}
		return list[0]
	}
}

const lease = 10 * time.Second

// endless is a back end that searches until it is stopped.
type endless struct{ begun chan struct{} }

func (e endless) Search(ctx context.Context, _ *solver.Job) (*solver.Answer, error) {
	close(e.begun)
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestWorkerInterrupted interrupts a worker that has a job: it gives the job back at once.
func TestWorkerInterrupted(t *testing.T) {
	carrier := cluster.NewMemory(cluster.Terms{})
	back, err := carrier.Join(cluster.Terms{}, "worker")
	require.NoError(t, err)
	job := &solver.Job{Question: solver.Question{Position: "p"}}
	require.NoError(t, carrier.Front().Offer(t.Context(), cluster.Job{Body: job}))
	ctx, cancel := context.WithCancel(t.Context())
	e := endless{make(chan struct{})}
	go func() {
		<-e.begun
		cancel()
	}()
	w := manager.Worker{Carrier: back, Backend: e}
	require.NoError(t, w.Run(ctx))
	status, err := carrier.Front().Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, status.Queued)
}

// run works on a tree, with a worker for each back end, until it is done.
func run(t *testing.T, tree *manager.Tree, backends []solver.Backend) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	carrier := cluster.NewMemory(cluster.Terms{})
	failed := make(chan error, len(backends))
	for n, b := range backends {
		back, err := carrier.Join(cluster.Terms{}, fmt.Sprint(n))
		require.NoError(t, err)
		w := manager.Worker{Carrier: back, Backend: b}
		go func() { failed <- w.Run(ctx) }()
	}
	require.NoError(t, tree.Run(ctx, carrier.Front(), manager.RunOptions{Jobs: func() int { return len(backends) }, Lease: lease, Every: time.Second}))
	carrier.Front().Close()
	for range backends {
		require.NoError(t, <-failed)
	}
}

// checkGomoku is a [manager.Checker] by the second rules.
func checkGomoku(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (proof.Report, error) {
	g, ok := gomokurules.Open(r.Header().Game)
	if !ok {
		return proof.Report{}, errors.New("no second rules")
	}
	return proof.Check(ctx, r, g, o)
}

// check writes the proof of a tree and has it checked.
func check[P, M comparable](t *testing.T, tree *manager.Tree, rules games.Game[P, M]) proof.Report {
	t.Helper()
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, tree.Header())
	require.NoError(t, err)
	require.NoError(t, tree.WriteProof(t.Context(), w))
	require.NoError(t, w.Close())
	r, err := proof.NewReader(&file)
	require.NoError(t, err)
	report, err := proof.Check(t.Context(), r, rules, proof.CheckOptions{})
	require.NoError(t, err)
	return report
}

// alone returns how many positions one search expands to find the value of a game, and
// how many to write the proof.
func alone[P, M comparable](t *testing.T, g games.Game[P, M], newBrancher func() solver.Brancher[P, M], cfg solver.Config) (nodes, written uint64) {
	for _, attacker := range []bool{true, false} {
		list, err := solver.NewBackends(g, newBrancher, cfg, 1)
		require.NoError(t, err)
		question := solver.Question{Position: string(g.AppendPosition(nil, g.Start())), Attacker: attacker}
		a, err := list[0].Search(t.Context(), &solver.Job{Question: question, Budget: 1 << 40})
		require.NoError(t, err)
		require.True(t, a.Outcome.Settled())
		nodes, written = nodes+a.Nodes, written+a.Written
		if a.Outcome == solver.Proven {
			break
		}
	}
	return nodes, written
}

// newTree returns a new tree in memory about the value of a position.
func newTree[P, M comparable](t *testing.T, g games.Game[P, M], root P, o manager.Options) *manager.Tree {
	t.Helper()
	if o.FS == nil {
		o.FS = vfs.NewMem()
	}
	rules := manager.NewRules(g)
	m, err := manager.NewManifest(rules, string(g.AppendPosition(nil, root)), manager.AskValue, "a test")
	require.NoError(t, err)
	tree, err := manager.Open("tree", rules, m, o)
	require.NoError(t, err)
	return tree
}

// TestStatus reads the report of a run that has just begun.
func TestStatus(t *testing.T) {
	g, fs := tictactoe.Game{}, vfs.NewMem()
	tree := newTree(t, g, g.Start(), manager.Options{FS: fs})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, tree.Run(ctx, cluster.NewMemory(cluster.Terms{}).Front(), manager.RunOptions{Jobs: func() int { return 0 }, Every: time.Hour}), context.Canceled)
	r, err := manager.ReadStatus(fs, "tree")
	require.NoError(t, err)
	require.Equal(t, g.Name(), r.Game)
	require.NoError(t, tree.Close())
}

// TestBoards proves the values of boards of gomoku with small budgets, and checks the
// proofs by the second rules.
func TestBoards(t *testing.T) {
	text, err := os.ReadFile("../../games/gomoku/testdata/mnk.tsv")
	require.NoError(t, err)
	in := csv.NewReader(bytes.NewReader(text))
	in.Comma = '\t'
	rows, err := in.ReadAll()
	require.NoError(t, err)
	for _, row := range rows[1:] {
		spec := fmt.Sprintf("gomoku:size=%sx%s,k=%s", row[0], row[1], row[2])
		want, ok := map[string]games.Result{"win": games.Won, "draw": games.Drawn}[row[3]]
		require.True(t, ok)
		for _, workers := range []int{1, 2, 4} {
			t.Run(fmt.Sprintf("%s by %d", strings.TrimPrefix(spec, "gomoku:"), workers), func(t *testing.T) {
				g, err := gomoku.Family.Open(spec)
				require.NoError(t, err)
				if r := g.Rules(); race.Enabled && (r.Rows*r.Columns > 16 || workers != 2) {
					t.Skip("small boards are enough to find races")
				}
				brancher := func() solver.Brancher[gomoku.Position, gomoku.Square] { return threat.NewBrancher(g) }
				if r := g.Rules(); testing.Short() && (r.K == 4 && r.Rows*r.Columns > 20 || workers > 2) {
					t.Skip("it takes long")
				}
				nodes, written := alone(t, g, brancher, solver.Config{})
				begin := time.Now()
				tree := newTree(t, g, g.Start(), manager.Options{Policy: manager.Policy{Budget: max(nodes/100, 1)}, Checker: checkGomoku})
				defer tree.Close()
				backends, err := solver.NewBackends(g, brancher, solver.Config{}, workers)
				require.NoError(t, err)
				run(t, tree, backends)
				value, known := tree.Front().Value()
				require.True(t, known)
				require.Equal(t, want, value)
				took := time.Since(begin)
				rules, ok := gomokurules.Open(g.Name())
				require.True(t, ok)
				report := check(t, tree, rules)
				r := tree.Front().Report()
				t.Logf("%d jobs, %d closed, %d recalled, %d dropped, %d in the tree; searched %d (%.2f), with writing %d (%.2f); %v; proof of %d nodes", r.Stats.Jobs,
					r.Stats.Closed, r.Stats.Recalled, r.Stats.Dropped, r.Nodes.All, r.Stats.Nodes, float64(r.Stats.Nodes)/float64(nodes),
					r.Stats.Nodes+r.Stats.Written, float64(r.Stats.Nodes+r.Stats.Written)/float64(nodes+written), took, report.Nodes)
				require.Zero(t, r.Stats.Refused)
			})
		}
	}
}
