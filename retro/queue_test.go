package retro

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/natscarrier"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro/internal/retrotest"
)

// queueTest solves a game by a queue whose server is in this process.
type queueTest struct {
	t     *testing.T
	u     *games.Universe
	terms cluster.Terms
	store string // of the server
	files func(cluster.Files) cluster.Files
	joins func()            // is called before the worker of the host joins
	told  func(text string) // is called with each report
	// reports are what the host has told.
	mu      sync.Mutex
	reports []string
}

func newQueueTest(t *testing.T, u *games.Universe) *queueTest {
	terms, err := Terms(u, "1")
	require.NoError(t, err)
	return &queueTest{t: t, u: u, terms: terms, store: filepath.Join(t.TempDir(), "streams"), files: func(f cluster.Files) cluster.Files { return f }, joins: func() {}, told: func(string) {}}
}

// queue is a front end whose files may be others.
type queue struct {
	*natscarrier.Front
	test  *queueTest
	files cluster.Files
}

func (q *queue) Files() cluster.Files { return q.files }

func (q *queue) Join(ctx context.Context, terms cluster.Terms, name string) (cluster.Back, error) {
	q.test.joins()
	return q.Front.Join(ctx, terms, name)
}

// Close looks whether files are left: all that was needed is deleted when the last tier is finished.
func (q *queue) Close() error {
	list, err := q.files.List(context.Background())
	require.NoError(q.test.t, err)
	require.Empty(q.test.t, list)
	return q.Front.Close()
}

// host solves in the directory "solve" of a file system. It tells url where workers can join.
func (q *queueTest) host(ctx context.Context, u *games.Universe, fs vfs.FS, url chan<- string) (solved int, err error) {
	solved, _, err = SolveQueued(ctx, u, "solve", Config{FS: fs, Positions: All, Threads: 1}, q.terms, func(string) (Queue, error) {
		f, err := natscarrier.Open(ctx, natscarrier.Config{Terms: q.terms, Listen: "127.0.0.1:0", Store: q.store, Files: true})
		if err != nil {
			return nil, err
		}
		url <- f.URL()
		return &queue{f, q, q.files(f.Files())}, nil
	}, func(text string) {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.reports = append(q.reports, text)
		q.told(text)
	})
	return solved, err
}

// work solves tiers with a file system of its own, which is empty in the end.
func (q *queueTest) work(ctx context.Context, u *games.Universe, url string, cfg Config) (solved int, err error) {
	w := natscarrier.Worker{URL: url, Terms: q.terms, Name: "worker"}
	back, err := natscarrier.Join(ctx, w)
	if errors.Is(err, cluster.ErrClosed) || errors.Is(err, natscarrier.ErrAbsent) { // it comes too late
		return 0, nil
	}
	require.NoError(q.t, err)
	defer back.Close()
	files, err := natscarrier.OpenFiles(ctx, w)
	if errors.Is(err, natscarrier.ErrAbsent) {
		return 0, nil
	}
	require.NoError(q.t, err)
	defer files.Close()
	cfg.FS, cfg.Positions = vfs.NewMem(), All
	solved, err = Work(ctx, u, "work", cfg, back, files)
	_, statErr := cfg.FS.Stat("work")
	require.Error(q.t, statErr, "it removes its directory")
	return solved, err
}

// solve solves with a number of workers besides the host, and returns how many tiers all have solved.
func (q *queueTest) solve(fs vfs.FS, workers int, cfg Config) (solved int) {
	q.t.Helper()
	urls := make(chan string, 1)
	counts, errs := make([]int, workers+1), make([]error, workers+1)
	var group sync.WaitGroup
	group.Go(func() {
		defer close(urls)
		counts[0], errs[0] = q.host(q.t.Context(), q.u, fs, urls)
	})
	if url := <-urls; url != "" {
		for n := 1; n <= workers; n++ {
			group.Go(func() { counts[n], errs[n] = q.work(q.t.Context(), q.u, url, cfg) })
		}
	}
	group.Wait()
	require.NoError(q.t, errors.Join(errs...))
	for _, n := range counts {
		solved += n
	}
	return solved
}

// TestQueued solves games by a host alone and with workers that do not see its directory: the database is that of one
// process, byte for byte, and nothing else is left, also not in the object store.
func TestQueued(t *testing.T) {
	t.Parallel()
	for name, c := range tieredGames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := solvedAlone(t, c.u)
			for _, workers := range []int{0, 2} {
				fs := vfs.NewMem()
				q := newQueueTest(t, c.u)
				// A worker whose lease ends since it gets no processor is not the only one to solve a tier.
				require.GreaterOrEqual(t, q.solve(fs, workers, c.cfg), len(c.u.Tiers))
				require.Empty(t, q.reports)
				requireSame(t, want, fs)
				_, err := q.host(t.Context(), c.u, fs, nil)
				require.EqualError(t, err, "solve: already solved")
			}
		})
	}
}

