package shared

import (
	"container/heap"
	"flag"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro/internal/retrotest"
)

var curveGame = flag.String("curve.game", "checkers:pieces=5", "the game of TestCurve, whose tiers are not solved")

// cost is what a tier costs a worker: so much for each position, so much to get each byte of a child that it
// has not solved itself, a byte a position, and so much beside.
type cost struct{ position, transfer, tier time.Duration }

// measured is what docs/sharing.md has for checkers: 62 CPU seconds for 146 million positions. A byte of a child takes
// what a network of 100 MB a second does, and the host a tenth of a second for a tier.
var measured = cost{425 * time.Nanosecond, 10 * time.Nanosecond, 100 * time.Millisecond}

// running is a tier that a worker solves.
type running struct {
	tier, worker int
	end          time.Duration
}

type timeline []running

func (l timeline) Len() int           { return len(l) }
func (l timeline) Less(i, j int) bool { return l[i].end < l[j].end }
func (l timeline) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l *timeline) Push(x any)        { *l = append(*l, x.(running)) }
func (l *timeline) Pop() (x any) {
	last := len(*l) - 1
	x, *l = (*l)[last], (*l)[:last]
	return x
}

// simulate returns how long a number of workers take for all tiers, each of which begins with the first tier in
// order that is ready.
func simulate(u *games.Universe, workers int, c cost) time.Duration {
	left := make([]int, len(u.Tiers)) // children that are not solved
	by := make([]int, len(u.Tiers))
	for tier := range u.Tiers {
		left[tier], by[tier] = len(u.Children(tier)), -1
	}
	waiting := order(u)
	var free []int
	for w := range workers {
		free = append(free, w)
	}
	var now time.Duration
	var busy timeline
	for {
		for i := 0; i < len(waiting) && len(free) > 0; {
			tier := waiting[i]
			if left[tier] > 0 {
				i++
				continue
			}
			waiting = slices.Delete(waiting, i, i+1)
			worker := free[len(free)-1]
			free = free[:len(free)-1]
			took := c.tier + time.Duration(u.Tiers[tier].Size)*c.position
			for _, child := range u.Children(tier) {
				if by[child] != worker {
					took += time.Duration(u.Tiers[child].Size) * c.transfer
				}
			}
			by[tier] = worker
			heap.Push(&busy, running{tier, worker, now + took})
		}
		if len(busy) == 0 {
			return now
		}
		r := heap.Pop(&busy).(running)
		now = r.end
		free = append(free, r.worker)
		for tier := range u.Tiers {
			if slices.Contains(u.Children(tier), r.tier) {
				left[tier]--
			}
		}
	}
}

// TestCurve shows how much faster many workers are, for tiers that are not solved. Between the longest chain of tiers and R. L. Graham's
// bound for schedules in which nobody waits in vain (Bounds on multiprocessing timing anomalies, 1969) is not much room.
func TestCurve(t *testing.T) {
	u := retrotest.Open(t, *curveGame)
	chain := make([]time.Duration, len(u.Tiers)) // the least time until a tier is solved
	var all, longest time.Duration
	free := cost{position: measured.position}
	for tier, x := range u.Tiers {
		work := time.Duration(x.Size) * free.position
		for _, child := range u.Children(tier) {
			chain[tier] = max(chain[tier], chain[child])
		}
		chain[tier] += work
		all, longest = all+work, max(longest, chain[tier])
	}
	t.Logf("%s: %d tiers, %v of work, the longest chain %v", u.Name, len(u.Tiers), all.Round(time.Second), longest.Round(time.Second))
	require.Equal(t, all, simulate(u, 1, free))
	require.Equal(t, longest, simulate(u, len(u.Tiers), free))
	one := simulate(u, 1, measured)
	for workers := 2; workers <= 1024; workers *= 2 {
		took := simulate(u, workers, measured)
		t.Logf("%5d workers: %v, %.1f times as fast", workers, took.Round(time.Second), one.Seconds()/took.Seconds())
		ideal := simulate(u, workers, free)
		require.LessOrEqual(t, ideal, (all-longest)/time.Duration(workers)+longest)
		require.GreaterOrEqual(t, ideal, max(longest, all/time.Duration(workers)))
	}
}
