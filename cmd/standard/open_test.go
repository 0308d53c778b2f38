package standard_test

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/standard"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// family returns a game of the list. These tests of package app are here, where the engines are compiled already.
func family(t *testing.T, name string) *app.Family {
	i := slices.IndexFunc(standard.Games, func(p ui.Plugin) bool { return p.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	return standard.Games[i].Family
}

// TestUnder opens a part of a game for somebody who has asked for the whole.
func TestUnder(t *testing.T) {
	f := family(t, "awari")
	part, err := f.Info.Rules("awari:stones=6")
	require.NoError(t, err)
	g, err := f.Under(part, part.Whole())
	require.NoError(t, err)
	require.Equal(t, "awari:stones=6", g.Name())
	require.Equal(t, "awari", g.Asked.Name())
	require.Same(t, g.Asked, g.Asked.Asked)
	require.True(t, g.ByScore())
	_, err = g.Evaluation()
	require.NoError(t, err)
	require.Nil(t, g.Attack)
	require.Nil(t, g.Records)
	require.Nil(t, g.Adjudicator)
	_, err = f.Open("awari:stones=99")
	require.ErrorAs(t, err, new(app.InputError))
}

// TestScored proves a score, and has the proof checked, in a game that was listed with its scores, and only there.
func TestScored(t *testing.T) {
	const spec, plies = "othello:size=4x4", 8
	g, err := family(t, "othello").Open(spec)
	require.NoError(t, err)
	p := g.Start()
	for range plies {
		p = g.Play(p, g.AppendMoves(nil, p)[0])
	}
	s, err := g.Prover(p, solver.Config{})
	require.NoError(t, err)
	_, known, err := s.Solve(t.Context())
	require.NoError(t, err)
	require.True(t, known)
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, s.Header())
	require.NoError(t, err)
	require.NoError(t, s.WriteProof(t.Context(), w))
	require.NoError(t, w.Close())
	check := func(g *app.Game) error {
		r, err := proof.NewReader(bytes.NewReader(file.Bytes()))
		require.NoError(t, err)
		_, err = g.Check(t.Context(), r, proof.CheckOptions{})
		return err
	}
	require.NoError(t, check(g))

	unscored, err := app.New(othello.Family).Open(spec)
	require.NoError(t, err)
	const want = "othello:size=4x4 has scores: the program must list it by app.NewScored"
	_, err = unscored.Prover(p, solver.Config{})
	require.EqualError(t, err, want)
	require.EqualError(t, check(unscored), want)
	without, err := family(t, "tictactoe").Open("tictactoe")
	require.NoError(t, err)
	require.ErrorIs(t, check(without), proof.ErrRefused)
	require.ErrorContains(t, check(without), "claims about points: tictactoe: the values of the game are not scores")
}

func TestSequences(t *testing.T) {
	g, err := family(t, "connect4").Open("connect4")
	require.NoError(t, err)
	sum := uint64(0)
	require.NoError(t, g.Sequences(t.Context(), g.Start(), 4, func(_ app.Move, n uint64) { sum += n }))
	require.EqualValues(t, 7*7*7*7, sum)

	// It ends with its context, however deep it is.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, g.Sequences(ctx, g.Start(), 40, func(app.Move, uint64) { t.Error("counted") }), context.Canceled)
}
