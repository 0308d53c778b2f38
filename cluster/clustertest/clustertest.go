// Package clustertest has the tests that every carrier of package cluster must pass.
package clustertest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
)

// Carrier is a carrier under test.
type Carrier struct {
	Front cluster.Front
	Join  func(worker cluster.Terms, name string) (cluster.Back, error)
}

// wait is how long a test waits for what must come.
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
		{"returned", testReturned},
		{"not acknowledged", testNotAcknowledged},
		{"large", testLarge},
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
	return cluster.Job{ID: cluster.NewID([]byte(text)), Body: []byte(text)}
}

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

// none checks that there is no job for a worker while a lease runs that was taken or
// renewed after since. It skips the test if the machine is too slow to tell.
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
	require.Equal(s.t, body, string(d.Result().Body))
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
		require.NoError(t, l.Beat(s.ctx))
		require.NoError(t, l.Done(s.ctx, []byte("result of "+string(want.Body))))
		require.Equal(t, "one", s.settle(want, "result of "+string(want.Body)).Worker)
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

// testOfferedAgain offers a job again that was done: the front end may want that when its
// storage has lost the result.
func testOfferedAgain(t *testing.T, s *suite) {
	b := s.join("one")
	for range 3 {
		s.offer(job("a"))
		require.NoError(t, s.take(b).Done(s.ctx, nil))
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
	require.Eventually(t, func() bool { return l.Beat(s.ctx) != nil }, wait, l.Time()/10)
	require.ErrorIs(t, l.Beat(s.ctx), cluster.ErrGone)
	select {
	case <-l.Gone():
	case <-time.After(wait):
		require.Fail(t, "the worker was not told")
	}
	require.NoError(t, l.Done(s.ctx, []byte("late")))
	s.settle(job("a"), "late")
}

// testLost has a worker vanish: another one gets its job, and both results come.
func testLost(t *testing.T, s *suite) {
	s.offer(job("a"))
	lost := s.take(s.join("one"))
	l := s.take(s.join("two"))
	require.Equal(t, job("a"), l.Job())
	require.NoError(t, l.Done(s.ctx, []byte("mine")))
	s.settle(job("a"), "mine")
	require.NoError(t, lost.Done(s.ctx, []byte("late")))
	s.settle(job("a"), "late")
}

func testAlive(t *testing.T, s *suite) {
	s.offer(job("a"))
	begin := time.Now()
	l := s.take(s.join("one"))
	other := s.join("two")
	for range 8 {
		s.none(other, l, begin)
		begin = time.Now()
		require.NoError(t, l.Beat(s.ctx))
	}
	require.NoError(t, l.Done(s.ctx, nil))
	s.settle(job("a"), "")
	require.Eventually(t, func() bool { return l.Beat(s.ctx) != nil }, wait, l.Time()/10)
}

func testReturned(t *testing.T, s *suite) {
	s.offer(job("a"))
	begin := time.Now()
	l := s.take(s.join("one"))
	require.NoError(t, l.Return(s.ctx))
	require.Equal(t, job("a"), s.take(s.join("two")).Job())
	require.Less(t, time.Since(begin), wait/2)
}

func testNotAcknowledged(t *testing.T, s *suite) {
	s.offer(job("a"))
	require.NoError(t, s.take(s.join("one")).Done(s.ctx, []byte("result")))
	for range 2 {
		require.Equal(t, "result", string(s.receive().Result().Body))
	}
	s.settle(job("a"), "result")
}

func testLarge(t *testing.T, s *suite) {
	large := make([]byte, 4<<20)
	for i := range large {
		large[i] = byte(i * i >> 8)
	}
	s.offer(job("a"))
	require.NoError(t, s.take(s.join("one")).Done(s.ctx, large))
	s.settle(job("a"), string(large))
}

// testMany has several workers do many jobs, of which some forget theirs.
func testMany(t *testing.T, s *suite) {
	const jobs, workers = 200, 4
	wanted := map[cluster.ID]bool{}
	for n := range jobs {
		j := job(fmt.Sprint(n))
		wanted[j.ID] = true
		s.offer(j)
	}
	ctx, cancel := context.WithCancel(s.ctx)
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
	for len(wanted) > 0 {
		d := s.receive()
		require.Equal(t, cluster.NewID(d.Result().Body), d.Result().Job)
		delete(wanted, d.Result().Job)
		require.NoError(t, d.Ack(s.ctx))
	}
	cancel()
	group.Wait()
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
	go func() {
		_, err := s.c.Front.Receive(s.ctx)
		done <- err
	}()
	time.Sleep(10 * time.Millisecond) // it waits, most likely
	require.NoError(t, s.c.Front.Close())
	require.ErrorIs(t, <-done, cluster.ErrClosed)
	require.NoError(t, s.c.Front.Close())
}
