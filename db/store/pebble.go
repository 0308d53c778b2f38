package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/db"
)

// pebbleStore is the blocks of a database in a directory.
type pebbleStore struct {
	fs       vfs.FS
	dir      string
	manifest *db.Manifest
	file     db.HashedFile // of the manifest
	store    *pebble.DB
}

// AppendStored implements [db.Blocks].
func (s *pebbleStore) AppendStored(dst []byte, tier int, block uint64) ([]byte, error) {
	var key [16]byte
	stored, closer, err := s.store.Get(db.AppendKey(key[:0], tier, block))
	switch {
	case errors.Is(err, pebble.ErrNotFound):
		return dst, fmt.Errorf("%w: the block is missing", db.ErrCorrupt)
	case pebble.IsCorruptionError(err):
		// Pebble's own message would not help the user; verify names the files.
		return dst, fmt.Errorf("%w: a file of the store has changed", db.ErrCorrupt)
	case err != nil:
		return dst, err
	}
	return append(dst, stored...), closer.Close()
}

// Close implements [db.Blocks].
func (s *pebbleStore) Close() error { return s.store.Close() }

// count returns the number of blocks of the store.
func (s *pebbleStore) count() (n uint64, err error) {
	keys, err := s.store.NewIter(nil)
	if err != nil {
		return 0, err
	}
	for ok := keys.First(); ok; ok = keys.Next() {
		n++
	}
	return n, keys.Close()
}

// ManifestFile implements [db.Files].
func (s *pebbleStore) ManifestFile() db.HashedFile { return s.file }

// CheckFiles implements [db.Files].
func (s *pebbleStore) CheckFiles(ctx context.Context, problem func(error)) ([]db.HashedFile, error) {
	files, err := checkFiles(ctx, s.fs, s.dir, s.manifest, problem)
	return append([]db.HashedFile{s.file}, files...), err
}

// Record implements [db.Files].
func (s *pebbleStore) Record() (*db.VerificationRecord, error) {
	return readRecord(s.fs, recordPath(s.fs, s.dir))
}

// openStore opens the store in a directory if its files have the sizes in the manifest.
func openStore(fs vfs.FS, dir string, files []db.File, cache *pebble.Cache) (*pebble.DB, error) {
	for _, f := range files {
		info, err := fs.Stat(fs.PathJoin(dir, f.Name))
		if err != nil {
			return nil, fmt.Errorf("%w: %w", db.ErrCorrupt, err)
		}
		if info.Size() != f.Size {
			return nil, fmt.Errorf("%w: file %s has %d bytes, want %d", db.ErrCorrupt, f.Name, info.Size(), f.Size)
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

// storeError marks an error of a store as [db.ErrCorrupt] if the store's files differ from
// those in the manifest.
func storeError(fs vfs.FS, store string, want []db.File, err error) error {
	found, e := storeFiles(context.Background(), fs, store, nil)
	if e == nil && !slices.Equal(found, want) {
		return fmt.Errorf("%w: a file of the store has changed", db.ErrCorrupt)
	}
	return err
}
