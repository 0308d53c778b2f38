package cluster

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Memory is a carrier within one process, whose workers live as long as it does.
type Memory struct {
	terms Terms

	mu      sync.Mutex
	changed chan struct{} // closed, and replaced, when something has changed
	jobs    map[ID]*memoryLease
	waiting []ID // in order; some may be gone
	results []Result
	closed  bool
}

// NewMemory returns a carrier for workers that agree to the terms.
func NewMemory(terms Terms) *Memory {
	return &Memory{terms: terms, changed: make(chan struct{}), jobs: map[ID]*memoryLease{}}
}

// Front returns the front end's side.
func (m *Memory) Front() Front { return memoryFront{m} }

// Join returns the side of a worker with a name. It fails with [ErrRefused].
func (m *Memory) Join(worker Terms, name string) (Back, error) {
	if err := m.terms.Admit(worker); err != nil {
		return nil, err
	}
	return &memoryBack{memory: m, name: name, stop: make(chan struct{})}, nil
}

// do calls f with the carrier locked, and wakes callers that wait. It fails with [ErrClosed]
// if the front end has closed the carrier.
func (m *Memory) do(ctx context.Context, f func() error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if m.closed {
		return ErrClosed
	}
	err := f()
	m.wake()
	return err
}

// wake wakes callers that wait.
func (m *Memory) wake() {
	close(m.changed)
	m.changed = make(chan struct{})
}

// wait calls try with the carrier locked, until it returns true.
func (m *Memory) wait(ctx context.Context, stop <-chan struct{}, try func() bool) error {
	for {
		m.mu.Lock()
		if m.closed {
			m.mu.Unlock()
			return ErrClosed
		}
		done := ctx.Err() == nil && try()
		changed := m.changed
		m.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-changed:
		case <-stop:
			return ErrClosed
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// memoryFront implements [Front].
type memoryFront struct{ memory *Memory }

func (f memoryFront) Offer(ctx context.Context, jobs ...Job) error {
	m := f.memory
	return m.do(ctx, func() error {
		for _, j := range jobs {
			if m.jobs[j.ID] == nil {
				m.jobs[j.ID] = &memoryLease{memory: m, job: j, offered: time.Now(), gone: make(chan struct{})}
				m.waiting = append(m.waiting, j.ID)
			}
		}
		return nil
	})
}

func (f memoryFront) Recall(ctx context.Context, ids ...ID) error {
	m := f.memory
	return m.do(ctx, func() error {
		for _, id := range ids {
			if l := m.jobs[id]; l != nil {
				close(l.gone)
				delete(m.jobs, id)
			}
		}
		m.waiting = slices.DeleteFunc(m.waiting, func(id ID) bool { return m.jobs[id] == nil })
		return nil
	})
}

func (f memoryFront) Receive(ctx context.Context) (Delivery, error) {
	m := f.memory
	var d memoryDelivery
	err := m.wait(ctx, nil, func() bool {
		if len(m.results) == 0 {
			return false
		}
		d.result = m.results[0]
		m.results = m.results[1:]
		return true
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

func (f memoryFront) Status(ctx context.Context) (s Status, err error) {
	m := f.memory
	err = m.do(ctx, func() error {
		s = Status{Queued: len(m.waiting), Leased: len(m.jobs) - len(m.waiting), Results: len(m.results)}
		for _, l := range m.jobs {
			s.Oldest = max(s.Oldest, time.Since(l.offered))
		}
		return nil
	})
	return s, err
}

func (f memoryFront) Close() error {
	m := f.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.closed {
		m.closed = true
		for _, l := range m.jobs {
			close(l.gone)
		}
		m.jobs, m.waiting = nil, nil
		m.wake()
	}
	return nil
}

// memoryDelivery implements [Delivery].
type memoryDelivery struct{ result Result }

func (d memoryDelivery) Result() Result            { return d.result }
func (d memoryDelivery) Ack(context.Context) error { return nil }

// memoryBack implements [Back].
type memoryBack struct {
	memory *Memory
	name   string
	once   sync.Once
	stop   chan struct{}
}

func (b *memoryBack) Take(ctx context.Context) (l Lease, err error) {
	m := b.memory
	err = m.wait(ctx, b.stop, func() bool {
		if len(m.waiting) == 0 {
			return false
		}
		job := m.jobs[m.waiting[0]]
		job.worker = b.name
		m.waiting, l = m.waiting[1:], job
		return true
	})
	return l, err
}

func (b *memoryBack) Close() error {
	b.once.Do(func() { close(b.stop) })
	return nil
}

// memoryLease implements [Lease]. It is a job from its offer on, until it is returned.
type memoryLease struct {
	memory  *Memory
	job     Job
	offered time.Time
	worker  string
	gone    chan struct{}
}

func (l *memoryLease) Job() Job              { return l.job }
func (l *memoryLease) Gone() <-chan struct{} { return l.gone }

// held calls f if the worker has the job.
func (l *memoryLease) held(ctx context.Context, f func()) error {
	m := l.memory
	return m.do(ctx, func() error {
		if m.jobs[l.job.ID] != l {
			return ErrGone
		}
		f()
		return nil
	})
}

func (l *memoryLease) Done(ctx context.Context, result Body) error {
	return l.held(ctx, func() {
		delete(l.memory.jobs, l.job.ID)
		l.memory.results = append(l.memory.results, Result{l.job.ID, l.worker, result})
	})
}

func (l *memoryLease) Return(ctx context.Context) error {
	return l.held(ctx, func() {
		l.memory.jobs[l.job.ID] = &memoryLease{memory: l.memory, job: l.job, offered: l.offered, gone: make(chan struct{})}
		l.memory.waiting = slices.Insert(l.memory.waiting, 0, l.job.ID)
	})
}
