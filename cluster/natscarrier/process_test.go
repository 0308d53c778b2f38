package natscarrier_test

import (
	"bufio"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/natscarrier"
)

// TestMain runs this program as a worker or as a front end for tests that kill it.
func TestMain(m *testing.M) {
	var err error
	if os.Getenv("NATSCARRIER_CHILD") != "" {
		go func() { // the input ends with the test, however that ends
			io.Copy(io.Discard, os.Stdin)
			os.Exit(1)
		}()
	}
	switch args := strings.Fields(os.Getenv("NATSCARRIER_CHILD")); {
	case len(args) == 0:
		os.Exit(m.Run())
	case args[0] == "server":
		var s *server.Server
		if s, err = newServer(args[1]); err == nil {
			fmt.Println(s.ClientURL())
			s.WaitForShutdown()
		}
	case args[0] == "worker":
		err = childWorker(args[1])
	case args[0] == "front":
		err = childFront(args[1], args[2], args[3], args[4], args[5])
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// child starts this program in another role, which ends with the test at the latest. The
// first line that it prints is returned.
func child(t *testing.T, args ...string) (*exec.Cmd, string) {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "NATSCARRIER_CHILD="+strings.Join(args, " "))
	c.Stderr = os.Stderr
	_, err := c.StdinPipe()
	require.NoError(t, err)
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	t.Cleanup(func() { kill(c) })
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	return c, strings.TrimSpace(line)
}

// serverProcess starts a NATS server in a process of its own, and returns its URL.
func serverProcess(t *testing.T) string {
	_, url := child(t, "server", t.TempDir())
	return url
}

// kill kills a child with SIGKILL.
func kill(c *exec.Cmd) {
	c.Process.Kill()
	c.Wait()
}

func childWorker(url string) error {
	ctx := context.Background()
	b, err := natscarrier.Join(ctx, natscarrier.Worker{URL: url, Account: account, Terms: terms, Name: fmt.Sprint(os.Getpid())})
	if err != nil {
		return err
	}
	fmt.Println("joined")
	return work(ctx, b)
}

// TestKilledWorkers kills workers at random while they do jobs, and starts others.
func TestKilledWorkers(t *testing.T) {
	t.Parallel()
	f := open(t, natscarrier.Config{})
	rng := rand.New(rand.NewPCG(1, 2))
	workers := make([]*exec.Cmd, 3)
	for n := range workers {
		workers[n], _ = child(t, "worker", f.URL())
	}
	kills := 0
	collect(t, f, 300, func(done int) {
		if done < 40*(kills+1) {
			return
		}
		kills++
		n := rng.IntN(len(workers))
		kill(workers[n])
		workers[n], _ = child(t, "worker", f.URL())
	})
	require.Equal(t, 7, kills)
	status, err := f.Status(t.Context())
	require.NoError(t, err)
	// A worker that was killed before it could say that the job is done leaves it to another, who may have done it again by now.
	require.LessOrEqual(t, status.Queued+status.Leased, kills)
	require.LessOrEqual(t, status.Results, kills)
}

// childFront is a front end that keeps its results in a file, and continues from it.
func childFront(listen, version, jobs, file, lease string) error {
	ctx := context.Background()
	length, err := time.ParseDuration(lease)
	if err != nil {
		return err
	}
	count, err := strconv.Atoi(jobs)
	if err != nil {
		return err
	}
	done, err := readResults(file)
	if err != nil {
		return err
	}
	out, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	t := terms
	t.Version = version
	f, err := natscarrier.Open(ctx, natscarrier.Config{Terms: t, Account: account, Lease: length, Listen: listen, Store: file + ".store"})
	if err != nil {
		return err
	}
	fmt.Println(f.URL())
	for n := range count {
		if j := job(n); done[j.ID] == "" {
			if err := f.Offer(ctx, j); err != nil {
				return err
			}
		}
	}
	for {
		d, err := f.Receive(ctx)
		if err != nil {
			return err
		}
		// One write, so that a kill does not cut the line.
		line := fmt.Sprintf("%v %x\n", d.Result().Job, text(d.Result().Body))
		if _, err := out.WriteString(line); err != nil {
			return err
		}
		if err := d.Ack(ctx); err != nil {
			return err
		}
	}
}

// readResults reads what front ends have written.
func readResults(file string) (map[cluster.ID]string, error) {
	results := map[cluster.ID]string{}
	data, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return results, nil
	}
	for line := range strings.Lines(string(data)) {
		if !strings.HasSuffix(line, "\n") {
			break // it is being written
		}
		job, body, _ := strings.Cut(strings.TrimSpace(line), " ")
		id, err := hex.DecodeString(job)
		if err != nil {
			return nil, err
		}
		text, err := hex.DecodeString(body)
		if err != nil {
			return nil, err
		}
		results[cluster.ID(id)] = string(text)
	}
	return results, err
}

// TestKilledFront kills the front end, with the server in its process, while workers do
// jobs; they find the next one at the same address. In the end comes a front end of
// another version, which refuses them.
func TestKilledFront(t *testing.T) {
	t.Parallel()
	const jobs = 400
	file := filepath.Join(t.TempDir(), "results")
	// Each front end but the last lacks some jobs, so that it is killed before the last job is done.
	start := func(listen string, kills int) (*exec.Cmd, string) {
		return child(t, "front", listen, "1", fmt.Sprint(min(120*(kills+1), jobs)), file, short.String())
	}
	front, url := start(returning(), 0)
	listen := strings.TrimPrefix(url, "nats://")
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	var group sync.WaitGroup
	failed := make(chan error, 3)
	for n := range 3 {
		b := join(t, url, fmt.Sprint(n))
		group.Go(func() { failed <- work(ctx, b) })
	}
	for kills := 0; ; {
		done, err := readResults(file)
		require.NoError(t, err)
		require.NoError(t, ctx.Err())
		if len(done) == jobs {
			for n := range jobs {
				require.Equal(t, answer(job(n)), done[job(n).ID])
			}
			require.Equal(t, 3, kills)
			break
		}
		if len(done) > 100*(kills+1) && kills < 3 {
			kills++
			kill(front)
			front, _ = start(listen, kills)
		}
	}
	kill(front)
	child(t, "front", listen, "2", fmt.Sprint(jobs), file, short.String())
	group.Wait()
	for range 3 {
		err := <-failed
		require.ErrorIs(t, err, cluster.ErrRefused)
		require.ErrorContains(t, err, "this is version 1, and version 2 is wanted")
	}
}

// TestKilledFrontLease has the front end die while a worker has a job: the worker goes on,
// and its result reaches the next front end.
func TestKilledFrontLease(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "results")
	front, url := child(t, "front", "127.0.0.1:0", "1", "1", file, wait.String())
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	l, err := join(t, url, "one").Take(ctx)
	require.NoError(t, err)
	kill(front)
	child(t, "front", strings.TrimPrefix(url, "nats://"), "1", "1", file, wait.String())
	require.NoError(t, l.Done(ctx, cluster.Bytes("result")))
	require.Eventually(t, func() bool {
		done, err := readResults(file)
		return err == nil && done[job(0).ID] == "result"
	}, wait, short/10)
}
