package engine

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/sealed"
	"github.com/yomikiri/yomikiri/retro/internal/graph"
	"github.com/yomikiri/yomikiri/retro/internal/retrotest"
)

// withCounter returns u with an Expander and a Retractor that call at after n
// batches.
func withCounter(t *testing.T, u *games.Universe, n int64, at func()) *games.Universe {
	t.Helper()
	v := *u
	if v.Retractor == nil {
		require.Len(t, u.Tiers, 1)
		edges := newReverse(u, maxReverse)
		require.NoError(t, edges.prepare(t.Context(), 0))
		v.Retractor = edges
	}
	return retrotest.WithCounter(&v, n, at)
}

// TestInterruptAndResume interrupts an analysis repeatedly, and resumes it each
// time with other numbers of threads.
func TestInterruptAndResume(t *testing.T) {
	g, u := large(t)
	want := g.Solve()
	for _, positions := range []Positions{Reachable, All} {
		fs := vfs.NewMem()
		require.NoError(t, fs.MkdirAll("solve", 0o755))
		rng := rand.New(rand.NewPCG(5, 5))
		interrupted := 0
		for n := int64(3); ; n += 3 {
			ctx, cancel := context.WithCancel(t.Context())
			s, err := analyze(ctx, withCounter(t, u, n, cancel), Config{
				Positions: positions, Threads: 1 + rng.IntN(4), Partitions: 16, BatchSize: 1 + rng.IntN(50),
				FS: fs, Checkpoint: "solve",
			})
			cancel()
			if err == nil {
				check(t, g, s, want)
				require.Equal(t, interrupted, s.Resumed)
				break
			}
			require.ErrorIs(t, err, ErrInterrupted)
			interrupted++
		}
		require.Greater(t, interrupted, 5)
	}
}

func TestTiersResume(t *testing.T) {
	graphs(t, 40, func(t *testing.T, rng *rand.Rand, g *graph.Graph) {
		want := g.Solve()
		positions := []Positions{Reachable, All}[rng.IntN(2)]
		start := g.Start(rng)
		fs := vfs.NewMem()
		require.NoError(t, fs.MkdirAll("solve", 0o755))
		resume(t, g, start, want, Config{Positions: positions, Threads: 2, FS: fs, Checkpoint: "solve"})
	})
}

// resume interrupts the analysis of a graph after one batch, two batches more, and
// so on until it is done.
func resume(t *testing.T, g *graph.Graph, start uint64, want []games.Value, cfg Config) {
	t.Helper()
	for n := int64(1); ; n++ {
		ctx, cancel := context.WithCancel(t.Context())
		s, err := analyze(ctx, withCounter(t, g.Universe(start), n, cancel), cfg)
		cancel()
		if err == nil {
			check(t, g, s, want)
			return
		}
		require.ErrorIs(t, err, ErrInterrupted)
	}
}

// TestKilled takes what a crash at some moment would leave of the disk, and goes
// on from there.
func TestKilled(t *testing.T) {
	g, u := large(t)
	want := g.Solve()
	whole := vfs.NewMem()
	_, m, err := Solve(t.Context(), u, "solve", Config{FS: whole})
	require.NoError(t, err)
	step := int64(37)
	if testing.Short() {
		step = 150
	}
	for n := int64(1); n < 400; n += step {
		fs := vfs.NewCrashableMem()
		ctx, cancel := context.WithCancel(t.Context())
		_, _, err := Solve(ctx, withCounter(t, u, 1+n/2, cancel), "solve", Config{FS: fs, Partitions: 8})
		require.ErrorIs(t, err, ErrInterrupted)
		var clone *vfs.MemFS
		killed := withCounter(t, u, n, func() {
			clone = fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50, RNG: rand.New(rand.NewPCG(uint64(n), 1))})
		})
		_, _, err = Solve(t.Context(), killed, "solve", Config{FS: fs, Threads: 2, CheckpointEvery: 5 * time.Millisecond})
		require.NoError(t, err)
		if clone == nil {
			return // what was left had fewer batches
		}
		s, again, err := Solve(t.Context(), u, "solve", Config{FS: clone, Threads: 1})
		require.NoError(t, err)
		check(t, g, s, want)
		require.Equal(t, m.Checksum, again.Checksum)
		require.Positive(t, s.Resumed)
	}
}

