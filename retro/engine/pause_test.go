package engine

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestPause rests after a snapshot for as long as it deserves.
func TestPause(t *testing.T) {
	var p pause
	p.cost.Store(1)
	begun := time.Now().Add(-time.Hour)
	p.due(begun)
	require.True(t, p.wanted.Load())
	p.wanted.Store(false)
	p.saved() // it took an hour
	require.GreaterOrEqual(t, p.cost.Load(), int64(time.Hour))
	p.due(begun.Add(RestAfter * time.Hour))
	require.False(t, p.wanted.Load())
	p.due(time.Unix(0, p.rest.Load()))
	require.True(t, p.wanted.Load())
}

// TestPauseInterrupted leaves out a slow snapshot if there are regular ones.
func TestPauseInterrupted(t *testing.T) {
	for _, c := range []struct {
		regular   bool
		cost      time.Duration
		abandoned bool
	}{{true, time.Minute, true}, {true, time.Millisecond, false}, {false, time.Minute, false}} {
		var p pause
		p.cost.Store(int64(c.cost))
		p.interrupt(c.regular)
		require.True(t, p.wanted.Load())
		require.Equal(t, c.abandoned, p.abandoned.Load(), "%+v", c)
	}
}
