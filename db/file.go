package db

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/cespare/xxhash/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

func readFile(fs vfs.FS, path string) (data []byte, err error) {
	f, err := fs.Open(path, vfs.SequentialReadsOption)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(f)
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
