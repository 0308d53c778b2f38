package cluster

import (
	"context"
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Errors that carriers return, perhaps wrapped.
var (
	// ErrGone says that a job is done, returned or recalled.
	ErrGone = errors.New("the job is no longer wanted")
	// ErrRefused says that a worker may not join.
	ErrRefused = errors.New("refused")
	// ErrClosed says that the carrier was closed.
	ErrClosed = errors.New("the carrier is closed")
)

// ID names a job: it is a hash of everything that the answer depends on.
type ID [16]byte

// NewID returns the hash of a list of parts. The same bytes divided into other parts have
// another hash.
func NewID(parts ...[]byte) (id ID) {
	h := sha256.New()
	var length [8]byte
	for _, part := range parts {
		binary.LittleEndian.PutUint64(length[:], uint64(len(part)))
		h.Write(length[:])
		h.Write(part)
	}
	copy(id[:], h.Sum(nil))
	return id
}

// String returns the ID in hexadecimal.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// Body is what a job asks or a result says. Within a process it is handed over as it is, and
// must not be changed; between processes a carrier encodes it, and what arrives is [Bytes].
type Body = encoding.BinaryMarshaler

// Bytes is an encoded [Body].
type Bytes []byte

// MarshalBinary returns the bytes.
func (b Bytes) MarshalBinary() ([]byte, error) { return b, nil }

// Job is work to be done.
type Job struct {
	ID   ID
	Body Body
}

// Result is what a worker has found for a job.
type Result struct {
	Job    ID
	Worker string // its name, see [Back]
	Body   Body
}

// Status counts what a carrier holds.
type Status struct {
	Queued  int // jobs that wait for a worker
	Leased  int // jobs that workers have
	Results int // not yet acknowledged
	// Oldest is how long ago the oldest of the jobs was offered.
	Oldest time.Duration
}

// Front is the front end's side of a carrier. Its methods may be called by several
// goroutines, but Receive by one at a time.
type Front interface {
	// Offer adds jobs to the end of the queue. A job that waits or is being done stays as
	// it is. When Offer returns, the jobs have been handed over.
	Offer(ctx context.Context, jobs ...Job) error
	// Recall takes jobs back: those that wait are removed, and workers that have one are
	// notified as soon as possible. Unknown jobs are ignored.
	Recall(ctx context.Context, ids ...ID) error
	// Receive waits for a result. One that is not acknowledged may be delivered again.
	Receive(ctx context.Context) (Delivery, error)
	// Status returns what the carrier holds now.
	Status(ctx context.Context) (Status, error)
	// Close ends the front end's connection. Receive then returns [ErrClosed]. Workers
	// learn of it as soon as possible if no front end can come back.
	Close() error
}

// Delivery is a result that was received.
type Delivery interface {
	Result() Result
	// Ack says that the result has been committed to storage, and makes the carrier
	// forget it and its job.
	Ack(ctx context.Context) error
}

// Back is a worker's side of a carrier. It belongs to one goroutine.
type Back interface {
	// Take waits for a job and leases it.
	Take(ctx context.Context) (Lease, error)
	// Close ends the worker's connection. Its leases end when they expire.
	Close() error
}

// Lease is a job that a worker has. The carrier keeps it alive as long as the worker's process lives.
// Its methods may be called by several goroutines.
type Lease interface {
	Job() Job
	// Gone is closed when the carrier learns that the job was recalled.
	Gone() <-chan struct{}
	// Done sends a result. It fails with [ErrGone] if the job is known to be recalled, or was done or
	// returned before.
	Done(ctx context.Context, result Body) error
	// Return gives the job back, for another worker to take at once.
	Return(ctx context.Context) error
}

// Terms are what the front end and a worker must agree on.
type Terms struct {
	// Version is the version of the program.
	Version string
	// Game is the game with its rule options, as [games.Rules.String] writes it.
	Game string
	// Rules is a fingerprint of the game's rules as the program has them.
	Rules string
}

// Admit returns nil if a worker with the given terms may join a front end with terms t,
// and otherwise an error that wraps [ErrRefused].
func (t Terms) Admit(worker Terms) error {
	switch {
	case t.Version != worker.Version:
		return fmt.Errorf("%w: this is version %s, and version %s is wanted: use the same program", ErrRefused, worker.Version, t.Version)
	case t.Game != worker.Game:
		return fmt.Errorf("%w: this plays %s, and %s is wanted", ErrRefused, worker.Game, t.Game)
	case t.Rules != worker.Rules:
		return fmt.Errorf("%w: the rules of %s differ (fingerprints %s and %s): use the same program",
			ErrRefused, t.Game, worker.Rules, t.Rules)
	}
	return nil
}

// Refusal restores the error of [Terms.Admit] from its text, in the worker's process.
func Refusal(text string) error {
	return fmt.Errorf("%w%s", ErrRefused, strings.TrimPrefix(text, ErrRefused.Error()))
}
