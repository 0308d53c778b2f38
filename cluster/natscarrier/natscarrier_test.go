package natscarrier_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/clustertest"
	"github.com/yomikiri/yomikiri/cluster/natscarrier"
)

var terms = cluster.Terms{Version: "1", Game: "nim", Rules: "c0ffee", Token: "secret"}

const (
	short = 900 * time.Millisecond // a lease
	wait  = 60 * time.Second       // how long a test waits for what must come
)

func open(t *testing.T, c natscarrier.Config) *natscarrier.Front {
	c.Terms = terms
	if c.Lease == 0 {
		c.Lease = short
	}
	if c.Listen == "" {
		c.Listen = "127.0.0.1:0"
	}
	f, err := natscarrier.Open(t.Context(), c)
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

func join(t *testing.T, url, name string) cluster.Back {
	b, err := natscarrier.Join(t.Context(), natscarrier.Worker{URL: url, Terms: terms, Name: name})
	require.NoError(t, err)
	t.Cleanup(func() { b.Close() })
	return b
}

func job(n int) cluster.Job {
	body := []byte(fmt.Sprint("job ", n))
	return cluster.Job{ID: cluster.NewID(body), Body: body}
}

// answer is the result of a job in these tests.
func answer(j cluster.Job) string { return "result of " + string(j.Body) }

// work does jobs until there are no more.
func work(ctx context.Context, b cluster.Back) error {
	for {
		l, err := b.Take(ctx)
		if err != nil {
			return err
		}
		if err := l.Done(ctx, []byte(answer(l.Job()))); err != nil {
			return err
		}
	}
}

// collect offers jobs, ten at a time, and receives results until each has one. It calls
// progress before each result with the number of jobs that have one.
func collect(t *testing.T, f cluster.Front, jobs int, progress func(done int)) {
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	open := map[cluster.ID]cluster.Job{}
	for offered, done := 0, 0; done < jobs; done = offered - len(open) {
		for ; offered < jobs && len(open) < 10; offered++ {
			j := job(offered)
			open[j.ID] = j
			require.NoError(t, f.Offer(ctx, j))
		}
		progress(done)
		d, err := f.Receive(ctx)
		if ctx.Err() != nil {
			status, statusErr := f.Status(t.Context())
			require.NoError(t, err, "%d done, %d offered, %+v %v", done, offered, status, statusErr)
		}
		require.NoError(t, err)
		if j, ok := open[d.Result().Job]; ok {
			require.Equal(t, answer(j), string(d.Result().Body))
		}
		delete(open, d.Result().Job)
		require.NoError(t, d.Ack(ctx))
	}
}

func TestCarrier(t *testing.T) {
	t.Parallel()
	clustertest.Run(t, terms, func(t *testing.T) clustertest.Carrier {
		f := open(t, natscarrier.Config{})
		return clustertest.Carrier{Front: f, Join: func(worker cluster.Terms, name string) (cluster.Back, error) {
			return natscarrier.Join(t.Context(), natscarrier.Worker{URL: f.URL(), Terms: worker, Name: name})
		}}
	})
}

// TestCarrierElsewhere runs the tests with a server of its own, and workers in the front
// end's process.
func TestCarrierElsewhere(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("as TestCarrier")
	}
	url := startServer(t, 4<<20)
	clustertest.Run(t, terms, func(t *testing.T) clustertest.Carrier {
		f := open(t, natscarrier.Config{Server: url})
		return clustertest.Carrier{Front: f, Join: func(worker cluster.Terms, name string) (cluster.Back, error) {
			if worker.Token != terms.Token {
				return natscarrier.Join(t.Context(), natscarrier.Worker{URL: url, Terms: worker, Name: name})
			}
			return f.Join(t.Context(), worker, name)
		}}
	})
}

// startServer starts a NATS server that takes messages of some bytes, and returns its URL.
func startServer(t *testing.T, most int32) string {
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, Authorization: terms.Token,
		JetStream: true, StoreDir: t.TempDir(), JetStreamMaxMemory: 4 << 30, MaxPayload: most, NoLog: true, NoSigs: true,
	})
	require.NoError(t, err)
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	require.True(t, s.ReadyForConnections(wait))
	return s.ClientURL()
}

// raw connects to a server as no carrier does.
func raw(t *testing.T, url string) jetstream.JetStream {
	nc, err := nats.Connect(url, nats.Token(terms.Token))
	require.NoError(t, err)
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	require.NoError(t, err)
	return js
}

// TestTooLarge offers a job that the server does not take.
func TestTooLarge(t *testing.T) {
	f := open(t, natscarrier.Config{Server: startServer(t, 1<<20)})
	err := f.Offer(t.Context(), cluster.Job{Body: make([]byte, 1<<20)})
	require.ErrorContains(t, err, "has 1048576 bytes, and the server takes 1044480")
}

