package match

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/dobutsu"
)

// TestArena compares pairs with those of a match.
func TestArena(t *testing.T) {
	g := dobutsu.New()
	c := config(g, 20, 200, 12)
	var pairs [12]int
	c.Notation = func(r Record) error {
		pairs[r.Pair] += int(2 * r.Points)
		return nil
	}
	_, err := Play(t.Context(), g, c)
	require.NoError(t, err)
	bouts := make([]Bout[dobutsu.Position, dobutsu.Move], len(pairs))
	for i := range bouts {
		bouts[i] = Bout[dobutsu.Position, dobutsu.Move]{Number: i, Players: c.Players}
	}
	a := Arena[dobutsu.Position, dobutsu.Move]{Game: g, RandomPlies: c.RandomPlies, Seed: c.Seed}
	for _, a.Threads = range []int{0, 3} {
		half, err := a.Play(t.Context(), bouts)
		require.NoError(t, err)
		require.Equal(t, pairs[:], half)
	}
	half, err := a.Play(t.Context(), bouts[5:7])
	require.NoError(t, err)
	require.Equal(t, pairs[5:7], half)

	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = a.Play(stopped, bouts)
	require.ErrorIs(t, err, context.Canceled)
	broken := errors.New("no player")
	bouts[3].Players[1] = func(context.Context) (Player[dobutsu.Position, dobutsu.Move], error) { return nil, broken }
	_, err = a.Play(t.Context(), bouts)
	require.ErrorIs(t, err, broken)
}
