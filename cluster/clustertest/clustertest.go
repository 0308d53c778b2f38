// Package clustertest has the tests that every carrier of package cluster must pass.
package clustertest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
)

// Carrier is a carrier under test.
type Carrier struct {
	Front cluster.Front
	Join  func(worker cluster.Terms, name string) (cluster.Back, error)
	// Lease is how long a job is kept for a worker that has died; 0 if none can.
	Lease time.Duration
}

// wait is how long a test waits for something that must come.
const wait = 30 * time.Second

// Run tests a carrier. Open returns a new one whose front end has the given terms.
func Run(t *testing.T, terms cluster.Terms, open func(t *testing.T) Carrier) {
	for _, test := range []struct {
		name string
		run  func(t *testing.T, s *suite)
	}{
		{"refused", testRefused},
		{"round trip", testRoundTrip},
		{"offered twice", testOfferedTwice},
		{"offered again", testOfferedAgain},
		{"recalled", testRecalled},
		{"alive", testAlive},
		{"ended", testEnded},
		{"returned", testReturned},
		{"lost", testLost},
		{"not acknowledged", testNotAcknowledged},
		{"large", testLarge},
		{"names", testNames},
		{"status", testStatus},
		{"many", testMany},
		{"context", testContext},
		{"closed", testClosed},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), wait)
			defer cancel()
			c := open(t)
			defer c.Front.Close()
			test.run(t, &suite{t, ctx, c, terms})
		})
	}
}

type suite struct {
	t     *testing.T
	ctx   context.Context
	c     Carrier
	terms cluster.Terms
}

func job(text string) cluster.Job {
	return cluster.Job{ID: cluster.NewID([]byte(text)), Body: cluster.Bytes(text)}
}

// text returns a body, which may have come from another process.
func text(b cluster.Body) string { return string(b.(cluster.Bytes)) }

func (s *suite) offer(jobs ...cluster.Job) { require.NoError(s.t, s.c.Front.Offer(s.ctx, jobs...)) }

func (s *suite) join(name string) cluster.Back {
	b, err := s.c.Join(s.terms, name)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { b.Close() })
	return b
}

func (s *suite) take(b cluster.Back) cluster.Lease {
	l, err := b.Take(s.ctx)
	require.NoError(s.t, err)
	return l
}

// none checks that a worker gets no job for some time.
func (s *suite) none(b cluster.Back, long time.Duration) {
	ctx, cancel := context.WithTimeout(s.ctx, long)
	defer cancel()
	_, err := b.Take(ctx)
	require.ErrorIs(s.t, err, context.DeadlineExceeded)
}

func (s *suite) receive() cluster.Delivery {
	d, err := s.c.Front.Receive(s.ctx)
	require.NoError(s.t, err)
	return d
}

// settle receives the result of a job, which may come more than once, and acknowledges it.
func (s *suite) settle(want cluster.Job, body string) cluster.Result {
	d := s.receive()
	require.Equal(s.t, want.ID, d.Result().Job)
	require.Equal(s.t, body, text(d.Result().Body))
	require.NoError(s.t, d.Ack(s.ctx))
	return d.Result()
}

func testRefused(t *testing.T, s *suite) {
	for _, change := range []func(*cluster.Terms){
		func(w *cluster.Terms) { w.Version += "x" },
		func(w *cluster.Terms) { w.Game += "x" },
		func(w *cluster.Terms) { w.Rules += "x" },
	} {
		worker := s.terms
		change(&worker)
		_, err := s.c.Join(worker, "stranger")
		require.ErrorIs(t, err, cluster.ErrRefused)
		require.Equal(t, s.terms.Admit(worker).Error(), err.Error())
	}
}

func testRoundTrip(t *testing.T, s *suite) {
	b := s.join("one")
	s.offer(job("first"), job("second"))
	for _, want := range []cluster.Job{job("first"), job("second")} {
		l := s.take(b)
		require.Equal(t, want, l.Job())
		require.NoError(t, l.Done(s.ctx, cluster.Bytes("result of "+text(want.Body))))
		require.Equal(t, "one", s.settle(want, "result of "+text(want.Body)).Worker)
	}
	status, err := s.c.Front.Status(s.ctx)
	require.NoError(t, err)
	require.Equal(t, cluster.Status{}, status)
}

