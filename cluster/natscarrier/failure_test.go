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
			target := startServer(t)
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

// TestCutWaiting cuts off the front end while a worker waits for a job, which is offered meanwhile.
// The worker hears at once that it must ask again: it would wait for 20 s otherwise.
func TestCutWaiting(t *testing.T) {
	t.Parallel()
	target := startServer(t)
	p := clustertest.NewProxy(t, target)
	f := open(t, natscarrier.Config{Server: p.URL()})
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	defer cancel()
	took := make(chan error)
	b := join(t, target, "waiting")
	go func() {
		_, err := b.Take(ctx)
		took <- err
	}()
	require.Eventually(t, func() bool { return f.Taking() == 1 }, wait, time.Millisecond)
	p.Set(false)
	require.NoError(t, f.Offer(ctx, job(1)))
	p.Set(true)
	require.NoError(t, <-took)
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
	require.NoError(t, l.Renew(ctx))

	p.Set(false)
	other, err := join(t, f.URL(), "other").Take(ctx)
	require.NoError(t, err)
	require.Equal(t, job(1), other.Job())
	p.Set(true)
	require.ErrorIs(t, l.Renew(ctx), cluster.ErrGone)
	require.NoError(t, other.Renew(ctx))

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
	require.ErrorIs(t, next.Renew(ctx), cluster.ErrGone)
}

// TestCutReturn has a worker give a job back while it is cut off: that is no failure of the
// worker, and another one gets the job when the lease is over.
func TestCutReturn(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	f, p, _, l := newCut(ctx, t, 2*time.Second)
	p.Set(false)
	require.NoError(t, l.Return(ctx))
	other, err := join(t, f.URL(), "other").Take(ctx)
	require.NoError(t, err)
	require.Equal(t, job(1), other.Job())
}
