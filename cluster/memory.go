package cluster

import (
	"context"
	"sync"
	"time"
)

// Memory is a carrier within one process.
type Memory struct {
	terms Terms
	mu    sync.Mutex
	queue *Queue
	// changed is closed, and replaced, when something has changed.
	changed chan struct{}
	leases  map[*memoryLease]bool
	workers int // that have joined
	closed  bool
}

// NewMemory returns a carrier for workers that agree to the terms. Its leases last for
// the given time.
func NewMemory(terms Terms, lease time.Duration) *Memory {
	return &Memory{terms: terms, queue: NewQueue(lease), changed: make(chan struct{}), leases: map[*memoryLease]bool{}}
}

// Front returns the front end's side.
func (m *Memory) Front() Front { return memoryFront{m} }

// Join returns the side of a worker with a name. It fails with [ErrRefused].
func (m *Memory) Join(worker Terms, name string) (Back, error) {
	if err := m.terms.Admit(worker); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.workers++
	return &memoryBack{memory: m, name: name, stop: make(chan struct{})}, nil
}

// Workers returns how many workers have joined and are not closed.
func (m *Memory) Workers() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.workers
}

// Claim leases a job to a worker that has had it before, perhaps from an earlier front end. It
// fails with [ErrGone] unless the job waits.
func (m *Memory) Claim(ctx context.Context, b Back, id ID) (Lease, error) {
	l := m.newLease(b.(*memoryBack))
	err := m.do(ctx, func(q *Queue, now time.Time) error {
		if l.job, l.number = q.Claim(now, id); l.number == 0 {
			return ErrGone
		}
		m.leases[l] = true
		return nil
	})
	return l, err
}

// Has reports whether a job waits or is leased.
func (m *Memory) Has(id ID) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.queue.jobs[id] != nil
}

func (m *Memory) newLease(b *memoryBack) *memoryLease {
	return &memoryLease{back: b, gone: make(chan struct{})}
}

// Encoded returns how many bytes the results have that are encoded and not acknowledged.
func (m *Memory) Encoded() (size int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.queue.results {
		if b, ok := r.result.Body.(Bytes); ok {
			size += len(b)
		}
	}
	return size
}

// do calls f with the queue locked, and wakes callers that wait. It fails with [ErrClosed]
// if the front end has closed the carrier.
func (m *Memory) do(ctx context.Context, f func(q *Queue, now time.Time) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if m.closed {
		return ErrClosed
	}
	err := f(m.queue, time.Now())
	m.wake()
	return err
}

// wake wakes callers that wait, and notifies workers whose job is gone.
func (m *Memory) wake() {
	for l := range m.leases {
		if j := m.queue.jobs[l.job.ID]; m.closed || j == nil || j.lease != l.number {
			close(l.gone)
			delete(m.leases, l)
		}
	}
	close(m.changed)
	m.changed = make(chan struct{})
}

// wait calls try with the queue locked, until it returns true.
func (m *Memory) wait(ctx context.Context, stop <-chan struct{}, try func(q *Queue, now time.Time) bool) error {
	for {
		m.mu.Lock()
		if m.closed {
			m.mu.Unlock()
			return ErrClosed
		}
		now := time.Now()
		done := ctx.Err() == nil && try(m.queue, now)
		changed := m.changed
		at, ok := m.queue.Wakes(now)
		m.mu.Unlock()
		if done {
			return nil
		}
		var due <-chan time.Time
		if ok {
			due = time.After(at.Sub(now))
		}
		select {
		case <-changed:
		case <-due:
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
	return f.memory.do(ctx, func(q *Queue, now time.Time) error { q.Offer(now, jobs...); return nil })
}

func (f memoryFront) Recall(ctx context.Context, ids ...ID) error {
	return f.memory.do(ctx, func(q *Queue, _ time.Time) error { q.Recall(ids...); return nil })
}

func (f memoryFront) Receive(ctx context.Context) (Delivery, error) {
	d := &memoryDelivery{memory: f.memory}
	err := f.memory.wait(ctx, nil, func(q *Queue, now time.Time) bool {
		d.result, d.number = q.Receive(now)
		return d.number != 0
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

func (f memoryFront) Status(ctx context.Context) (s Status, err error) {
	err = f.memory.do(ctx, func(q *Queue, now time.Time) error { s = q.Status(now); return nil })
	return s, err
}

func (f memoryFront) Close() error {
	f.memory.mu.Lock()
	defer f.memory.mu.Unlock()
	if !f.memory.closed {
		f.memory.closed = true
		f.memory.wake()
	}
	return nil
}

// memoryDelivery implements [Delivery].
type memoryDelivery struct {
	memory *Memory
	result Result
	number uint64
}

func (d *memoryDelivery) Result() Result { return d.result }

func (d *memoryDelivery) Ack(ctx context.Context) error {
	return d.memory.do(ctx, func(q *Queue, _ time.Time) error { q.Ack(d.number); return nil })
}

// memoryBack implements [Back].
type memoryBack struct {
	memory *Memory
	name   string
	once   sync.Once
	stop   chan struct{}
}

func (b *memoryBack) Name() string { return b.name }

func (b *memoryBack) Take(ctx context.Context) (Lease, error) {
	l := b.memory.newLease(b)
	err := b.memory.wait(ctx, b.stop, func(q *Queue, now time.Time) bool {
		l.job, l.number = q.Take(now)
		if l.number != 0 {
			b.memory.leases[l] = true
		}
		return l.number != 0
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

func (b *memoryBack) Close() error {
	b.once.Do(func() {
		close(b.stop)
		b.memory.mu.Lock()
		defer b.memory.mu.Unlock()
		b.memory.workers--
	})
	return nil
}

// memoryLease implements [Lease].
type memoryLease struct {
	back   *memoryBack
	job    Job
	number uint64
	gone   chan struct{}
}

func (l *memoryLease) Job() Job              { return l.job }
func (l *memoryLease) Time() time.Duration   { return l.back.memory.queue.lease }
func (l *memoryLease) Gone() <-chan struct{} { return l.gone }

func (l *memoryLease) Renew(ctx context.Context) error {
	return l.back.memory.do(ctx, func(q *Queue, now time.Time) error { return q.Renew(now, l.job.ID, l.number) })
}

func (l *memoryLease) Done(ctx context.Context, result Body) error {
	return l.back.memory.do(ctx, func(q *Queue, now time.Time) error {
		return q.Done(now, Result{l.job.ID, l.back.name, result}, l.number)
	})
}

func (l *memoryLease) Return(ctx context.Context) error {
	return l.back.memory.do(ctx, func(q *Queue, now time.Time) error { return q.Return(now, l.job.ID, l.number) })
}
