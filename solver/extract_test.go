//go:build !race

package solver_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/games/variant"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/proof/plain"
	"github.com/yomikiri/yomikiri/solver"
)

// oracle has the results of all positions of a game that ends, by trying all moves. lie, if set, may change them.
type oracle[P, M comparable] struct {
	g     games.Game[P, M]
	known map[P]games.Result
	lie   func(r games.Result) games.Result
}

func (o *oracle[P, M]) result(p P) games.Result {
	if r, ok := o.known[p]; ok {
		return r
	}
	v, finished := o.g.Outcome(p)
	r := v.Result()
	if !finished {
		r = games.Lost
		for _, m := range o.g.AppendMoves(nil, p) {
			r = max(r, -o.result(o.g.Play(p, m)))
		}
		if o.lie != nil {
			r = o.lie(r)
		}
	}
	o.known[p] = r
	return r
}

func (o *oracle[P, M]) Value(p P) (games.Value, bool, error) { return o.result(p).Value(), true, nil }

func newOracle[P, M comparable](g games.Game[P, M]) *oracle[P, M] {
	return &oracle[P, M]{g: g, known: map[P]games.Result{}}
}

// nothing has no values.
type nothing[P comparable] struct{}

func (nothing[P]) Value(P) (games.Value, bool, error) { return 0, false, nil }

// extract returns the proof file of a position.
func extract[P, M comparable](t *testing.T, g games.Game[P, M], values solver.Values[P], root P, leave uint64) (data []byte, err error) {
	e, err := solver.Extract(t.Context(), g, values, root, solver.ExtractConfig{Leave: leave})
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, e.Header())
	require.NoError(t, err)
	require.NoError(t, e.WriteProof(w))
	require.NoError(t, w.Close())
	return file.Bytes(), nil
}

// check has both checkers look at a file, which must agree.
func check[P, M comparable](t *testing.T, g games.Game[P, M], data []byte) (proof.Report, error) {
	r, err := proof.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	report, err := proof.CheckResult(t.Context(), r, g, proof.CheckOptions{Positions: 1 << 40})
	_, plainly := plain.Check(t.Context(), bytes.NewReader(data), plain.Options{})
	if err == nil {
		require.NoError(t, plainly)
		return report, nil
	}
	require.ErrorIs(t, err, proof.ErrRefused)
	require.ErrorIs(t, plainly, plain.ErrRefused)
	return report, err
}

const smallAmazons = `
[two:amazons]
maxRank = 3
maxFile = c
startFen = q1q/3/Q1Q w - - 0 1

[uneven:amazons]
maxRank = 3
maxFile = c
startFen = 1q1/3/QQ1 b - - 0 1

[long:amazons]
maxRank = 4
maxFile = c
startFen = 1q1/3/3/1Q1 w - - 0 1
`

func openAmazons(t *testing.T, name string) games.Game[variant.Position, variant.Move] {
	f, err := variant.Read("amazons.ini", strings.NewReader(smallAmazons), variant.BuiltIn())
	require.NoError(t, err)
	g, err := f.Family(name, name).Open(name)
	require.NoError(t, err)
	return g
}

// TestExtract has proofs from right values accepted, from positions of either side's and with more and more left to the checkers.
func TestExtract(t *testing.T) {
	for _, name := range []string{"two", "uneven", "long"} {
		if name == "long" && testing.Short() {
			continue
		}
		g := openAmazons(t, name)
		o, rng := newOracle(g), rand.New(rand.NewPCG(1, 2))
		for range 4 {
			root := g.Start()
			for range rng.IntN(3) {
				if moves := g.AppendMoves(nil, root); len(moves) > 0 {
					root = g.Play(root, moves[rng.IntN(len(moves))])
				}
			}
			extractAll(t, g, o, root)
		}
	}
	var draws tictactoe.Game
	extractAll(t, games.Game[tictactoe.Position, tictactoe.Move](draws), newOracle(games.Game[tictactoe.Position, tictactoe.Move](draws)), draws.Start())
}

func extractAll[P, M comparable](t *testing.T, g games.Game[P, M], o *oracle[P, M], root P) {
	nodes, text := uint64(1<<32), string(g.AppendPosition(nil, root))
	for _, leave := range []uint64{0, 3, 20, 1 << 30} {
		data, err := extract(t, g, o, root, leave)
		require.NoError(t, err, text)
		report, err := check(t, g, data)
		require.NoError(t, err, text)
		r, err := proof.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		value, err := proof.Value(r.Header().Claims)
		require.NoError(t, err)
		require.Equal(t, o.result(root).Value().String(), value, text)
		require.LessOrEqual(t, report.Nodes, nodes)
		nodes = report.Nodes
		require.Equal(t, leave > 0 && r.Header().Positions > 0, report.Searched > 0)
	}
	require.LessOrEqual(t, nodes, uint64(2), "%s: with everything left to the checkers there is a node for each claim", text)
}

