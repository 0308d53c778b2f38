package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/cespare/xxhash/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/internal/storage"
)

func readFile(fs vfs.FS, path string) (data []byte, err error) {
	if info, err := fs.Stat(path); err == nil && info.Mode()&^os.ModePerm != 0 {
		return nil, fmt.Errorf("%s is no regular file (%v)", path, info.Mode().Type()) // a pipe would block
	}
	f, err := fs.Open(path, vfs.SequentialReadsOption)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(f)
}

// checkFiles compares the files of a database's store with those of the manifest, and
// reports each difference. It returns the files with their hashes.
func checkFiles(ctx context.Context, fs vfs.FS, dir string, m *db.Manifest, problem func(error)) ([]db.HashedFile, error) {
	if isFile(fs, dir) {
		return packedFiles(ctx, fs, dir)
	}
	var hashes []db.HashedFile
	found, err := storeFiles(ctx, fs, fs.PathJoin(dir, db.StoreName), &hashes)
	if errors.Is(err, os.ErrNotExist) {
		problem(err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for i := range hashes {
		hashes[i].Name = db.StoreName + "/" + hashes[i].Name
	}
	for _, want := range m.Files {
		at := slices.IndexFunc(found, func(f db.File) bool { return f.Name == want.Name })
		switch {
		case at < 0:
			problem(fmt.Errorf("file %s is missing", want.Name))
		case found[at] != want:
			problem(fmt.Errorf("file %s has %d bytes with checksum %s, want %d with %s",
				want.Name, found[at].Size, found[at].Sum, want.Size, want.Sum))
		}
	}
	for _, f := range found {
		if !slices.ContainsFunc(m.Files, func(want db.File) bool { return f.Name == want.Name }) {
			problem(fmt.Errorf("file %s is not in the manifest", f.Name))
		}
	}
	return hashes, nil
}

// storeFiles returns the files of a store, by name. It also appends their hashes to hashes,
// unless that is nil.
func storeFiles(ctx context.Context, fs vfs.FS, dir string, hashes *[]db.HashedFile) ([]db.File, error) {
	names, err := fs.List(dir)
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var list []db.File
	for _, name := range names {
		sha, also := sha256.New(), io.Discard
		if hashes != nil {
			also = sha
		}
		f, err := sumFile(ctx, fs, fs.PathJoin(dir, name), also)
		if err != nil {
			return nil, err
		}
		f.Name = name
		list = append(list, f)
		if hashes != nil {
			*hashes = append(*hashes, db.HashedFile{Name: name, Size: f.Size, SHA256: hex.EncodeToString(sha.Sum(nil))})
		}
	}
	return list, nil
}

// sumFile returns the size and the checksum of a file. It also writes the file to also.
func sumFile(ctx context.Context, fs vfs.FS, path string, also io.Writer) (file db.File, err error) {
	f, err := fs.Open(path, vfs.SequentialReadsOption)
	if err != nil {
		return db.File{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	d := xxhash.New()
	n, err := io.CopyBuffer(io.MultiWriter(d, also), contextReader{ctx, f}, make([]byte, 1<<20))
	return db.File{Size: n, Sum: fmt.Sprintf("%016x", d.Sum64())}, err
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

func writeManifest(fs vfs.FS, dir string, m *db.Manifest) error {
	return writeSealed(fs, dir, db.ManifestName, m)
}

func writeSealed(fs vfs.FS, dir, name string, v any) error {
	data, err := db.Seal(v)
	if err != nil {
		return err
	}
	return storage.WriteFile(fs, dir, name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
