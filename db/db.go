package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/yomikiri/yomikiri/games"
)

// DefaultCacheSize is the default of the size of a cache.
const DefaultCacheSize = 512 << 20

// Blocks is where the blocks of a database are: a store, one file, or a web server. It is safe for
// concurrent use.
type Blocks interface {
	// AppendStored appends the stored form of a block to dst. It returns an error that is [ErrCorrupt] if
	// there is no such block, or if it is known to be damaged.
	AppendStored(dst []byte, tier int, block uint64) ([]byte, error)
	Close() error
}

// Files is [Blocks] in files whose verification can be recorded.
type Files interface {
	Blocks
	// ManifestFile returns the manifest, hashed when it was read.
	ManifestFile() HashedFile
	// CheckFiles compares the files with the manifest, and reports each difference. It returns all files
	// with their hashes, the manifest first.
	CheckFiles(ctx context.Context, problem func(error)) ([]HashedFile, error)
	// Record reads the record of a verification. It returns nil if there is none, and an error that is
	// [ErrCorrupt] if it is damaged, has an unknown format, may not be read, or is not a file: a database
	// is no worse for that, only not verified.
	Record() (*VerificationRecord, error)
}

// DB is an open database. It is safe for concurrent use.
type DB struct {
	name     string
	manifest *Manifest
	blocks   Blocks
	cache    *cache
	width    int
	reads    atomic.Uint64           // of blocks
	models   []atomic.Pointer[model] // by tier
}

// New opens a database of the blocks that a manifest describes. The name is for errors. The cache has at most
// cacheSize bytes; memory is allocated only as blocks are read. The manifest says which game it is of; see [NewProber].
func New(name string, m *Manifest, blocks Blocks, cacheSize int64) *DB {
	width := m.Content.Width()
	return &DB{name: name, manifest: m, blocks: blocks, width: width, models: make([]atomic.Pointer[model], len(m.Content.Tiers)),
		cache: newCache(cacheSize, cmp.Or(m.Content.UnitSize, m.Content.BlockSize)*width)}
}

// Close closes the database, which must not be in use.
func (d *DB) Close() error { return d.blocks.Close() }

// Name returns the name of the database, for errors.
func (d *DB) Name() string { return d.name }

// Manifest returns the description of the database. It must not be changed.
func (d *DB) Manifest() *Manifest { return d.manifest }

