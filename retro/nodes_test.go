package retro

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/clustertest"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// nodeSolve is a solve by nodes that are goroutines.
type nodeSolve struct {
	u       *games.Universe
	network cluster.Network
	nodes   int
	cfg     Config
	fs      func(node int) vfs.FS
	report  func(string)
	ctx     context.Context // of the coordinator, if not that of the test
}

// run solves the game, and starts nodes that fail again.
func (s *nodeSolve) run(t *testing.T) (*NodesReport, *db.Manifest, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel()
	life := ctx
	if s.ctx != nil {
		life = s.ctx
	}
	life, end := context.WithCancel(life) // of the coordinator
	defer end()
	failed := make(chan error, s.nodes)
	if s.report == nil {
		s.report = func(text string) { t.Log(text) }
	}
	for n := range s.nodes {
		group.Go(func() {
			node := Node{
				Network: s.network, Dir: fmt.Sprint("part", n), Host: fmt.Sprint(n), Threads: 1 + n%2, FS: s.fs(n), Version: "1",
				Universe: func(context.Context, About) (*games.Universe, error) { return s.u, nil },
				Report: func(text string) {
					if strings.Contains(text, " of ") && !strings.HasSuffix(text, " of "+s.u.Name) {
						t.Errorf("%q does not name the game", text)
					}
				},
			}
			if err := node.Run(ctx); err != nil && ctx.Err() == nil {
				failed <- err
				end()
			}
		})
	}
	r, m, err := SolveNodes(life, s.u, "solve", s.cfg, Nodes{Network: s.network, Count: s.nodes, Game: s.u.Name, Version: "1", Report: s.report})
	for len(failed) > 0 {
		err = errors.Join(err, <-failed)
	}
	return r, m, err
}

func newNodeSolve(u *games.Universe, nodes int) *nodeSolve {
	fs := vfs.NewMem()
	return &nodeSolve{u: u, nodes: nodes, network: &cluster.MemoryNetwork{}, cfg: Config{FS: fs}, fs: func(int) vfs.FS { return fs }}
}

// TestNodes solves games with several nodes: the content of the database is that of one
// process.
func TestNodes(t *testing.T) {
	_, awari := openAwari(t, "", 8)
	_, checkers := openCheckers(t, "checkers:size=4x4,pieces=3")
	_, larger := openCheckers(t, "checkers:size=6x6,pieces=2")
	universes := []*games.Universe{awari, openUniverse(t, "connect4:size=4x4"), openUniverse(t, "dobutsu:size=3x3"), checkers, larger}
	graphs(t, 8, func(t *testing.T, rng *rand.Rand, g *graph) {
		u := g.universe(g.start(rng))
		if u.Name = t.Name(); rng.IntN(3) == 0 {
			u.Retractor = nil
		}
		universes = append(universes, u)
	})
	for at, u := range universes {
		positions := []Positions{Reachable, All}[at%2]
		_, want, err := Solve(t.Context(), u, "solve", Config{FS: vfs.NewMem(), Positions: positions})
		require.NoError(t, err)
		for _, nodes := range []int{1, 2, 3} {
			if testing.Short() && nodes == 1 {
				continue
			}
			t.Run(fmt.Sprint(u.Name, positions, nodes), func(t *testing.T) {
				t.Parallel()
				s := newNodeSolve(u, nodes)
				s.cfg.Positions, s.cfg.Partitions = positions, 8
				_, got, err := s.run(t)
				require.NoError(t, err)
				require.Equal(t, want.Content, got.Content)
				require.Equal(t, want.Checksum, got.Checksum)
			})
		}
	}
}