// gate is an Expander that waits, once it is shut, until it opens.
type gate struct {
	games.Expander
	shut atomic.Bool
	open chan struct{}
}

func (g *gate) Expand(indices []uint64, out *games.Expansion) {
	if g.shut.Load() {
		<-g.open
	}
	g.Expander.Expand(indices, out)
}

// TestQueuedWorker has a host whose own worker cannot begin until the host has got a tier from another one.
func TestQueuedWorker(t *testing.T) {
	t.Parallel()
	u := retrotest.Open(t, "checkers:pieces=3")
	want := solvedAlone(t, u)
	q := newQueueTest(t, u)
	host, g := *u, &gate{Expander: u.Expander, open: make(chan struct{})}
	host.Expander = g
	opens := sync.OnceFunc(func() { close(g.open) })
	q.files = func(f cluster.Files) cluster.Files { return &watched{f, opens} }
	q.joins = func() { g.shut.Store(true) }
	fs := vfs.NewMem()
	urls := make(chan string, 1)
	var group sync.WaitGroup
	var err error
	group.Go(func() { _, err = q.host(t.Context(), &host, fs, urls) })
	solved, workErr := q.work(t.Context(), u, <-urls, Config{Threads: 1})
	group.Wait()
	require.NoError(t, errors.Join(err, workErr))
	require.NotZero(t, solved)
	requireSame(t, want, fs)
}

// watched calls got when the host has got a file.
type watched struct {
	cluster.Files
	got func()
}

func (w *watched) Get(ctx context.Context, name string, read func(io.Reader) error) error {
	defer w.got()
	return w.Files.Get(ctx, name, read)
}

// TestQueuedStopped stops the host in the middle of a tier, then a worker: the same host goes on, and another worker
// gets the tier.
func TestQueuedStopped(t *testing.T) {
	t.Parallel()
	u := retrotest.Open(t, "checkers:pieces=3")
	want := solvedAlone(t, u)
	for _, n := range moments() {
		fs := vfs.NewMem()
		q := newQueueTest(t, u)
		ctx, cancel := context.WithCancel(t.Context())
		_, err := q.host(ctx, retrotest.WithCounter(u, n, cancel), fs, make(chan string, 1))
		require.ErrorIs(t, err, ErrInterrupted)
		require.Regexp(t, `^interrupted after \S+, with \d+ of 10 tiers finished; workers go on with the tiers that they have$`, err.Error())

		urls := make(chan string, 1)
		var group sync.WaitGroup
		var hostErr error
		group.Go(func() { _, hostErr = q.host(t.Context(), u, fs, urls) })
		ctx, cancel = context.WithCancel(t.Context())
		if _, err := q.work(ctx, retrotest.WithCounter(u, n/8, cancel), <-urls, Config{Threads: 1}); err != nil {
			require.ErrorIs(t, err, ErrInterrupted)
		}
		cancel()
		group.Wait()
		require.NoError(t, hostErr)
		requireSame(t, want, fs)
	}
}

// TestQueuedKilled takes what a crash of the host at some moment would leave of its disk, where another host goes on, with the
// results that wait in the streams or, without these, with what it has.
func TestQueuedKilled(t *testing.T) {
	t.Parallel()
	u := retrotest.Open(t, "checkers:pieces=3")
	want := solvedAlone(t, u)
	for i, n := range moments() {
		fs := vfs.NewCrashableMem()
		var clone *vfs.MemFS
		q := newQueueTest(t, u)
		killed := retrotest.WithCounter(u, n/2, func() {
			clone = fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50, RNG: rand.New(rand.NewPCG(uint64(n), 1))})
		})
		q.u = killed // whoever does batch n/2
		q.solve(fs, 1, Config{Threads: 1})
		requireSame(t, want, fs)
		require.NotNil(t, clone)
		q.u = u
		q.solve(clone, i%2, Config{})
		requireSame(t, want, clone)
	}
}

