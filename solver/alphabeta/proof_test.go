package alphabeta

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// writes searches positions, writes the proofs of all claims that are found, and has them
// checked by the rules. It returns how many were written, and how many are known by the
// bounds and were not found again.
func writes[P, M comparable](t *testing.T, g games.Game[P, M], s *Searcher[P, M], positions []P) (written, lost int) {
	for _, p := range positions {
		if _, finished := g.Outcome(p); finished {
			continue
		}
		r, err := s.Search(t.Context(), p)
		require.NoError(t, err)
		for _, c := range []struct {
			claim proof.Claim
			known bool
		}{
			{proof.Claim{Side: proof.Mover, Goal: proof.Win}, r.Lower == games.Won},
			{proof.Claim{Side: proof.Mover, Goal: proof.Hold}, r.Lower >= games.Drawn},
			{proof.Claim{Side: proof.Other, Goal: proof.Win}, r.Upper == games.Lost},
			{proof.Claim{Side: proof.Other, Goal: proof.Hold}, r.Upper <= games.Drawn},
		} {
			var file bytes.Buffer
			w, err := proof.NewWriter(&file, proof.Header{Game: g.Name(), Root: string(g.AppendPosition(nil, p)), Claims: []proof.Claim{c.claim}})
			require.NoError(t, err)
			_, err = s.WriteProof(t.Context(), w, p, c.claim, 20_000)
			if errors.Is(err, solver.ErrLimit) {
				if c.known {
					lost++
				}
				continue
			}
			require.NoError(t, err)
			require.NoError(t, w.Close())
			reader, err := proof.NewReader(&file)
			require.NoError(t, err)
			_, err = proof.Check(t.Context(), reader, g, proof.CheckOptions{})
			require.NoError(t, err, "%v in %s", c.claim, g.AppendPosition(nil, p))
			written++
		}
	}
	return written, lost
}

// TestWriteProof writes the proofs of bounds, from tables that are large enough and from
// such that have lost most of it.
func TestWriteProof(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	random := func(plies int) (list []tictactoe.Position) {
		g := tictactoe.Game{}
		for range 60 {
			p := g.Start()
			for range rng.IntN(plies) {
				if moves := g.AppendMoves(nil, p); len(moves) > 0 {
					p = g.Play(p, moves[rng.IntN(len(moves))])
				}
			}
			list = append(list, p)
		}
		return list
	}
	for _, memory := range []uint64{1 << 20, 1 << 10} {
		s, err := New(tictactoe.Game{}, Config[tictactoe.Position]{Depth: 9, Memory: memory})
		require.NoError(t, err)
		written, lost := writes(t, tictactoe.Game{}, s, random(7))
		require.Greater(t, written, 40)
		require.Zero(t, lost)
	}
	g, err := connect4.Family.Open("connect4:size=3x4")
	require.NoError(t, err)
	s, err := New(g, Config[connect4.Position]{Depth: 12, Memory: 1 << 14})
	require.NoError(t, err)
	written, lost := writes(t, g, s, []connect4.Position{g.Start()})
	require.Equal(t, []int{2, 0}, []int{written, lost}) // a draw
}

// TestWriteProofRepeats does the same where positions repeat: a proof never rests on that.
func TestWriteProofRepeats(t *testing.T) {
	all, none := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 8))
		g := newGraph(rng)
		s, err := New(g, Config[int]{Depth: 12, Memory: uint64(100 + rng.IntN(5000)), Nodes: 2000})
		require.NoError(t, err)
		written, lost := writes(t, g, s, rng.Perm(len(g.next)))
		all, none = all+written, none+lost
	}
	t.Logf("%d written, %d not found again", all, none)
	require.Greater(t, all, 3000)
	require.Less(t, none, all/50)
}
