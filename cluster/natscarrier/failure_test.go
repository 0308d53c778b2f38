package natscarrier_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/clustertest"
	"github.com/yomikiri/yomikiri/cluster/natscarrier"
)

// TestWiped deletes what JetStream has, again and again, while jobs are done.
func TestWiped(t *testing.T) {
	t.Parallel()
	f := open(t, natscarrier.Config{})
	js := raw(t, f.URL())
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	for n := range 3 {
		b := join(t, f.URL(), fmt.Sprint(n))
		group.Go(func() { work(ctx, b) })
	}
	wiped, deleted := 0, 0
	collect(t, f, 200, func(done int) {
		if done < 40*(wiped+1) || wiped == 4 {
			return
		}
		for n, stream := range []string{"yomikiri-jobs", "yomikiri-results"} {
			if wiped != 1+n { // both, one, the other, both
				if js.DeleteStream(ctx, stream) == nil { // it may be gone at this moment
					deleted++
				}
			}
		}
		wiped++
	})
	require.Equal(t, 4, wiped)
	require.GreaterOrEqual(t, deleted, 3)
	cancel()
	group.Wait()
}

// TestPurged loses messages and not their stream: a job is there again once it has been
// offered again.
func TestPurged(t *testing.T) {
	t.Parallel()
	f := open(t, natscarrier.Config{})
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	b := join(t, f.URL(), "one")
	require.NoError(t, f.Offer(ctx, job(1)))
	s, err := raw(t, f.URL()).Stream(ctx, "yomikiri-jobs")
	require.NoError(t, err)
	require.NoError(t, s.Purge(ctx))
	go func() {
		for range time.Tick(short / 2) {
			if f.Offer(ctx, job(1)) != nil {
				return
			}
		}
	}()
	l, err := b.Take(ctx)
	require.NoError(t, err)
	require.Equal(t, job(1), l.Job())
	info, err := s.Info(ctx)
	require.NoError(t, err)
	require.Equal(t, uint64(1), info.State.Msgs, "it is there once")
}

// TestHalf has a worker vanish in the middle of a large result: what it sent does not
// stay.
func TestHalf(t *testing.T) {
	t.Parallel()
	f := open(t, natscarrier.Config{Lease: short / 4})
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	js := raw(t, f.URL())
	s, err := js.Stream(ctx, "yomikiri-results")
	require.NoError(t, err)
	info, err := s.Info(ctx)
	require.NoError(t, err)
	for _, part := range []string{"1/3", "3/3", "4/3", "nonsense", ""} {
		for _, subject := range info.Config.Subjects {
			m := newMessage(subject, job(1), part)
			_, err = js.PublishMsg(ctx, m)
			require.NoError(t, err)
		}
	}
	done := make(chan error)
	receive, stop := context.WithCancel(ctx)
	go func() {
		_, err := f.Receive(receive)
		done <- err
	}()
	require.Eventually(t, func() bool {
		info, err := s.Info(ctx)
		return err == nil && info.State.Msgs == 0
	}, wait, short/4)
	stop()
	require.ErrorIs(t, <-done, context.Canceled, "no result came")
}

// TestCut drops the connections of the workers, of the front end, and of both, several
// times, and for longer than a lease.
func TestCut(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name        string
		front, back bool
	}{{"workers", false, true}, {"front end", true, false}, {"all", true, true}} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			target := startServer(t, 1<<20)
			front, back := clustertest.NewProxy(t, target), clustertest.NewProxy(t, target)
			f := open(t, natscarrier.Config{Server: front.URL()})
			ctx, cancel := context.WithCancel(t.Context())
			var group sync.WaitGroup
			for n := range 3 {
				b := join(t, back.URL(), fmt.Sprint(n))
				group.Go(func() { work(ctx, b) })
			}
			cuts := 0
			collect(t, f, 100, func(done int) {
				if done < 25*(cuts+1) || cuts == 3 {
					return
				}
				cuts++
				front.Set(!test.front)
				back.Set(!test.back)
				length := 2 * short
				if cuts == 3 && !testing.Short() {
					length = 10 * time.Second
				}
				time.AfterFunc(length, func() { front.Set(true); back.Set(true) })
			})
			require.Equal(t, 3, cuts)
			cancel()
			group.Wait()
		})
	}
}

// newCut returns a worker behind a proxy, and its lease of job 1.
func newCut(ctx context.Context, t *testing.T, lease time.Duration) (*natscarrier.Front, *clustertest.Proxy, cluster.Back, cluster.Lease) {
	f := open(t, natscarrier.Config{Lease: lease})
	p := clustertest.NewProxy(t, f.URL())
	b := join(t, p.URL(), "cut")
	require.NoError(t, f.Offer(ctx, job(1)))
	l, err := b.Take(ctx)
	require.NoError(t, err)
	return f, p, b, l
}

// TestCutLease cuts off a worker that has a job: for less than a lease, which goes on, and
// for more, so that another worker gets the job.
func TestCutLease(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	f, p, b, l := newCut(ctx, t, 3*time.Second)
	p.Set(false)
	p.Set(true)
	require.NoError(t, l.Beat(ctx))

	p.Set(false)
	other, err := join(t, f.URL(), "other").Take(ctx)
	require.NoError(t, err)
	require.Equal(t, job(1), other.Job())
	p.Set(true)
	require.ErrorIs(t, l.Beat(ctx), cluster.ErrGone)
	require.NoError(t, other.Beat(ctx))

	// A recall that the worker does not hear of.
	p.Set(false)
	require.NoError(t, f.Recall(ctx, job(1).ID))
	require.NoError(t, f.Offer(ctx, job(2)))
	p.Set(true)
	next, err := b.Take(ctx)
	require.NoError(t, err)
	require.Equal(t, job(2), next.Job())
	p.Set(false)
	require.NoError(t, f.Recall(ctx, job(2).ID))
	p.Set(true)
	require.ErrorIs(t, next.Beat(ctx), cluster.ErrGone)
}

// TestCutReturn has a worker give a job back while it is cut off: that is no failure of the
// worker, and another one gets the job when the lease is over.
func TestCutReturn(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	f, p, _, l := newCut(ctx, t, 2*time.Second)
	p.Set(false)
	time.Sleep(short / 3) // until it has noticed
	require.NoError(t, l.Return(ctx))
	other, err := join(t, f.URL(), "other").Take(ctx)
	require.NoError(t, err)
	require.Equal(t, job(1), other.Job())
}

// TestNotRemoved has a job stay in the stream that the front end does not want any more:
// the first worker that says that it has it removes it.
func TestNotRemoved(t *testing.T) {
	t.Parallel()
	f := open(t, natscarrier.Config{})
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	js := raw(t, f.URL())
	s, err := js.Stream(ctx, "yomikiri-jobs")
	require.NoError(t, err)
	info, err := s.Info(ctx)
	require.NoError(t, err)
	_, err = js.PublishMsg(ctx, newMessage(info.Config.Subjects[0], job(1), ""))
	require.NoError(t, err)
	l, err := join(t, f.URL(), "one").Take(ctx)
	require.NoError(t, err)
	require.ErrorIs(t, l.Beat(ctx), cluster.ErrGone)
	require.Eventually(t, func() bool {
		info, err := s.Info(ctx)
		return err == nil && info.State.Msgs == 0
	}, wait, short/10)
}
