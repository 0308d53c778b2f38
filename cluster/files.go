package cluster

import (
	"context"
	"errors"
	"io"
)

// Files carries files between the front end and its workers that are too large for a [Body]: they are
// never in memory as a whole. Like all that a carrier holds, they may get lost. The methods may be called by
// several goroutines.
type Files interface {
	// Put stores the first size bytes of r under a name, in place of an earlier file. It reads them again
	// when a connection breaks.
	Put(ctx context.Context, name string, r io.ReaderAt, size int64) error
	// Get calls read with the content of a file. When the content breaks off, its reader fails, and read is
	// called again with another one, from the beginning; any other error of read ends Get. Without such a
	// file Get fails with [ErrNoFile], and with [ErrBroken] if its content is damaged again and again.
	Get(ctx context.Context, name string, read func(io.Reader) error) error
	// Delete removes a file, if there is one.
	Delete(ctx context.Context, name string) error
	// List returns the names of all files.
	List(ctx context.Context) ([]string, error)
}

// ErrBroken says that the content of a file is damaged where [Files] keeps it.
var ErrBroken = errors.New("the carrier has this file damaged")

// ErrNoFile says that [Files] has no file of a name.
var ErrNoFile = errors.New("the carrier has no such file")
