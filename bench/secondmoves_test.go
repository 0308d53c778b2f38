package bench_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/proof"
)

func TestSecondMoves(t *testing.T) {
	g, err := gomoku.New(gomoku.Rules{Rows: 6, Columns: 6, K: 4})
	require.NoError(t, err)
	b := bench.SecondMoves{Game: g, Time: time.Minute, Memory: 64 << 20}
	checked := 0
	b.Proof = func(move string, file []byte) error {
		r, err := proof.NewReader(bytes.NewReader(file))
		require.NoError(t, err)
		require.Equal(t, g.Name(), r.Header().Game)
		checked++
		return nil
	}
	var got []bench.SecondMove
	require.NoError(t, b.Run(t.Context(), func(m bench.SecondMove) { got = append(got, m) }))
	// A stone beside the centre of an even board has one line of symmetry.
	require.Len(t, got, 20)
	seen := map[string]bool{}
	for _, m := range got {
		require.False(t, seen[m.Move])
		seen[m.Move] = true
		require.True(t, m.Won, "after %s", m.Move) // the board is known to be won
		require.NotNil(t, m.Verified)
		require.Positive(t, m.Verified.Nodes)
	}
	require.Equal(t, 20, checked)
	b.Proof = nil

	// Five in a row are out of reach there.
	g, err = gomoku.New(gomoku.Rules{Rows: 5, Columns: 5, K: 5})
	require.NoError(t, err)
	b.Game = g
	n := 0
	require.NoError(t, b.Run(t.Context(), func(m bench.SecondMove) {
		require.False(t, m.Won, "after %s", m.Move)
		n++
	}))
	require.Equal(t, 5, n)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, b.Run(ctx, func(bench.SecondMove) {}), context.Canceled)

	g, err = gomoku.New(gomoku.Rules{Rows: 15, Columns: 15, K: 5})
	require.NoError(t, err)
	b.Game, b.Time, n = g, time.Millisecond, 0
	require.NoError(t, b.Run(t.Context(), func(bench.SecondMove) { n++ }))
	require.Equal(t, 35, n)
}
