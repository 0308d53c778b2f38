package natscarrier_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
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

// TestCutDone has workers that are cut off when they are done, or give a job back: the result comes when
// the connection is back, and the job goes to another worker.
func TestCutDone(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	f := open(t, natscarrier.Config{})
	p := clustertest.NewProxy(t, f.URL())
	b := join(t, p.URL(), "cut")
	require.NoError(t, f.Offer(ctx, job(1), job(2)))
	one, err := b.Take(ctx)
	require.NoError(t, err)
	two, err := b.Take(ctx)
	require.NoError(t, err)
	p.Set(false)
	two.Return(ctx)
	other, err := join(t, f.URL(), "other").Take(ctx)
	require.NoError(t, err)
	require.Contains(t, []cluster.Job{job(1), job(2)}, other.Job())
	time.AfterFunc(short, func() { p.Set(true) })
	require.NoError(t, one.Done(ctx, cluster.Bytes(answer(one.Job()))))
	d, err := f.Receive(ctx)
	require.NoError(t, err)
	require.Equal(t, one.Job().ID, d.Result().Job)
}

// TestTakenOften has many workers take a job and not answer. The next one still gets it, though the front end is cut off,
// and says so.
func TestTakenOften(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	target := startServer(t)
	p := clustertest.NewProxy(t, target)
	f := open(t, natscarrier.Config{Server: p.URL()})
	require.NoError(t, f.Offer(ctx, job(1)))
	reports := make(chan string, 100)
	b, err := natscarrier.Join(ctx, natscarrier.Worker{URL: target, Account: account, Terms: terms, Name: "often", Report: func(s string) { reports <- s }})
	require.NoError(t, err)
	defer b.Close()
	var l cluster.Lease
	for n := range 10 {
		l, err = b.Take(ctx)
		require.NoError(t, err)
		if n < 9 {
			require.NoError(t, l.Return(ctx))
		}
	}
	next := make(chan cluster.Lease, 1)
	go func() {
		if l, err := b.Take(ctx); err == nil {
			next <- l
		}
	}()
	require.Eventually(t, func() bool { return f.Workers() == 2 }, wait, short/10) // one has the job, one waits
	p.Set(false)
	require.NoError(t, l.Return(ctx))
	require.Equal(t, fmt.Sprintf("job %v was taken 10 times before, and no worker has answered", job(1).ID), <-reports)
	l = <-next
	p.Set(true)
	require.NoError(t, l.Done(ctx, cluster.Bytes(answer(job(1)))))
	d, err := f.Receive(ctx)
	require.NoError(t, err)
	require.Equal(t, job(1).ID, d.Result().Job)
}

// TestServerRestarts has the server stop and start again, as one does that is not in the front end's process.
func TestServerRestarts(t *testing.T) {
	t.Parallel()
	store := t.TempDir()
	s, err := newServer(store)
	require.NoError(t, err)
	address := s.Addr().(*net.TCPAddr)
	f := open(t, natscarrier.Config{Server: s.ClientURL()})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for n := range 2 {
		go work(ctx, join(t, s.ClientURL(), fmt.Sprint(n)))
	}
	restarts := 0
	collect(t, f, 90, func(done int) {
		if done < 30*(restarts+1) {
			return
		}
		restarts++
		s.Shutdown()
		s.WaitForShutdown()
		s, err = server.NewServer(&server.Options{Host: "127.0.0.1", Port: address.Port, Authorization: account.Secret, NoLog: true, NoSigs: true, JetStream: true, StoreDir: store})
		require.NoError(t, err)
		s.Start()
	})
	require.Equal(t, 2, restarts)
	cancel()
	require.NoError(t, f.Close())
	s.Shutdown()
}