// TestExtractLies has values that are wrong here and there: no false proof comes of them, and many come to nothing.
func TestExtractLies(t *testing.T) {
	failed, wrong := 0, 0
	for seed := range uint64(14) {
		g := openAmazons(t, []string{"two", "uneven"}[seed%2])
		truth, rng := newOracle(g), rand.New(rand.NewPCG(seed, 3))
		liar := newOracle(g)
		liar.lie = func(r games.Result) games.Result {
			if rng.IntN(1+int(seed)) == 0 {
				return -r
			}
			return r
		}
		if liar.result(g.Start()) != truth.result(g.Start()) {
			wrong++
		}
		data, err := extract(t, g, liar, g.Start(), seed%3*5)
		if err != nil {
			require.ErrorIs(t, err, solver.ErrContradiction)
			failed++
			continue
		}
		if _, err = check(t, g, data); err == nil {
			require.Equal(t, truth.result(g.Start()), liar.result(g.Start()))
		}
	}
	require.Greater(t, failed, 2)
	require.Greater(t, wrong, 1)
}

// TestExtractMutants changes a node of a proof at a time: both checkers refuse what is wrong then.
func TestExtractMutants(t *testing.T) {
	g := openAmazons(t, "uneven")
	data, err := extract(t, g, newOracle(g), g.Start(), 5)
	require.NoError(t, err)
	header, nodes, root := readNodes(t, data)
	require.Greater(t, len(nodes), 30)
	refusedAll := 0
	mutate := func(i int, change func(n *proof.Node)) {
		mutant := slices.Clone(nodes)
		mutant[i].Children = slices.Clone(nodes[i].Children)
		change(&mutant[i])
		// Uses and searches are counted again, so that nothing but the change is wrong.
		h := header
		h.Positions = 0
		for j := range mutant {
			mutant[j].Uses = 0
			h.Positions += mutant[j].Positions
		}
		for j := range mutant {
			for _, c := range mutant[j].Children {
				mutant[c-1].Uses++
			}
		}
		mutant[root-1].Uses++
		for j := range mutant {
			if mutant[j].Uses == 0 {
				return // it would be refused for that
			}
		}
		var file bytes.Buffer
		w, err := proof.NewWriter(&file, h)
		require.NoError(t, err)
		for j := range mutant {
			_, err := w.Add(&mutant[j])
			require.NoError(t, err)
		}
		require.NoError(t, w.EndClaim(root))
		require.NoError(t, w.Close())
		_, err = check(t, g, file.Bytes())
		require.Error(t, err, "node %d: %+v", i+1, mutant[i])
		refusedAll++
	}
	for i, n := range nodes {
		switch {
		case n.Positions > 0:
			mutate(i, func(n *proof.Node) { n.Positions-- })
		case n.Kind == proof.And && len(n.Children) > 0:
			mutate(i, func(n *proof.Node) { n.Children = n.Children[1:] })
			mutate(i, func(n *proof.Node) { n.Rank = 1 })
		case n.Kind == proof.Or:
			p, err := g.ParsePosition(string(n.Position))
			require.NoError(t, err)
			for _, m := range g.AppendMoves(nil, p) {
				if text := g.AppendMove(nil, p, m); string(text) != string(n.Move) {
					mutate(i, func(n *proof.Node) { n.Move = text })
					break
				}
			}
		}
	}
	require.Greater(t, refusedAll, 30)
}

// readNodes returns what a file with one claim has.
func readNodes(t *testing.T, data []byte) (h proof.Header, nodes []proof.Node, root uint64) {
	r, err := proof.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	for {
		n, number, err := r.Next()
		if errors.Is(err, io.EOF) {
			return r.Header(), nodes, root
		}
		require.NoError(t, err)
		if n == nil {
			root = number
			continue
		}
		c := *n
		c.Position, c.Move, c.Children = bytes.Clone(n.Position), bytes.Clone(n.Move), slices.Clone(n.Children)
		nodes = append(nodes, c)
	}
}

// TestExtractRefused asks for what cannot be.
func TestExtractRefused(t *testing.T) {
	g := openAmazons(t, "two")
	_, err := solver.Extract(t.Context(), g, nothing[variant.Position]{}, g.Start(), solver.ExtractConfig{})
	require.ErrorIs(t, err, solver.ErrValues)
	require.ErrorContains(t, err, `they do not have the position "q1q/3/Q1Q w - - 0 1"`)
	d := dobutsu.New()
	_, err = solver.Extract(t.Context(), games.Game[dobutsu.Position, dobutsu.Move](d), nothing[dobutsu.Position]{}, d.Start(), solver.ExtractConfig{})
	require.ErrorIs(t, err, solver.ErrValues)
	require.ErrorContains(t, err, "does not say that it always ends")
}
