//go:build !race

package threat_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/gomoku/gomokutest"
	"github.com/yomikiri/yomikiri/proof"
	gomokurules "github.com/yomikiri/yomikiri/proof/rules/gomoku"
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/solver/threat"
)

var (
	huntPositions = flag.Int("hunt.positions", 0, "positions of TestHunt; 0 for what an ordinary test run takes")
	huntSeed      = flag.Uint64("hunt.seed", 1, "seed of TestHunt")
)

// hunter compares everything that finds wins with full-width search.
type hunter struct {
	rules    gomokutest.Rules
	oracle   *gomokutest.Solver
	game     *gomoku.Game
	searcher *threat.Searcher
	threats  *threat.VCT
	prover   *threat.Prover
	count    map[string]int
}

func newHunter(t *testing.T, rules gomokutest.Rules, count map[string]int) *hunter {
	g, err := gomoku.New(gomoku.Rules{Rows: rules.Rows, Columns: rules.Columns, K: rules.K, Exact: rules.Exact})
	require.NoError(t, err)
	threats, err := threat.NewVCT(g, threat.VCTConfig{Nodes: 2000, TableSize: 1 << 16})
	require.NoError(t, err)
	prover, err := threat.NewProver(g, threat.ProverConfig{Memory: 1 << 21})
	require.NoError(t, err)
	return &hunter{rules, gomokutest.NewSolver(rules, 300_000), g, threat.NewSearcher(g, 10), threats, prover, count}
}

// hunt looks for what is wrong about a position.
func (h *hunter) hunt(position gomokutest.Position) error {
	value, err := h.oracle.Value(position)
	if err != nil {
		h.count["too hard"]++
		return nil
	}
	h.count["positions"]++
	if value == gomokutest.Win {
		h.count["wins"]++
	}
	text := h.rules.Text(position)
	p, err := h.game.ParsePosition(text)
	if err != nil {
		return err
	}
	var errs []error
	for what, try := range map[string]func(gomoku.Position) (*threat.Tree, error){
		"threat-space search": h.threatSpace, "continuous threats": h.continuous, "attacks": h.attacks,
	} {
		tree, err := try(p)
		if tree != nil {
			h.count["won by "+what]++
			if value != gomokutest.Win {
				err = errors.Join(err, fmt.Errorf("full-width search says %d", value))
			}
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", what, err))
		}
	}
	for _, method := range []solver.Method{solver.BestFirst, solver.DepthFirst} {
		if err := h.solve(p, method, value); err != nil {
			errs = append(errs, fmt.Errorf("%v: %w", method, err))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%s %q: %w", h.rules.Spec(), text, err)
	}
	return nil
}

func (h *hunter) threatSpace(p gomoku.Position) (*threat.Tree, error) {
	b := h.game.NewBoard(p)
	tree := h.searcher.ThreatSpace(b, p.ToMove())
	return tree, h.checkTree(p, tree)
}

func (h *hunter) continuous(p gomoku.Position) (*threat.Tree, error) {
	tree, _, err := h.threats.Search(context.Background(), p)
	return tree, errors.Join(err, h.checkTree(p, tree))
}

func (h *hunter) attacks(p gomoku.Position) (*threat.Tree, error) {
	tree, err := h.prover.Prove(context.Background(), p, 200)
	return tree, errors.Join(err, h.checkTree(p, tree))
}

// checkTree has a win written as a proof, and checked.
func (h *hunter) checkTree(p gomoku.Position, tree *threat.Tree) error {
	if tree == nil || tree.Wins {
		return nil
	}
	header := proof.Header{Game: h.game.Name(), Root: string(h.game.AppendPosition(nil, p)), Claims: threat.Claims()}
	return h.checkProof(header, func(w *proof.Writer) error { return h.prover.WriteProof(context.Background(), w, p, tree) })
}

func (h *hunter) checkProof(header proof.Header, write func(w *proof.Writer) error) error {
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, header)
	if err != nil {
		return err
	}
	if err := errors.Join(write(w), w.Close()); err != nil {
		return err
	}
	r, err := proof.NewReader(&file)
	if err != nil {
		return err
	}
	h.count["proofs checked"]++
	_, err = gomokurules.Verify(context.Background(), r, proof.CheckOptions{})
	return err
}

// solve finds the value by proof-number search, and has its proof checked.
func (h *hunter) solve(p gomoku.Position, method solver.Method, want gomokutest.Value) error {
	s, err := solver.New(h.game, branchers(h.game), p, solver.Config{Method: method, Nodes: 3000, Memory: 1 << 20})
	if err != nil {
		return err
	}
	result, err := s.Solve(context.Background())
	if errors.Is(err, solver.ErrLimit) || err == nil && !result.Known {
		h.count[method.String()+" unknown"]++
		return nil
	}
	if err != nil {
		return err
	}
	values := map[gomokutest.Value]games.Result{gomokutest.Loss: games.Lost, gomokutest.Draw: games.Drawn, gomokutest.Win: games.Won}
	if result.Value != values[want] {
		return fmt.Errorf("value %v, and full-width search says %v", result.Value, values[want])
	}
	return h.checkProof(s.Header(), func(w *proof.Writer) error { return s.WriteProof(context.Background(), w) })
}

// branchers returns what makes branchers for g.
func branchers(g *gomoku.Game) func() solver.Brancher[gomoku.Position, gomoku.Square] {
	return func() solver.Brancher[gomoku.Position, gomoku.Square] { return threat.NewBrancher(g) }
}

// TestHunt looks for false wins where arguments about threats are thinnest:
// -hunt.positions and -hunt.seed make the hunt longer and another.
func TestHunt(t *testing.T) {
	t.Parallel()
	positions := *huntPositions
	if positions == 0 {
		if positions = 10_000; testing.Short() {
			positions = 400
		}
		if threat.Invariants() {
			positions /= 10
		}
	}
	count := map[string]int{}
	rng := rand.New(rand.NewPCG(*huntSeed, 0))
	failures := 0
	for i, rules := range gomokutest.Boards {
		h := newHunter(t, rules, count)
		g := gomokutest.NewGenerator(rules, 16, rng)
		for n := positions * i / len(gomokutest.Boards); n < positions*(i+1)/len(gomokutest.Boards); n++ {
			if err := h.hunt(g.Next()); err != nil {
				if failures++; failures <= 10 {
					t.Error(err)
				}
			}
		}
	}
	t.Log(count)
	require.Zero(t, failures)
	require.Greater(t, count["positions"], positions*9/10)
	for _, what := range []string{"threat-space search", "continuous threats", "attacks"} {
		require.Greater(t, count["won by "+what], count["positions"]/5, what)
	}
}
