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
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro/engine"
	"github.com/yomikiri/yomikiri/retro/internal/graph"
	"github.com/yomikiri/yomikiri/retro/internal/retrotest"
)

// nodeSolve is a solve by nodes that are goroutines.
type nodeSolve struct {
	u       *games.Universe
	network cluster.Network
	nodes   int
	cfg     Config
	fs      func(node int) vfs.FS
	dir     func(node int) string
	report  func(string)
	stall   time.Duration
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
				Network: s.network, Dir: s.dir(n), Host: fmt.Sprint(n), Threads: 1 + n%2, FS: s.fs(n), Version: "1",
				Universe: func(context.Context, About) (*games.Universe, error) { return s.u, nil },
				Report: func(text string) {
					if strings.HasPrefix(text, "node ") && !strings.HasSuffix(text, " of "+s.u.Name) {
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
	r, m, err := SolveNodes(life, s.u, "solve", s.cfg, Nodes{Network: s.network, Count: s.nodes, Game: s.u.Name, Version: "1", Report: s.report, Stall: s.stall})
	for len(failed) > 0 {
		err = errors.Join(err, <-failed)
	}
	return r, m, err
}

func newNodeSolve(u *games.Universe, nodes int) *nodeSolve {
	fs := vfs.NewMem()
	return &nodeSolve{
		u: u, nodes: nodes, network: &cluster.Loopback{}, cfg: Config{FS: fs}, fs: func(int) vfs.FS { return fs },
		dir: func(node int) string { return "solve/" + NodeDir(node+1) },
	}
}

// requireSame checks that two file systems have the same database.
func requireSame(t *testing.T, want, got vfs.FS) {
	t.Helper()
	one, err := store.ReadManifest(want, "solve")
	require.NoError(t, err)
	two, err := store.ReadManifest(got, "solve")
	require.NoError(t, err)
	require.Equal(t, one.Content, two.Content)
	require.Equal(t, one.Checksum, two.Checksum)
	tables := func(list []db.File) []db.File {
		return slices.DeleteFunc(slices.Clone(list), func(f db.File) bool { return !strings.HasSuffix(f.Name, ".sst") })
	}
	require.Equal(t, tables(one.Files), tables(two.Files))
	d, err := store.Open("solve", &store.Options{FS: got})
	require.NoError(t, err)
	_, err = d.Check(t.Context())
	require.NoError(t, err)
	require.NoError(t, d.Close())
	names, err := got.List("solve")
	require.NoError(t, err)
	require.Subset(t, []string{db.ManifestName, "store", lockName}, names) // a crash may leave the lock
}

// TestNodes solves games with several nodes: the values in the database are those of one
// process.
func TestNodes(t *testing.T) {
	awari := retrotest.Open(t, "awari:stones=8")
	checkers := retrotest.Open(t, "checkers:size=4x4,pieces=3")
	larger := retrotest.Open(t, "checkers:size=6x6,pieces=2")
	universes := []*games.Universe{awari, retrotest.Open(t, "connect4:size=4x4"), retrotest.Open(t, "dobutsu:size=3x3"), checkers, larger}
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 7))
		o := graph.Options{Tiers: 1 + rng.IntN(4), Size: 1 + rng.IntN(400), Degree: 1 + rng.IntN(5), Finished: rng.IntN(30),
			Outcomes: []games.Value{games.Loss(0), games.Win(0), games.Win(9), games.Loss(6), games.Draw}}
		if seed%3 == 0 {
			o.Scores, o.Outcomes = true, []games.Value{games.Score(4), games.Score(-3), games.Draw}
		}
		g := graph.New(rng, o)
		u := g.Universe(g.Start(rng))
		if u.Name = fmt.Sprint("graph ", seed); rng.IntN(3) == 0 {
			u.Retractor = nil
		}
		universes = append(universes, u)
	}
	for at, u := range universes {
		positions := []Positions{Reachable, All}[at%2]
		one := vfs.NewMem()
		_, want, err := Solve(t.Context(), u, "solve", Config{FS: one, Positions: positions})
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
				requireSame(t, one, s.cfg.FS)
			})
		}
	}
}

// TestNodesElsewhere has nodes on other machines, which leave nothing behind there.
func TestNodesElsewhere(t *testing.T) {
	u := retrotest.Open(t, "awari:stones=8")
	one := vfs.NewMem()
	_, _, err := Solve(t.Context(), u, "solve", Config{FS: one})
	require.NoError(t, err)
	s := newNodeSolve(u, 2)
	disks := []vfs.FS{vfs.NewMem(), vfs.NewMem()}
	s.fs = func(node int) vfs.FS { return disks[node] }
	s.dir = func(int) string { return "node" }
	_, _, err = s.run(t)
	require.NoError(t, err)
	requireSame(t, one, s.cfg.FS)
	for _, disk := range disks {
		names, err := disk.List("node")
		require.True(t, err == nil || errors.Is(err, os.ErrNotExist), "%v", err)
		require.Empty(t, names)
	}
}