// TestCluster has three servers, with jobs and results on all of them. Each is stopped and started again while workers
// do jobs: nothing is lost.
func TestCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("elections take seconds")
	}
	t.Parallel()
	const servers = 3
	var routes []*url.URL
	options := make([]*server.Options, servers)
	var urls []string
	for n := range options {
		ports := freePorts(t)
		options[n] = &server.Options{
			ServerName: fmt.Sprint("server", n), Host: "127.0.0.1", Port: ports[0], Authorization: account.Secret, NoLog: true, NoSigs: true,
			JetStream: true, StoreDir: t.TempDir(), Cluster: server.ClusterOpts{Name: "three", Host: "127.0.0.1", Port: ports[1]},
		}
		routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprint("127.0.0.1:", ports[1])})
		urls = append(urls, fmt.Sprint("nats://127.0.0.1:", ports[0]))
	}
	running := make([]*server.Server, servers)
	start := func(n int) {
		o := options[n].Clone()
		o.Routes = routes
		s, err := server.NewServer(o)
		require.NoError(t, err)
		s.Start()
		running[n] = s
	}
	for n := range running {
		start(n)
	}
	defer func() {
		for _, s := range running {
			s.Shutdown()
		}
	}()
	require.Eventually(t, func() bool {
		return running[0].JetStreamIsCurrent() && slices.ContainsFunc(running, (*server.Server).JetStreamIsLeader)
	}, wait, 10*time.Millisecond)
	all := strings.Join(urls, ",")
	f := open(t, natscarrier.Config{Server: all, Replicas: servers})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for n := range 2 {
		go work(ctx, join(t, all, fmt.Sprint(n)))
	}
	restarts := 0
	collect(t, f, 120, func(done int) {
		if done < 30*(restarts+1) {
			return
		}
		n := restarts % servers
		running[n].Shutdown()
		running[n].WaitForShutdown()
		start(n)
		restarts++
	})
	require.Equal(t, servers, restarts)
}

// freePorts returns two ports on which nobody listens.
func freePorts(t *testing.T) (ports [2]int) {
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer l.Close()
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	return ports
}

// TestSilentServer counts workers and leaves while the server says nothing.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	p := clustertest.NewProxy(t, startServer(t))
	f := open(t, natscarrier.Config{Server: p.URL()})
	defer p.Silence()()
	begin := time.Now()
	f.Workers()
	f.Leave()
	require.Less(t, time.Since(begin), 3*time.Second)
}

// TestLeftResults has a front end leave before it has received a result: the next one receives it.
func TestLeftResults(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	c := natscarrier.Config{Terms: terms, Account: account, Listen: "127.0.0.1:0", Store: filepath.Join(t.TempDir(), "streams")}
	f, err := natscarrier.Open(ctx, c)
	require.NoError(t, err)
	require.NoError(t, f.Offer(ctx, job(1)))
	b, err := f.Join(ctx, terms, "worker")
	require.NoError(t, err)
	defer b.Close()
	l, err := b.Take(ctx)
	require.NoError(t, err)
	require.NoError(t, l.Done(ctx, cluster.Bytes("answer")))
	f.Leave()
	require.NoError(t, f.Close())

	f, err = natscarrier.Open(ctx, c)
	require.NoError(t, err)
	d, err := f.Receive(ctx)
	require.NoError(t, err)
	require.Equal(t, job(1).ID, d.Result().Job)
	require.NoError(t, f.Close())
	require.NoDirExists(t, c.Store)
}

// TestNoStreamsLeft fails to listen where another server does, and leaves nothing behind.
func TestNoStreamsLeft(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	store := filepath.Join(t.TempDir(), "streams")
	_, err = natscarrier.Open(t.Context(), natscarrier.Config{Listen: l.Addr().String(), Store: store})
	require.ErrorContains(t, err, "NATS server")
	require.NoDirExists(t, store)
}

// TestDamagedStreams begins with new streams if those of an earlier server cannot be read.
func TestDamagedStreams(t *testing.T) {
	t.Parallel()
	c := natscarrier.Config{Listen: "127.0.0.1:0", Store: t.TempDir()}
	f, err := natscarrier.Open(t.Context(), c)
	require.NoError(t, err)
	f.Leave()
	damaged := 0
	require.NoError(t, filepath.WalkDir(c.Store, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			damaged++
			err = os.WriteFile(path, bytes.Repeat([]byte("damaged"), 20), 0o600)
		}
		return err
	}))
	require.NotZero(t, damaged)
	f, err = natscarrier.Open(t.Context(), c)
	require.NoError(t, err)
	require.NoError(t, f.Offer(t.Context(), job(1)))
	require.NoError(t, f.Close())
}