// Value returns the value of the unfinished position with the given index. It returns
// false if the database has none: the index is a hole, or the position is finished or
// was not solved. It returns an error that is [ErrCorrupt] if the block is damaged, and one
// that is [ErrCompact] if the tier is compact; a [Prober] has its values.
func (d *DB) Value(index uint64) (games.Value, bool, error) {
	if tier := d.tierOf(index); tier >= 0 && d.manifest.Content.Tiers[tier].Compact {
		return 0, false, fmt.Errorf("%s: %w", d.name, ErrCompact)
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
	at := d.tierOf(index)
	if at < 0 || index-list[at].Start >= list[at].Open {
		return 0, false, nil
	}
	offset, size := index-list[at].Start, uint64(d.manifest.Content.readTogether(at))
	codes, err := d.piece(at, offset/size, int(offset%size))
	if err != nil {
		return 0, false, err
	}
	code := CodeAt(codes, int(offset%size), d.width)
	switch {
	case code == 0:
		return 0, false, nil
	case code > len(d.manifest.Content.Values):
		return 0, false, fmt.Errorf("%s: %w: index %d has the unknown code %d", d.name, ErrCorrupt, index, code)
	}
	return d.manifest.Content.Values[code-1], true, nil
}

// BlocksRead returns how many blocks lookups have read that were not in the cache.
func (d *DB) BlocksRead() uint64 { return d.reads.Load() }

// Block returns the codes of a block of a tier, as [Content.Width] and [Content.Values] describe
// them; those of a compact tier are what is stored. It bypasses the cache. It returns an error that is [ErrCorrupt] if the block is damaged.
func (d *DB) Block(tier int, block uint64) ([]byte, error) {
	codes, _, err := d.ReadBlock(tier, block)
	return codes, err
}

// SetCode is the inverse of [CodeAt].
func SetCode(codes []byte, i, width, code int) {
	if width == 1 {
		codes[i] = byte(code)
	} else {
		codes[2*i], codes[2*i+1] = byte(code), byte(code>>8)
	}
}

// CodeAt returns the i-th code of codes of a width; see [Content.Width].
func CodeAt(codes []byte, i, width int) int {
	if width == 1 {
		return int(codes[i])
	}
	return int(codes[2*i]) | int(codes[2*i+1])<<8
}

// piece returns the codes of a unit of a tier, or of a block if its blocks have no units. Of a unit that has not been asked for
// before it returns those up to the one that is needed: most of them are asked for once. Then it goes on from there to the end.
func (d *DB) piece(tier int, number uint64, needed int) ([]byte, error) {
	id := blockID{tier, number}
	p, ok := d.cache.shard(id).Get(id)
	if ok && needed*d.width < len(p.codes) {
		return p.codes, nil
	}
	var err error
	switch {
	case ok && p.rest != nil:
		p, err = d.wholeUnit(tier, number, p)
	case d.manifest.Content.HasModel(tier):
		d.reads.Add(1)
		p, err = d.readUnit(tier, number, needed+1)
	default:
		d.reads.Add(1)
		p.codes, err = d.Block(tier, number)
	}
	if err != nil {
		return nil, err
	}
	d.cache.shard(id).Add(id, p)
	return p.codes, nil
}

// buffers are for the stored forms of blocks.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// ReadBlock is [DB.Block], and returns the checksum of the block too.
func (d *DB) ReadBlock(tier int, block uint64) ([]byte, uint64, error) {
	return d.read(tier, block, func(stored []byte) ([]byte, uint64, error) { return d.DecodeBlock(tier, block, stored) })
}

// unitLength returns the number of positions of a unit of a tier, the block that it is in, and which of its units it is.
func (d *DB) unitLength(tier int, unit uint64) (length int, block uint64, number int) {
	c := &d.manifest.Content
	units := uint64(c.BlockSize / c.UnitSize)
	block, number = unit/units, int(unit%units)
	return min(c.UnitSize, c.BlockLength(tier, block)-number*c.UnitSize), block, number
}

// readUnit returns at least n codes of a unit, if it has as many.
func (d *DB) readUnit(tier int, unit uint64, n int) (piece, error) {
	length, block, first := d.unitLength(tier, unit)
	n = min((n+group-1)/group*group, length)
	c := new(coder)
	codes, _, err := d.read(tier, block, func(stored []byte) ([]byte, uint64, error) {
		codes, err := d.decodeUnits(c, tier, block, stored, first, n)
		c.data = slices.Clone(c.data[c.at:]) // stored is a buffer
		return codes, 0, err
	})
	if c.at = 0; n == length {
		c = nil
	}
	return piece{codes, c}, err
}

// wholeUnit completes a unit.
func (d *DB) wholeUnit(tier int, unit uint64, p piece) (piece, error) {
	length, block, _ := d.unitLength(tier, unit)
	c := *p.rest // others may go on from there too
	codes, ok := c.goOn(p.codes, length, d.width)
	if !ok {
		return piece{}, fmt.Errorf("%s: tier %d, block %d: %w: a unit", d.name, tier, block, ErrCorrupt)
	}
	return piece{codes, nil}, nil
}

func (d *DB) read(tier int, block uint64, decode func(stored []byte) ([]byte, uint64, error)) (codes []byte, sum uint64, err error) {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	stored, err := d.blocks.AppendStored((*buffer)[:0], tier, block)
	*buffer = stored
	if err == nil {
		codes, sum, err = decode(stored)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("%s: tier %d, block %d: %w", d.name, tier, block, err)
	}
	return codes, sum, nil
}

// DecodeBlock is [Content.DecodeBlock] for the blocks of this database.
func (d *DB) DecodeBlock(tier int, block uint64, stored []byte) (codes []byte, sum uint64, err error) {
	c := &d.manifest.Content
	if !c.HasModel(tier) {
		return c.DecodeBlock(tier, block, stored)
	}
	if codes, err = d.decodeUnits(new(coder), tier, block, stored, 0, c.BlockLength(tier, block)); err != nil {
		return nil, 0, err
	}
	var key [keySize]byte
	return codes, blockSum(AppendKey(key[:0], tier, block), codes), nil
}

// decodeUnits returns the codes of some positions of a block, from a unit on, in new memory. The coder stays where it has stopped.
func (d *DB) decodeUnits(by *coder, tier int, block uint64, stored []byte, first, positions int) ([]byte, error) {
	c := &d.manifest.Content
	m, err := d.model(tier)
	if err != nil {
		return nil, err
	}
	by.model = m
	var key [keySize]byte
	payload, ok := checked(AppendKey(key[:0], tier, block), stored)
	codes := make([]byte, positions*d.width)
	if !ok || payload[0] != encodingUnits || !by.decodeUnits(codes, payload[1:], first, c.BlockLength(tier, block), c.UnitSize, d.width) {
		return nil, fmt.Errorf("%w: block of %d bytes", ErrCorrupt, len(stored))
	}
	return codes, nil
}

// model returns the model of a tier, which it reads once.
func (d *DB) model(tier int) (*model, error) {
	if m := d.models[tier].Load(); m != nil {
		return m, nil
	}
	c := &d.manifest.Content
	block := c.Blocks(tier)
	stored, err := d.blocks.AppendStored(nil, tier, block)
	if err != nil {
		return nil, err
	}
	m, err := decodeModel(AppendKey(nil, tier, block), stored, c.alphabet(tier))
	if err == nil {
		d.models[tier].Store(m)
	}
	return m, err
}

// AppendStored appends the stored form of a block to dst, unchecked; see [DB.DecodeBlock].
func (d *DB) AppendStored(dst []byte, tier int, block uint64) ([]byte, error) {
	return d.blocks.AppendStored(dst, tier, block)
}

// Check compares the database with its checksums: those of all files and blocks, and the
// logical checksum. It returns an error that is [ErrCorrupt] if one differs. It also compares
// all files with the record of a verification. It reads the database twice, and needs 8 bytes
// of memory for each block. Unlike package verify it derives no value.
func (d *DB) Check(ctx context.Context) (Verification, error) {
	var problems []error
	var files []HashedFile
	if r, ok := d.blocks.(Files); ok {
		var err error
		if files, err = r.CheckFiles(ctx, func(err error) { problems = append(problems, err) }); err != nil {
			return Verification{}, err
		}
	}
	if len(problems) > 0 {
		return Verification{}, fmt.Errorf("%s: %w: %w", d.name, ErrCorrupt, errors.Join(problems...))
	}
	if err := d.checkBlocks(ctx); err != nil {
		return Verification{}, err
	}
	return d.compare(files)
}

// checkBlocks compares the blocks with the logical checksum.
func (d *DB) checkBlocks(ctx context.Context) error {
	c := &d.manifest.Content
	var sums []uint64
	for _, b := range c.Ranges(1) {
		if err := ctx.Err(); err != nil {
			return err
		}
		_, sum, err := d.ReadBlock(b.Tier, b.First)
		if err != nil {
			return err
		}
		sums = append(sums, sum)
	}
	sum, err := c.Sum([][]uint64{sums})
	if err != nil {
		return err
	}
	if err := d.manifest.CheckSum(sum); err != nil {
		return fmt.Errorf("%s: %w: %w", d.name, ErrCorrupt, err)
	}
	return nil
}