// TestNodesFullDisk has the n-th write of a node or of the coordinator fail. The solve says so,
// and goes on from there when there is room again.
func TestNodesFullDisk(t *testing.T) {
	_, u := openAwari(t, "", 5)
	_, want, err := Solve(t.Context(), u, "solve", Config{FS: vfs.NewMem()})
	require.NoError(t, err)
	errFull := errors.New("no space left on device")
	for who := range 2 { // a node, the coordinator
		t.Run(fmt.Sprint(who), func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n += 1 + n/4 {
				fs := vfs.NewMem()
				var writes atomic.Int64
				full := errorfs.Wrap(fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
					if op.Kind.ReadOrWrite() == errorfs.OpIsWrite && writes.Add(1) == int64(n) {
						return errFull
					}
					return nil
				}))
				s := newNodeSolve(u, 2)
				s.cfg.CheckpointEvery = time.Nanosecond
				s.report = func(string) {}
				s.cfg.FS = fs
				s.fs = func(node int) vfs.FS {
					if who == 0 && node == 0 {
						return full
					}
					return fs
				}
				if who == 1 {
					s.cfg.FS = full
				}
				_, got, err := s.run(t)
				if failed := writes.Load() >= int64(n); err != nil {
					require.True(t, failed, "%v", err)
					s.cfg.FS, s.fs = fs, func(int) vfs.FS { return fs }
					_, got, err = s.run(t)
					if errors.Is(err, ErrSolved) { // the last write failed, when all was done
						got, err = db.ReadManifest(fs, "solve")
					}
				} else if !failed {
					require.Greater(t, n, 10)
					break
				}
				require.NoError(t, err, "write %d", n)
				require.Equal(t, want.Checksum, got.Checksum)
			}
		})
	}
}

// TestNodesInterrupted interrupts a solve while a node is still loading its part, and when the
// database has just been written.
func TestNodesInterrupted(t *testing.T) {
	_, u := openAwari(t, "", 5)
	ctx, cancel := context.WithCancel(t.Context())
	s := newNodeSolve(u, 2)
	s.ctx = ctx
	s.cfg.FS = errorfs.Wrap(vfs.NewMem(), errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind == errorfs.OpRemoveAll && strings.HasSuffix(op.Path, nodesName) {
			cancel()
			time.Sleep(50 * time.Millisecond)
		}
		return nil
	}))
	_, _, err := s.run(t)
	require.NoError(t, err)
	require.Error(t, ctx.Err())

	ctx, cancel = context.WithCancel(t.Context())
	loaded, stop := make(chan struct{}), sync.OnceFunc(cancel)
	lists := atomic.Int64{}
	fs := errorfs.Wrap(vfs.NewMem(), errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind == errorfs.OpList && lists.Add(1) == 3 { // after the part is known
			time.AfterFunc(200*time.Millisecond, stop)
			<-loaded
		}
		return nil
	}))
	s = newNodeSolve(u, 2)
	s.ctx = ctx
	s.fs = func(int) vfs.FS { return vfs.NewMem() }
	life, end := context.WithTimeout(t.Context(), 20*time.Second)
	defer end()
	node := func(dir string, fs vfs.FS) {
		Node{Network: s.network, Dir: dir, FS: fs, Threads: 1, Version: "1",
			Universe: func(context.Context, About) (*games.Universe, error) { return u, nil }}.Run(life)
	}
	var group sync.WaitGroup
	group.Go(func() { node("part0", vfs.NewMem()) })
	group.Go(func() { node("part1", fs) })
	solved := make(chan error, 1)
	go func() {
		_, _, err := SolveNodes(ctx, u, "solve", Config{FS: vfs.NewMem()}, Nodes{Network: s.network, Count: 2, Game: u.Name, Version: "1"})
		solved <- err
	}()
	select {
	case err = <-solved:
	case <-life.Done():
		t.Error("the coordinator waits for a node that is loading")
	}
	close(loaded)
	end()
	group.Wait()
	require.ErrorIs(t, err, ErrInterrupted)
}

