package manager

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// storeGame is a game with a back end that takes some dozens of jobs.
type storeGame struct {
	rules   Rules
	backend solver.Backend
}

func newStoreGame(t *testing.T) *storeGame {
	list, err := solver.NewBackends(tictactoe.Game{}, nil, solver.Config{}, 1)
	require.NoError(t, err)
	return &storeGame{NewRules(tictactoe.Game{}), list[0]}
}

func (g *storeGame) open(fs vfs.FS) (*Tree, error) {
	m, err := NewManifest(g.rules, ".../.x./...", AskValue, "a test")
	if err != nil {
		return nil, err
	}
	return Open("tree", g.rules, m, Options{FS: fs, Policy: Policy{Budget: 3}})
}

// work works on a tree, without a carrier, until it is done or something fails. Outcomes
// that are committed are added to settled.
func (g *storeGame) work(tree *Tree, settled map[solver.Question]solver.Outcome) error {
	var queue []cluster.Job
	var r *cluster.Result
	for {
		a, err := tree.front.Step(context.Background(), Event{Jobs: 2, Result: r})
		if err != nil {
			return err
		}
		if err := tree.Commit(a.Writes); err != nil {
			return err
		}
		for q, n := range tree.front.nodes {
			if n.outcome.Settled() {
				settled[q] = n.outcome
			}
		}
		queue = append(queue, a.Offer...)
		for _, id := range a.Recall {
			for i, j := range queue {
				if j.ID == id {
					queue = append(queue[:i], queue[i+1:]...)
					break
				}
			}
		}
		if a.Done {
			return nil
		}
		found, err := g.backend.Search(context.Background(), queue[0].Body.(*solver.Job))
		if err != nil {
			return err
		}
		r = &cluster.Result{Job: queue[0].ID, Body: found}
		queue = queue[1:]
	}
}

// finish opens what is left of a tree, which must hold what was settled, works on it to
// the end, and has the proof checked.
func (g *storeGame) finish(t *testing.T, fs vfs.FS, settled map[solver.Question]solver.Outcome) {
	tree, err := g.open(fs)
	require.NoError(t, err)
	for q, o := range settled {
		require.NotNil(t, tree.front.nodes[q], "%v was committed", q)
		require.Equal(t, o, tree.front.nodes[q].outcome)
	}
	require.NoError(t, g.work(tree, map[solver.Question]solver.Outcome{}))
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, tree.Header())
	require.NoError(t, err)
	require.NoError(t, tree.WriteProof(t.Context(), w))
	require.NoError(t, w.Close())
	r, err := proof.NewReader(&file)
	require.NoError(t, err)
	_, err = proof.Check(t.Context(), r, tictactoe.Game{}, proof.CheckOptions{})
	require.NoError(t, err)
	require.NoError(t, tree.Close())
}

// TestCrash takes away the power at random moments: what was committed is there, with
// none, half or all of what was not synced.
func TestCrash(t *testing.T) {
	g := newStoreGame(t)
	rng := rand.New(rand.NewPCG(61, 62))
	fs := vfs.NewCrashableMem()
	settled := map[solver.Question]solver.Outcome{}
	type crash struct {
		fs      *vfs.MemFS
		settled map[solver.Question]solver.Outcome
	}
	var crashes []crash
	writes := errorfs.Wrap(fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind.ReadOrWrite() == errorfs.OpIsWrite && rng.IntN(12) == 0 {
			before := map[solver.Question]solver.Outcome{}
			for q, o := range settled {
				before[q] = o
			}
			clone := fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50 * rng.IntN(3), RNG: rng})
			crashes = append(crashes, crash{clone, before})
		}
		return nil
	}))
	tree, err := g.open(writes)
	require.NoError(t, err)
	require.NoError(t, g.work(tree, settled))
	require.NoError(t, tree.Close())
	require.Greater(t, len(crashes), 5)
	t.Log(len(crashes), "crashes,", len(settled), "settled nodes")
	for _, c := range crashes {
		g.finish(t, c.fs, c.settled)
	}
}

// TestFailedWrites has the n-th write fail, and all after it: an error is returned, and
// what was committed before is there when the disk works again.
func TestFailedWrites(t *testing.T) {
	g := newStoreGame(t)
	failures := 0
	for n := 0; ; n += 1 + n/8 {
		fs := vfs.NewCrashableMem()
		count := 0
		failing := errorfs.Wrap(fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
			if op.Kind.ReadOrWrite() == errorfs.OpIsWrite {
				if count++; count > n {
					return &os.PathError{Op: "write", Path: op.Path, Err: errorfs.ErrInjected} // as a system's
				}
			}
			return nil
		}))
		settled := map[solver.Question]solver.Outcome{}
		tree, err := g.open(failing)
		if err == nil {
			err = g.work(tree, settled)
			if closed := tree.Close(); err == nil && closed != nil {
				err = closed
			}
		}
		if count <= n {
			require.NoError(t, err)
			break
		}
		if err != nil {
			require.ErrorIs(t, err, errorfs.ErrInjected)
			failures++
		}
		g.finish(t, fs.CrashClone(vfs.CrashCloneCfg{}), settled)
	}
	require.Greater(t, failures, 10)
}