// TestQueuedAndShared has a process that shares the directory help, too.
func TestQueuedAndShared(t *testing.T) {
	t.Parallel()
	u := retrotest.Open(t, "checkers:pieces=3")
	want := solvedAlone(t, u)
	fs := vfs.NewMem()
	q := newQueueTest(t, u)
	urls := make(chan string, 1)
	var group sync.WaitGroup
	errs := make([]error, 3)
	group.Go(func() { _, errs[0] = q.host(t.Context(), u, fs, urls) })
	url := <-urls
	group.Go(func() {
		if _, _, errs[1] = SolveShared(t.Context(), u, "solve", Config{FS: fs, Positions: All}); errors.Is(errs[1], ErrSolved) {
			errs[1] = nil
		}
	})
	group.Go(func() { _, errs[2] = q.work(t.Context(), u, url, Config{}) })
	group.Wait()
	require.NoError(t, errors.Join(errs...))
	requireSame(t, want, fs)
}

// faulty loses or changes each file when the host reads it first.
type faulty struct {
	cluster.Files
	lose   bool
	mu     sync.Mutex
	seen   map[string]bool
	faults *atomic.Int64
}

func (f *faulty) Get(ctx context.Context, name string, read func(io.Reader) error) error {
	f.mu.Lock()
	seen := f.seen[name]
	f.seen[name] = true
	f.mu.Unlock()
	switch {
	case seen:
		return f.Files.Get(ctx, name, read)
	case f.lose:
		f.faults.Add(1)
		require.NoError(nil, f.Delete(ctx, name))
		return f.Files.Get(ctx, name, read)
	}
	f.faults.Add(1)
	return f.Files.Get(ctx, name, func(r io.Reader) error {
		data, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		return read(bytes.NewReader(data[:len(data)/2]))
	})
}

// TestQueuedFaults loses and damages files of workers: the host says so, and their tiers are solved again.
func TestQueuedFaults(t *testing.T) {
	t.Parallel()
	u := retrotest.Open(t, "checkers:pieces=3")
	want := solvedAlone(t, u)
	for name, lose := range map[string]bool{"lost": true, "damaged": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := newQueueTest(t, u)
			var faults atomic.Int64
			q.files = func(f cluster.Files) cluster.Files {
				return &faulty{Files: f, lose: lose, seen: map[string]bool{}, faults: &faults}
			}
			fs := vfs.NewMem()
			q.solve(fs, 2, Config{Threads: 1})
			requireSame(t, want, fs)
			require.Equal(t, int(faults.Load()), len(q.reports))
			for _, text := range q.reports {
				require.True(t, strings.HasSuffix(text, "; it is to be solved again"), text)
			}
		})
	}
}

// damaged is a carrier on which a worker has left a damaged file.
type damaged struct {
	cluster.Files
	put sync.Once
}

// Get loses the rest of the first file for good.
func (d *damaged) Get(ctx context.Context, name string, read func(io.Reader) error) error {
	d.put.Do(func() { require.NoError(nil, d.Put(ctx, name, strings.NewReader("damaged"), 7)) })
	return d.Files.Get(ctx, name, read)
}

// TestQueuedDamaged has the host refuse a file: workers that need the tier do not get that, also if the host solves the tier again.
func TestQueuedDamaged(t *testing.T) {
	t.Parallel()
	u := retrotest.Open(t, "checkers:pieces=3")
	want := solvedAlone(t, u)
	q := newQueueTest(t, u)
	var d *damaged
	q.files = func(f cluster.Files) cluster.Files {
		d = &damaged{Files: f}
		return d
	}
	var left []string // damaged files after a report
	q.told = func(string) {
		list, err := d.List(t.Context())
		for _, name := range list {
			err = errors.Join(err, d.Files.Get(t.Context(), name, func(r io.Reader) error {
				data, err := io.ReadAll(r)
				if string(data) == "damaged" {
					left = append(left, name)
				}
				return err
			}))
		}
		if err != nil {
			left = append(left, err.Error())
		}
	}
	fs := vfs.NewMem()
	q.solve(fs, 2, Config{Threads: 1})
	require.Empty(t, left)
	requireSame(t, want, fs)
}

// TestQueuedTwice refuses a second host for a directory.
func TestQueuedTwice(t *testing.T) {
	t.Parallel()
	u := retrotest.Open(t, "checkers:pieces=2")
	fs := vfs.NewMem()
	q, other := newQueueTest(t, u), newQueueTest(t, u)
	var otherErr error
	urls := make(chan string, 1)
	q.joins = func() { _, otherErr = other.host(t.Context(), u, fs, urls) } // the first one has begun
	_, err := q.host(t.Context(), u, fs, make(chan string, 1))
	require.NoError(t, err)
	require.EqualError(t, otherErr, "solve: another process hands out these tiers or writes the database: add a worker to that one, or share the directory")
	require.Empty(t, urls, "it has opened a queue, whose files are those of the first one")
}
