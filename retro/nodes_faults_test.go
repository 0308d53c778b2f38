package retro

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
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
	"github.com/yomikiri/yomikiri/db/verify"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro/internal/retrotest"
)

var (
	nodesWrites = flag.Bool("nodes.writes", false, "TestNodesFullDisk and TestNodesFinishCrash try every write, not a sample of them")
	nodesSeeds  = flag.Int("nodes.seeds", 3, "how many solves TestNodesFaults simulates")
	nodesSeed   = flag.Uint64("nodes.seed", 0, "the seed of the first of them")
)

// TestNodesFullDisk has the n-th write of a node or of the coordinator fail. The solve says so,
// and goes on from there when there is room again.
func TestNodesFullDisk(t *testing.T) {
	u := retrotest.Open(t, "awari:stones=5")
	one := vfs.NewMem()
	_, _, err := Solve(t.Context(), u, "solve", Config{FS: one})
	require.NoError(t, err)
	for who, name := range []string{"node 1", "node 2", "coordinator"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := 1
			for ; failedWrite(t, u, one, who, n); n++ {
				switch {
				case *nodesWrites:
				case testing.Short():
					n += n / 2
				default:
					n += n / 3
				}
			}
			require.Greater(t, n, 10)
		})
	}
}

var errNoSpace = errors.New("no space left on device")

// failedWrite has the n-th write of a peer fail, and returns false if there are not so many.
func failedWrite(t *testing.T, u *games.Universe, one vfs.FS, who, n int) bool {
	s := newNodeSolve(u, 2)
	fs := s.cfg.FS
	var writes atomic.Int64
	full := errorfs.Wrap(fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind.ReadOrWrite() == errorfs.OpIsWrite && writes.Add(1) == int64(n) {
			return errNoSpace
		}
		return nil
	}))
	s.cfg.CheckpointEvery = time.Nanosecond
	s.report = func(string) {}
	s.fs = func(node int) vfs.FS {
		if node == who {
			return full
		}
		return fs
	}
	if who == s.nodes {
		s.cfg.FS = full
	}
	_, _, err := s.run(t)
	failed := writes.Load() >= int64(n)
	if err != nil {
		require.True(t, failed, "%v", err)
		require.ErrorContains(t, err, errNoSpace.Error(), "write %d", n)
		s.cfg.FS, s.fs = fs, func(int) vfs.FS { return fs }
		if _, _, err = s.run(t); errors.Is(err, ErrSolved) { // the last write failed, when all was done
			err = nil
		}
	}
	require.NoError(t, err, "write %d", n)
	requireSame(t, one, fs)
	return failed
}

// linking is a [vfs.MemFS] in which no file is linked while mu is held to take a clone. Otherwise
// a clone, a sync and a link could wait for each other for ever.
type linking struct {
	vfs.FS
	mu *sync.Mutex
}

func (l linking) Link(from, to string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.FS.Link(from, to)
}

// TestNodesFinishCrash takes the disk as a power failure could leave it at each write from the
// first of the database on until the manifest is written. The same command ends with the same database.
func TestNodesFinishCrash(t *testing.T) {
	u := retrotest.Open(t, "awari:stones=5")
	one := vfs.NewMem()
	_, _, err := Solve(t.Context(), u, "solve", Config{FS: one})
	require.NoError(t, err)
	disk := vfs.NewCrashableMem()
	rng := rand.New(rand.NewPCG(1, 1))
	var mu sync.Mutex
	var crashed []*vfs.MemFS
	s := newNodeSolve(u, 2)
	s.cfg.CheckpointEvery = time.Nanosecond
	s.cfg.FS = errorfs.Wrap(linking{disk, &mu}, errorfs.InjectorFunc(func(op errorfs.Op) error {
		mu.Lock()
		defer mu.Unlock()
		if op.Kind.ReadOrWrite() == errorfs.OpIsWrite && (len(crashed) > 0 || strings.Contains(op.Path, "store.tmp")) {
			crashed = append(crashed, disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: []int{0, 50, 100}[rng.IntN(3)], RNG: rng}))
		}
		return nil
	}))
	s.fs = func(int) vfs.FS { return s.cfg.FS }
	_, _, err = s.run(t)
	require.NoError(t, err)
	step := 12
	if *nodesWrites {
		step = 1
	}
	require.Greater(t, len(crashed), 60)
	var solved, unsolved atomic.Int64
	t.Run("again", func(t *testing.T) {
		for i := 0; i < len(crashed); i += step {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				s := newNodeSolve(u, 2)
				s.cfg.FS, s.report = crashed[i], func(string) {}
				s.fs = func(int) vfs.FS { return crashed[i] }
				_, _, err := s.run(t)
				if errors.Is(err, ErrSolved) {
					solved.Add(1)
				} else {
					unsolved.Add(1)
					require.NoError(t, err)
				}
				requireSame(t, one, crashed[i])
			})
		}
	})
	t.Logf("%d disks had the database, %d had not", solved.Load(), unsolved.Load())
	require.Positive(t, unsolved.Load())
}