// TestNoTables opens a tree where no table of the store can be written, as on a full disk. Pebble
// would try again for ever.
func TestNoTables(t *testing.T) {
	g := newStoreGame(t)
	fs := vfs.NewMem()
	tree, err := g.open(fs)
	require.NoError(t, err)
	require.NoError(t, g.work(tree, map[solver.Question]solver.Outcome{}))
	require.NoError(t, tree.Close())
	_, err = g.open(errorfs.Wrap(fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind.ReadOrWrite() == errorfs.OpIsWrite && strings.HasSuffix(op.Path, ".sst") {
			return errorfs.ErrInjected
		}
		return nil
	})))
	require.ErrorIs(t, err, errorfs.ErrInjected)
}

// TestPieces stores fragments of one piece and of several, and reads them.
func TestPieces(t *testing.T) {
	g := newStoreGame(t)
	fs := vfs.NewMem()
	tree, err := g.open(fs)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(1, 2))
	var writes []Write
	for number, size := range []int{1, pieceSize - 1, pieceSize, pieceSize + 1, 3 * pieceSize, 300*pieceSize + 7, 2} {
		fragment := make([]byte, size)
		for i := range fragment {
			fragment[i] = byte(rng.Uint32())
		}
		writes = append(writes, Write{fragmentKey(uint32(number)), fragment})
	}
	require.NoError(t, tree.Commit(writes))
	for range 2 {
		for number, w := range writes {
			fragment, err := tree.fragment(uint32(number))
			require.NoError(t, err)
			require.True(t, bytes.Equal(w.Value, fragment), number)
		}
		_, err = tree.fragment(uint32(len(writes)))
		require.ErrorIs(t, err, ErrCorrupt)
		require.NoError(t, tree.Close())
		tree, err = g.open(fs)
		require.NoError(t, err)
	}
	require.NoError(t, tree.db.Flush())
	require.NoError(t, tree.Close())

	// With a bit changed in each large file, the error comes soon, and is one line.
	store := "tree/" + storeName
	names, err := fs.List(store)
	require.NoError(t, err)
	damaged := 0
	for _, name := range names {
		if !strings.HasSuffix(name, ".sst") {
			continue
		}
		in, err := fs.Open(store + "/" + name)
		require.NoError(t, err)
		data, err := io.ReadAll(in)
		require.NoError(t, errors.Join(err, in.Close()))
		if len(data) < 10*pieceSize {
			continue
		}
		damaged++
		data[len(data)/2] ^= 4
		f, err := fs.Create(store+"/"+name, vfs.WriteCategoryUnspecified)
		require.NoError(t, err)
		_, err = f.Write(data)
		require.NoError(t, errors.Join(err, f.Close()))
	}
	require.Positive(t, damaged)
	tree, err = g.open(fs)
	require.NoError(t, err)
	_, err = tree.fragment(5)
	require.ErrorIs(t, err, ErrCorrupt)
	require.ErrorContains(t, err, "fragment 5: damaged proof tree: file 0")
	require.NotContains(t, err.Error(), "\n")
	require.NoError(t, tree.Close())
}

// TestWait opens a tree that another has open for a moment.
func TestWait(t *testing.T) {
	g := newStoreGame(t)
	fs := vfs.NewMem()
	tree, err := g.open(fs)
	require.NoError(t, err)
	closed := make(chan error)
	go func() {
		_, err := g.open(fs)
		closed <- errors.Join(err, tree.Close())
	}()
	again, err := Open("tree", tree.rules, tree.manifest, Options{FS: fs, Wait: time.Minute})
	require.NoError(t, err)
	require.ErrorIs(t, <-closed, ErrLocked)
	require.NoError(t, again.Close())
}

