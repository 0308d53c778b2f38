package natscarrier_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/clustertest"
	"github.com/yomikiri/yomikiri/cluster/natscarrier"
)

var (
	terms   = cluster.Terms{Version: "1", Game: "nim", Rules: "c0ffee"}
	account = natscarrier.Account{Secret: "secret"}
)

const (
	short = 900 * time.Millisecond // a lease
	wait  = 60 * time.Second       // how long a test waits for what must come
)

func open(t *testing.T, c natscarrier.Config) *natscarrier.Front {
	c.Terms, c.Account = terms, account
	if c.Server == "" {
		c.Store = filepath.Join(t.TempDir(), "store")
	}
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
	b, err := natscarrier.Join(t.Context(), natscarrier.Worker{URL: url, Account: account, Terms: terms, Name: name})
	require.NoError(t, err)
	t.Cleanup(func() { b.Close() })
	return b
}

func job(n int) cluster.Job {
	body := []byte(fmt.Sprint("job ", n))
	return cluster.Job{ID: cluster.NewID(body), Body: cluster.Bytes(body)}
}

// text returns a body that has come from another process.
func text(b cluster.Body) string { return string(b.(cluster.Bytes)) }

// answer is the result of a job in these tests.
func answer(j cluster.Job) string { return "result of " + text(j.Body) }

// work does jobs until there are no more.
func work(ctx context.Context, b cluster.Back) error {
	for {
		l, err := b.Take(ctx)
		if err != nil {
			return err
		}
		if err := l.Done(ctx, cluster.Bytes(answer(l.Job()))); err != nil && !errors.Is(err, cluster.ErrGone) {
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
			require.Equal(t, answer(j), text(d.Result().Body))
		}
		delete(open, d.Result().Job)
		require.NoError(t, d.Ack(ctx))
	}
}

func TestCarrier(t *testing.T) {
	t.Parallel()
	clustertest.Run(t, terms, func(t *testing.T) clustertest.Carrier {
		f := open(t, natscarrier.Config{})
		return clustertest.Carrier{Front: f, Lease: short, Join: func(worker cluster.Terms, name string) (cluster.Back, error) {
			return natscarrier.Join(t.Context(), natscarrier.Worker{URL: f.URL(), Account: account, Terms: worker, Name: name})
		}}
	})
}

// TestCarrierElsewhere runs each test with a server in a process of its own: one that is slow may keep the results of an
// earlier test.
func TestCarrierElsewhere(t *testing.T) {
	t.Parallel()
	clustertest.Run(t, terms, func(t *testing.T) clustertest.Carrier {
		url := serverProcess(t)
		f := open(t, natscarrier.Config{Server: url})
		return clustertest.Carrier{Front: f, Lease: short, Join: func(worker cluster.Terms, name string) (cluster.Back, error) {
			return natscarrier.Join(t.Context(), natscarrier.Worker{URL: url, Account: account, Terms: worker, Name: name})
		}}
	})
}

// newServer starts a NATS server with the default settings, and returns its URL.
func newServer(store string) (*server.Server, error) {
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, Authorization: account.Secret, NoLog: true, NoSigs: true,
		JetStream: true, StoreDir: store,
	})
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(wait) {
		return nil, errors.New("the server does not start")
	}
	return s, nil
}

// startServer starts a NATS server, and returns its URL.
func startServer(t *testing.T) string {
	s, err := newServer(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s.ClientURL()
}

// TestOneFront has a second front end, and a second coordinator, come to a server.
func TestOneFront(t *testing.T) {
	t.Parallel()
	url := startServer(t)
	f := open(t, natscarrier.Config{Server: url})
	_, err := natscarrier.Open(t.Context(), natscarrier.Config{Terms: terms, Account: account, Server: url})
	require.ErrorContains(t, err, "another front end is at work on the server at "+url)
	require.NoError(t, f.Close())
	_, err = natscarrier.Join(t.Context(), natscarrier.Worker{URL: url, Account: account, Terms: terms})
	require.ErrorContains(t, err, "no front end is at work on the server at "+url)
	open(t, natscarrier.Config{Server: url})

	echo := func(question []byte) []byte { return question }
	for second := range 2 {
		n, err := natscarrier.Listen(t.Context(), natscarrier.Config{Terms: terms, Account: account, Server: url})
		require.NoError(t, err)
		defer n.Close()
		if err = n.Serve(echo); second == 0 {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, "another coordinator is at work on the server at "+url)
		}
	}
}

// TestWorkers counts workers here and elsewhere, until they leave.
func TestWorkers(t *testing.T) {
	t.Parallel()
	f := open(t, natscarrier.Config{})
	require.Zero(t, f.Workers())
	near, err := f.Join(t.Context(), terms, "near")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	for _, b := range []cluster.Back{near, join(t, f.URL(), "far")} {
		go b.Take(ctx)
	}
	require.Eventually(t, func() bool { return f.Workers() == 2 }, wait, time.Millisecond)
	cancel()
	require.Eventually(t, func() bool { return f.Workers() == 0 }, wait, time.Millisecond)
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
	w := natscarrier.Worker{URL: f.URL(), Account: account, Terms: terms, Name: "late"}
	_, err = natscarrier.Ask(ctx, w)
	require.ErrorIs(t, err, cluster.ErrClosed)
	_, err = natscarrier.Join(ctx, w)
	require.ErrorIs(t, err, cluster.ErrClosed)
	w.Account.Secret = "guess"
	_, err = natscarrier.Join(ctx, w)
	require.ErrorIs(t, err, cluster.ErrRefused)
	require.NoError(t, f.Close())
	_, err = natscarrier.Join(ctx, w)
	require.ErrorIs(t, err, natscarrier.ErrAbsent)
}

// TestFinishEarly has a front end finish while a worker is joining.
func TestFinishEarly(t *testing.T) {
	t.Parallel()
	url := startServer(t)
	front, err := nats.Connect(url, nats.Token(account.Secret))
	require.NoError(t, err)
	defer front.Close()
	_, err = front.Subscribe("yomikiri.hello", func(*nats.Msg) { front.Publish("yomikiri.recall", nil) })
	require.NoError(t, err)
	require.NoError(t, front.Flush())
	_, err = natscarrier.Join(t.Context(), natscarrier.Worker{URL: url, Account: account, Terms: terms})
	require.ErrorIs(t, err, cluster.ErrClosed)
}

// TestPatience has a front end leave and not come back.
func TestPatience(t *testing.T) {
	t.Parallel()
	f := open(t, natscarrier.Config{})
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	b, err := natscarrier.Join(ctx, natscarrier.Worker{URL: f.URL(), Account: account, Terms: terms, Name: "patient", Patience: short / 2})
	require.NoError(t, err)
	defer b.Close()
	f.Leave()
	_, err = b.Take(ctx)
	require.ErrorIs(t, err, natscarrier.ErrAbsent)
	require.EqualError(t, err, "no front end for 450ms: it may have finished")
}
