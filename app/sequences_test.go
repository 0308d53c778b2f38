package app

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/connect4"
)

func TestSequences(t *testing.T) {
	g, err := New(connect4.Family).Open("connect4")
	require.NoError(t, err)
	sum := uint64(0)
	require.NoError(t, g.Sequences(t.Context(), g.Start(), 4, func(_ Move, n uint64) { sum += n }))
	require.EqualValues(t, 7*7*7*7, sum)

	// It ends with its context, however deep it is.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, g.Sequences(ctx, g.Start(), 40, func(Move, uint64) { t.Error("counted") }), context.Canceled)
}