// TestOneFront checks that a second front end does not delete the streams of a first.
func TestOneFront(t *testing.T) {
	t.Parallel()
	url := startServer(t, 1<<20)
	f := open(t, natscarrier.Config{Server: url})
	_, err := natscarrier.Open(t.Context(), natscarrier.Config{Terms: terms, Server: url})
	require.ErrorContains(t, err, "another front end is at work on the server at "+url)
	require.NoError(t, f.Close())
	_, err = natscarrier.Join(t.Context(), natscarrier.Worker{URL: url, Terms: terms})
	require.ErrorContains(t, err, "no front end is at work on the server at "+url)
	next := open(t, natscarrier.Config{Server: url})
	require.NoError(t, next.Close())
	names := raw(t, url).StreamNames(t.Context())
	require.Empty(t, <-names.Name(), "the front end has left a stream behind")
}

// TestWorkers counts workers that wait, have a job, and have left.
func TestWorkers(t *testing.T) {
	t.Parallel()
	f := open(t, natscarrier.Config{})
	count := func(want int) {
		require.Eventually(t, func() bool {
			n, err := f.Workers(t.Context())
			return err == nil && n == want
		}, wait, short/20)
	}
	count(0)
	one := join(t, f.URL(), "one")
	require.NoError(t, f.Offer(t.Context(), job(1)))
	l, err := one.Take(t.Context())
	require.NoError(t, err)
	count(1)
	two := join(t, f.URL(), "two")
	go work(t.Context(), two)
	count(2)
	require.NoError(t, l.Done(t.Context(), nil))
	count(1)
	require.NoError(t, two.Close())
	count(0)
}

// TestNothingGrows checks that jobs leave nothing behind on the server.
func TestNothingGrows(t *testing.T) {
	t.Parallel()
	url := startServer(t, 1<<20)
	f := open(t, natscarrier.Config{Server: url})
	js := raw(t, url)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for n := range 2 {
		go work(ctx, join(t, url, fmt.Sprint(n)))
	}
	for range 5 {
		collect(t, f, 200, func(int) {})
	}
	for _, name := range []string{"yomikiri-jobs", "yomikiri-results"} {
		s, err := js.Stream(ctx, name)
		require.NoError(t, err)
		info, err := s.Info(ctx, jetstream.WithDeletedDetails(true))
		require.NoError(t, err)
		require.Zero(t, info.State.Msgs)
		require.Zero(t, info.State.Bytes)
		require.Empty(t, info.State.Deleted)
		require.LessOrEqual(t, info.State.NumSubjects, uint64(2))
		require.Equal(t, 1, info.State.Consumers)
		require.GreaterOrEqual(t, info.State.LastSeq, uint64(1000))
	}
	account, err := js.AccountInfo(ctx)
	require.NoError(t, err)
	require.Equal(t, 2, account.Streams)
	require.Zero(t, account.Store, "something is on disk")
}

// TestFinish has workers that are there, and one that comes, when there are no more jobs.
func TestFinish(t *testing.T) {
	t.Parallel()
	f := open(t, natscarrier.Config{})
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	b := join(t, f.URL(), "there")
	f.Finish()
	_, err := b.Take(ctx)
	require.ErrorIs(t, err, cluster.ErrClosed)
	require.ErrorIs(t, f.Offer(ctx, job(1)), cluster.ErrClosed)
	w := natscarrier.Worker{URL: f.URL(), Terms: terms, Name: "late"}
	_, err = natscarrier.Ask(ctx, w)
	require.ErrorIs(t, err, cluster.ErrClosed)
	_, err = natscarrier.Join(ctx, w)
	require.ErrorIs(t, err, cluster.ErrClosed)
	w.Terms.Token = "guess"
	_, err = natscarrier.Join(ctx, w)
	require.ErrorIs(t, err, cluster.ErrRefused)
	require.NoError(t, f.Close())
	_, err = natscarrier.Join(ctx, w)
	require.ErrorIs(t, err, natscarrier.ErrAbsent)
}

// TestPatience has a front end leave and not come back.
func TestPatience(t *testing.T) {
	t.Parallel()
	f := open(t, natscarrier.Config{})
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	b, err := natscarrier.Join(ctx, natscarrier.Worker{URL: f.URL(), Terms: terms, Name: "patient", Patience: short / 2})
	require.NoError(t, err)
	defer b.Close()
	f.Leave()
	_, err = b.Take(ctx)
	require.ErrorIs(t, err, natscarrier.ErrAbsent)
	require.EqualError(t, err, "no front end for 450ms: it may have finished")
}
