package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/internal/storage"
)

// ErrMerged is returned for a database that has no parts to merge.
var ErrMerged = errors.New("already one database")

// Merge merges the parts of a database into one store, with the same blocks and the same
// logical checksum, and removes the parts. It checks every block. If it fails or is killed,
// the database is still in parts or already merged, and Merge can be called again. A
// process that has the database open must reopen it.
func Merge(ctx context.Context, dir string, o WriteOptions) (m *Manifest, err error) {
	w := newWriter(nil, o)
	fs := w.o.FS
	if _, err := ReadManifest(fs, dir); err != nil {
		return nil, err
	}
	path := fs.PathJoin(dir, lockName)
	lock, err := fs.Lock(path)
	if err != nil {
		return nil, fmt.Errorf("%s: another process is at work there, or the directory cannot be locked: %w", dir, err)
	}
	defer func() { err = errors.Join(err, fs.Remove(path), lock.Close()) }()
	parts, err := ReadManifest(fs, dir)
	if err != nil {
		return nil, err
	}
	if parts.Parts == nil {
		if removed, err := parts.removeParts(fs, dir); removed || err != nil {
			return parts, err // an earlier Merge was killed before it removed them
		}
		return nil, fmt.Errorf("%s: %w", dir, ErrMerged)
	}
	d, err := Open(dir, &Options{FS: fs, CacheSize: 1 << 20})
	if err != nil {
		return nil, err
	}
	w.content = &parts.Content
	files, err := w.write(ctx, dir, storeName, func(tier int, block uint64, dst []byte) error {
		codes, _, err := d.readBlock(tier, block)
		copy(dst, codes)
		return err
	}, nil)
	if err = errors.Join(err, d.Close()); err != nil {
		return nil, err
	}
	m = &Manifest{Format: FormatVersion, Content: parts.Content, Checksum: parts.Checksum, Built: parts.Built, Files: files}
	sum, err := m.Content.checksum(w.sums)
	if err != nil {
		return nil, err
	}
	if sum != m.Checksum {
		return nil, fmt.Errorf("%s: %w: the logical checksum of the parts is %s, the manifest says %s", dir, ErrCorrupt, sum, m.Checksum)
	}
	if err := m.write(fs, dir); err != nil {
		return nil, err
	}
	_, err = m.removeParts(fs, dir)
	return m, err
}

// removeParts removes the parts of a merged database, and reports whether there were any.
func (m *Manifest) removeParts(fs vfs.FS, dir string) (removed bool, err error) {
	parts, err := m.Strays(fs, dir)
	for _, name := range parts {
		err = errors.Join(err, fs.RemoveAll(fs.PathJoin(dir, name)))
	}
	if len(parts) > 0 {
		err = errors.Join(err, storage.SyncDir(fs, dir))
	}
	return len(parts) > 0, err
}