// TestNodesFaults simulates solves of which a seed chooses all faults: connections that break; nodes and coordinators that are stopped or killed at a write or at
// a call of the game; machines that crash, after which their disks have only what was synced,
// or some of the rest too; and power failures, when all crash at once. Others go on in their
// place, and the database is that of one process. A seed that fails is tried again with
// -nodes.seed; but what runs at the same time is up to the scheduler.
func TestNodesFaults(t *testing.T) {
	spec, seeds := "awari:stones=8", *nodesSeeds
	if testing.Short() {
		spec, seeds = "awari:stones=6", min(seeds, 2)
	}
	u := retrotest.Open(t, spec)
	one := vfs.NewMem()
	_, _, err := Solve(t.Context(), u, "solve", Config{FS: one})
	require.NoError(t, err)
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint("seed ", *nodesSeed+seed), func(t *testing.T) {
			t.Parallel()
			simulate(t, u, one, *nodesSeed+seed)
		})
	}
}

// simulation is a solve with faults. Its nodes are on machines of their own, or all on one.
type simulation struct {
	t       *testing.T
	u       *games.Universe
	network cluster.Network

	mu     sync.Mutex
	rng    *rand.Rand
	apart  bool
	disks  []*vfs.MemFS // of the nodes, and last of the coordinator
	lives  []*life      // likewise
	losses int          // to come
	seen   map[string]int
}

// life is a process from its start to its end.
type life struct {
	network *clustertest.Process
	end     context.CancelFunc
	dead    bool
	left    int // steps until something happens to it
}

const simulatedNodes = 3

var errDead = errors.New("the process is dead")