func TestCheckpointOfAnotherGame(t *testing.T) {
	_, u := large(t)
	fs := vfs.NewMem()
	ctx, cancel := context.WithCancel(t.Context())
	_, _, err := Solve(ctx, withCounter(t, u, 5, cancel), "solve", Config{FS: fs})
	require.ErrorIs(t, err, ErrInterrupted)

	_, _, err = Solve(t.Context(), u, "solve", Config{FS: fs, Positions: All})
	require.EqualError(t, err, "solve has a checkpoint of graph with reachable positions, not of graph with all positions: choose another directory")
	other := *u
	other.Name = "other"
	_, _, err = Solve(t.Context(), &other, "solve", Config{FS: fs})
	require.EqualError(t, err, "solve has a checkpoint of graph with reachable positions, not of other with reachable positions: choose another directory")
	other = *u
	other.Tiers = []games.Tier{{Size: 40_000, Open: 40_000}}
	_, _, err = Solve(t.Context(), &other, "solve", Config{FS: fs})
	require.ErrorContains(t, err, "numbers positions differently")
	// All that took nothing away.
	s, _, err := Solve(t.Context(), u, "solve", Config{FS: fs})
	require.NoError(t, err)
	require.Equal(t, 1, s.Resumed)
}

// TestDamagedCheckpoint changes bits of a checkpoint and cuts it off: it is
// refused. A few bits of the compressed form change nothing of what it stands
// for; with these the result must be right.
func TestDamagedCheckpoint(t *testing.T) {
	g, u := large(t)
	want := g.Solve()
	fs := vfs.NewMem()
	require.NoError(t, fs.MkdirAll("solve", 0o755))
	ctx, cancel := context.WithCancel(t.Context())
	_, err := analyze(ctx, withCounter(t, u, 40, cancel), Config{FS: fs, Checkpoint: "solve"})
	require.ErrorIs(t, err, ErrInterrupted)
	data := readAll(t, fs, "solve/checkpoint")
	put := func(data []byte) { writeAll(t, fs, "solve/checkpoint", data) }
	rng := rand.New(rand.NewPCG(3, 3))
	refused, tries := 0, 200
	if testing.Short() {
		tries = 20
	}
	for range tries {
		at := rng.IntN(len(data))
		bit := byte(1) << rng.IntN(8)
		data[at] ^= bit
		put(data)
		data[at] ^= bit
		s, err := analyze(t.Context(), u, Config{FS: fs, Checkpoint: "solve"})
		if err == nil {
			check(t, g, s, want)
		} else {
			require.ErrorIs(t, err, errDamaged, "byte %d", at)
			require.Regexp(t, "^solve/checkpoint: .*delete the directory that it is in to start again$", err.Error())
			refused++
		}
		put(data[:at])
		_, err = analyze(t.Context(), u, Config{FS: fs, Checkpoint: "solve"})
		require.ErrorIs(t, err, errDamaged, "cut at byte %d", at)
	}
	require.Greater(t, refused, tries/2)
}

// TestWrongPartitions refuses a checkpoint in which a partition is missing, comes twice or does not exist.
func TestWrongPartitions(t *testing.T) {
	_, u := large(t)
	fs := vfs.NewMem()
	require.NoError(t, fs.MkdirAll("solve", 0o755))
	ctx, cancel := context.WithCancel(t.Context())
	_, err := analyze(ctx, withCounter(t, u, 40, cancel), Config{FS: fs, Checkpoint: "solve", Partitions: 8})
	require.ErrorIs(t, err, ErrInterrupted)
	f, h, err := openSnapshot(fs, "solve", SnapshotName)
	require.NoError(t, err)
	var chunks [][]byte
	for i := range f.Chunks() {
		data, _, err := f.Chunk(i, nil, nil)
		require.NoError(t, err)
		chunks = append(chunks, data)
	}
	require.NoError(t, f.Close())
	require.Greater(t, len(chunks), 1)
	unknown := append([]byte{0xff, 0xff, 0xff, 0x7f}, chunks[0][4:]...)
	for name, list := range map[string][][]byte{
		"one is missing":  chunks[1:],
		"one comes twice": append([][]byte{chunks[1]}, chunks[1:]...),
		"one is too many": append([][]byte{unknown}, chunks...),
		"one is unknown":  append([][]byte{unknown}, chunks[1:]...),
		"one is empty":    append([][]byte{nil}, chunks[1:]...),
	} {
		require.NoError(t, WriteSnapshot(fs, "solve", SnapshotName, h, func(w *sealed.Writer) error {
			for _, data := range list {
				if err := w.Append(data); err != nil {
					return err
				}
			}
			return nil
		}))
		_, err := analyze(t.Context(), u, Config{FS: fs, Checkpoint: "solve"})
		require.ErrorIs(t, err, errDamaged, name)
	}
}

