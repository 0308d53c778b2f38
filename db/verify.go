package db

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri/games"
)

// VerifyOptions says how to verify a database.
type VerifyOptions struct {
	FS      vfs.FS // vfs.Default if nil
	Threads int    // 0 means one for each processor
	// Problem is called for each thing that is wrong, one at a time, up to
	// MaxProblems of them.
	Problem func(error)
	// Progress, if not nil, is called with the number of blocks gone through
	// so far, by several goroutines at once. Each block is gone through
	// twice.
	Progress func(done, total uint64)
}

// MaxProblems is how many problems are told of; those behind are only counted.
const MaxProblems = 20

// Verification says what was verified.
type Verification struct {
	Files, Blocks uint64
	Positions     uint64 // unfinished positions whose value was derived again
	Moves         uint64
	Problems      uint64
}

// Verify checks a database of the game that u is the universe of: the checksums
// of all files and blocks and the logical checksum; that the value of each
// position follows from the values of its successors; that the database holds
// what it says it holds, and no more; and that all counts are right.
//
// It shares no code with the solver but the game. It takes one byte (or two) of
// memory for each stored index, and a bit for each index where only reachable
// positions were solved.
//
// What is wrong goes to o.Problem and is counted; the error is for what kept
// Verify from finding out.
func Verify(ctx context.Context, dir string, u *games.Universe, o VerifyOptions) (*Verification, error) {
	if o.FS == nil {
		o.FS = vfs.Default
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	v := &verifier{o: o, u: u, dir: dir}
	err := v.run(ctx)
	return &v.result, err
}

type verifier struct {
	o        VerifyOptions
	u        *games.Universe
	dir      string
	manifest *Manifest
	all      bool       // all positions are solved
	codes    [][]byte   // of the open part of each slice
	sums     [][]uint64 // checksums of blocks
	reached  []uint64   // a bit for each index, unless all are solved
	done     atomic.Uint64
	total    uint64

	mu     sync.Mutex // guards what follows
	result Verification
	counts []map[games.Value]Count // by slice
	open   []uint64                // unfinished positions by slice
	moves  []uint64
}

func (v *verifier) problem(err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.result.Problems++
	if v.result.Problems <= MaxProblems && v.o.Problem != nil {
		v.o.Problem(err)
	}
}

func (v *verifier) run(ctx context.Context) error {
	m, err := ReadManifest(v.o.FS, v.dir)
	if errors.Is(err, ErrCorrupt) {
		v.problem(err)
		return nil
	}
	if err != nil {
		return err
	}
	v.manifest = m
	c := &m.Content
	if c.Game != v.u.Name || c.Start != v.u.Start || len(c.Slices) != len(v.u.Slices) {
		return fmt.Errorf("%s is a database of %s and does not fit the game %s", v.dir, c.Game, v.u.Name)
	}
	if c.Order != games.ByDistance.String() {
		return fmt.Errorf("%s is ordered by %s; only distance can be verified", v.dir, c.Order)
	}
	v.all = c.Positions == "all"
	if err := v.files(); err != nil {
		return err
	}
	if v.result.Problems > 0 {
		return nil // a store with damaged files had better not be opened
	}
	if err := v.load(ctx); err != nil || v.result.Problems > 0 {
		return err
	}
	return v.derive(ctx)
}

// files checks the files of the store.
func (v *verifier) files() error {
	found, err := storeFiles(v.o.FS, v.o.FS.PathJoin(v.dir, storeName))
	if err != nil {
		return err
	}
	for _, want := range v.manifest.Files {
		at := slices.IndexFunc(found, func(f File) bool { return f.Name == want.Name })
		switch {
		case at < 0:
			v.problem(fmt.Errorf("file %s is missing", want.Name))
		case found[at] != want:
			v.problem(fmt.Errorf("file %s has %d bytes with checksum %s, want %d with %s",
				want.Name, found[at].Size, found[at].Sum, want.Size, want.Sum))
		}
	}
	v.result.Files = uint64(len(v.manifest.Files))
	return nil
}

// load reads all blocks.
func (v *verifier) load(ctx context.Context) error {
	d, err := Open(v.dir, &Options{FS: v.o.FS, CacheSize: 1 << 20})
	if err != nil {
		v.problem(err)
		return nil
	}
	width := v.manifest.Content.Width()
	for i := range v.manifest.Content.Slices {
		s := &v.manifest.Content.Slices[i]
		v.codes = append(v.codes, make([]byte, s.Open*uint64(width)))
		v.sums = append(v.sums, make([]uint64, s.blocks()))
		v.total += 2 * s.blocks()
		v.result.Blocks += s.blocks()
	}
	err = v.eachRange(ctx, false, func(slice int, first, last uint64) {
		for b := first; b < last; b++ {
			codes, sum, err := d.readBlock(slice, b)
			if err != nil {
				v.problem(err)
				continue
			}
			copy(v.codes[slice][b*BlockSize*uint64(width):], codes)
			v.sums[slice][b] = sum
		}
	})
	if err = errors.Join(err, d.Close()); err != nil || v.result.Problems > 0 {
		return err
	}
	sum, err := v.manifest.Content.checksum(v.sums)
	if err == nil && sum != v.manifest.Checksum {
		v.problem(fmt.Errorf("the logical checksum is %s, the manifest says %s", sum, v.manifest.Checksum))
	}
	return err
}

// eachRange goes over the blocks of all slices in ranges, in parallel; with
// closed, also over the indices behind the open part of a slice, as if they were
// blocks.
func (v *verifier) eachRange(ctx context.Context, closed bool, do func(slice int, first, last uint64)) error {
	const step = 16
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(v.o.Threads)
	for i := range v.manifest.Content.Slices {
		s := &v.manifest.Content.Slices[i]
		n := s.blocks()
		if closed {
			n = (s.Size + BlockSize - 1) / BlockSize
		}
		for first := uint64(0); first < n; first += step {
			if ctx.Err() != nil {
				break
			}
			group.Go(func() error {
				do(i, first, min(first+step, n))
				if done := v.done.Add(min(first+step, n) - first); v.o.Progress != nil {
					v.o.Progress(min(done, v.total), v.total)
				}
				return ctx.Err()
			})
		}
	}
	return group.Wait()
}

// derive checks every value against those of its successors, and counts.
func (v *verifier) derive(ctx context.Context) error {
	if !v.all {
		v.reached = make([]uint64, (v.u.Size()+63)/64)
		v.mark(v.u.Start)
	}
	n := len(v.u.Slices)
	v.open, v.moves = make([]uint64, n), make([]uint64, n)
	for range n {
		v.counts = append(v.counts, map[games.Value]Count{})
	}
	if !v.all {
		var x games.Expansion
		v.u.Expander.Expand([]uint64{v.u.Start}, &x)
		if x.Status[0] != games.Unfinished {
			v.counts[v.sliceOf(v.u.Start)][x.Status[0]] = Count{x.Status[0], 1, 1}
		}
	}
	pool := sync.Pool{New: func() any { return &checker{v: v} }}
	err := v.eachRange(ctx, v.all, func(slice int, first, last uint64) {
		c := pool.Get().(*checker)
		c.check(slice, first, last)
		pool.Put(c)
	})
	if err != nil {
		return err
	}
	v.checkReached()
	v.checkCounts()
	return nil
}

// mark marks an index as reached and reports whether it was not before.
func (v *verifier) mark(index uint64) bool {
	word, bit := &v.reached[index/64], uint64(1)<<(index%64)
	return atomic.LoadUint64(word)&bit == 0 && atomic.OrUint64(word, bit)&bit == 0
}

func (v *verifier) sliceOf(index uint64) int {
	list := v.manifest.Content.Slices
	if len(list) == 1 {
		return 0
	}
	return slices.IndexFunc(list, func(s Slice) bool { return index < s.Start+s.Size })
}

// code returns the code of an index, 0 if it has none.
func (v *verifier) code(index uint64) int {
	slice := v.sliceOf(index)
	s := &v.manifest.Content.Slices[slice]
	if index-s.Start >= s.Open {
		return 0
	}
	return codeAt(v.codes[slice], int(index-s.Start), v.manifest.Content.Width())
}

// checkReached checks that each position that is held is the start position or
// can be reached by a move.
func (v *verifier) checkReached() {
	if v.all {
		return
	}
	for i, s := range v.manifest.Content.Slices {
		for offset := range s.Open {
			index := s.Start + offset
			held := codeAt(v.codes[i], int(offset), v.manifest.Content.Width()) != 0
			if held && v.reached[index/64]>>(index%64)&1 == 0 {
				v.problem(fmt.Errorf("position %d is held, but no move leads there from another one", index))
			}
		}
	}
}

func (v *verifier) checkCounts() {
	for i, s := range v.manifest.Content.Slices {
		if s.Unfinished != v.open[i] || s.Moves != v.moves[i] {
			v.problem(fmt.Errorf("slice %d has %d unfinished positions with %d moves, the manifest says %d with %d",
				i, v.open[i], v.moves[i], s.Unfinished, s.Moves))
		}
		var counts []Count
		for _, n := range v.counts[i] {
			counts = append(counts, n)
		}
		SortCounts(counts)
		if !slices.Equal(counts, s.Counts) {
			v.problem(fmt.Errorf("slice %d: the counts by value are %v, the manifest says %v", i, counts, s.Counts))
		}
		v.result.Positions += v.open[i]
		v.result.Moves += v.moves[i]
	}
	code := v.code(v.u.Start)
	if code > 0 && v.manifest.Content.Values[code-1] != v.manifest.Content.StartValue {
		v.problem(fmt.Errorf("the start position has the value %v, the manifest says %v",
			v.manifest.Content.Values[code-1], v.manifest.Content.StartValue))
	}
}

// checker checks ranges of positions, one at a time.
type checker struct {
	v       *verifier
	indices []uint64
	x       games.Expansion
	tallies []checkTally // by slice
}

// checkTally counts what a checker has met in a range.
type checkTally struct {
	open, moves uint64
	values      []uint64 // by code
	finished    map[games.Value]uint64
}

// check checks the blocks of a slice from first to last, last excluded.
func (c *checker) check(slice int, first, last uint64) {
	v := c.v
	c.tallies = make([]checkTally, len(v.u.Slices))
	for i := range c.tallies {
		c.tallies[i] = checkTally{values: make([]uint64, len(v.manifest.Content.Values)+1), finished: map[games.Value]uint64{}}
	}
	s := &v.manifest.Content.Slices[slice]
	end := s.Open
	if v.all {
		end = s.Size
	}
	for offset := first * BlockSize; offset < min(last*BlockSize, end); offset++ {
		index := s.Start + offset
		if !v.all && v.code(index) == 0 {
			continue
		}
		if c.indices = append(c.indices, index); len(c.indices) == 256 {
			c.batch(slice)
		}
	}
	c.batch(slice)
	v.mu.Lock()
	defer v.mu.Unlock()
	for i, t := range c.tallies {
		v.open[i] += t.open
		v.moves[i] += t.moves
		add := func(value games.Value, n, finished uint64) {
			if n > 0 {
				old := v.counts[i][value]
				v.counts[i][value] = Count{value, old.Positions + n, old.Finished + finished}
			}
		}
		for code, n := range t.values[1:] {
			add(v.manifest.Content.Values[code], n, 0)
		}
		for value, n := range t.finished {
			add(value, n, n)
		}
	}
}

// batch checks the positions in c.indices, of one slice.
func (c *checker) batch(slice int) {
	v, t := c.v, &c.tallies[slice]
	v.u.Expander.Expand(c.indices, &c.x)
	for i, index := range c.indices {
		code := v.code(index)
		if status := c.x.Status[i]; status != games.Unfinished {
			if code != 0 {
				v.problem(fmt.Errorf("index %d has a value, but is no unfinished position (%v)", index, status))
			} else if status != games.Hole {
				t.finished[status]++
			}
			continue
		}
		if code == 0 {
			v.problem(fmt.Errorf("position %d has no value", index))
			continue
		}
		if code > len(v.manifest.Content.Values) {
			v.problem(fmt.Errorf("position %d has the code %d of no value", index, code))
			continue
		}
		t.open++
		t.values[code]++
		best, ok := c.best(index, c.x.Of(i))
		if value := v.manifest.Content.Values[code-1]; ok && value != best {
			v.problem(fmt.Errorf("position %d has the value %v, by its successors it has %v", index, value, best))
		}
	}
	t.moves += uint64(c.x.Moves)
	c.indices = c.indices[:0]
}

// best returns the best value that a move to one of the successors gives, and
// false if one of them has none.
func (c *checker) best(index uint64, successors []games.Successor) (games.Value, bool) {
	v := c.v
	worst := games.Value(math.MaxInt16) // of the successors, for the opponent
	for _, s := range successors {
		value := s.Outcome()
		if !v.all && v.mark(s.Index()) && value != games.Unfinished {
			c.tallies[v.sliceOf(s.Index())].finished[value]++
		}
		if value == games.Unfinished {
			code := v.code(s.Index())
			if code == 0 || code > len(v.manifest.Content.Values) {
				v.problem(fmt.Errorf("position %d has a move to position %d, which has no value", index, s.Index()))
				return 0, false
			}
			value = v.manifest.Content.Values[code-1]
		}
		worst = min(worst, value)
	}
	return worst.Backup(0), true
}
