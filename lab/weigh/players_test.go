package weigh

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/learn"
	"github.com/yomikiri/yomikiri/play/match"
)

// players returns a field of dobutsu, with examples from a few games.
func players(t *testing.T, dir string, threads int) *Players[dobutsu.Position, dobutsu.Move] {
	g := dobutsu.New()
	e, err := play.EvaluationOf(g)
	require.NoError(t, err)
	x, err := learn.NewExamples(e.Set)
	require.NoError(t, err)
	teacher, err := learn.NewTeacher(g, e, learn.Lessons[dobutsu.Position]{Results: 1, Moves: 0.1, Parts: learn.ByProgress}, x)
	require.NoError(t, err)
	s, err := play.New(g, play.Config[dobutsu.Position]{})
	require.NoError(t, err)
	for i := range 40 {
		game := learn.Game[dobutsu.Position, dobutsu.Move]{Group: i, From: g.Start(), Decided: true, Points: float64(i % 2)}
		p := g.Start()
		for ply := range 30 {
			if _, finished := g.Outcome(p); finished {
				break
			}
			r, err := s.Search(t.Context(), play.Query[dobutsu.Position, dobutsu.Move]{From: p, Limits: play.Limits{Depth: 1}, Choice: play.Choice{Jitter: 200, Seed: uint64(i<<8 + ply)}})
			require.NoError(t, err)
			game.Moves = append(game.Moves, r.Best().Moves[0])
			p = g.Play(p, r.Best().Moves[0])
		}
		require.NoError(t, teacher.Add(&game))
	}
	arena := match.Arena[dobutsu.Position, dobutsu.Move]{Game: g, RandomPlies: 3, Seed: 5, Threads: threads}
	fit := learn.Config{From: make([]float32, len(e.Weights)), L1: 0.1, Epochs: 3}
	require.Equal(t, learn.ProgressParts, x.Parts())
	f := Evaluations(arena, e.Set, x, fit, 20, func(c play.Config[dobutsu.Position]) (play.Engine[dobutsu.Position, dobutsu.Move], error) {
		return play.New(g, c)
	})
	f.Dir = dir
	return f
}

// TestNoWeights checks that weights of 1 change nothing.
func TestNoWeights(t *testing.T) {
	f := players(t, t.TempDir(), 1)
	plain, err := f.Learn(t.Context(), nil)
	require.NoError(t, err)
	ones := slices.Repeat([]float64{1}, learn.ProgressParts)
	same, err := f.Learn(t.Context(), ones)
	require.NoError(t, err)
	require.Equal(t, plain, same)
	ones[3] = 2
	other, err := f.Learn(t.Context(), ones)
	require.NoError(t, err)
	require.NotEqual(t, plain, other)
	_, err = f.Learn(t.Context(), ones[1:])
	require.ErrorContains(t, err, "weights for 31 parts of the data, want 32")
}

// TestPlayers checks that a search does not depend on threads, and that evaluations that are gone are made
// again.
func TestPlayers(t *testing.T) {
	dir := t.TempDir()
	cfg := Config{Parts: learn.ProgressParts, Individuals: 4, Steps: 2, FirstGames: 12, Games: 20}
	var states [2][]byte
	for i, threads := range []int{1, 3} {
		f := players(t, filepath.Join(dir, "individuals"), threads)
		cfg.File, cfg.Signature = filepath.Join(dir, "state"), f.Signature()
		ctx, cancel := context.WithCancel(t.Context())
		stopped := cfg
		stopped.Progress = func(s *State) {
			if s.Step == 1 && threads > 1 {
				cancel()
			}
		}
		if _, err := Search(ctx, f, stopped); threads > 1 {
			require.ErrorIs(t, err, context.Canceled)
			require.NoError(t, os.WriteFile(File(f.Dir, 0), []byte("damaged"), 0o600))
			require.NoError(t, os.Remove(File(f.Dir, 1)))
			f = players(t, f.Dir, threads)
			_, err := Search(t.Context(), f, cfg)
			require.NoError(t, err)
		} else {
			require.NoError(t, err)
		}
		cancel()
		var err error
		states[i], err = os.ReadFile(cfg.File)
		require.NoError(t, err)
		require.NoError(t, os.Remove(cfg.File))
	}
	require.Equal(t, states[0], states[1])

	// Files of another search are not used.
	f := players(t, filepath.Join(dir, "individuals"), 1)
	before, err := os.ReadFile(File(f.Dir, 0))
	require.NoError(t, err)
	cfg.Seed, cfg.File = 9, ""
	s, err := Search(t.Context(), f, cfg)
	require.NoError(t, err)
	after, err := os.ReadFile(File(f.Dir, 0))
	require.NoError(t, err)
	require.NotEqual(t, before, after)
	require.NotNil(t, f.Weights(s.Ranked()[0]))
	require.Nil(t, f.Weights(len(s.Individuals)))
}
