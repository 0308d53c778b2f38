package judge

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/internal/sealed"
	"github.com/yomikiri/yomikiri/play"
)

// TestCheckpoint stops measurements after each game, and goes on: with the same result as at once, and without measuring a
// game twice.
func TestCheckpoint(t *testing.T) {
	j, list := judged(t)
	want, err := j.Resigning(t.Context(), list)
	require.NoError(t, err)

	j.Checkpoint = filepath.Join(t.TempDir(), "state")
	newSearch, begun := j.Search, 0
	j.Search = func() (play.Engine[dobutsu.Position, dobutsu.Move], error) {
		s, err := newSearch()
		return counted{s, &begun}, err
	}
	stops := 0
	var got *Resigning
	for {
		ctx, cancel := context.WithCancel(t.Context())
		before := begun
		j.Progress = func(string, uint64, uint64) {
			if begun > before { // not for a game of the checkpoint
				cancel()
			}
		}
		got, err = j.Resigning(ctx, list)
		cancel()
		if err == nil {
			break
		}
		require.ErrorIs(t, err, context.Canceled)
		stops++
	}
	require.Equal(t, want, got)
	require.Equal(t, got.Games, stops)
	searches := begun
	got, err = j.Resigning(t.Context(), list)
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Equal(t, searches, begun, "all games are in the checkpoint")

	for name, change := range map[string]func(){
		"other games": func() { list = list[:len(list)-1] },
		"more effort": func() { j.Leaves++ },
		"another way": func() { j.Of = "other weights" },
	} {
		t.Run(name, func(t *testing.T) {
			old, games := *j, list
			defer func() { *j, list = old, games }()
			change()
			_, err := j.Resigning(t.Context(), list)
			require.ErrorIs(t, err, ErrOther)
			require.ErrorContains(t, err, j.Checkpoint)
		})
	}
	require.NoError(t, os.Truncate(j.Checkpoint, 100))
	_, err = j.Resigning(t.Context(), list)
	require.ErrorIs(t, err, sealed.ErrDamaged)
}

// counted counts its searches.
type counted struct {
	play.Engine[dobutsu.Position, dobutsu.Move]
	searches *int
}

func (c counted) Search(ctx context.Context, q play.Query[dobutsu.Position, dobutsu.Move]) (play.Result[dobutsu.Move], error) {
	*c.searches++
	return c.Engine.Search(ctx, q)
}