// TestFullDisk lets the disk run full at some write: the solve fails with that
// error, and with room again it resumes and ends with the same database.
func TestFullDisk(t *testing.T) {
	_, u := large(t)
	_, want, err := Solve(t.Context(), u, "solve", Config{FS: vfs.NewMem()})
	require.NoError(t, err)
	full := errors.New("no space left on device")
	for n := int64(1); ; n = n*3/2 + 1 {
		disk := &fullDisk{FS: vfs.NewMem(), err: full}
		disk.left.Store(n)
		_, _, err := Solve(t.Context(), u, "solve", Config{FS: disk, CheckpointEvery: 5 * time.Millisecond})
		if err == nil {
			break
		}
		require.ErrorIs(t, err, full)
		disk.left.Store(1 << 60)
		_, m, err := Solve(t.Context(), u, "solve", Config{FS: disk})
		require.NoError(t, err)
		require.Equal(t, want.Checksum, m.Checksum)
	}
}

// fullDisk fails all writes after some.
type fullDisk struct {
	vfs.FS
	left atomic.Int64
	err  error
}

type fullFile struct {
	vfs.File
	disk *fullDisk
}

func (d *fullDisk) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := d.FS.Create(name, category)
	if err != nil {
		return nil, err
	}
	return &fullFile{f, d}, nil
}

func (f *fullFile) Write(p []byte) (int, error) {
	if f.disk.left.Add(-1) < 0 {
		return 0, f.disk.err
	}
	return f.File.Write(p)
}

func TestOlderCheckpointIsRefused(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, SnapshotName), []byte("yomikiri checkpoint 4\n0000"), 0o644))
	_, err := analyze(t.Context(), graph.New(rand.New(rand.NewPCG(1, 2)), graph.Options{Tiers: 1, Size: 10, Degree: 2, Outcomes: graph.PlainOutcomes}).Universe(0), Config{Checkpoint: dir})
	require.ErrorContains(t, err, `it begins with "yomikiri checkpoi", want "yomikiri state 1\n"`)
}

// TestDeferredSlots finds deferred values in codes of one byte, and of two where there are
// more values than fit.
func TestDeferredSlots(t *testing.T) {
	for _, number := range []uint16{2, 255, 256, 300} {
		p := &partition{region: &region{}, count: make([]uint8, 100), narrow: make([]uint8, 100)}
		for slot := range uint32(100) {
			p.count[slot] = 1
			p.setCode(slot, codeDraw)
		}
		for _, slot := range []uint32{0, 7, 8, 50, 99} {
			p.deferUpdate(number)
			p.unsettle(slot, 1, number, firstCode)
		}
		p.unsettle(51, 1, 3, firstCode)
		p.count[50] = 0 // settled, and its code is by chance the same
		require.Equal(t, []uint32{0, 7, 8, 99}, p.deferredSlots(nil, number))
		require.Equal(t, []uint32{51}, p.deferredSlots(nil, 3))
		require.Equal(t, number > 255, p.wide != nil)
		require.EqualValues(t, 5, p.deferred[number])
		require.EqualValues(t, codeDraw, p.code(20))
	}
}

// TestSnapshotRules refuses to go on with a solve by other rules of the same name.
func TestSnapshotRules(t *testing.T) {
	u := &games.Universe{Name: "mine", Rules: "maxRank = 3\n"}
	h := Header{Game: u.Name, Positions: All, Rules: games.RulesDigest(u.Rules)}
	require.NoError(t, h.Fits(u, All, "mine.db"))
	u.Rules = "maxRank = 4\n"
	require.ErrorIs(t, h.Fits(u, All, "mine.db"), ErrOther)
	require.ErrorContains(t, h.Fits(u, All, "mine.db"), "by other rules")
	u.Rules = ""
	require.ErrorIs(t, h.Fits(u, All, "mine.db"), ErrOther)
	require.NoError(t, (&Header{Game: u.Name, Positions: All}).Fits(u, All, "mine.db"))
}
