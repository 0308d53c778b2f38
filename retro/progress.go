package retro

import (
	"time"

	"github.com/yomikiri/yomikiri/internal/memory"
)

// Progress reports how far a solve has got.
type Progress struct {
	Pass    string        // "reach", "initialise", "levels" or "write"
	Tier    string        // name of the tier, if the game has several
	Level   int           // plies or score, in the pass "levels"
	Counts  Counts        // of this pass
	Done    uint64        // positions visited or settled in this pass
	Total   uint64        // upper bound of Done; 0 if unknown
	Time    time.Duration // since the solve began, including earlier runs
	Left    time.Duration // estimated upper bound for this pass; 0 if unknown
	Memory  uint64        // resident, in bytes
	Elapsed time.Duration // since the pass began
}

// elapsed returns the time since the solve began, including earlier runs.
func (e *engine) elapsed() time.Duration { return e.before + time.Since(e.begin) }

func (e *engine) progress() Progress {
	p := Progress{Time: e.elapsed(), Memory: memory.Resident()}
	at := e.at.Load()
	if at == nil {
		return p
	}
	p.Pass, p.Level, p.Total = at.pass, at.level, at.total
	p.Tier = e.universe.Tiers[at.tier].Name
	p.Counts = e.counts().minus(at.before)
	p.Elapsed = time.Since(at.begin)
	p.Done = p.Counts.Positions
	if at.pass == "levels" {
		p.Done = p.Counts.Settled
	}
	p.Left = left(p.Elapsed, p.Done, p.Total-min(at.done, p.Total))
	p.Done += at.done
	return p
}

// left estimates the remaining time when done of total took elapsed.
func left(elapsed time.Duration, done, total uint64) time.Duration {
	if done == 0 || total <= done {
		return 0
	}
	return time.Duration(float64(elapsed) * (float64(total)/float64(done) - 1))
}
