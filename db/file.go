package db

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
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

// checkFiles compares the files of a database's stores with those of the manifest, and
// reports each difference.
func checkFiles(ctx context.Context, fs vfs.FS, dir string, m *Manifest, problem func(error)) error {
	for _, s := range m.stores() {
		if err := s.check(ctx, fs, dir, problem); err != nil {
			return err
		}
	}
	return nil
}

func (s *store) check(ctx context.Context, fs vfs.FS, dir string, problem func(error)) error {
	found, err := storeFiles(ctx, fs, fs.PathJoin(dir, s.name))
	if errors.Is(err, os.ErrNotExist) {
		problem(err)
		return nil
	}
	if err != nil {
		return err
	}
	for _, want := range s.files {
		at := slices.IndexFunc(found, func(f File) bool { return f.Name == want.Name })
		switch {
		case at < 0:
			problem(fmt.Errorf("file %s is missing", s.path(want.Name)))
		case found[at] != want:
			problem(fmt.Errorf("file %s has %d bytes with checksum %s, want %d with %s",
				s.path(want.Name), found[at].Size, found[at].Sum, want.Size, want.Sum))
		}
	}
	for _, f := range found {
		if !slices.ContainsFunc(s.files, func(want File) bool { return f.Name == want.Name }) {
			problem(fmt.Errorf("file %s is not in the manifest", s.path(f.Name)))
		}
	}
	return nil
}

// Verify compares the files of the database with the checksums in the manifest. It returns
// an error that is [ErrCorrupt] if one differs. Package verify checks much more.
func (d *DB) Verify(ctx context.Context) error {
	var problems []error
	err := checkFiles(ctx, d.fs, d.dir, d.manifest, func(err error) { problems = append(problems, err) })
	if err == nil && len(problems) > 0 {
		err = fmt.Errorf("%s: %w: %w", d.dir, ErrCorrupt, errors.Join(problems...))
	}
	return err
}

// storeFiles returns the files of a store, by name.
func storeFiles(ctx context.Context, fs vfs.FS, dir string) ([]File, error) {
	names, err := fs.List(dir)
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var list []File
	for _, name := range names {
		f, err := sumFile(ctx, fs, fs.PathJoin(dir, name))
		if err != nil {
			return nil, err
		}
		f.Name = name
		list = append(list, f)
	}
	return list, nil
}

func sumFile(ctx context.Context, fs vfs.FS, path string) (file File, err error) {
	f, err := fs.Open(path, vfs.SequentialReadsOption)
	if err != nil {
		return File{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	d := xxhash.New()
	n, err := io.CopyBuffer(d, contextReader{ctx, f}, make([]byte, 1<<20))
	return File{Size: n, Sum: fmt.Sprintf("%016x", d.Sum64())}, err
}

// contextReader is a reader that fails once its context has ended.
type contextReader struct {
	ctx context.Context
	io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}