// TestNodesDamaged changes a byte of a node's part: the solve does not go on from it.
func TestNodesDamaged(t *testing.T) {
	_, u := openAwari(t, "", 9)
	s := newNodeSolve(u, 2)
	s.cfg.CheckpointEvery = time.Nanosecond
	ctx, cancel := context.WithCancel(t.Context())
	s.u = withCounter(t, u, 400, cancel)
	s.ctx = ctx
	_, _, err := s.run(t)
	require.ErrorIs(t, err, ErrInterrupted)
	s.u, s.ctx = u, nil
	names, err := s.cfg.FS.List("part1")
	require.NoError(t, err)
	at := slices.IndexFunc(names, func(name string) bool { return strings.HasPrefix(name, epochPrefix) })
	require.GreaterOrEqual(t, at, 0, "%v", names)
	path := "part1/" + names[at]
	data := readAll(t, s.cfg.FS, path)
	data[len(data)-1] ^= 1
	f, err := s.cfg.FS.Create(path, vfs.WriteCategoryUnspecified)
	require.NoError(t, err)
	_, err = f.Write(data)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	_, _, err = s.run(t)
	require.ErrorContains(t, err, db.ErrCorrupt.Error())
}

// crashes is an Expander and Retractor of a node that is lost after some calls.
type crashes struct {
	games.Expander
	games.Retractor
	call func()
}

func (c *crashes) Expand(indices []uint64, out *games.Expansion) {
	c.call()
	c.Expander.Expand(indices, out)
}

func (c *crashes) Retract(indices []uint64, out *games.Predecessors) {
	c.call()
	c.Retractor.Retract(indices, out)
}

// TestNodesLost ends nodes and coordinators at random moments, with checkpoints every few
// milliseconds. Others go on in their place, and the database is that of one process.
func TestNodesLost(t *testing.T) {
	_, u := openAwari(t, "", 9)
	_, want, err := Solve(t.Context(), u, "solve", Config{FS: vfs.NewMem()})
	require.NoError(t, err)
	seeds := 3
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			testNodesLost(t, u, want, uint64(seed), clustertest.Faults{})
		})
	}
	t.Run("faults", func(t *testing.T) {
		t.Parallel()
		testNodesLost(t, u, want, 7, clustertest.Faults{Lost: 10, Doubled: 10, Late: 10, Delayed: 10})
	})
}

