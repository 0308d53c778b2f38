package play

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/dobutsu"
)

// broken is a game that panics once its positions were judged some times.
type broken struct {
	*dobutsu.Game
	judged atomic.Int64
}

func (g *broken) AppendFeatures(dst []games.Feature, p dobutsu.Position) []games.Feature {
	if g.judged.Add(1) > 1000 {
		panic("no such square")
	}
	return g.Game.AppendFeatures(dst, p)
}

// TestPanic has a game that panics in all threads of a search: the caller can recover from it.
func TestPanic(t *testing.T) {
	for range 10 {
		g := &broken{Game: dobutsu.New()}
		s, err := New[dobutsu.Position, dobutsu.Move](g, Config[dobutsu.Position]{Threads: 3})
		require.NoError(t, err)
		require.Panics(t, func() {
			_, _ = s.Search(t.Context(), Query[dobutsu.Position, dobutsu.Move]{From: g.Start(), Limits: Limits{Nodes: 1_000_000}})
		})
	}
}
