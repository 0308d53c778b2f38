package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/cockroachdb/pebble/v2/vfs"
	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/storage"
)

// packedFile is the blocks of a packed database in a file.
type packedFile struct {
	*db.Packed
	fs   vfs.FS
	path string
}

// openPacked opens the blocks of a packed database. It returns an error that is [db.ErrNoDatabase] if the file is none.
func openPacked(fs vfs.FS, path string) (p *packedFile, err error) {
	f, err := fs.Open(path, vfs.RandomReadsOption)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	begin := make([]byte, len(db.PackedMagic))
	if n, err := f.ReadAt(begin, 0); string(begin[:n]) != db.PackedMagic {
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		return nil, fmt.Errorf("%w in %s (it is a file; want a directory, or a file of db pack)", db.ErrNoDatabase, path)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	packed, err := db.OpenPacked(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &packedFile{packed, fs, path}, nil
}

// isFile reports whether a path is a regular file.
func isFile(fs vfs.FS, path string) bool {
	info, err := fs.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// IsPacked reports whether a path is a file that begins like a packed database. A nil fs means vfs.Default.
func IsPacked(fs vfs.FS, path string) bool {
	if fs == nil {
		fs = vfs.Default
	}
	if !isFile(fs, path) {
		return false
	}
	f, err := fs.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	begin := make([]byte, len(db.PackedMagic))
	n, _ := f.ReadAt(begin, 0)
	return string(begin[:n]) == db.PackedMagic
}

// count implements [blocks].
func (p *packedFile) count() (n uint64, err error) {
	c := &p.Manifest().Content
	for i := range c.Tiers {
		n += c.StoredBlocks(i)
	}
	return n, nil
}

// CheckFiles implements [db.Files].
func (p *packedFile) CheckFiles(ctx context.Context, _ func(error)) ([]db.HashedFile, error) {
	files, err := packedFiles(ctx, p.fs, p.path)
	return append([]db.HashedFile{p.ManifestFile()}, files...), err
}

// packedFiles returns the one file of a packed database, whose name does not matter.
func packedFiles(ctx context.Context, fs vfs.FS, path string) ([]db.HashedFile, error) {
	sha := sha256.New()
	f, err := sumFile(ctx, fs, path, sha)
	return []db.HashedFile{{Name: "packed", Size: f.Size, SHA256: hex.EncodeToString(sha.Sum(nil))}}, err
}

// Record implements [db.Files].
func (p *packedFile) Record() (*db.VerificationRecord, error) {
	return readRecord(p.fs, recordPath(p.fs, p.path))
}

// PackOptions configures [Pack].
type PackOptions struct {
	FS      vfs.FS // vfs.Default if nil
	Threads int    // 0 means one for each processor
	// Progress, if not nil, is called with the number of blocks written so far.
	Progress games.Progress
}

// packed is the stored form of some blocks in order.
type packed struct {
	stored []byte
	ends   []int
	sums   []uint64
}

// Pack writes a database into one file, atomically. It checks each block, and the logical checksum. What it writes depends on
// nothing but the database.
func Pack(ctx context.Context, from *db.DB, path string, o PackOptions) error {
	if o.FS == nil {
		o.FS = vfs.Default
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	return storage.WriteFile(o.FS, o.FS.PathDir(path), o.FS.PathBase(path), func(w io.Writer) error {
		return pack(ctx, from, w, o)
	})
}

func pack(ctx context.Context, from *db.DB, w io.Writer, o PackOptions) error {
	const step = 64
	m := from.Manifest()
	out, err := db.NewPacker(w)
	if err != nil {
		return err
	}
	total, done := uint64(0), uint64(0)
	for i := range m.Content.Tiers {
		total += m.Content.StoredBlocks(i)
	}
	var sums []uint64
	ranges := m.Content.StoredRanges(step)
	for len(ranges) > 0 {
		batch := ranges[:min(len(ranges), 4*o.Threads)]
		ranges = ranges[len(batch):]
		list := make([]packed, len(batch))
		group, running := errgroup.WithContext(ctx)
		group.SetLimit(o.Threads)
		for i, b := range batch {
			group.Go(func() (err error) {
				list[i], err = readPacked(running, from, b)
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
		for _, p := range list {
			at := 0
			for _, end := range p.ends {
				if err := out.Add(p.stored[at:end]); err != nil {
					return err
				}
				at = end
			}
			sums = append(sums, p.sums...)
			done += uint64(len(p.ends))
		}
		if o.Progress != nil {
			o.Progress("blocks", done, total)
		}
	}
	sum, err := m.Content.Sum([][]uint64{sums})
	if err != nil {
		return err
	}
	if err := m.CheckSum(sum); err != nil {
		return fmt.Errorf("%s: %w: %w", from.Name(), db.ErrCorrupt, err)
	}
	return out.Finish(m)
}

// readPacked reads some blocks as they are stored, and checks them.
func readPacked(ctx context.Context, from *db.DB, b db.BlockRange) (p packed, err error) {
	c := &from.Manifest().Content
	for block := b.First; block < b.Last; block++ {
		if err := ctx.Err(); err != nil {
			return p, err
		}
		begin := len(p.stored)
		var sum uint64
		if p.stored, err = from.AppendStored(p.stored, b.Tier, block); err == nil && block < c.Blocks(b.Tier) {
			_, sum, err = from.DecodeBlock(b.Tier, block, p.stored[begin:])
			p.sums = append(p.sums, sum)
		} // a model has been checked by its blocks
		if err != nil {
			return p, fmt.Errorf("%s: tier %d, block %d: %w", from.Name(), b.Tier, block, err)
		}
		p.ends = append(p.ends, len(p.stored))
	}
	return p, nil
}