func simulate(t *testing.T, u *games.Universe, one vfs.FS, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := &simulation{t: t, u: u, rng: rng, apart: rng.IntN(3) > 0, losses: 2 + rng.IntN(6), seen: map[string]int{},
		disks: make([]*vfs.MemFS, simulatedNodes+1), lives: make([]*life, simulatedNodes+1)}
	breaks := 0
	if rng.IntN(2) == 0 {
		breaks = 1 + rng.IntN(3)
	}
	s.network = clustertest.NewFaulty(&cluster.Loopback{}, breaks, seed)
	for i := range s.disks {
		if s.disks[i] = s.disks[0]; i == 0 || s.apart {
			s.disks[i] = vfs.NewCrashableMem()
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	var group sync.WaitGroup
	for node := range simulatedNodes {
		group.Go(func() { s.node(ctx, node) })
	}
	s.coordinator(ctx)
	cancel()
	group.Wait()
	t.Logf("apart %t, breaks %d, %v", s.apart, breaks, s.seen)
	if t.Failed() {
		return
	}
	// What is there outlasts a crash.
	for i := range s.disks {
		s.disks[i] = s.disks[i].CrashClone(vfs.CrashCloneCfg{})
	}
	fs := s.disks[simulatedNodes]
	r, err := verify.Run(t.Context(), "solve", u, verify.Options{FS: fs, Problem: func(err error) { t.Error(err) }})
	require.NoError(t, err)
	require.Zero(t, r.Problems)
	requireSame(t, one, fs)
}

// start begins a life, and returns its file system.
func (s *simulation) start(ctx context.Context, who int) (context.Context, *life, vfs.FS) {
	ctx, end := context.WithCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	l := &life{network: &clustertest.Process{Network: s.network}, end: end, left: 1 + s.rng.IntN(300)}
	if who == simulatedNodes {
		l.left = 1 + s.rng.IntN(60)
	}
	s.lives[who] = l
	return ctx, l, errorfs.Wrap(linking{s.disks[who], &s.mu}, errorfs.InjectorFunc(func(op errorfs.Op) error {
		return s.step(who, l, op.Kind.ReadOrWrite() == errorfs.OpIsWrite)
	}))
}

// step is called before all that a process does. It returns an error if that is dead.
func (s *simulation) step(who int, l *life, counts bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if counts && !l.dead && s.losses > 0 {
		if l.left--; l.left == 0 {
			s.losses--
			s.strike(who, l)
		}
	}
	if l.dead {
		return errDead
	}
	return nil
}

// strike has something happen to a process. What it was about to do is not done.
func (s *simulation) strike(who int, l *life) {
	name := fmt.Sprint("node ", who+1)
	if who == simulatedNodes {
		name = "coordinator"
	}
	kill := func(l *life) {
		if l != nil {
			l.dead = true
			l.network.Kill()
			l.end()
		}
	}
	crash := func(disk *vfs.MemFS) *vfs.MemFS {
		return disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: []int{0, 50, 100}[s.rng.IntN(3)], RNG: s.rng})
	}
	switch what := s.rng.IntN(8); {
	case what == 0:
		s.seen[name+" stopped"]++
		l.end()
	case what == 1:
		s.seen["power failure"]++
		for _, l := range s.lives {
			kill(l)
		}
		for i := range s.disks {
			if s.apart || i == 0 {
				s.disks[i] = crash(s.disks[i])
			} else {
				s.disks[i] = s.disks[0]
			}
		}
	case what < 5 && s.apart:
		s.seen[name+" crashed"]++
		kill(l)
		s.disks[who] = crash(s.disks[who])
	default:
		s.seen[name+" killed"]++
		kill(l)
	}
}

// crashes is an Expander and Retractor of a node that something may happen to.
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

// node runs a node until the solve is done.
func (s *simulation) node(ctx context.Context, node int) {
	dir := "solve/" + NodeDir(node+1)
	if s.apart {
		dir = fmt.Sprint("machine", node)
	}
	for ctx.Err() == nil {
		life, l, fs := s.start(ctx, node)
		v := *s.u
		c := &crashes{s.u.Expander, s.u.Retractor, func() { s.step(node, l, true) }}
		v.Expander, v.Retractor = c, c
		err := Node{
			Network: l.network, Dir: dir, Host: fmt.Sprint(node), Threads: 1 + node%2, FS: fs, Version: "1",
			Universe: func(context.Context, About) (*games.Universe, error) { return &v, nil },
		}.Run(life)
		if err == nil {
			return
		}
		if life.Err() == nil {
			s.t.Errorf("node %d: %v", node+1, err)
			l.end()
			return
		}
	}
}

// coordinator runs coordinators until the solve is done.
func (s *simulation) coordinator(ctx context.Context) {
	for {
		life, l, fs := s.start(ctx, simulatedNodes)
		_, _, err := SolveNodes(life, s.u, "solve", Config{FS: fs, CheckpointEvery: 5 * time.Millisecond, Partitions: 8},
			Nodes{Network: l.network, Count: simulatedNodes, Game: s.u.Name, Version: "1"})
		if err == nil || errors.Is(err, ErrSolved) {
			l.end()
			return
		}
		if ctx.Err() != nil || life.Err() == nil {
			s.t.Errorf("coordinator: %v", err)
			l.end()
			return
		}
	}
}