// TestDamaged opens trees that are damaged.
func TestDamaged(t *testing.T) {
	g := newStoreGame(t)
	fs := vfs.NewMem()
	tree, err := g.open(fs)
	require.NoError(t, err)
	require.NoError(t, g.work(tree, map[solver.Question]solver.Outcome{}))
	var inner *node
	for _, n := range tree.front.nodes {
		if !n.leaf() && n.Attacker {
			inner = n
		}
	}
	settled := tree.front.fragments[0]
	other := func(change func(n *node)) *node {
		n := *settled
		change(&n)
		return &n
	}
	key := nodeKey(inner.Question)
	whole := inner.append(nil)
	_, err = g.open(fs)
	require.ErrorIs(t, err, ErrLocked)
	require.NoError(t, tree.Close())
	for _, c := range []struct {
		name  string
		write Write
	}{
		{"cut off", Write{key, whole[:len(whole)-1]}},
		{"longer", Write{key, append(bytes.Clone(whole), 0)}},
		{"empty", Write{key, nil}},
		{"no position", Write{[]byte{nodePrefix, 'a'}, whole}},
		{"no side", Write{append([]byte{nodePrefix, 'x'}, key[2:]...), whole}},
		{"no such position", Write{[]byte("na?????"), whole}},
		{"child missing", Write{nodeKey(solver.Question{Position: "xxo/o.x/x.o", Attacker: true}), whole}},
		{"fragment of another number", Write{nodeKey(settled.Question), other(func(n *node) { n.fragment++ }).append(nil)}},
		{"fragment that rests on itself", Write{nodeKey(settled.Question), other(func(n *node) { n.rests = []uint32{n.fragment} }).append(nil)}},
		{"statistics", Write{[]byte{statsKey}, []byte("{")}},
		{"history", Write{pointKey(0), []byte("{")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			damaged := vfs.NewMem()
			_, err := vfs.Clone(fs, damaged, "tree", "tree")
			require.NoError(t, err)
			tree, err := g.open(damaged)
			require.NoError(t, err)
			require.NoError(t, tree.Commit([]Write{c.write}))
			require.NoError(t, tree.Close())
			_, err = g.open(damaged)
			require.ErrorIs(t, err, ErrCorrupt)
			require.False(t, errors.Is(err, ErrLocked))
		})
	}
	require.NoError(t, fs.RemoveAll("tree/"+storeName))
	tree, err = g.open(fs)
	require.NoError(t, err, "made, and nothing happened")
	require.NoError(t, tree.writeStatus(tree.front.Report()))
	require.NoError(t, tree.Close())
	require.NoError(t, fs.RemoveAll("tree/"+storeName))
	for range 2 { // at first without the directory
		_, err = g.open(fs)
		require.ErrorIs(t, err, ErrCorrupt)
	}
}

// TestDamagedStore changes and cuts off the files of a tree's store, other than those with nodes.
func TestDamagedStore(t *testing.T) {
	g := newStoreGame(t)
	fs := vfs.NewMem()
	tree, err := g.open(fs)
	require.NoError(t, err)
	require.NoError(t, g.work(tree, map[solver.Question]solver.Outcome{}))
	require.NoError(t, tree.Close())
	store := "tree/" + storeName
	names, err := fs.List(store)
	require.NoError(t, err)
	refused := map[string]int{}
	for _, name := range names {
		file := fs.PathJoin(store, name)
		kind, _, _ := strings.Cut(name, "-")
		whole := contents(t, fs, file)
		for at := 0; at <= len(whole); at += max(1, len(whole)/runs(20, 100)) {
			for _, data := range [][]byte{whole[:at], changed(whole, at, 1), changed(whole, at, 0x40), changed(whole, at, 0xff), slices.Concat(whole[:at], []byte("garbage\n\x00"), whole[at:])} {
				damaged := vfs.NewMem()
				_, err := vfs.Clone(fs, damaged, "tree", "tree")
				require.NoError(t, err)
				f, err := damaged.Create(file, vfs.WriteCategoryUnspecified)
				require.NoError(t, err)
				_, err = f.Write(data)
				require.NoError(t, errors.Join(err, f.Close()))
				tree, err := g.open(damaged)
				if err == nil {
					require.NoError(t, tree.Close())
					continue
				}
				require.ErrorIs(t, err, ErrCorrupt, "%s, %d of %d bytes", name, at, len(whole))
				refused[kind]++
			}
		}
	}
	t.Log(refused)
	require.Positive(t, refused["MANIFEST"])
	require.Positive(t, refused["OPTIONS"])
}

func contents(t *testing.T, fs vfs.FS, file string) []byte {
	f, err := fs.Open(file)
	require.NoError(t, err)
	data, err := io.ReadAll(f)
	require.NoError(t, errors.Join(err, f.Close()))
	return data
}

// changed returns data with bits of a byte changed.
func changed(data []byte, at int, bits byte) []byte {
	data = bytes.Clone(data)
	if at < len(data) {
		data[at] ^= bits
	}
	return data
}
