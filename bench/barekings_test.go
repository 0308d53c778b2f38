package bench

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// TestBareKings compares answers, also those that follow from others, with searches of each hand by
// itself, and goes on where an error has ended a run.
func TestBareKings(t *testing.T) {
	census := func(found []BareKing) *BareKings {
		b := NewBareKings(shogi.SquareAt(1, 1))
		b.Pieces, b.Nodes, b.Workers, b.Memory = 5, 300, 2, 1<<24
		for _, k := range found {
			require.NoError(t, b.Add(k))
		}
		return b
	}
	var found []BareKing
	b := census(nil)
	results, err := b.Run(t.Context(), func(k BareKing) error { found = append(found, k); return nil })
	require.NoError(t, err)
	hands := handsUpTo(b.Pieces)
	table, err := dfpn.NewFixedTable(1 << 22)
	require.NoError(t, err)
	rng, compared := rand.New(rand.NewPCG(1, 2)), [3]int{}
	for i, r := range results {
		require.Equal(t, b.squares[i].square.String(), r.Square)
		require.Equal(t, len(hands), r.Mates+r.NoMates+r.Unknown)
		for range 200 {
			h := hands[rng.IntN(len(hands))]
			answer := b.squares[i].answer(h)
			if answer == dfpn.Unknown {
				continue
			}
			p, err := b.squares[i].problem(h)
			require.NoError(t, err)
			table.Clear()
			alone, err := tsume.Solve(t.Context(), p, table, tsume.Options{Nodes: 2000})
			require.NoError(t, err)
			if alone.Outcome != dfpn.Unknown {
				compared[answer]++
				require.Equal(t, alone.Outcome, answer, "%v", h)
			}
		}
	}
	require.Positive(t, compared[dfpn.Proven])
	require.Positive(t, compared[dfpn.Disproven])

	// With all that was found, nothing is searched.
	stop := errors.New("stop")
	again, err := census(found).Run(t.Context(), func(BareKing) error { return stop })
	require.NoError(t, err)
	for i := range results {
		results[i].Nodes = 0
	}
	require.Equal(t, results, again)
	more := census(found)
	more.Pieces++
	_, err = more.Run(t.Context(), func(BareKing) error { return stop })
	require.ErrorIs(t, err, stop)

	var kept []BareKing
	_, err = census(nil).Run(t.Context(), func(k BareKing) error {
		if kept = append(kept, k); len(kept) > len(found)/2 {
			return stop
		}
		return nil
	})
	require.ErrorIs(t, err, stop)
	_, err = census(kept).Run(t.Context(), func(k BareKing) error {
		require.NotContains(t, kept, k)
		kept = append(kept, k)
		return nil
	})
	require.NoError(t, err)
	again, err = census(kept).Run(t.Context(), func(BareKing) error { return stop })
	require.NoError(t, err)
	for i := range results {
		require.InDelta(t, results[i].Unknown, again[i].Unknown, 60) // the table began empty in the middle
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = census(nil).Run(ctx, func(BareKing) error { return nil })
	require.ErrorIs(t, err, context.Canceled)
}

func TestBareKingsAdd(t *testing.T) {
	b := NewBareKings()
	require.Len(t, b.squares, 45)
	for _, k := range []BareKing{
		{SFEN: "nonsense", Answer: mate},
		{SFEN: "8K/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1", Answer: mate},
		{SFEN: "8K/9/9/9/9/9/9/9/8k b G2r2b3g4s4n4l18p 1", Answer: mate}, // another king
		{SFEN: "8k/9/9/9/9/9/9/9/9 b G 1", Answer: noMate},               // White does not hold the rest
		{SFEN: "8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1", Answer: "perhaps"},
	} {
		require.Error(t, b.Add(k), "%v", k)
	}
	require.NoError(t, b.Add(BareKing{SFEN: "8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1", Answer: noMate}))
	require.Len(t, b.squares[0].noMates, 1)
}

func TestHandsUpTo(t *testing.T) {
	require.Len(t, handsUpTo(0), 1)
	require.Len(t, handsUpTo(15), 33_868)
	require.Len(t, handsUpTo(38), 3*3*5*5*5*5*19)
	seen := map[shogi.Hand]bool{}
	for _, h := range handsUpTo(4) {
		require.False(t, seen[h])
		seen[h] = true
	}
}
