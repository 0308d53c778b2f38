// Package clustertest has the tests that every carrier of package cluster must pass.
package clustertest

import (
	"context"
	"fmt"
	"strings"
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
}

// wait is how long a test waits for something that must come.
const wait = 30 * time.Second

// Run tests a carrier. Open returns a new one whose front end has the given terms, which
// have a token, and whose leases last for less than a second.
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
		{"lost", testLost},
		{"alive", testAlive},
		{"ended", testEnded},
		{"returned", testReturned},
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

// none checks that a worker gets no job while the lease l runs, which was taken or renewed
// after since. It skips the test if the machine is too slow to tell.
func (s *suite) none(b cluster.Back, l cluster.Lease, since time.Time) {
	ctx, cancel := context.WithTimeout(s.ctx, l.Time()/4)
	defer cancel()
	_, err := b.Take(ctx)
	if time.Since(since) >= l.Time() {
		s.t.Skip("the machine is too slow: the lease has ended")
	}
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
		func(w *cluster.Terms) { w.Token += "x" },
		func(w *cluster.Terms) { w.Token = "" },
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
		require.NoError(t, l.Renew(s.ctx))
		require.NoError(t, l.Done(s.ctx, cluster.Bytes("result of "+text(want.Body))))
		require.Equal(t, b.Name(), s.settle(want, "result of "+text(want.Body)).Worker)
	}
	status, err := s.c.Front.Status(s.ctx)
	require.NoError(t, err)
	require.Equal(t, cluster.Status{}, status)
}

func testOfferedTwice(t *testing.T, s *suite) {
	b := s.join("one")
	s.offer(job("a"), job("a"))
	s.offer(job("a"))
	begin := time.Now()
	l := s.take(b)
	s.offer(job("a"))
	s.none(s.join("two"), l, begin)
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
	require.Eventually(t, func() bool { return l.Renew(s.ctx) != nil }, wait, l.Time()/10)
	require.ErrorIs(t, l.Renew(s.ctx), cluster.ErrGone)
	select {
	case <-l.Gone():
	case <-time.After(wait):
		require.Fail(t, "the worker was not told")
	}
	require.ErrorIs(t, l.Done(s.ctx, cluster.Bytes("late")), cluster.ErrGone)
}

// testLost has a worker vanish: another one gets its job, and only its result counts.
func testLost(t *testing.T, s *suite) {
	s.offer(job("a"))
	lost := s.take(s.join("one"))
	l := s.take(s.join("two"))
	require.Equal(t, job("a"), l.Job())
	require.ErrorIs(t, lost.Done(s.ctx, cluster.Bytes("late")), cluster.ErrGone)
	require.NoError(t, l.Done(s.ctx, cluster.Bytes("mine")))
	require.ErrorIs(t, lost.Done(s.ctx, cluster.Bytes("late")), cluster.ErrGone)
	s.settle(job("a"), "mine")
}

// testAlive keeps a lease for longer than its time. If the test itself is delayed for that
// long, it starts over.
func testAlive(t *testing.T, s *suite) {
	other := s.join("two")
	for n := range 100 {
		j := job(fmt.Sprint(n))
		s.offer(j)
		l := s.take(s.join("one"))
		begin, held := time.Now(), true
		for beats := 0; held && beats < 8; beats++ {
			before := time.Now()
			ctx, cancel := context.WithTimeout(s.ctx, l.Time()/4)
			_, err := other.Take(ctx)
			cancel()
			if err != nil {
				err = l.Renew(s.ctx)
			} else {
				err = cluster.ErrGone
			}
			if held = err == nil; !held {
				require.ErrorIs(t, err, cluster.ErrGone)
				require.Greater(t, time.Since(before), l.Time()/2, "the lease has ended early")
			}
		}
		if held {
			require.Greater(t, time.Since(begin), l.Time())
			require.NoError(t, l.Done(s.ctx, cluster.Bytes(nil)))
			s.settle(j, "")
			require.Eventually(t, func() bool { return l.Renew(s.ctx) != nil }, wait, l.Time()/10)
			return
		}
		require.NoError(t, s.c.Front.Recall(s.ctx, j.ID))
	}
	require.Fail(t, "no lease was kept")
}

// testEnded checks that a lease which has ended cannot be renewed, and that its worker is
// notified.
func testEnded(t *testing.T, s *suite) {
	for _, end := range []func(l cluster.Lease){
		func(l cluster.Lease) { s.take(s.join("other")) }, // its time is over
		func(l cluster.Lease) { require.NoError(t, l.Done(s.ctx, cluster.Bytes(nil))) },
		func(l cluster.Lease) { require.NoError(t, l.Return(s.ctx)) },
		func(l cluster.Lease) {
			other := s.take(s.join("other"))
			require.NoError(t, other.Done(s.ctx, cluster.Bytes(nil)))
			s.settle(l.Job(), "")
		},
	} {
		s.offer(job("a"))
		l := s.take(s.join("one"))
		end(l)
		require.ErrorIs(t, l.Renew(s.ctx), cluster.ErrGone)
		require.ErrorIs(t, l.Renew(s.ctx), cluster.ErrGone)
		select {
		case <-l.Gone():
		case <-s.ctx.Done():
			require.Fail(t, "the worker was not told")
		}
		require.ErrorIs(t, l.Return(s.ctx), cluster.ErrGone)
		require.NoError(t, s.c.Front.Recall(s.ctx, job("a").ID))
	}
}

func testReturned(t *testing.T, s *suite) {
	s.offer(job("a"))
	b := s.join("one")
	l := s.take(b)
	require.NoError(t, l.Return(s.ctx))
	require.NoError(t, b.Close())
	// A lease that runs out comes after the one that was returned.
	lost := s.take(s.join("two"))
	require.Equal(t, job("a"), lost.Job())
	require.Equal(t, job("a"), s.take(s.join("three")).Job())
}

func testNames(t *testing.T, s *suite) {
	for _, name := range []string{"", "two words", "héros: 1/2, \"x\"", "棋士"} {
		s.offer(job(name))
		b := s.join(name)
		require.True(t, strings.HasPrefix(b.Name(), name))
		require.NoError(t, s.take(b).Done(s.ctx, cluster.Bytes(nil)))
		require.Equal(t, b.Name(), s.settle(job(name), "").Worker)
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
	require.NoError(t, s.receive().Ack(s.ctx))
	require.Equal(t, cluster.Status{Queued: 2}, status())
}

func testNotAcknowledged(t *testing.T, s *suite) {
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
	require.Equal(t, large, s.receive().Result().Body)
	d := s.receive() // it was not acknowledged
	require.Equal(t, large, d.Result().Body)
	require.NoError(t, d.Ack(s.ctx))
	status, err := s.c.Front.Status(s.ctx)
	require.NoError(t, err)
	require.Zero(t, status.Results)
}

// testMany has several workers do many jobs and sometimes drop one. Several goroutines
// receive the results.
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
					continue // it vanishes
				}
				l.Done(ctx, l.Job().Body)
			}
		})
	}
	var mu sync.Mutex
	for range 3 {
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
	require.Error(t, l.Renew(s.ctx))
	require.ErrorIs(t, l.Done(s.ctx, cluster.Bytes(nil)), cluster.ErrClosed)
	require.NoError(t, s.c.Front.Close())
}
