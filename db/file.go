package db

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/cespare/xxhash/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

var vfsNotExist = os.ErrNotExist

func readFile(fs vfs.FS, path string) (data []byte, err error) {
	f, err := fs.Open(path, vfs.SequentialReadsOption)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(f)
}

// WriteFile makes or replaces a file in a directory: at every moment, a crash
// included, there is either the old file or the whole new one.
func WriteFile(fs vfs.FS, dir, name string, write func(io.Writer) error) (err error) {
	path := fs.PathJoin(dir, name)
	unfinished := path + ".tmp"
	f, err := fs.Create(unfinished, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(fmt.Errorf("writing %s: %w", path, err), fs.Remove(unfinished))
	}
	if err := fs.Rename(unfinished, path); err != nil {
		return err
	}
	return SyncDir(fs, dir)
}

// SyncDir makes sure that the names in a directory outlast a crash.
func SyncDir(fs vfs.FS, dir string) error {
	d, err := fs.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// storeFiles returns the files of a store, by name.
func storeFiles(fs vfs.FS, dir string) ([]File, error) {
	names, err := fs.List(dir)
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var list []File
	for _, name := range names {
		f, err := sumFile(fs, fs.PathJoin(dir, name))
		if err != nil {
			return nil, err
		}
		f.Name = name
		list = append(list, f)
	}
	return list, nil
}

// sumFile returns the size and the checksum of a file.
func sumFile(fs vfs.FS, path string) (file File, err error) {
	f, err := fs.Open(path, vfs.SequentialReadsOption)
	if err != nil {
		return File{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	d := xxhash.New()
	n, err := io.CopyBuffer(d, f, make([]byte, 1<<20))
	return File{Size: n, Sum: fmt.Sprintf("%016x", d.Sum64())}, err
}