func testOfferedTwice(t *testing.T, s *suite) {
	b := s.join("one")
	s.offer(job("a"), job("a"))
	s.offer(job("a"))
	s.take(b)
	s.offer(job("a"))
	s.none(s.join("two"), 50*time.Millisecond)
	status, err := s.c.Front.Status(s.ctx)
	require.NoError(t, err)
	require.Equal(t, 1, status.Leased+status.Queued)
}

// testOfferedAgain offers a finished job again: the front end may do that if its storage
// has lost the result.
func testOfferedAgain(t *testing.T, s *suite) {
	b := s.join("one")
	for range 3 {
		s.offer(job("a"))
		require.NoError(t, s.take(b).Done(s.ctx, cluster.Bytes(nil)))
		s.settle(job("a"), "")
	}
	s.offer(job("a"))
	require.NoError(t, s.c.Front.Recall(s.ctx, job("a").ID))
	s.offer(job("a"))
	require.Equal(t, job("a"), s.take(b).Job())
}

func testRecalled(t *testing.T, s *suite) {
	b := s.join("one")
	s.offer(job("a"), job("b"), job("c"))
	l := s.take(b)
	require.NoError(t, s.c.Front.Recall(s.ctx, job("a").ID, job("b").ID, job("unknown").ID))
	require.Equal(t, job("c"), s.take(b).Job(), "b was recalled before anyone took it")
	select {
	case <-l.Gone():
	case <-time.After(wait):
		require.Fail(t, "the worker was not told")
	}
	require.ErrorIs(t, l.Done(s.ctx, cluster.Bytes("late")), cluster.ErrGone)
}

// testAlive has a worker keep a job for longer than it would be kept for a dead one.
func testAlive(t *testing.T, s *suite) {
	s.offer(job("a"))
	l := s.take(s.join("one"))
	s.none(s.join("two"), 3*s.c.Lease)
	require.NoError(t, l.Done(s.ctx, cluster.Bytes("mine")))
	s.settle(job("a"), "mine")
}

// testLost has a worker die: another one gets its job.
func testLost(t *testing.T, s *suite) {
	if s.c.Lease == 0 {
		t.Skip("workers live as long as the carrier")
	}
	s.offer(job("a"))
	one := s.join("one")
	s.take(one)
	require.NoError(t, one.Close())
	require.NoError(t, s.take(s.join("two")).Done(s.ctx, cluster.Bytes("mine")))
	s.settle(job("a"), "mine")
}

// testEnded has workers that go on with what they have ended.
func testEnded(t *testing.T, s *suite) {
	for _, end := range []func(l cluster.Lease) error{
		func(l cluster.Lease) error { return l.Done(s.ctx, cluster.Bytes(nil)) },
		func(l cluster.Lease) error { return l.Return(s.ctx) },
	} {
		s.offer(job("a"))
		l := s.take(s.join("one"))
		require.NoError(t, end(l))
		require.ErrorIs(t, l.Return(s.ctx), cluster.ErrGone)
		require.ErrorIs(t, l.Done(s.ctx, cluster.Bytes(nil)), cluster.ErrGone)
		require.NoError(t, s.c.Front.Recall(s.ctx, job("a").ID))
	}
}

func testReturned(t *testing.T, s *suite) {
	s.offer(job("a"))
	require.NoError(t, s.take(s.join("one")).Return(s.ctx))
	require.Equal(t, job("a"), s.take(s.join("two")).Job())
}

func testNames(t *testing.T, s *suite) {
	for _, name := range []string{"", "two words", "héros: 1/2, \"x\"", "棋士"} {
		s.offer(job(name))
		b := s.join(name)
		require.NoError(t, s.take(b).Done(s.ctx, cluster.Bytes(nil)))
		require.Equal(t, name, s.settle(job(name), "").Worker)
	}
}

