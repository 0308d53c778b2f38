//go:build !race

package solver_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/proof/plain"
	secondrules "github.com/yomikiri/yomikiri/proof/rules"
	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/solver"
)

// TestScoreOthello proves the value of 4×4, 11:3 for the second player, from guesses on both sides
// of it, and has the proof checked by the second rules. With another claim in the header it is
// refused.
func TestScoreOthello(t *testing.T) {
	g, err := othello.Family.Open("othello:size=4x4")
	require.NoError(t, err)
	rules, err := secondrules.Open(g.Name(), string(g.AppendPosition(nil, g.Start())))
	require.NoError(t, err)
	for _, method := range []solver.Method{solver.BestFirst, solver.DepthFirst} {
		for _, guess := range []int{-8, 0, -16, 99} {
			s, err := solver.NewScore(g, g.Start(), solver.Config{Method: method, Memory: 32 << 20})
			require.NoError(t, err)
			r, err := s.Solve(t.Context(), guess)
			require.NoError(t, err)
			require.True(t, r.Known())
			require.Equal(t, -8, r.Lower)
			value, err := proof.Value(r.Claims)
			require.NoError(t, err)
			require.Equal(t, "-8", value)
			require.NoError(t, checkScore(t, s, s.Header(), rules))
			for _, wrong := range []proof.Claim{
				{Side: proof.Mover, Goal: proof.AtLeast, Points: -7}, {Side: proof.Mover, Goal: proof.AtLeast, Points: -9},
			} {
				h := s.Header()
				h.Claims = []proof.Claim{wrong, h.Claims[1]}
				require.ErrorIs(t, checkScore(t, s, h, rules), proof.ErrRefused, wrong)
			}
		}
	}
}

// checkScore writes the proof of a result under a header, and checks it.
func checkScore[P, M, Q, N comparable](t *testing.T, s *solver.ScoreSolver[P, M], h proof.Header, rules games.Game[Q, N]) error {
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, h)
	if err != nil {
		return proof.ErrRefused // the claims exclude each other
	}
	require.NoError(t, s.WriteProof(t.Context(), w))
	require.NoError(t, w.Close())
	r, err := proof.NewReader(bytes.NewReader(file.Bytes()))
	require.NoError(t, err)
	require.Equal(t, h.Claims, r.Header().Claims)
	_, err = proof.Check(t.Context(), r, rules, proof.CheckOptions{})
	_, other := plain.Check(t.Context(), &file, plain.Options{})
	require.Equal(t, err == nil, other == nil, "%v, the plain checker says %v", err, other)
	return err
}

// TestScoreMutants changes the points of each node of a proof: all such files are refused.
func TestScoreMutants(t *testing.T) {
	g, err := othello.Family.Open("othello:size=4x4")
	require.NoError(t, err)
	rules, err := secondrules.Open(g.Name(), string(g.AppendPosition(nil, g.Start())))
	require.NoError(t, err)
	s, err := solver.NewScore(g, g.Start(), solver.Config{})
	require.NoError(t, err)
	_, err = s.Solve(t.Context(), 0)
	require.NoError(t, err)
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, s.Header())
	require.NoError(t, err)
	require.NoError(t, s.WriteProof(t.Context(), w))
	require.NoError(t, w.Close())
	nodes := int(w.Counts().Nodes)
	require.Greater(t, nodes, 100)
	// write writes the nodes again, the changed one with other points, and checks the file.
	write := func(changed, more int) error {
		r, err := proof.NewReader(bytes.NewReader(file.Bytes()))
		require.NoError(t, err)
		var again bytes.Buffer
		w, err := proof.NewWriter(&again, r.Header())
		require.NoError(t, err)
		for at := 0; ; {
			n, root, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
			if n == nil {
				require.NoError(t, w.EndClaim(root))
				continue
			}
			if at == changed {
				text, points, _ := strings.Cut(string(n.Position), " >=")
				number, err := strconv.Atoi(points)
				require.NoError(t, err)
				n.Position = fmt.Appendf(nil, "%s >=%d", text, number+more)
			}
			at++
			_, err = w.Add(n)
			require.NoError(t, err)
		}
		require.NoError(t, w.Close())
		r, err = proof.NewReader(&again)
		require.NoError(t, err)
		_, err = proof.Check(t.Context(), r, rules, proof.CheckOptions{})
		return err
	}
	require.NoError(t, write(-1, 0))
	for changed := range nodes {
		for _, more := range []int{-2, -1, 1, 2} {
			require.ErrorIs(t, write(changed, more), proof.ErrRefused, "node %d", changed)
		}
	}
}

// TestScoreAwari asks about positions of awari, where moves win stones at once and positions may
// repeat. The bounds hold for the values of retrograde analysis; where a value rests on play without
// end, there is no proof of both.
func TestScoreAwari(t *testing.T) {
	g, err := awari.Family.Open("awari:stones=5")
	require.NoError(t, err)
	u, err := games.UniverseOf(g)
	require.NoError(t, err)
	values, err := retro.Analyze(t.Context(), u, retro.Config{})
	require.NoError(t, err)
	known, gained, step := 0, 0, uint64(29)
	if testing.Short() {
		step = 97
	}
	for i := uint64(0); i < u.Size(); i += step {
		p, ok := g.Position(i)
		want, unfinished := values.Value(i)
		if !ok || !unfinished {
			continue
		}
		s, err := solver.NewScore(g, p, solver.Config{Method: solver.DepthFirst, Memory: 1 << 20})
		require.NoError(t, err)
		r, err := s.Solve(t.Context(), 0)
		if err != nil {
			require.ErrorIs(t, err, solver.ErrRepetition)
		}
		require.LessOrEqual(t, r.Lower, int(want), "%s", g.AppendPosition(nil, p))
		require.GreaterOrEqual(t, r.Upper, int(want), "%s", g.AppendPosition(nil, p))
		if r.Known() {
			known++
			if want > 0 {
				gained++
			}
			require.NoError(t, checkScore(t, s, s.Header(), g))
		}
	}
	t.Logf("%d known, %d of them won", known, gained)
	require.Greater(t, known, 1450/int(step))
	require.Greater(t, gained, 290/int(step))
}

func TestScoreUnsuited(t *testing.T) {
	g, err := awari.Family.Open("awari:stones=4")
	require.NoError(t, err)
	_, err = solver.NewScore(g, g.Start(), solver.Config{})
	require.ErrorIs(t, err, solver.ErrUnsuited)
}
