package solver

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMonitor has goroutines take turns, with and without pauses that are longer than they try
// before they sleep. If one missed an announcement, the test would hang; the race detector sees it
// if two hold the lock.
func TestMonitor(t *testing.T) {
	for _, c := range []struct {
		turns, pauses int // of the length of patience
	}{{4_000, 0}, {30, 2}} {
		const goroutines = 3
		var m monitor
		var turn int
		var group sync.WaitGroup
		for number := range goroutines {
			group.Go(func() {
				m.Lock()
				defer m.Unlock()
				for turn < c.turns {
					if turn%goroutines != number {
						m.wait()
						continue
					}
					for range c.pauses {
						spin(func() bool { return false })
					}
					turn++
					m.announce()
				}
			})
		}
		group.Wait()
		require.GreaterOrEqual(t, turn, c.turns)
		require.True(t, m.TryLock())
	}
}
