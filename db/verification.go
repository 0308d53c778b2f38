package db

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// VerificationName is the name of the record of a verification in a database's directory.
const VerificationName = "yomikiri.verified"

// verificationFormat is the version of the record's format.
const verificationFormat = 1

// VerificationRecord says that package verify has found nothing wrong with a database, and
// with what content. It shows that somebody has verified this content; whoever can write to
// the directory can also forge it.
type VerificationRecord struct {
	Format int       `json:"format"`
	By     string    `json:"by"` // program and version
	At     time.Time `json:"at"`
	// Files are the manifest and the files of the stores, in this order.
	Files []HashedFile `json:"files"`
}

// HashedFile is a file of a database, with its hash.
type HashedFile struct {
	Name   string `json:"name"` // in the directory of the database, such as store/000004.sst
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"` // in hexadecimal
}

// WriteVerification records in the directory of a database that it was verified: files are
// those that were. A nil fs means vfs.Default.
func WriteVerification(fs vfs.FS, dir, by string, at time.Time, files []HashedFile) error {
	if fs == nil {
		fs = vfs.Default
	}
	return writeSealed(fs, dir, VerificationName, &VerificationRecord{verificationFormat, by, at, files})
}

// RemoveVerification removes the record of a verification, if there is one. A nil fs means
// vfs.Default.
func RemoveVerification(fs vfs.FS, dir string) error {
	if fs == nil {
		fs = vfs.Default
	}
	err := fs.Remove(fs.PathJoin(dir, VerificationName))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// Verification says what is known of the verification of a database.
type Verification struct {
	// State is one of the constants below.
	State string `json:"state"`
	// By and At are those of the record, if there is one.
	By string    `json:"by,omitempty"`
	At time.Time `json:"at,omitzero"`
}

// States of a [Verification].
const (
	// Unverified means that there is no record of a verification.
	Unverified = "unverified"
	// Stale means that the record is damaged, cannot be read, or is about other content.
	Stale = "stale"
	// Recorded means that the record fits the manifest, the names and sizes of the files.
	// Their content was not compared.
	Recorded = "recorded"
	// Verified means that the record fits the content of all files.
	Verified = "verified"
)

// String returns v as part of a sentence about the database.
func (v Verification) String() string {
	on := fmt.Sprintf("on %s by %s", v.At.UTC().Format(time.DateOnly), v.By)
	switch {
	case v.State == Verified:
		return "verified " + on
	case v.State == Recorded:
		return "recorded as verified " + on + "; the content of its files was not compared with the record"
	case v.State == Stale && v.By != "":
		return "not verified: what was verified " + on + " had other content"
	case v.State == Stale:
		return "not verified: the record of a verification is damaged or cannot be read"
	}
	return "not verified"
}

// readRecord reads the record of a verification. It returns nil if there is none, and an
// error that is [ErrCorrupt] if it is damaged, has an unknown format, may not be read, or is
// not a file: a database is no worse for that, only not verified.
func readRecord(fs vfs.FS, dir string) (*VerificationRecord, error) {
	path := fs.PathJoin(dir, VerificationName)
	info, err := fs.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file: %w", VerificationName, ErrCorrupt)
	}
	data, err := readFile(fs, path)
	if errors.Is(err, os.ErrPermission) {
		return nil, fmt.Errorf("%w: %w", err, ErrCorrupt)
	}
	if err != nil {
		return nil, err
	}
	text, ok := unseal(data)
	var r VerificationRecord
	if !ok || json.Unmarshal(text, &r) != nil || r.Format != verificationFormat {
		return nil, fmt.Errorf("%s: %w", VerificationName, ErrCorrupt)
	}
	return &r, nil
}

// Verification compares the record of a verification with the manifest and with the names
// and sizes of files, which [Open] has compared with the manifest. It does not read the
// content of files; see [DB.Check].
func (d *DB) Verification() (Verification, error) {
	return d.verification(Recorded, func(files []HashedFile) bool { return len(files) > 0 && files[0] == d.file })
}

// verification returns the given state if the record fits.
func (d *DB) verification(state string, fits func(files []HashedFile) bool) (Verification, error) {
	r, err := readRecord(d.fs, d.dir)
	switch {
	case errors.Is(err, ErrCorrupt):
		return Verification{State: Stale}, nil
	case err != nil:
		return Verification{}, err
	case r == nil:
		return Verification{State: Unverified}, nil
	case !fits(r.Files):
		state = Stale
	}
	return Verification{state, r.By, r.At}, nil
}

// compare compares the record of a verification with all files.
func (d *DB) compare(files []HashedFile) (Verification, error) {
	return d.verification(Verified, func(want []HashedFile) bool { return slices.Equal(files, want) })
}