func testStatus(t *testing.T, s *suite) {
	status := func() cluster.Status {
		status, err := s.c.Front.Status(s.ctx)
		require.NoError(t, err)
		if status.Queued+status.Leased > 0 {
			require.Positive(t, status.Oldest)
		}
		status.Oldest = 0
		return status
	}
	b := s.join("one")
	s.offer(job("a"), job("b"), job("c"), job("d"))
	require.Equal(t, cluster.Status{Queued: 4}, status())
	l := s.take(b)
	require.Equal(t, cluster.Status{Queued: 3, Leased: 1}, status())
	require.NoError(t, l.Done(s.ctx, make(cluster.Bytes, 3<<20)))
	require.ErrorIs(t, l.Done(s.ctx, cluster.Bytes(nil)), cluster.ErrGone, "a second result")
	require.Equal(t, 1, status().Results)
	require.NoError(t, s.c.Front.Recall(s.ctx, job("b").ID))
	d := s.receive()
	require.NoError(t, d.Ack(s.ctx))
	require.Equal(t, cluster.Status{Queued: 2}, status())
}

func testNotAcknowledged(t *testing.T, s *suite) {
	if s.c.Lease == 0 {
		t.Skip("what was received is not lost")
	}
	s.offer(job("a"))
	require.NoError(t, s.take(s.join("one")).Done(s.ctx, cluster.Bytes("result")))
	for range 2 {
		require.Equal(t, "result", text(s.receive().Result().Body))
	}
	s.settle(job("a"), "result")
}

func testLarge(t *testing.T, s *suite) {
	large := make(cluster.Bytes, 4<<20)
	for i := range large {
		large[i] = byte(i * i >> 8)
	}
	j := cluster.Job{ID: job("a").ID, Body: large[:2<<20]}
	s.offer(j)
	l := s.take(s.join("one"))
	require.Equal(t, j, l.Job())
	require.NoError(t, l.Done(s.ctx, large))
	d := s.receive()
	require.Equal(t, large, d.Result().Body)
	require.NoError(t, d.Ack(s.ctx))
	status, err := s.c.Front.Status(s.ctx)
	require.NoError(t, err)
	require.Zero(t, status.Results)
}

// testMany has several workers do many jobs, and drop some of them.
func testMany(t *testing.T, s *suite) {
	const jobs, workers = 200, 4
	wanted := map[cluster.ID]bool{}
	for n := range jobs {
		j := job(fmt.Sprint(n))
		wanted[j.ID] = true
		s.offer(j)
	}
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	var group sync.WaitGroup
	for w := range workers {
		b := s.join(fmt.Sprint("worker ", w))
		group.Go(func() {
			for n := 0; ; n++ {
				l, err := b.Take(ctx)
				if err != nil {
					return
				}
				if n%20 == 10+w {
					l.Return(ctx)
					continue
				}
				l.Done(ctx, l.Job().Body)
			}
		})
	}
	var mu sync.Mutex
	{
		group.Go(func() {
			for {
				d, err := s.c.Front.Receive(ctx)
				if err != nil {
					return
				}
				assert.Equal(t, cluster.NewID([]byte(text(d.Result().Body))), d.Result().Job)
				assert.NoError(t, d.Ack(s.ctx))
				mu.Lock()
				delete(wanted, d.Result().Job)
				if len(wanted) == 0 {
					cancel()
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	require.Empty(t, wanted)
}

func testContext(t *testing.T, s *suite) {
	ctx, cancel := context.WithCancel(s.ctx)
	cancel()
	_, err := s.join("one").Take(ctx)
	require.ErrorIs(t, err, context.Canceled)
	_, err = s.c.Front.Receive(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

func testClosed(t *testing.T, s *suite) {
	done := make(chan error)
	closed := s.join("closed")
	go func() {
		_, err := closed.Take(s.ctx)
		done <- err
	}()
	require.NoError(t, closed.Close())
	require.ErrorIs(t, <-done, cluster.ErrClosed)
	require.NoError(t, closed.Close())

	b := s.join("one")
	s.offer(job("a"))
	l := s.take(b)
	go func() {
		_, err := b.Take(s.ctx)
		done <- err
	}()
	go func() {
		_, err := s.c.Front.Receive(s.ctx)
		done <- err
	}()
	require.NoError(t, s.c.Front.Close())
	require.ErrorIs(t, <-done, cluster.ErrClosed)
	require.ErrorIs(t, <-done, cluster.ErrClosed)
	require.ErrorIs(t, s.c.Front.Offer(s.ctx, job("b")), cluster.ErrClosed)
	require.Error(t, l.Done(s.ctx, cluster.Bytes(nil)))
	require.NoError(t, s.c.Front.Close())
}
