package store

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// Image is a whole database in memory: one byte, or two, for each stored index.
type Image struct {
	Manifest *db.Manifest
	Blocks   uint64
	// Files are the manifest and the files of the store, hashed before the blocks were read.
	Files []db.HashedFile

	codes [][]byte // by tier
	width int
}

// ImageOptions says how to read an image.
type ImageOptions struct {
	FS      vfs.FS // vfs.Default if nil
	Threads int    // 0 means one for each processor
	// Problem, if not nil, is called for each problem, by several goroutines at once.
	Problem func(error)
	// Progress, if not nil, is called with the number of blocks read so far, by
	// several goroutines at once.
	Progress games.Progress
}

// ReadImage reads a whole database. u is the universe of its game. It checks sizes and
// checksums of all files, the checksums of all blocks, and the logical checksum. If any is
// wrong it returns an error that is [db.ErrCorrupt].
func ReadImage(ctx context.Context, dir string, u *games.Universe, o ImageOptions) (*Image, error) {
	if o.FS == nil {
		o.FS = vfs.Default
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	r := &imageReader{o: o, dir: dir}
	err := r.read(ctx, u)
	if err == nil && r.wrong.Load() {
		err = fmt.Errorf("%s: %w", dir, db.ErrCorrupt)
	}
	if err != nil {
		return nil, err
	}
	return &r.image, nil
}

// Code returns the code of a stored index of a tier: 0 for no value, otherwise the
// place of the value in [db.Content.Values], counted from 1. A damaged database can
// have codes past the last value.
func (im *Image) Code(tier int, offset uint64) int {
	return db.CodeAt(im.codes[tier], int(offset), im.width)
}

// SetCode replaces the code of a stored index of a tier.
func (im *Image) SetCode(tier int, offset uint64, code int) {
	db.SetCode(im.codes[tier], int(offset), im.width, code)
}

type imageReader struct {
	o     ImageOptions
	dir   string
	image Image
	sums  [][]uint64 // checksums of blocks, by tier
	done  atomic.Uint64
	wrong atomic.Bool
}

func (r *imageReader) problem(err error) {
	r.wrong.Store(true)
	if r.o.Problem != nil {
		r.o.Problem(err)
	}
}

func (r *imageReader) read(ctx context.Context, u *games.Universe) error {
	m, file, err := readManifest(r.o.FS, r.dir)
	if errors.Is(err, db.ErrCorrupt) {
		r.problem(err)
		return nil
	}
	if err != nil {
		return err
	}
	r.image.Manifest = m
	c := &m.Content
	if err := c.Fits(u); err != nil {
		return fmt.Errorf("%s does not fit the game %s: %w", r.dir, u.Name, err)
	}
	for i := 1; i < len(c.Values); i++ {
		if c.Values[i] >= c.Values[i-1] {
			r.problem(fmt.Errorf("the values in the manifest are not sorted best first: %v before %v", c.Values[i-1], c.Values[i]))
		}
	}
	files, err := checkFiles(ctx, r.o.FS, r.dir, m, r.problem)
	if err != nil || r.wrong.Load() {
		return err // Do not let Pebble open damaged files.
	}
	r.image.Files = append([]db.HashedFile{file}, files...)
	return r.store(ctx)
}

func (r *imageReader) store(ctx context.Context) error {
	d, blocks, err := open(r.o.FS, r.dir, 1<<20)
	if err != nil {
		r.problem(err)
		return nil
	}
	err = r.blocks(ctx, d)
	if err == nil && !r.wrong.Load() {
		err = r.countBlocks(blocks)
	}
	if err = errors.Join(err, d.Close()); err != nil || r.wrong.Load() {
		return err
	}
	m := r.image.Manifest
	sum, err := m.Content.Sum(r.sums)
	if err == nil {
		if err := m.CheckSum(sum); err != nil {
			r.problem(err)
		}
	}
	return err
}

func (r *imageReader) blocks(ctx context.Context, d *db.DB) error {
	const step = 16
	im, c := &r.image, &r.image.Manifest.Content
	im.width = c.Width()
	for i := range c.Tiers {
		t := &c.Tiers[i]
		im.codes = append(im.codes, make([]byte, t.Open*uint64(im.width)))
		r.sums = append(r.sums, make([]uint64, c.Blocks(i)))
		im.Blocks += c.Blocks(i)
	}
	var group errgroup.Group
	group.SetLimit(r.o.Threads)
	for _, b := range c.Ranges(step) {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error { r.blockRange(d, b); return nil })
	}
	group.Wait()
	return ctx.Err()
}

func (r *imageReader) blockRange(d *db.DB, b db.BlockRange) {
	for n := b.First; n < b.Last; n++ {
		codes, sum, err := d.ReadBlock(b.Tier, n)
		if err != nil {
			r.problem(err)
			continue
		}
		copy(r.image.codes[b.Tier][n*uint64(r.image.Manifest.Content.BlockSize*r.image.width):], codes)
		r.sums[b.Tier][n] = sum
	}
	if done := r.done.Add(b.Last - b.First); r.o.Progress != nil {
		r.o.Progress("blocks", done, r.image.Blocks)
	}
}

// countBlocks checks that there is nothing but the blocks that were read.
func (r *imageReader) countBlocks(b blocks) error {
	n, err := b.count()
	if err != nil {
		return err
	}
	want := uint64(0)
	for i := range r.image.Manifest.Content.Tiers {
		want += r.image.Manifest.Content.StoredBlocks(i)
	}
	if n != want {
		r.problem(fmt.Errorf("the store has %d keys, want %d, one for each block and model", n, want))
	}
	return nil
}