// TestNodesInterrupted interrupts a solve while a node is still loading its part, and when the
// database has just been written.
func TestNodesInterrupted(t *testing.T) {
	u := retrotest.Open(t, "awari:stones=5")
	ctx, cancel := context.WithCancel(t.Context())
	s := newNodeSolve(u, 2)
	s.ctx = ctx
	s.cfg.FS = errorfs.Wrap(vfs.NewMem(), errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind == errorfs.OpRemoveAll && strings.HasSuffix(op.Path, engine.SnapshotName) {
			cancel()
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

// TestNodesMoved moves the directory of a node to another machine: a node there takes its place.
// One without a directory is refused.
func TestNodesMoved(t *testing.T) {
	u := retrotest.Open(t, "awari:stones=8")
	one := vfs.NewMem()
	_, _, err := Solve(t.Context(), u, "solve", Config{FS: one})
	require.NoError(t, err)
	s := newNodeSolve(u, 2)
	s.cfg.Partitions = 8
	s.cfg.CheckpointEvery = time.Nanosecond
	ctx, cancel := context.WithCancel(t.Context())
	s.u, s.ctx = retrotest.WithCounter(u, 200, cancel), ctx
	_, _, err = s.run(t)
	require.ErrorIs(t, err, ErrInterrupted)
	s.u, s.ctx = u, nil

	here, there := s.cfg.FS, vfs.NewMem()
	s.fs = func(node int) vfs.FS { return []vfs.FS{here, there}[node] }
	s.dir = func(node int) string { return []string{"solve/node-1", "other"}[node] }
	_, _, err = s.run(t)
	require.ErrorIs(t, err, cluster.ErrRefused)
	require.ErrorContains(t, err, "the solve goes on from what its nodes have kept in 0:/")
	require.ErrorContains(t, err, "/solve/node-2: start a node in one of these directories, or in a copy of it; if one is lost, delete solve to begin again")

	moved, err := vfs.Clone(here, there, "solve/node-2", "other")
	require.NoError(t, err)
	require.True(t, moved)
	require.NoError(t, here.RemoveAll("solve/node-2"))
	r, _, err := s.run(t)
	require.NoError(t, err)
	require.Positive(t, r.Resumed)
	requireSame(t, one, here)
}

// TestNodesPartitions continues a solve with another number of partitions: it goes on with
// what it has.
func TestNodesPartitions(t *testing.T) {
	u := retrotest.Open(t, "awari:stones=8")
	_, want, err := Solve(t.Context(), u, "solve", Config{FS: vfs.NewMem()})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	s := newNodeSolve(u, 2)
	s.ctx = ctx
	disk := s.cfg.FS
	s.cfg = Config{CheckpointEvery: time.Nanosecond, Partitions: 8, FS: errorfs.Wrap(disk, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind == errorfs.OpRename { // the first epoch is committed
			cancel()
		}
		return nil
	}))}
	_, _, err = s.run(t)
	require.ErrorIs(t, err, ErrInterrupted)
	s.ctx, s.cfg = nil, Config{FS: disk, Partitions: 64}
	_, got, err := s.run(t)
	require.NoError(t, err)
	require.Equal(t, want.Checksum, got.Checksum)
}

// TestNodesDamaged changes a byte of a node's part: the solve does not go on from it.
func TestNodesDamaged(t *testing.T) {
	u := retrotest.Open(t, "awari:stones=9")
	s := newNodeSolve(u, 2)
	s.cfg.CheckpointEvery = time.Nanosecond
	ctx, cancel := context.WithCancel(t.Context())
	s.u = retrotest.WithCounter(u, 400, cancel)
	s.ctx = ctx
	_, _, err := s.run(t)
	require.ErrorIs(t, err, ErrInterrupted)
	s.u, s.ctx = u, nil
	kept, err := engine.ReadHeader(s.cfg.FS, "solve", engine.SnapshotName)
	require.NoError(t, err)
	require.Positive(t, kept.Seat.Epoch)
	// The file of the epoch before it, or after it, may be there as well.
	path := fmt.Sprint("solve/node-2/epoch-", kept.Seat.Epoch)
	data := readAll(t, s.cfg.FS, path)
	data[len(data)-1] ^= 1
	writeAll(t, s.cfg.FS, path, data)
	_, _, err = s.run(t)
	require.ErrorContains(t, err, db.ErrCorrupt.Error())
}

// TestNodesRefused has nodes of another version, with other rules, or with a part that there is not.
func TestNodesRefused(t *testing.T) {
	u := retrotest.Open(t, "awari:stones=5")
	other := retrotest.Open(t, "awari:slam=illegal,stones=5")
	network := &cluster.Loopback{}
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
}

// taken is a network that has a coordinator.
type taken struct{ cluster.Loopback }

func (*taken) Serve(func([]byte) []byte) error { return errors.New("another coordinator is at work") }

// TestNodesTaken leaves nothing behind when another coordinator is at work.
func TestNodesTaken(t *testing.T) {
	fs := vfs.NewMem()
	u := retrotest.Open(t, "awari:stones=5")
	_, _, err := SolveNodes(t.Context(), u, "solve", Config{FS: fs}, Nodes{Network: &taken{}, Count: 1, Game: u.Name, Version: "1"})
	require.ErrorContains(t, err, "another coordinator is at work")
	_, err = fs.Stat("solve")
	require.ErrorIs(t, err, os.ErrNotExist)
}
