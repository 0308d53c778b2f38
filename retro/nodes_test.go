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
	"github.com/yomikiri/yomikiri/db/verify"
	"github.com/yomikiri/yomikiri/games"
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
	r, m, err := SolveNodes(life, s.u, "solve", s.cfg, Nodes{Network: s.network, Count: s.nodes, Game: s.u.Name, Version: "1", Report: s.report})
	for len(failed) > 0 {
		err = errors.Join(err, <-failed)
	}
	return r, m, err
}

func newNodeSolve(u *games.Universe, nodes int) *nodeSolve {
	fs := vfs.NewMem()
	return &nodeSolve{
		u: u, nodes: nodes, network: &cluster.MemoryNetwork{}, cfg: Config{FS: fs}, fs: func(int) vfs.FS { return fs },
		dir: func(node int) string { return "solve/" + NodeDir(node+1) },
	}
}

// requireSame checks that two file systems have databases with the same values, one of them in
// parts, and the same tables once these are merged.
func requireSame(t *testing.T, want, got vfs.FS) {
	t.Helper()
	one, err := db.Open("solve", &db.Options{FS: want})
	require.NoError(t, err)
	defer one.Close()
	parts, err := db.Open("solve", &db.Options{FS: got})
	require.NoError(t, err)
	require.NotNil(t, parts.Manifest().Parts)
	for _, tier := range one.Manifest().Content.Tiers {
		for index := tier.Start; index < tier.Start+tier.Size; index++ {
			v, held, err := one.Value(index)
			require.NoError(t, err)
			if w, also, err := parts.Value(index); err != nil || w != v || also != held {
				t.Fatalf("index %d: %v %t %v, want %v %t", index, w, also, err, v, held)
			}
		}
	}
	require.NoError(t, parts.Close())
	m, err := db.Merge(t.Context(), "solve", db.WriteOptions{FS: got})
	require.NoError(t, err)
	require.Equal(t, one.Manifest().Content, m.Content)
	require.Equal(t, one.Manifest().Checksum, m.Checksum)
	tables := func(list []db.File) []db.File {
		return slices.DeleteFunc(slices.Clone(list), func(f db.File) bool { return !strings.HasSuffix(f.Name, ".sst") })
	}
	require.Equal(t, tables(one.Manifest().Files), tables(m.Files))
	names, err := got.List("solve")
	require.NoError(t, err)
	require.ElementsMatch(t, []string{db.ManifestName, "store"}, names)
}

// TestNodes solves games with several nodes: the values in the database are those of one
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

// TestNodesElsewhere has nodes on other machines: their parts have to be copied to the database.
// What is not all there, or not its own, is refused.
func TestNodesElsewhere(t *testing.T) {
	_, u := openAwari(t, "", 8)
	one := vfs.NewMem()
	_, _, err := Solve(t.Context(), u, "solve", Config{FS: one})
	require.NoError(t, err)
	solveAs := func(u *games.Universe, nodes int) *nodeSolve {
		s := newNodeSolve(u, nodes)
		s.cfg.Partitions = 8
		s.dir = func(n int) string { return fmt.Sprint("machine", n) }
		_, _, err := s.run(t)
		require.NoError(t, err)
		return s
	}
	s := solveAs(u, 2)
	fs := s.cfg.FS
	open := func() error {
		d, err := db.Open("solve", &db.Options{FS: fs})
		if err == nil {
			err = d.Close()
		}
		return err
	}
	copyPart := func(from vfs.FS, number int, to string) {
		require.NoError(t, fs.RemoveAll("solve/"+to))
		dir := fmt.Sprintf("machine%d/%s", number-1, db.PartName(number))
		ok, err := vfs.Clone(from, fs, dir, "solve/"+to)
		require.NoError(t, err)
		require.True(t, ok)
	}
	require.ErrorContains(t, open(), "solve lacks parts, which must be copied into it: part-1 (from 0:/")
	require.ErrorContains(t, open(), "/machine0/part-1), part-2 (from 1:/")
	copyPart(fs, 1, "part-1")
	_, err = verify.Run(t.Context(), "solve", u, verify.Options{FS: fs})
	require.ErrorContains(t, err, "solve lacks parts, which must be copied into it: part-2 (from 1:/")
	_, err = db.Merge(t.Context(), "solve", db.WriteOptions{FS: fs})
	require.ErrorContains(t, err, "lacks parts")

	node := Node{Network: s.network, Dir: "machine1", FS: fs, Version: "1"}
	require.ErrorContains(t, node.Run(t.Context()), "machine1/part-2 is a part of a finished database")

	_, other := openAwari(t, "illegal", 8)
	for _, foreign := range []vfs.FS{solveAs(u, 2).cfg.FS, solveAs(other, 2).cfg.FS} {
		copyPart(foreign, 2, "part-2")
		require.ErrorIs(t, open(), db.ErrOther)
		require.ErrorContains(t, open(), "solve/part-2 is part 2 of 2 of solve ")
		_, err = db.Merge(t.Context(), "solve", db.WriteOptions{FS: fs})
		require.ErrorIs(t, err, db.ErrOther)
	}
	copyPart(fs, 1, "part-2")
	require.ErrorContains(t, open(), "solve/part-2 is part 1 of 2 of solve ")

	copyPart(fs, 2, "part-2")
	r, err := verify.Run(t.Context(), "solve", u, verify.Options{FS: fs})
	require.NoError(t, err)
	require.Zero(t, r.Problems)
	requireSame(t, one, fs)
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

// TestNodesMoved moves the directory of a node to another machine: a node there takes its place.
// One without a directory is refused.
func TestNodesMoved(t *testing.T) {
	_, u := openAwari(t, "", 8)
	one := vfs.NewMem()
	_, _, err := Solve(t.Context(), u, "solve", Config{FS: one})
	require.NoError(t, err)
	s := newNodeSolve(u, 2)
	s.cfg.Partitions = 8
	s.cfg.CheckpointEvery = time.Nanosecond
	ctx, cancel := context.WithCancel(t.Context())
	s.u, s.ctx = withCounter(t, u, 200, cancel), ctx
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
	r, m, err := s.run(t)
	require.NoError(t, err)
	require.Positive(t, r.Resumed)
	require.Regexp(t, "^1:/.*/other/part-2$", m.Parts.List[1].From)
	moved, err = vfs.Clone(there, here, "other/part-2", "solve/part-2")
	require.NoError(t, err)
	require.True(t, moved)
	requireSame(t, one, here)
}

// TestNodesPartitions continues a solve with another number of partitions: it goes on with
// what it has.
func TestNodesPartitions(t *testing.T) {
	_, u := openAwari(t, "", 8)
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
	_, u := openAwari(t, "", 9)
	s := newNodeSolve(u, 2)
	s.cfg.CheckpointEvery = time.Nanosecond
	ctx, cancel := context.WithCancel(t.Context())
	s.u = withCounter(t, u, 400, cancel)
	s.ctx = ctx
	_, _, err := s.run(t)
	require.ErrorIs(t, err, ErrInterrupted)
	s.u, s.ctx = u, nil
	kept, err := readNodes(&s.cfg, "solve")
	require.NoError(t, err)
	require.Positive(t, kept.Epoch)
	// The file of the epoch before it, or after it, may be there as well.
	path := "solve/node-2/" + epochName(kept.Epoch)
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
