package store

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/db"
)

// recordPath returns the file of the record of a verification: in the directory of a database, or beside its one file.
func recordPath(fs vfs.FS, path string) string {
	if isFile(fs, path) {
		return path + ".verified"
	}
	return fs.PathJoin(path, db.VerificationName)
}

// WriteVerification records in the directory of a database, or beside its one file, that it was verified: files are
// those that were. A nil fs means vfs.Default.
func WriteVerification(fs vfs.FS, dir, by string, at time.Time, files []db.HashedFile) error {
	if fs == nil {
		fs = vfs.Default
	}
	path := recordPath(fs, dir)
	return writeSealed(fs, fs.PathDir(path), fs.PathBase(path), db.NewVerificationRecord(by, at, files))
}

// RemoveVerification removes the record of a verification, if there is one. A nil fs means
// vfs.Default.
func RemoveVerification(fs vfs.FS, dir string) error {
	if fs == nil {
		fs = vfs.Default
	}
	err := fs.Remove(recordPath(fs, dir))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// readRecord reads the record of a verification. It returns nil if there is none, and an
// error that is [db.ErrCorrupt] if it is damaged, has an unknown format, may not be read, or is
// not a file: a database is no worse for that, only not verified.
func readRecord(fs vfs.FS, path string) (*db.VerificationRecord, error) {
	info, err := fs.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file: %w", db.VerificationName, db.ErrCorrupt)
	}
	data, err := readFile(fs, path)
	if errors.Is(err, os.ErrPermission) {
		return nil, fmt.Errorf("%w: %w", err, db.ErrCorrupt)
	}
	if err != nil {
		return nil, err
	}
	return db.DecodeVerification(data)
}
