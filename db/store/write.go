package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/sstable/block"
	"github.com/cockroachdb/pebble/v2/vfs"
	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/storage"
)

// EncodedSource returns a block as [db.Content.AppendBlock] encodes it. It is called by several
// goroutines at once, each of which asks for up to [TableBlocks] blocks in order. An error
// ends the writing.
type EncodedSource func(tier int, block uint64) ([]byte, error)

// WriteOptions configures [Write].
type WriteOptions struct {
	FS      vfs.FS // vfs.Default if nil
	Threads int    // 0 means one for each processor
	// Built, if not nil, is called at the end of Write and fills in Manifest.Built.
	Built func() db.Built
	// Progress, if not nil, is called with the number of blocks written so far, by several
	// goroutines at once. The first call tells how many an earlier run has written.
	Progress games.Progress
}

// TableBlocks is the number of blocks of a sorted table.
const TableBlocks = 2048

// Write creates a database in dir, which must exist and not hold one. It fills in Format,
// Checksum and Files of m. The manifest is written last: if Write fails or is killed there
// is no database, and it can be called again.
func Write(ctx context.Context, dir string, m *db.Manifest, source db.Source, o WriteOptions) error {
	return write(ctx, dir, m, o, nil, func() encoder {
		codes := make([]byte, m.Content.BlockSize*m.Content.Width())
		return func(dst []byte, tier int, block uint64) ([]byte, uint64, error) {
			codes = codes[:m.Content.BlockBytes(tier, block)]
			if err := source(tier, block, codes); err != nil {
				return nil, 0, err
			}
			dst, sum := m.Content.AppendSummed(dst, tier, block, codes)
			return dst, sum, nil
		}
	})
}

// WriteEncoded is like [Write] for blocks that are already encoded. It checks each of them.
func WriteEncoded(ctx context.Context, dir string, m *db.Manifest, source EncodedSource, o WriteOptions) error {
	return write(ctx, dir, m, o, nil, func() encoder {
		return func(dst []byte, tier int, block uint64) ([]byte, uint64, error) {
			stored, err := source(tier, block)
			if err != nil {
				return nil, 0, err
			}
			codes, sum, err := m.Content.DecodeBlock(tier, block, stored)
			if code := codeAbove(codes, m.Content.Width(), len(m.Content.Values)); code > 0 {
				err = fmt.Errorf("%w: unknown code %d", db.ErrCorrupt, code)
			}
			if err != nil {
				return nil, 0, fmt.Errorf("tier %d, block %d: %w", tier, block, err)
			}
			return append(dst, stored...), sum, nil
		}
	})
}

// codeAbove returns a code above a limit, or 0 if there is none.
func codeAbove(codes []byte, width, limit int) int {
	if width == 1 {
		for _, code := range codes { // without db.CodeAt a third of the time
			if int(code) > limit {
				return int(code)
			}
		}
		return 0
	}
	for i := range len(codes) / width {
		if code := db.CodeAt(codes, i, width); code > limit {
			return code
		}
	}
	return 0
}

// encoder appends the encoded form of a block to dst, and returns its checksum too.
type encoder func(dst []byte, tier int, block uint64) ([]byte, uint64, error)

type writer struct {
	o       WriteOptions
	content *db.Content
	encoder func() encoder // one for each table
	dir     string
	keep    *keeper    // nil unless the next run goes on where this one ends
	paths   []string   // of the sorted tables
	sums    [][]uint64 // checksums of blocks, by table
	done    atomic.Uint64
	total   uint64
}

func write(ctx context.Context, dir string, m *db.Manifest, o WriteOptions, keep *keeper, e func() encoder) (err error) {
	if o.FS == nil {
		o.FS = vfs.Default
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if m.Content.BlockSize == 0 {
		m.Content.BlockSize = db.BlockSize
	}
	m.Format = m.Content.Format()
	w := &writer{o: o, content: &m.Content, encoder: e, keep: keep}
	if m.Files, err = w.store(ctx, dir); err != nil {
		return err
	}
	if m.Checksum, err = m.Content.Sum(w.blockSums()); err != nil {
		return err
	}
	if o.Built != nil {
		m.Built = o.Built()
	}
	return writeManifest(o.FS, dir, m)
}

// store writes the store, completely or not at all.
func (w *writer) store(ctx context.Context, dir string) (files []db.File, err error) {
	fs := w.o.FS
	w.dir = fs.PathJoin(dir, db.StoreName+".tmp")
	if err := fs.RemoveAll(w.dir); err != nil {
		return nil, err
	}
	if err := fs.MkdirAll(w.dir, 0o755); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, fs.RemoveAll(w.dir))
		}
	}()
	if err := w.tables(ctx); err != nil {
		return nil, err
	}
	if err := w.ingest(ctx); err != nil {
		return nil, err
	}
	if err := storage.SyncDir(fs, w.dir); err != nil {
		return nil, err
	}
	if files, err = storeFiles(ctx, fs, w.dir, nil); err != nil {
		return nil, err
	}
	store := fs.PathJoin(dir, db.StoreName)
	if err := fs.RemoveAll(store); err != nil {
		return nil, err
	}
	if err := fs.Rename(w.dir, store); err != nil {
		return nil, err
	}
	return files, storage.SyncDir(fs, dir)
}

