package db

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
func checkFiles(ctx context.Context, fs vfs.FS, dir string, m *Manifest, problem func(error)) ([]HashedFile, error) {
	var hashes []HashedFile
	found, err := storeFiles(ctx, fs, fs.PathJoin(dir, storeName), &hashes)
	if errors.Is(err, os.ErrNotExist) {
		problem(err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for i := range hashes {
		hashes[i].Name = storeName + "/" + hashes[i].Name
	}
	for _, want := range m.Files {
		at := slices.IndexFunc(found, func(f File) bool { return f.Name == want.Name })
		switch {
		case at < 0:
			problem(fmt.Errorf("file %s is missing", want.Name))
		case found[at] != want:
			problem(fmt.Errorf("file %s has %d bytes with checksum %s, want %d with %s",
				want.Name, found[at].Size, found[at].Sum, want.Size, want.Sum))
		}
	}
	for _, f := range found {
		if !slices.ContainsFunc(m.Files, func(want File) bool { return f.Name == want.Name }) {
			problem(fmt.Errorf("file %s is not in the manifest", f.Name))
		}
	}
	return hashes, nil
}

// Check compares the database with its checksums: those of all files and blocks, and the
// logical checksum. It returns an error that is [ErrCorrupt] if one differs. It also compares
// all files with the record of a verification. It reads the database twice, and needs 8 bytes
// of memory for each block. Unlike package verify it derives no value.
func (d *DB) Check(ctx context.Context) (Verification, error) {
	var problems []error
	files, err := checkFiles(ctx, d.fs, d.dir, d.manifest, func(err error) { problems = append(problems, err) })
	if err != nil {
		return Verification{}, err
	}
	if len(problems) > 0 {
		return Verification{}, fmt.Errorf("%s: %w: %w", d.dir, ErrCorrupt, errors.Join(problems...))
	}
	if err := d.checkBlocks(ctx); err != nil {
		return Verification{}, err
	}
	return d.compare(append([]HashedFile{d.file}, files...))
}

// checkBlocks compares the blocks with the logical checksum.
func (d *DB) checkBlocks(ctx context.Context) error {
	c := &d.manifest.Content
	var sums []uint64
	for _, b := range c.ranges(1) {
		if err := ctx.Err(); err != nil {
			return err
		}
		_, sum, err := d.readBlock(b.tier, b.first)
		if err != nil {
			return err
		}
		sums = append(sums, sum)
	}
	sum, err := c.checksum([][]uint64{sums})
	if err != nil {
		return err
	}
	if err := d.manifest.checkSum(sum); err != nil {
		return fmt.Errorf("%s: %w: %w", d.dir, ErrCorrupt, err)
	}
	return nil
}

// storeFiles returns the files of a store, by name. It also appends their hashes to hashes,
// unless that is nil.
func storeFiles(ctx context.Context, fs vfs.FS, dir string, hashes *[]HashedFile) ([]File, error) {
	names, err := fs.List(dir)
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var list []File
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
			*hashes = append(*hashes, HashedFile{name, f.Size, hex.EncodeToString(sha.Sum(nil))})
		}
	}
	return list, nil
}

// sumFile returns the size and the checksum of a file. It also writes the file to also.
func sumFile(ctx context.Context, fs vfs.FS, path string, also io.Writer) (file File, err error) {
	f, err := fs.Open(path, vfs.SequentialReadsOption)
	if err != nil {
		return File{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	d := xxhash.New()
	n, err := io.CopyBuffer(io.MultiWriter(d, also), contextReader{ctx, f}, make([]byte, 1<<20))
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
