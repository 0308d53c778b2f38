package db

import (
	"context"
	"errors"
	"fmt"
	"os"
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
	// Progress, if not nil, is called with what is gone through so far: "blocks"
	// while these are read, then "positions" while values are derived, then
	// "scores" while these are found to be forced. It is called by several
	// goroutines at once.
	Progress func(unit string, done, total uint64)
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
// position follows from the values of its successors; where values are scores,
// that the side which wins can force them; that the database holds the positions
// that it says it holds, no less and no more; and that all counts are right.
//
// It shares no code with the solver but the game. It takes one byte (or two) of
// memory for each stored index, two bits for each index where only reachable
// positions were solved, and two where values are scores.
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
	codes    [][]byte   // of the open part of each tier
	sums     [][]uint64 // checksums of blocks
	done     atomic.Uint64
	total    uint64 // positions to look at

	// A bit for each index, unless all positions are solved: whether it is
	// reached, and whether it has been looked at or needs no look.
	reached, seen []uint64

	// Two bits for each index where values are scores: whether the score of the
	// position is not yet known to be forced, and whether more is known of its
	// successors since it was looked at.
	pending, changed []uint64
	unforced         atomic.Uint64 // how many were pending when values were derived

	mu     sync.Mutex // guards what follows
	result Verification
	counts []map[games.Value]Count // by tier
	open   []uint64                // unfinished positions by tier
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
	if c.Game != v.u.Name || c.Start != v.u.Start {
		return fmt.Errorf("%s is a database of %s and does not fit the game %s", v.dir, c.Game, v.u.Name)
	}
	if err := c.fits(v.u.Tiers); err != nil {
		return fmt.Errorf("%s does not fit the game %s: %w", v.dir, v.u.Name, err)
	}
	if c.Order != v.u.Order.String() {
		return fmt.Errorf("%s is ordered by %s, the game %s by %v", v.dir, c.Order, v.u.Name, v.u.Order)
	}
	v.all = c.Positions == "all"
	for i := 1; i < len(c.Values); i++ {
		if c.Values[i] >= c.Values[i-1] {
			v.problem(fmt.Errorf("the values in the manifest do not stand best first: %v before %v", c.Values[i-1], c.Values[i]))
		}
	}
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
	switch {
	case errors.Is(err, os.ErrNotExist):
		v.problem(err)
		return nil
	case err != nil:
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
	for _, f := range found {
		if !slices.ContainsFunc(v.manifest.Files, func(want File) bool { return f.Name == want.Name }) {
			v.problem(fmt.Errorf("file %s is not in the manifest", f.Name))
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
	for i := range v.manifest.Content.Tiers {
		s := &v.manifest.Content.Tiers[i]
		v.codes = append(v.codes, make([]byte, s.Open*uint64(width)))
		v.sums = append(v.sums, make([]uint64, s.blocks()))
		v.result.Blocks += s.blocks()
	}
	err = v.eachRange(ctx, false, func(tier int, first, last uint64) {
		defer func() { v.progress("blocks", last-first, v.result.Blocks) }()
		for b := first; b < last; b++ {
			codes, sum, err := d.readBlock(tier, b)
			if err != nil {
				v.problem(err)
				continue
			}
			copy(v.codes[tier][b*BlockSize*uint64(width):], codes)
			v.sums[tier][b] = sum
		}
	})
	if err == nil && v.result.Problems == 0 {
		err = v.countBlocks(d)
	}
	if err = errors.Join(err, d.Close()); err != nil || v.result.Problems > 0 {
		return err
	}
	sum, err := v.manifest.Content.checksum(v.sums)
	if err == nil && sum != v.manifest.Checksum {
		v.problem(fmt.Errorf("the logical checksum is %s, the manifest says %s", sum, v.manifest.Checksum))
	}
	return err
}

// countBlocks checks that the store holds nothing but the blocks that were read.
func (v *verifier) countBlocks(d *DB) error {
	keys, err := d.store.NewIter(nil)
	if err != nil {
		return err
	}
	n := uint64(0)
	for ok := keys.First(); ok; ok = keys.Next() {
		n++
	}
	if n != v.result.Blocks {
		v.problem(fmt.Errorf("the store has %d keys, want %d, one for each block", n, v.result.Blocks))
	}
	return keys.Close()
}

func (v *verifier) progress(unit string, n, total uint64) {
	if done := v.done.Add(n); v.o.Progress != nil {
		v.o.Progress(unit, done, total)
	}
}

// eachRange goes over the blocks of all tiers in ranges, in parallel; with
// closed, also over the indices behind the open part of a tier, as if they were
// blocks.
func (v *verifier) eachRange(ctx context.Context, closed bool, do func(tier int, first, last uint64)) error {
	const step = 16
	whole := ctx
	group, ctx := errgroup.WithContext(whole)
	group.SetLimit(v.o.Threads)
	for i := range v.manifest.Content.Tiers {
		s := &v.manifest.Content.Tiers[i]
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
				return ctx.Err()
			})
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return whole.Err()
}
