package store

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/db"
)

// Options configures an open database. The zero value is ready for use.
type Options struct {
	FS vfs.FS // vfs.Default if nil
	// CacheSize is the maximum size of the cache in bytes; 0 means
	// [db.DefaultCacheSize]. Memory is allocated only as blocks are read.
	CacheSize int64
}

// blocks are those of a database, in a directory or in one file.
type blocks interface {
	db.Files
	// count returns the number of blocks that there are.
	count() (uint64, error)
}

// Open opens the database in a directory, or in one file that [Pack] has written. Options may be nil. The manifest says
// which game it is of; see [db.NewProber].
func Open(path string, o *Options) (*db.DB, error) {
	var options Options
	if o != nil {
		options = *o
	}
	if options.FS == nil {
		options.FS = vfs.Default
	}
	if options.CacheSize == 0 {
		options.CacheSize = db.DefaultCacheSize
	}
	d, _, err := open(options.FS, path, options.CacheSize)
	return d, err
}

// open also returns the blocks.
func open(fs vfs.FS, path string, cacheSize int64) (*db.DB, blocks, error) {
	if !isFile(fs, path) {
		return openDirectory(fs, path, cacheSize)
	}
	p, err := openPacked(fs, path)
	if err != nil {
		return nil, nil, err
	}
	return db.New(path, p.Manifest(), p, cacheSize), p, nil
}

func openDirectory(fs vfs.FS, dir string, cacheSize int64) (*db.DB, blocks, error) {
	m, file, err := readManifest(fs, dir)
	if err != nil {
		return nil, nil, err
	}
	storeCache := min(cacheSize/8, 8<<20)
	shared := pebble.NewCache(storeCache)
	defer shared.Unref()
	s := &pebbleStore{fs: fs, dir: dir, manifest: m, file: file}
	if s.store, err = openStore(fs, fs.PathJoin(dir, db.StoreName), m.Files, shared); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	return db.New(dir, m, s, cacheSize-storeCache), s, nil
}

// ReadManifest reads the manifest of the database in a directory or a file. It returns an error
// that is [db.ErrNoDatabase] if there is none. A nil fs means vfs.Default.
func ReadManifest(fs vfs.FS, dir string) (*db.Manifest, error) {
	if fs == nil {
		fs = vfs.Default
	}
	m, _, err := readManifest(fs, dir)
	return m, err
}

// readManifest also returns the file.
func readManifest(fs vfs.FS, dir string) (*db.Manifest, db.HashedFile, error) {
	if isFile(fs, dir) {
		p, err := openPacked(fs, dir)
		if err != nil {
			return nil, db.HashedFile{}, err
		}
		return p.Manifest(), p.ManifestFile(), p.Close()
	}
	data, err := readFile(fs, fs.PathJoin(dir, db.ManifestName))
	if errors.Is(err, os.ErrNotExist) {
		why := "it has no " + db.ManifestName
		if _, err := fs.Stat(dir); errors.Is(err, os.ErrNotExist) {
			why = "there is no such directory"
		}
		err = fmt.Errorf("%w in %s (%s)", db.ErrNoDatabase, dir, why)
	}
	if errors.Is(err, syscall.ENOTDIR) {
		err = fmt.Errorf("%w in %s (it is a file; want a directory)", db.ErrNoDatabase, dir)
	}
	if err != nil {
		return nil, db.HashedFile{}, err
	}
	m, err := db.DecodeManifest(data)
	if err != nil {
		return nil, db.HashedFile{}, fmt.Errorf("%s: %w", dir, err)
	}
	return m, db.HashOf(db.ManifestName, data), nil
}