func testNodesLost(t *testing.T, u *games.Universe, want *db.Manifest, seed uint64, faults clustertest.Faults) {
	const nodes, losses = 3, 6
	fs := vfs.NewMem()
	network := clustertest.NewFaulty(&cluster.MemoryNetwork{}, faults, seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel()
	var mu sync.Mutex
	lost := 0
	// lottery loses who calls it now and then.
	lottery := func(end context.CancelFunc) {
		mu.Lock()
		defer mu.Unlock()
		if lost < losses && rng.IntN(400) == 0 {
			lost++
			end()
		}
	}
	for n := range nodes {
		group.Go(func() {
			for ctx.Err() == nil {
				life, end := context.WithCancel(ctx)
				v := *u
				c := &crashes{u.Expander, u.Retractor, func() { lottery(end) }}
				v.Expander, v.Retractor = c, c
				node := Node{
					Network: network, Dir: fmt.Sprint("part", n), Host: "host", Threads: 1, FS: fs, Version: "1",
					Universe: func(context.Context, About) (*games.Universe, error) { return &v, nil },
				}
				err := node.Run(life)
				end()
				if err == nil {
					return
				}
				if life.Err() == nil {
					t.Errorf("node %d: %v", n, err)
					return
				}
			}
		})
	}
	for coordinators := 0; ; coordinators++ {
		life, end := context.WithCancel(ctx)
		if coordinators < 3 {
			time.AfterFunc(time.Duration(200+rng.IntN(300))*time.Millisecond, end)
		}
		_, got, err := SolveNodes(life, u, "solve", Config{FS: fs, CheckpointEvery: 5 * time.Millisecond},
			Nodes{Network: network, Count: nodes, Game: u.Name, Version: "1", Report: func(text string) { t.Log(text) }})
		end()
		if err == nil {
			require.Equal(t, want.Content, got.Content)
			require.Equal(t, want.Checksum, got.Checksum)
			require.Positive(t, lost)
			return
		}
		require.ErrorIs(t, err, ErrInterrupted)
		require.NoError(t, ctx.Err())
	}
}

// TestNodesRefused has nodes of another version, with other rules, or with a part that there is not.
func TestNodesRefused(t *testing.T) {
	_, u := openAwari(t, "", 5)
	_, other := openAwari(t, "illegal", 5)
	network := &cluster.MemoryNetwork{}
	ctx, cancel := context.WithCancel(t.Context())
	solved := make(chan error)
	go func() {
		_, _, err := SolveNodes(ctx, u, "solve", Config{FS: vfs.NewMem()}, Nodes{Network: network, Count: 1, Game: u.Name, Version: "1"})
		solved <- err
	}()
	for _, test := range []struct {
		version string
		u       *games.Universe
		want    string
	}{
		{"2", u, "this is version 2, and version 1 is wanted"},
		{"1", other, "the rules of awari:stones=5 differ"},
	} {
		fs := vfs.NewMem()
		err := Node{
			Network: network, Dir: "part", FS: fs, Version: test.version,
			Universe: func(context.Context, About) (*games.Universe, error) { return test.u, nil },
		}.Run(ctx)
		require.ErrorIs(t, err, cluster.ErrRefused)
		require.ErrorContains(t, err, test.want)
		_, err = fs.Stat("part")
		require.ErrorIs(t, err, os.ErrNotExist)
	}
	cancel()
	require.ErrorIs(t, <-solved, ErrInterrupted)

	fs := vfs.NewMem()
	require.NoError(t, fs.MkdirAll("solve", 0o755))
	c, err := newCoordinator(u, Config{FS: fs, Checkpoint: "solve"}, Nodes{Count: 2})
	require.NoError(t, err)
	for _, number := range []int{-1, 0, 1, 2} {
		err := c.place(&hello{Part: part{Solve: c.file.Part.Solve, Number: number}}, &welcome{})
		require.Equal(t, number < 0 || number > 1, errors.Is(err, cluster.ErrRefused), "part %d", number)
	}
}

// TestBatchRecords writes batches as records and reads them again.
func TestBatchRecords(t *testing.T) {
	for _, test := range []struct {
		b     batch
		bytes int // of the messages
	}{
		{batch{kindReach, 7, nil}, 1},
		{batch{kindReach, 7, []uint32{0, 1<<22 - 1, 3<<24 | 1<<22 - 1, 5}}, 13},
		{batch{kindReach, 7, []uint32{0, 4 << 24}}, 8},
		{batch{kindReach, 7, []uint32{1 << 22, 3}}, 8},
		{batch{kindReach, 7, []uint32{255<<24 | 1<<24 - 1}}, 4},
		{batch{kindWin, 1<<20 - 1, []uint32{1, 2, 3}}, 10},
		{batch{kindDecrement, 0, []uint32{1<<24 - 1, 2, 3}}, 12},
		{batch{kindAsk, 9, []uint32{1<<24 - 1, 2, 3, 1 << 30, 1}}, 20},
		{batch{kindAnswer, 3, []uint32{0, 255, 1 << 30}}, 7},
		{batch{kindAnswer, 3, []uint32{0, 256, 1 << 30}}, 9},
		{batch{kindAnswer, 3, []uint32{1 << 30}}, 5},
	} {
		record := appendBatch(nil, 1<<31, &test.b)
		require.NotEqual(t, byte(noteRecord), record[0])
		require.Len(t, record, batchHeader+test.bytes, "%v", test.b)
		got := batch{messages: []uint32{9, 9}}
		require.Equal(t, uint32(1<<31), readBatch(record, &got))
		if len(got.messages) == 0 {
			got.messages = nil
		}
		require.Equal(t, test.b, got)
	}
}
