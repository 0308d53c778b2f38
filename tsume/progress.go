package tsume

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// Progress is how far a search is.
type Progress struct {
	// Nodes is about how many positions were searched, and Time for how long.
	Nodes uint64
	Time  time.Duration
	// Depth is the depth, in plies, at which one of the goroutines is, and
	// Deepest the greatest that was seen.
	Depth, Deepest int
	// Full is how full the table is, from 0 to 1.
	Full float64
	// Line leads from the problem to the position that is searched.
	Line []shogi.Move
}

const (
	progressNodes    = 1 << 10 // after which the clock is looked at
	progressInterval = 250 * time.Millisecond
)

// monitor gathers what the goroutines of a search do, for [Options.Progress].
type monitor struct {
	report func(Progress)
	table  *dfpn.Table
	begin  time.Time
	nodes  atomic.Uint64

	mu      sync.Mutex
	deepest int
	last    time.Time // of a report
}

// watched is a cursor that tells a monitor where it is.
type watched struct {
	*cursor
	monitor *monitor
	nodes   uint64
}

// watch returns a cursor for a search: c, watched if progress is wanted.
func (s *solving) watch(c *cursor) dfpn.Cursor {
	if s.options.Progress == nil {
		return c
	}
	if s.monitor == nil {
		now := time.Now()
		s.monitor = &monitor{report: s.options.Progress, table: s.table, begin: now, last: now}
	}
	return &watched{cursor: c, monitor: s.monitor}
}

// Expand implements [dfpn.Cursor].
func (w *watched) Expand(n *dfpn.Node) {
	if w.nodes++; w.nodes%progressNodes == 0 {
		w.monitor.see(w.board)
	}
	w.cursor.Expand(n)
}

// see is called after every progressNodes nodes of a goroutine.
func (m *monitor) see(b *shogi.Board) {
	nodes := m.nodes.Add(progressNodes)
	if !m.mu.TryLock() {
		return // somebody else reports
	}
	defer m.mu.Unlock()
	m.deepest = max(m.deepest, b.Ply())
	now := time.Now()
	if now.Sub(m.last) < progressInterval {
		return
	}
	m.last = now
	m.report(Progress{
		Nodes: nodes, Time: now.Sub(m.begin), Depth: b.Ply(), Deepest: m.deepest, Full: m.table.Full(), Line: done(b),
	})
}

// done returns the moves done on a board.
func done(b *shogi.Board) []shogi.Move {
	line := make([]shogi.Move, 0, b.Ply())
	for b.Ply() > 0 {
		line = append(line, b.LastMove())
		b.Undo()
	}
	slices.Reverse(line)
	for _, m := range line {
		b.Do(m)
	}
	return line
}
