package db

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
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

// DecodeVerification reads the record of a verification from its file. It returns an error that is [ErrCorrupt] if
// it is damaged, or has an unknown format.
func DecodeVerification(data []byte) (*VerificationRecord, error) {
	text, ok := unseal(data)
	var r VerificationRecord
	if !ok || json.Unmarshal(text, &r) != nil || r.Format != verificationFormat {
		return nil, fmt.Errorf("%s: %w", VerificationName, ErrCorrupt)
	}
	return &r, nil
}

// NewVerificationRecord returns the record of a verification of files by a program.
func NewVerificationRecord(by string, at time.Time, files []HashedFile) *VerificationRecord {
	return &VerificationRecord{verificationFormat, by, at, files}
}

// HashOf returns the name, the size and the hash of a file.
func HashOf(name string, data []byte) HashedFile {
	sum := sha256.Sum256(data)
	return HashedFile{name, int64(len(data)), hex.EncodeToString(sum[:])}
}

// Verification compares the record of a verification with the manifest and with the names
// and sizes of files, which were compared with the manifest when it was opened. It does not read the
// content of files; see [DB.Check].
func (d *DB) Verification() (Verification, error) {
	return d.verification(Recorded, func(r Files, files []HashedFile) bool { return len(files) > 0 && files[0] == r.ManifestFile() })
}

// verification returns the given state if the record fits.
func (d *DB) verification(state string, fits func(in Files, files []HashedFile) bool) (Verification, error) {
	in, ok := d.blocks.(Files)
	if !ok {
		return Verification{State: Unverified}, nil
	}
	r, err := in.Record()
	switch {
	case errors.Is(err, ErrCorrupt):
		return Verification{State: Stale}, nil
	case err != nil:
		return Verification{}, err
	case r == nil:
		return Verification{State: Unverified}, nil
	case !fits(in, r.Files):
		state = Stale
	}
	return Verification{state, r.By, r.At}, nil
}

// compare compares the record of a verification with all files.
func (d *DB) compare(files []HashedFile) (Verification, error) {
	return d.verification(Verified, func(_ Files, want []HashedFile) bool { return slices.Equal(files, want) })
}
