package db

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/games"
)

// DefaultCacheSize is the default of Options.CacheSize.
const DefaultCacheSize = 512 << 20

// Options configures an open database. The zero value is ready for use.
type Options struct {
	FS vfs.FS // vfs.Default if nil
	// CacheSize is the maximum size of the cache in bytes; 0 means
	// DefaultCacheSize. Memory is allocated only as blocks are read.
	CacheSize int64
}

// DB is an open database. It is safe for concurrent use.
type DB struct {
	fs       vfs.FS
	dir      string
	manifest *Manifest
	file     HashedFile // of the manifest
	store    *pebble.DB
	cache    *cache
	width    int
	reads    atomic.Uint64 // of blocks
}

// Open opens the database in a directory. Options may be nil. The manifest says which
// game it is of; see [NewProber].
func Open(dir string, o *Options) (*DB, error) {
	var options Options
	if o != nil {
		options = *o
	}
	if options.FS == nil {
		options.FS = vfs.Default
	}
	if options.CacheSize == 0 {
		options.CacheSize = DefaultCacheSize
	}
	m, file, err := readManifest(options.FS, dir)
	if err != nil {
		return nil, err
	}
	width, storeCache := m.Content.Width(), min(options.CacheSize/8, 8<<20)
	d := &DB{
		fs:       options.FS,
		dir:      dir,
		manifest: m,
		file:     file,
		cache:    newCache(options.CacheSize-storeCache, m.Content.BlockSize*width),
		width:    width,
	}
	shared := pebble.NewCache(storeCache)
	defer shared.Unref()
	if d.store, err = openStore(options.FS, options.FS.PathJoin(dir, storeName), m.Files, shared); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return d, nil
}

// openStore opens the store in a directory if its files have the sizes in the manifest.
func openStore(fs vfs.FS, dir string, files []File, cache *pebble.Cache) (*pebble.DB, error) {
	for _, f := range files {
		info, err := fs.Stat(fs.PathJoin(dir, f.Name))
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
		if info.Size() != f.Size {
			return nil, fmt.Errorf("%w: file %s has %d bytes, want %d", ErrCorrupt, f.Name, info.Size(), f.Size)
		}
	}
	o := storeOptions(fs, 0)
	o.Cache = cache
	o.ReadOnly = true
	o.ErrorIfNotExists = true
	p, err := pebble.Open(dir, o)
	if err != nil {
		return nil, storeError(fs, dir, files, err)
	}
	return p, nil
}

// storeError marks an error of a store as [ErrCorrupt] if the store's files differ from
// those in the manifest.
func storeError(fs vfs.FS, store string, want []File, err error) error {
	found, e := storeFiles(context.Background(), fs, store, nil)
	if e == nil && !slices.Equal(found, want) {
		return fmt.Errorf("%w: a file of the store has changed", ErrCorrupt)
	}
	return err
}

// Close closes the database, which must not be in use.
func (d *DB) Close() error { return d.store.Close() }

// Manifest returns the description of the database. It must not be changed.
func (d *DB) Manifest() *Manifest { return d.manifest }

// Value returns the value of the unfinished position with the given index. It returns
// false if the database has none: the index is a hole, or the position is finished or
// was not solved. It returns an error that is [ErrCorrupt] if the block is damaged, and one
// that is [ErrCompact] if the tier is compact; a [Prober] has its values.
func (d *DB) Value(index uint64) (games.Value, bool, error) {
	if tier := d.tierOf(index); tier >= 0 && d.manifest.Content.Tiers[tier].Compact {
		return 0, false, fmt.Errorf("%s: %w", d.dir, ErrCompact)
	}
	return d.stored(index)
}

// tierOf returns the tier of an index, and -1 if it is past the last one.
func (d *DB) tierOf(index uint64) int {
	list := d.manifest.Content.Tiers
	at := 0
	if len(list) != 1 || index >= list[0].Size { // the search takes time
		at = sort.Search(len(list), func(i int) bool { return index < list[i].Start+list[i].Size })
	}
	if at == len(list) {
		return -1
	}
	return at
}

// stored is Value of what is stored, whether the tier is compact or not.
func (d *DB) stored(index uint64) (games.Value, bool, error) {
	list := d.manifest.Content.Tiers
	at, size := d.tierOf(index), uint64(d.manifest.Content.BlockSize)
	if at < 0 || index-list[at].Start >= list[at].Open {
		return 0, false, nil
	}
	offset := index - list[at].Start
	codes, err := d.block(at, offset/size)
	if err != nil {
		return 0, false, err
	}
	code := codeAt(codes, int(offset%size), d.width)
	switch {
	case code == 0:
		return 0, false, nil
	case code > len(d.manifest.Content.Values):
		return 0, false, fmt.Errorf("%s: %w: index %d has the unknown code %d", d.dir, ErrCorrupt, index, code)
	}
	return d.manifest.Content.Values[code-1], true, nil
}

// BlocksRead returns how many blocks lookups have read that were not in the cache.
func (d *DB) BlocksRead() uint64 { return d.reads.Load() }

// Block returns the codes of a block of a tier, as [Content.Width] and [Content.Values] describe
// them; those of a compact tier are what is stored. It bypasses the cache. It returns an error that is [ErrCorrupt] if the block is damaged.
func (d *DB) Block(tier int, block uint64) ([]byte, error) {
	codes, _, err := d.readBlock(tier, block)
	return codes, err
}

// setCode is the inverse of codeAt.
func setCode(codes []byte, i, width, code int) {
	if width == 1 {
		codes[i] = byte(code)
	} else {
		codes[2*i], codes[2*i+1] = byte(code), byte(code>>8)
	}
}

func codeAt(codes []byte, i, width int) int {
	if width == 1 {
		return int(codes[i])
	}
	return int(codes[2*i]) | int(codes[2*i+1])<<8
}

func (d *DB) block(tier int, block uint64) ([]byte, error) {
	id := blockID{tier, block}
	if codes, ok := d.cache.shard(id).Get(id); ok {
		return codes, nil
	}
	d.reads.Add(1)
	codes, _, err := d.readBlock(tier, block)
	if err != nil {
		return nil, err
	}
	d.cache.shard(id).Add(id, codes)
	return codes, nil
}

// readBlock reads a block from the store. It also returns the checksum.
func (d *DB) readBlock(tier int, block uint64) ([]byte, uint64, error) {
	var array [keySize]byte
	key := appendKey(array[:0], tier, block)
	where := func(err error) error { return fmt.Errorf("%s: tier %d, block %d: %w", d.dir, tier, block, err) }
	stored, closer, err := d.store.Get(key)
	switch {
	case errors.Is(err, pebble.ErrNotFound):
		return nil, 0, where(fmt.Errorf("%w: the block is missing", ErrCorrupt))
	case pebble.IsCorruptionError(err):
		// Pebble's own message would not help the user; verify names the files.
		return nil, 0, where(fmt.Errorf("%w: a file of the store has changed", ErrCorrupt))
	case err != nil:
		return nil, 0, where(err)
	}
	codes, sum, err := decodeBlock(key, stored, d.manifest.Content.blockBytes(tier, block), d.width)
	if err = errors.Join(err, closer.Close()); err != nil {
		return nil, 0, where(err)
	}
	return codes, sum, nil
}
