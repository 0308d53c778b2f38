package bench

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/cpu"
	"github.com/yomikiri/yomikiri/retro"
)

// Solve measures the retrograde engine: it solves a game in memory, in part or several
// times, until the time is over, and counts the positions expanded and retracted.
type Solve struct {
	Universe *games.Universe
	Threads  int // 0 means one for each processor
	Time     time.Duration
}

// solveLimit is the largest number of open indices to solve.
const solveLimit = 1 << 25

// Run solves until the time is over.
func (b Solve) Run(ctx context.Context) (Measurement, error) {
	u, cfg := b.part(), retro.Config{Threads: b.Threads}
	if len(u.Tiers) < len(b.Universe.Tiers) {
		cfg.Positions = retro.All // the start position is gone
	}
	timed, stop := context.WithCancel(ctx)
	defer stop()
	c := &counted{Expander: u.Expander, retractor: u.Retractor}
	c.begin = sync.OnceFunc(func() {
		c.start, c.cpu = time.Now(), cpu.Time()
		time.AfterFunc(b.Time, stop)
	})
	u.Expander = c
	if u.Retractor != nil {
		u.Retractor = c
	}
	for timed.Err() == nil {
		if _, err := retro.Analyze(timed, &u, cfg); err != nil && !errors.Is(err, retro.ErrInterrupted) {
			return Measurement{}, err
		}
	}
	if err := ctx.Err(); err != nil {
		return Measurement{}, err
	}
	r := Measurement{Name: "solve", Unit: "positions", Count: c.positions.Load(), Seconds: time.Since(c.start).Seconds()}
	r.PerSecond = float64(r.Count) / r.Seconds
	r.CPUNanoseconds = float64(cpu.Time()-c.cpu) / float64(r.Count)
	return r, nil
}

// part returns the tiers of the game that fit the limit, at least one.
func (b Solve) part() games.Universe {
	u := *b.Universe
	open := uint64(0)
	for i, t := range u.Tiers {
		if open += t.Open; i > 0 && open > solveLimit {
			u.Tiers, u.Start = u.Tiers[:i], 0
			break
		}
	}
	return u
}

// counted counts the positions that an engine expands and retracts, and calls begin
// with the first of them.
type counted struct {
	games.Expander
	retractor games.Retractor
	positions atomic.Uint64
	begin     func()
	start     time.Time
	cpu       time.Duration
}

func (c *counted) Expand(indices []uint64, out *games.Expansion) {
	c.begin()
	c.Expander.Expand(indices, out)
	c.positions.Add(uint64(len(indices)))
}

func (c *counted) Retract(indices []uint64, out *games.Predecessors) {
	c.retractor.Retract(indices, out)
	c.positions.Add(uint64(len(indices)))
}
