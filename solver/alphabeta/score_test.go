package alphabeta_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/proof"
	secondrules "github.com/yomikiri/yomikiri/proof/rules"
	"github.com/yomikiri/yomikiri/solver/alphabeta"
)

// discs is a position of Othello and the discs that the side to move aims at.
type discs = games.Aim[othello.Position]

func aiming(t *testing.T, name string) (*othello.Game, games.Game[discs, othello.Move]) {
	g, err := othello.Family.Open(name)
	require.NoError(t, err)
	aims, err := games.Aiming(g)
	require.NoError(t, err)
	return g, aims
}

// TestScoreProof proves both bounds of the start of 4×4, with moves ordered by evaluation and
// without, and has the proofs checked by the second rules.
func TestScoreProof(t *testing.T) {
	g, aims := aiming(t, "othello:size=4x4")
	rules, err := secondrules.Open(g.Name(), string(g.AppendPosition(nil, g.Start())))
	require.NoError(t, err)
	for _, ordered := range []bool{false, true} {
		s, err := alphabeta.New(aims, alphabeta.Config[discs]{Ordered: ordered, Memory: 1 << 20})
		require.NoError(t, err)
		var file bytes.Buffer
		w, err := proof.NewWriter(&file, proof.Header{Game: g.Name(), Root: string(g.AppendPosition(nil, g.Start())), Claims: []proof.Claim{
			{Side: proof.Mover, Goal: proof.AtLeast, Points: -8}, {Side: proof.Other, Goal: proof.AtLeast, Points: 8},
		}})
		require.NoError(t, err)
		for points, claim := range map[int16]proof.Claim{-8: {Side: proof.Mover}, -7: {Side: proof.Other}} {
			r, err := s.Search(t.Context(), discs{Position: g.Start(), Points: points})
			require.NoError(t, err)
			require.True(t, r.Known())
			require.Equal(t, claim.Side == proof.Mover, r.Lower == games.Won)
		}
		for _, side := range []proof.Side{proof.Mover, proof.Other} {
			_, err = s.WriteProof(t.Context(), w, discs{Position: g.Start(), Points: int16(side) - 8}, proof.Claim{Side: side, Goal: proof.Win}, 100_000)
			require.NoError(t, err)
		}
		require.NoError(t, w.Close())
		r, err := proof.NewReader(&file)
		require.NoError(t, err)
		_, err = proof.Check(t.Context(), r, rules, proof.CheckOptions{})
		require.NoError(t, err)
	}
}

// plainScore is the value of a position by a plain recursion.
func plainScore(g *othello.Game, p othello.Position) games.Value {
	v, finished := g.Outcome(p)
	if finished {
		return v
	}
	v = -games.MaxScore
	for _, m := range g.AppendMoves(nil, p) {
		v = max(v, -plainScore(g, g.Play(p, m)))
	}
	return v
}

// TestScores asks about ends of games of 6×6, with moves ordered by evaluation and without, and
// compares the answers with a plain recursion.
func TestScores(t *testing.T) {
	g, aims := aiming(t, "othello:size=6x6")
	rng := rand.New(rand.NewPCG(1, 2))
	asked := 0
	for range 20 {
		p := g.Start()
		for moves := g.AppendMoves(nil, p); len(moves) > 0 && g.Layer(p) < 2*(36-6)-1; moves = g.AppendMoves(nil, p) {
			p = g.Play(p, moves[rng.IntN(len(moves))])
		}
		if _, finished := g.Outcome(p); finished {
			continue
		}
		value := plainScore(g, p)
		for _, ordered := range []bool{false, true} {
			s, err := alphabeta.New(aims, alphabeta.Config[discs]{Ordered: ordered, Memory: 1 << 20})
			require.NoError(t, err)
			for points := value - 2; points <= value+2; points++ {
				r, err := s.Search(t.Context(), discs{Position: p, Points: int16(points)})
				require.NoError(t, err)
				require.True(t, r.Known())
				require.Equal(t, points <= value, r.Lower == games.Won, "%s >=%d", g.AppendPosition(nil, p), points)
				asked++
			}
		}
	}
	require.Greater(t, asked, 100)
}
