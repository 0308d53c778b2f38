package db

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

	"github.com/yomikiri/yomikiri/internal/storage"
)

// Source fills dst with the codes of a block in the order of indices. It is called by
// several goroutines at once. An error ends the writing.
type Source func(tier int, block uint64, dst []byte) error

// WriteOptions configures [Write], [WritePart] and [Merge].
type WriteOptions struct {
	FS      vfs.FS // vfs.Default if nil
	Threads int    // 0 means one for each processor
	// Built, if not nil, is called at the end of Write and fills in Manifest.Built.
	Built func() Built
	// Progress, if not nil, is called with the number of blocks written so
	// far, by several goroutines at once.
	Progress func(done, total uint64)
}

// tableBlocks is the number of blocks of a sorted table.
const tableBlocks = 2048

// Write creates a database in dir, which must exist and not hold one. It fills in Format,
// Checksum and Files of m. The manifest is written last: if Write fails or is killed there
// is no database, and it can be called again.
func Write(ctx context.Context, dir string, m *Manifest, source Source, o WriteOptions) (err error) {
	m.Format, m.Content.BlockSize = FormatVersion, BlockSize
	w := newWriter(&m.Content, o)
	if m.Files, err = w.write(ctx, dir, storeName, source, nil); err != nil {
		return err
	}
	if m.Checksum, err = m.Content.checksum(w.sums); err != nil {
		return err
	}
	if o.Built != nil {
		m.Built = o.Built()
	}
	return m.write(w.o.FS, dir)
}

type writer struct {
	o       WriteOptions
	content *Content
	parts   *Parts // nil to write all blocks, otherwise only those of
	part    int    // this one
	dir     string
	paths   []string   // of the sorted tables
	sums    [][]uint64 // checksums of blocks, by table
	done    atomic.Uint64
	total   uint64
}

func newWriter(c *Content, o WriteOptions) *writer {
	if o.FS == nil {
		o.FS = vfs.Default
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	return &writer{o: o, content: c}
}

// write writes a store with the given name, completely or not at all. If more is not nil,
// it writes further files of the store.
func (w *writer) write(ctx context.Context, dir, name string, source Source, more func() error) (files []File, err error) {
	fs := w.o.FS
	w.dir = fs.PathJoin(dir, name+".tmp")
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
	if err := w.tables(ctx, source); err != nil {
		return nil, err
	}
	if err := w.ingest(ctx); err != nil {
		return nil, err
	}
	if more != nil {
		if err := more(); err != nil {
			return nil, err
		}
	}
	if err := storage.SyncDir(fs, w.dir); err != nil {
		return nil, err
	}
	if files, err = storeFiles(ctx, fs, w.dir); err != nil {
		return nil, err
	}
	store := fs.PathJoin(dir, name)
	if err := fs.RemoveAll(store); err != nil {
		return nil, err
	}
	if err := fs.Rename(w.dir, store); err != nil {
		return nil, err
	}
	return files, storage.SyncDir(fs, dir)
}

// wanted returns those blocks of a range that are to be written.
func (w *writer) wanted(r blockRange) []uint64 {
	var list []uint64
	for b := r.first; b < r.last; b++ {
		if w.parts == nil || w.parts.of(r.tier, b) == w.part {
			list = append(list, b)
		}
	}
	return list
}

func (w *writer) tables(ctx context.Context, source Source) error {
	span := uint64(tableBlocks)
	if w.parts != nil {
		span *= uint64(len(w.parts.List))
	}
	ranges := w.content.ranges(span)
	for _, r := range ranges {
		w.total += uint64(len(w.wanted(r)))
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(w.o.Threads)
	for _, r := range ranges {
		blocks := w.wanted(r)
		if len(blocks) == 0 {
			continue
		}
		path := w.o.FS.PathJoin(w.dir, fmt.Sprintf("table-%06d", len(w.paths)))
		w.paths = append(w.paths, path)
		sums := make([]uint64, len(blocks))
		w.sums = append(w.sums, sums)
		group.Go(func() error { return w.table(ctx, path, r.tier, blocks, source, sums) })
	}
	return group.Wait()
}

// table writes a sorted table of blocks of a tier, and fills in their checksums.
func (w *writer) table(ctx context.Context, path string, number int, blocks []uint64, source Source, sums []uint64) (err error) {
	f, err := w.o.FS.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	options := storeOptions(w.o.FS, 0)
	options.EnsureDefaults()
	out := sstable.NewWriter(objstorageprovider.NewFileWritable(f),
		options.MakeWriterOptions(0, options.FormatMajorVersion.MaxTableFormat()))
	defer func() { err = errors.Join(err, out.Close()) }()
	tier, width := &w.content.Tiers[number], w.content.Width()
	codes := make([]byte, BlockSize*width)
	var key, stored []byte
	for i, b := range blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		codes = codes[:tier.blockLength(b)*width]
		if err := source(number, b, codes); err != nil {
			return err
		}
		key = appendKey(key[:0], number, b)
		stored, sums[i] = appendBlock(stored[:0], key, codes, width)
		if err := out.Set(key, stored); err != nil {
			return fmt.Errorf("writing %s: %w", path, err)
		}
		if done := w.done.Add(1); w.o.Progress != nil {
			w.o.Progress(done, w.total)
		}
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
