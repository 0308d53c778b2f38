package engine

import (
	"sync/atomic"
	"time"
)

// RestAfter is the pause after a snapshot, in multiples of the time that it took: even a
// large game spends only a twentieth of its time on snapshots.
const RestAfter = 19

// pause says when the workers stop before a phase is over: for a snapshot that is due, after an
// error, or because the solve is interrupted. It is safe for concurrent use.
type pause struct {
	wanted    atomic.Bool  // workers apply messages, but produce none
	abandoned atomic.Bool  // no snapshot follows, so they do not have to apply all messages either
	since     atomic.Int64 // when the last snapshot was wanted, in Unix nanoseconds
	rest      atomic.Int64 // no snapshot is due before this time, in Unix nanoseconds
	never     bool         // there are no snapshots
	// cost is how long a snapshot is likely to take, in nanoseconds; 0 if all is in memory.
	cost atomic.Int64
}

// due asks for a snapshot at a time, unless the last one was too short before.
func (p *pause) due(now time.Time) {
	if now.UnixNano() >= p.rest.Load() {
		p.since.Store(now.UnixNano())
		p.wanted.Store(true)
	}
}

// interrupt ends the phase. Whoever interrupts a solve waits for its end: if there are regular
// snapshots, a slow one is left out.
func (p *pause) interrupt(regular bool) {
	p.abandoned.Store(p.never || regular && p.cost.Load() > int64(time.Second))
	p.wanted.Store(true)
}

// saved notes that the snapshot that was due is complete.
func (p *pause) saved() {
	now := time.Now()
	took := now.Sub(time.Unix(0, p.since.Load())) // including what the workers did before they stopped
	p.rest.Store(now.Add(RestAfter * took).UnixNano())
	if p.cost.Load() > 0 {
		p.cost.Store(int64(took))
	}
}
