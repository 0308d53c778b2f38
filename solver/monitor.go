package solver

import (
	"sync"
	"sync/atomic"
	"time"
)

// monitor is a mutex with one condition, for goroutines that hold it for microseconds. One that
// has to wait tries for a while before it sleeps: to wake it takes a virtual machine up to a
// millisecond, and meanwhile a processor is idle. When they slept at once, two searches of 6x9
// were idle for a tenth of the time.
type monitor struct {
	sync.Mutex
	changes atomic.Uint64 // calls of announce
	changed sync.Cond
}

// patience is how long a goroutine tries before it sleeps. Leaves take about as long.
const patience = 200 * time.Microsecond

// spin calls done until it returns true, but not longer than patience.
func spin(done func() bool) bool {
	for begin := time.Now(); time.Since(begin) < patience; {
		for range 64 {
			if done() {
				return true
			}
		}
	}
	return false
}

// Lock locks the monitor.
func (m *monitor) Lock() {
	if !m.TryLock() && !spin(m.TryLock) {
		m.Mutex.Lock()
	}
}

// wait unlocks the monitor, waits until another goroutine calls announce, and locks it again. It
// may return sooner.
func (m *monitor) wait() {
	if m.changed.L == nil {
		m.changed.L = &m.Mutex
	}
	before := m.changes.Load()
	m.Unlock()
	spin(func() bool { return m.changes.Load() != before })
	m.Lock()
	if m.changes.Load() == before {
		m.changed.Wait()
	}
}

// sleep is wait for one that does not try first: a processor has better to do.
func (m *monitor) sleep() {
	if m.changed.L == nil {
		m.changed.L = &m.Mutex
	}
	m.changed.Wait()
}

// announce ends all waits. The caller holds the lock.
func (m *monitor) announce() {
	m.changes.Add(1)
	m.changed.Broadcast()
}