func (w *writer) tables(ctx context.Context) error {
	dir := w.dir
	if w.keep != nil {
		dir = w.keep.dir
	}
	ranges := w.content.StoredRanges(TableBlocks)
	var rest []int
	for i, r := range ranges {
		w.total += r.Last - r.First
		w.paths = append(w.paths, w.o.FS.PathJoin(dir, fmt.Sprintf("table-%06d", i)))
		w.sums = append(w.sums, make([]uint64, r.Last-r.First))
		done := false
		if w.keep != nil {
			var err error
			if done, err = w.keep.resume(ctx, w.paths[i], w.sums[i]); err != nil {
				return err
			}
		}
		if done {
			w.done.Add(r.Last - r.First)
		} else {
			rest = append(rest, i)
		}
	}
	w.written(0)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(w.o.Threads)
	for _, i := range rest {
		group.Go(func() error {
			err := w.table(ctx, w.paths[i], ranges[i], w.sums[i])
			if err == nil && w.keep != nil {
				err = w.keep.finish(ctx, w.paths[i], w.sums[i])
			}
			return err
		})
	}
	return group.Wait()
}

// blockSums returns the checksums of blocks, without models.
func (w *writer) blockSums() (list [][]uint64) {
	for i, r := range w.content.StoredRanges(TableBlocks) {
		list = append(list, w.sums[i][:min(r.Last, w.content.Blocks(r.Tier))-r.First])
	}
	return list
}

// written counts blocks.
func (w *writer) written(blocks uint64) {
	if done := w.done.Add(blocks); w.o.Progress != nil {
		w.o.Progress("blocks", done, w.total)
	}
}

// table writes a sorted table of blocks of a tier, and fills in their checksums.
func (w *writer) table(ctx context.Context, path string, r db.BlockRange, sums []uint64) (err error) {
	f, err := w.o.FS.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	options := storeOptions(w.o.FS, 0)
	options.EnsureDefaults()
	out := sstable.NewWriter(objstorageprovider.NewFileWritable(f),
		options.MakeWriterOptions(0, options.FormatMajorVersion.MaxTableFormat()))
	defer func() {
		if err = errors.Join(err, out.Close()); err != nil {
			err = errors.Join(err, w.o.FS.Remove(path))
		}
	}()
	encode := w.encoder()
	var key, stored []byte
	for b := r.First; b < r.Last; b++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		key = db.AppendKey(key[:0], r.Tier, b)
		if stored, sums[b-r.First], err = encode(stored[:0], r.Tier, b); err != nil {
			return err
		}
		if err := out.Set(key, stored); err != nil {
			return fmt.Errorf("writing %s: %w", path, err)
		}
		w.written(1)
	}
	return nil
}

// ingest creates a store of the sorted tables.
func (w *writer) ingest(ctx context.Context) error {
	return storage.Catch(func() error {
		store, err := pebble.Open(w.dir, storeOptions(w.o.FS, 0))
		if err != nil {
			return err
		}
		if len(w.paths) > 0 {
			err = store.Ingest(ctx, w.paths)
		}
		return errors.Join(err, store.Close())
	})
}

// storeOptions returns the options of the Pebble store. It need not compress, since
// blocks are compressed already.
func storeOptions(fs vfs.FS, cacheSize int64) *pebble.Options {
	o := &pebble.Options{
		FS:                          unlocked{fs},
		FormatMajorVersion:          pebble.FormatNewest,
		CacheSize:                   cacheSize,
		MemTableSize:                1 << 16,
		DisableAutomaticCompactions: true,
		DisableTableStats:           true,
	}
	for i := range o.Levels {
		o.Levels[i].Compression = func() *block.CompressionProfile { return block.NoCompression }
		o.Levels[i].BlockSize = 8 << 10
		o.Levels[i].IndexBlockSize = 32 << 10
	}
	return storage.Quiet(o)
}

// unlocked is a file system without locks. A database never changes, so any number of
// processes may read it at once, even from a read-only disk. A writer has to lock the
// directory itself.
type unlocked struct{ vfs.FS }

func (unlocked) Lock(string) (io.Closer, error) { return io.NopCloser(nil), nil }
