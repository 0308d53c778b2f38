//go:build !race

package threat_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/solver/threat"
)

// TestFalseWins has positions in which wins were found that are none: parries of a
// three complete a line of the defender's.
func TestFalseWins(t *testing.T) {
	g, err := gomoku.New(gomoku.Rules{Rows: 6, Columns: 9, K: 5})
	require.NoError(t, err)
	p, err := g.ParsePosition("xxoxo1xoo/1oxox1oxx/ooo3xx1/xxoooxoxo/oxoxxxoo1/o1xox1xxo x")
	require.NoError(t, err)
	require.Nil(t, threat.NewSearcher(g, 10).ThreatSpace(g.NewBoard(p), p.ToMove()))
	x, err := threat.NewProver(g, threat.ProverConfig{Memory: 1 << 22})
	require.NoError(t, err)
	tree, err := x.Prove(context.Background(), p, 6000)
	require.NoError(t, err)
	require.Nil(t, tree)
	solve(t, g, p, games.Drawn)

	// On the usual board f8 fails, and another move wins.
	g, err = gomoku.New(gomoku.Rules{Rows: 15, Columns: 15, K: 5})
	require.NoError(t, err)
	p, err = g.ParsePosition("15/15/15/15/15/15/15/ooo3xx1o5/5x9/5x9/15/15/15/15/15 x")
	require.NoError(t, err)
	x, err = threat.NewProver(g, threat.ProverConfig{Memory: 1 << 22})
	require.NoError(t, err)
	tree, err = x.Prove(context.Background(), p, 1000)
	require.NoError(t, err)
	require.NotNil(t, tree)
	checkFile(t, g, p, func(w *proof.Writer) error { return x.WriteProof(t.Context(), w, p, tree) }, threat.Claims())

	// Its proof could not be written.
	g, err = gomoku.New(gomoku.Rules{Rows: 7, Columns: 7, K: 4})
	require.NoError(t, err)
	p, err = g.ParsePosition("x6/7/7/7/7/7/7 o")
	require.NoError(t, err)
	solve(t, g, p, games.Won)
}

// solve proves a value best first, and has the proof checked.
func solve(t *testing.T, g *gomoku.Game, p gomoku.Position, want games.Result) {
	s, err := solver.New(g, branchers(g), p, solver.Config{})
	require.NoError(t, err)
	result, err := s.Solve(context.Background())
	require.NoError(t, err)
	require.True(t, result.Known)
	require.Equal(t, want, result.Value)
	checkFile(t, g, p, func(w *proof.Writer) error { return s.WriteProof(context.Background(), w) }, result.Claims)
}

func checkFile(t *testing.T, g *gomoku.Game, p gomoku.Position, write func(w *proof.Writer) error, claims []proof.Claim) {
	h := hunter{count: map[string]int{}}
	require.NoError(t, h.checkProof(proof.Header{Game: g.Name(), Root: string(g.AppendPosition(nil, p)), Claims: claims}, write))
}
